#include "capi/shared/memory.hpp"

#include "capi/shared/filling.hpp"
#include "capi/shared/results.hpp"
#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/communicator/create_segment.hpp"

namespace tutti::shared {
namespace {

/// What one call needs to agree about memory.
struct Search {
  runtime::Agreement ranks;
  const Group& group;
  const std::int64_t bytes;
  std::string why;

  Search(const Group& group, const Request& request)
      : ranks(group.comm, group.rank, group.size, nullptr), group(group), bytes(room(group, request)) {}
  std::int64_t part() const { return bytes / group.node_size; }
};

/// Whether the node may hold that much more, where the user has set a bound.
bool allowed(Search& search, std::int64_t cap) {
  if (cap <= 0) return true;
  search.why = "it would take more than TUTTI_NODE_MEMORY";
  return search.ranks.all(held() + search.part() <= cap / search.group.node_size);
}

/// My node's part of it; `good` where this rank has what it needs.
std::optional<shm::Segment> of_my_node(Search& search, shm::Offer::Kind kind, bool& good) {
  const auto bytes = static_cast<std::size_t>(search.bytes);
  std::optional<shm::Segment> segment;
  good = bytes == 0;
  if (good) return segment;
  if (search.group.node_size == 1) {
    search.why = "no other rank of the communicator is on this node";
    segment = shm::Segment::alone(bytes, search.why);
  } else {
    runtime::Agreement here(search.group.node, search.group.node_rank, search.group.node_size, nullptr);
    const std::size_t free = search.group.leads() ? shm::memory_headroom() : 0;
    if (auto created = create_segment(here, search.group.node_rank, bytes, kind, free, shm::Pages::spread, search.why))
      segment = std::move(created->segment);
  }
  good = segment.has_value();
  return segment;
}

std::optional<Memory> by_nodes(Search& search) {
  for (const shm::Offer::Kind kind : {shm::Offer::Kind::memfd, shm::Offer::Kind::shm_open}) {
    bool good = false;
    std::optional<shm::Segment> segment = of_my_node(search, kind, good);
    if (search.group.nodes > 1) good = search.ranks.all(good);
    if (!good) continue;
    const bool shared = segment && segment->shared();
    return Memory{&search.group, std::move(segment), shared ? "" : search.why, shared ? search.part() : 0};
  }
  if (search.why.empty()) search.why = "another rank could not map shared memory";
  return std::nullopt;
}

/// Nobody shares.  Where the machine has not even one such piece left, it is not asked to give one to each rank.
std::optional<Memory> alone(Search search, const std::string& why) {
  const auto bytes = static_cast<std::size_t>(search.bytes);
  Memory memory{&search.group, std::nullopt, why, 0};
  const bool enough = bytes <= shm::memory_headroom();
  if (enough && bytes > 0) memory.segment = shm::Segment::alone(bytes, search.why);
  if (!search.ranks.all(enough && (bytes == 0 || memory.segment))) return std::nullopt;
  return memory;
}

}  // namespace

std::optional<Memory> memory_for(runtime::State& state, const Request& request, bool off) {
  Sharing& sharing = sharing_of(state, request.rank);
  std::string why = "TUTTI=off";
  if (const Group* group = off ? nullptr : sharing.by_nodes(state)) {
    Search search(*group, request);
    if (allowed(search, state.active->agreed.settings.node_memory))
      if (auto memory = by_nodes(search)) return memory;
    why = search.why;
  } else if (!off) {
    why = sharing.why_alone();
  }
  return alone(Search(sharing.alone(), request), why);
}

}  // namespace tutti::shared
