#include "shm/copy/copy_choices.hpp"

#include <algorithm>
#include <bit>

#include "shm/sync/topology.hpp"

namespace tutti::shm {

void CopyChoices::learn_anew() {
  for (ByCache& by_cache : choices_)
    for (ByLength& by_length : by_cache)
      for (CopyChoice& choice : by_length) choice.learn_anew();
}

CopyChoices::Found CopyChoices::of(Pattern pattern, const std::byte* start, std::size_t bytes, std::size_t least,
                                   std::size_t passes, int members) {
  const std::size_t since = sources_.landed_since(start, passes);
  const std::size_t cache = since <= bytes_of_own_cache() ? 0 : since <= held_for_each(members) ? 1 : 2;
  ByLength& by_length = choices_[static_cast<std::size_t>(pattern)][cache];
  const auto fours = static_cast<std::size_t>(std::bit_width(bytes / least) - 1) / 2;
  const std::size_t length = std::min(fours, by_length.size() - 1);
  return {&by_length[length], static_cast<std::uint32_t>(cache * by_length.size() + length), cache == 0};
}

}  // namespace tutti::shm
