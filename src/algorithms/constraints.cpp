#include "algorithms/constraints.hpp"

#include <bit>

namespace tutti {

std::vector<std::string> needs(const Constraints& constraints) {
  std::vector<std::string> all;
  if (constraints.commutative) all.push_back("a commutative operator");
  if (constraints.by_arrival) all.push_back("leave to combine operands as they arrive");
  if (constraints.power_of_two) all.push_back("a power of two of ranks");
  if (constraints.even) all.push_back("an even number of ranks");
  if (constraints.regular) all.push_back("equal blocks");
  if (constraints.least_ranks > 1) all.push_back("at least " + std::to_string(constraints.least_ranks) + " ranks");
  if (constraints.least_count > 0) all.push_back("at least " + std::to_string(constraints.least_count) + " elements");
  return all;
}

std::string obstacle(const Constraints& constraints, const Occasion& call) {
  const std::string who(call.who);
  const std::string ranks = std::to_string(call.ranks) + " " + who + (call.ranks == 1 ? " is" : "s are");
  if (constraints.power_of_two && !std::has_single_bit(static_cast<unsigned>(call.ranks)))
    return ranks + " not a power of two";
  if (constraints.even && call.ranks % 2 != 0) return ranks + " not an even number";
  if (call.ranks < constraints.least_ranks) return ranks + " fewer than " + std::to_string(constraints.least_ranks);
  if (constraints.regular && !call.equal_blocks) return "the " + who + "s' blocks may differ in size";
  if (constraints.commutative && !call.commutative) return "the operator is not commutative";
  if (constraints.by_arrival && call.reproducible) return "operands meet in the order in which they arrive";
  if (call.count >= 0 && call.count < constraints.least_count)
    return "it needs at least " + std::to_string(constraints.least_count) + " elements";
  return "";
}

}  // namespace tutti
