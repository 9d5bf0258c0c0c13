#include "models/node_bound.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace tutti {
namespace {

constexpr std::int64_t up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

/// Bytes that some rank must write itself, and that all must write or combine together.
struct Work {
  std::int64_t one = 0, all = 0;
};

Work work(Collective which, std::int64_t p, std::int64_t m) {
  using enum Collective;
  switch (which) {
    case barrier:
      return {};
    case bcast:
      return {m, (p - 1) * m};
    case gather:
    case gatherv:
      return {p * m, p * m};
    case scatter:
    case scatterv:
      return {m, p * m};
    case allgather:
    case allgatherv:
    case alltoall:
    case alltoallv:
    case alltoallw:
      return {p * m, p * p * m};
    case reduce:
      return {m, (p - 1) * m};
    case allreduce:
      return {m, 2 * (p - 1) * m};
    case reduce_scatter_block:
      return {m, p * (p - 1) * m};
    case reduce_scatter:  // m is the whole vector
      return {up(m, p), (p - 1) * m};
    case scan:  // rank 0 copies its own
      return {m, p * m};
    case exscan:  // rank 1 copies that of rank 0
      return {m, (p - 1) * m};
  }
  return {};
}

}  // namespace

NodeBound node_bound(Collective which, int ranks, std::int64_t bytes, int cpus) {
  if (ranks == 1) return {};
  const Work least = work(which, ranks, bytes);
  const bool oversubscribed = ranks > cpus;
  if (oversubscribed && !contract(which).needs_all) return {0, 0, least.one};
  const std::int64_t copied = std::max(least.one, up(least.all, std::min(ranks, cpus)));
  if (oversubscribed) return {0, static_cast<int>(up(ranks, cpus)) - 1, copied};
  return {1, 0, copied};
}

}  // namespace tutti
