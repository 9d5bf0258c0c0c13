/// An allgather of everything that every rank has to send, by recursive doubling, of which each keeps what is meant for
/// it: T = lg p alpha + (p-1) m beta.  Only for the least messages: scratch for (p-1) m.  Thakur & Gropp 2002, 4.5.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/renamed.hpp"

namespace tutti {

Schedule alltoall_recursive_doubling(Context context) {
  const Rank me = context.me;
  const int size = context.size;
  for (Rank source = 0; source < size; ++source)
    if (source != me) co_yield scratch_area(source, 0, size, 0, Buffer::input);
  // A block of the allgather is a rank's whole input.
  const auto rows = [me, size](const Blocks& sources) {
    BlockList whole;
    for (Rank source = sources.first; source < sources.first + sources.count; ++source)
      whole.add(source == me ? input(0, size) : scratch(source, 0, size));
    return whole;
  };
  Schedule gather = renamed(allgather_recursive_doubling(context), {.peer = {}, .blocks = rows, .area = {}});
  while (const Step* step = gather.next()) co_yield *step;
  for (Rank source = 0; source < size; ++source)
    if (source != me) co_yield copy(scratch(source, me), output(source));
}

}  // namespace tutti
