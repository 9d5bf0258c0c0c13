#include "shm/sync/long_ring.hpp"

#include <algorithm>

#include "clock/cycles.hpp"
#include "shm/segment/placement.hpp"

namespace tutti::shm {

void LongRing::take_some_pages() {
  constexpr std::size_t step = std::size_t{16} << 10;  // 2 to 10 us, which a call of 8 KiB bears
  constexpr std::uint64_t pause = 7;                   // times as long as the step took
  const std::uint64_t begin = cycle_count();
  if (begin < more_after_) return;
  take_pages(for_all_ ? bytes_ : step);
  const std::uint64_t end = cycle_count();
  more_after_ = end + pause * (end - begin);
}

void LongRing::take_pages(std::size_t more) {
  more = std::min(more, bytes_ - taken_);
  take_pages_here(ring(me_) + taken_, more);
  taken_ += more;
  in_use_ = taken_ == bytes_;
}

void LongRing::map_others() {
  if (!in_use_) return;
  for (int member = 0; member < static_cast<int>(mapped_.size()); ++member)
    if (member != me_) map_pages(member);
}

void LongRing::map_pages(int member) {
  map_pages_of_others(ring(member), bytes_);
  mapped_[static_cast<std::size_t>(member)] = true;
}

}  // namespace tutti::shm
