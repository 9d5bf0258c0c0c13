#include "runtime/report/left_to_mpi.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

namespace tutti::runtime {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Reason>, std::less<>> all;
};

Registry& registry() {
  static auto& registry = *new Registry;  // outlives every static object: delete callbacks may run late
  return registry;
}

std::uint64_t total(const Reason& reason) {
  return std::accumulate(reason.calls.begin(), reason.calls.end(), reason.requests.load(),
                         [](std::uint64_t sum, const auto& calls) { return sum + calls.load(); });
}

}  // namespace

Reason& reason(std::string_view text) {
  const std::lock_guard lock(registry().mutex);
  auto& all = registry().all;
  if (const auto known = all.find(text); known != all.end()) return *known->second;
  return *all.emplace(text, std::make_unique<Reason>(std::string(text))).first->second;
}

#define TUTTI_REASON(name, text)         \
  Reason& name() {                       \
    static Reason& known = reason(text); \
    return known;                        \
  }
TUTTI_REASON(one_rank, "a communicator of one rank")
TUTTI_REASON(two_groups, "an intercommunicator")
TUTTI_REASON(first_calls, "one of the first three calls on its communicator")
TUTTI_REASON(
    not_yet_synchronised,
    "no call on its communicator has made all ranks wait for one another yet (a barrier, allreduce, allgather or "
    "alltoall after the third call does)")
TUTTI_REASON(invalid_arguments, "an argument that looks invalid")
TUTTI_REASON(contested_request, "native=clock: nonblocking calls are the MPI library's own")
TUTTI_REASON(native_by_clock, "native=clock: the MPI library's own is tried beside the node engine, or was the faster")
TUTTI_REASON(not_set_up, "what serves it is set up at the next call in which all ranks wait for one another")
TUTTI_REASON(being_freed_reason, "its communicator was being freed")
#undef TUTTI_REASON

std::vector<const Reason*> reasons() {
  std::vector<const Reason*> found;
  {
    const std::lock_guard lock(registry().mutex);
    for (const auto& [text, reason] : registry().all)
      if (total(*reason) != 0) found.push_back(reason.get());
  }
  std::sort(found.begin(), found.end(), [](const Reason* a, const Reason* b) {
    return std::pair(total(*b), &a->text) < std::pair(total(*a), &b->text);
  });
  return found;
}

}  // namespace tutti::runtime
