/// Groups of M = 1, 2, 4, … ranks exchange all they hold with the neighbouring group:
/// T = lg p alpha + (p-1)/p m beta for powers of two; at most 2 lg p rounds otherwise.  Thakur & Gropp 2002, 4.2.
///
/// Where the upper group is incomplete, some of the lower group have no partner; those that have one pass the upper
/// group's blocks on down a binomial tree within the group ("subtree correction").
#include <algorithm>

#include "core/schedule.hpp"

namespace tutti {

Schedule allgather_recursive_doubling(Context context) {
  const Rank me = context.me;
  const int size = context.size;
  for (int group = 1; group < size; group *= 2) {
    const Rank partner = me ^ group, own = me & ~(group - 1), other = own ^ group;
    if (partner < size) {
      co_yield send(partner, output(own, std::min(group, size - own)));
      co_yield receive(partner, output(other, std::min(group, size - other)));
    }
    co_yield round_mark();

    const bool incomplete = other > own && other < size && size < other + group;
    if (!incomplete) continue;
    const int served = size - other;  // ranks of this group that had a partner
    for (int distance = group / 2; distance > 0; distance /= 2) {
      const int place = (me - own) % (2 * distance);
      if (place < std::min(distance, served) && place + distance >= served)
        co_yield send(me + distance, output(other, served));
      else if (place >= std::max(distance, served) && place - distance < served)
        co_yield receive(me - distance, output(other, served));
      co_yield round_mark();
    }
  }
}

}  // namespace tutti
