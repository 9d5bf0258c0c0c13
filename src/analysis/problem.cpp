#include "analysis/problem.hpp"

namespace tutti {

std::int64_t Problem::input_elements(Rank me, int owner) const {
  const auto p = static_cast<std::size_t>(size), mine = static_cast<std::size_t>(me),
             other = static_cast<std::size_t>(owner);
  if (counts.size() == 1) return counts[0];
  return counts.size() == p ? counts[other] : counts[mine * p + other];
}

std::int64_t Problem::output_elements(Rank me, int owner) const {
  const auto p = static_cast<std::size_t>(size), mine = static_cast<std::size_t>(me),
             other = static_cast<std::size_t>(owner);
  if (counts.size() == 1) return counts[0];
  return counts.size() == p ? counts[other] : counts[other * p + mine];
}

}  // namespace tutti
