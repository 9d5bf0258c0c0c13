#include "selection/stand_ins.hpp"

namespace tutti {
namespace {

/// Blocks that move alone: rarely asked for, so the plainest serves.
std::string_view stand_in_name(Collective which) {
  using enum Collective;
  switch (which) {
    case bcast:
      return "flat";
    case allgather:
    case allgatherv:
    case allreduce:
    case scan:
    case exscan:
      return "recursive_doubling";
    case reduce:
      return "binomial_in_order";
    case reduce_scatter:
    case reduce_scatter_block:
      return "pairwise";
    default:
      return "linear";
  }
}

}  // namespace

const Algorithm& stand_in(Collective which) { return *find_algorithm(which, stand_in_name(which)); }

}  // namespace tutti
