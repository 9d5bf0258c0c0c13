/// What an active communicator needs to be served: its node engine and its wire.  Made by all its ranks at the first
/// call whose choice needs it (the choice is the same on all), each step with an agreement, so that all ranks have it
/// or none.
#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <string>

#include "mpi/active.hpp"
#include "mpi/agreement.hpp"
#include "mpi/errors.hpp"
#include "mpi/explanation.hpp"
#include "mpi/journal.hpp"
#include "mpi/pmpi.hpp"
#include "mpi/where.hpp"

namespace tutti::mpi {
namespace {

/// Communicators are finite (MPICH: 2048): most must be left to the program.
constexpr int most_wires = 256;
/// Default cap of shared memory on a node: 64 MiB at 64 ranks.  Small nodes' communicators are many rather than large.
constexpr std::int64_t memory_per_rank = std::int64_t{1} << 20, least_memory = std::int64_t{16} << 20;

std::atomic<int> wires{0}, most_ranks{0};
std::atomic<std::size_t> mapped{0};

/// Makes the MPI underneath move messages: a look for a message on a real communicator does (on a null request or
/// from MPI_PROC_NULL it does not).  The tag is the largest that every MPI has; whether it finds one does not matter.
void poke(void* comm) {
  int found = 0;
  pmpi.Iprobe(MPI_ANY_SOURCE, 32767, *static_cast<const MPI_Comm*>(comm), &found, MPI_STATUS_IGNORE);
}

/// CPUs that the ranks of this node may use together.
int cpus_of(State& state, Agreement& ranks) {
  CpuMask mask = cpus_here();
  if (state.active->placement.nodes == 1) ranks.unite(mask);
  return cpus_in(mask);
}

/// Whether one more segment stays below the cap, on all ranks.
bool memory_allows(State& state, Agreement& ranks, std::size_t bytes) {
  int seen = most_ranks.load();
  while (seen < state.size && !most_ranks.compare_exchange_weak(seen, state.size)) {
  }
  const std::int64_t asked = state.active->adopted.settings.node_memory;
  const std::int64_t cap = asked > 0 ? asked : std::max(least_memory, memory_per_rank * most_ranks.load());
  return ranks.all(static_cast<std::int64_t>(mapped.load() + bytes) <= cap);
}

/// Rank 0 makes the segment, the others attach; nothing where that fails on any of them.
std::optional<node::Segment> shared_segment(State& state, Agreement& ranks, std::size_t bytes, node::Offer::Kind kind,
                                            std::string& why) {
  node::Offer offer;
  std::optional<node::Segment> segment;
  if (state.rank == 0) segment = node::Segment::create(bytes, kind, offer, why);
  if (!segment) offer.kind = node::Offer::Kind::none;
  ranks.broadcast(&offer, sizeof offer);
  if (offer.kind == node::Offer::Kind::none) return std::nullopt;
  if (state.rank != 0) segment = node::Segment::attach(offer, why);
  const bool everywhere = ranks.all(segment.has_value());
  if (state.rank == 0) segment->publish();
  if (everywhere) return segment;
  return std::nullopt;
}

std::unique_ptr<node::Team> assembled(std::optional<node::Segment>& segment, const node::TeamOptions& options,
                                      std::string& why) try {
  if (!segment) return nullptr;
  return std::make_unique<node::Team>(std::move(*segment), options);
} catch (const std::exception& error) {
  why = error.what();
  return nullptr;
}

std::unique_ptr<node::Team> make_team(State& state, std::string& why) {
  if (state.active->placement.nodes != 1) {
    why = "its ranks are on several nodes";
    return nullptr;
  }
  Agreement ranks(state.comm, state.rank, state.size, "set up shared memory");
  node::TeamOptions options;
  options.me = state.rank, options.size = state.size, options.cpus = cpus_of(state, ranks);
  options.poke = {poke, &state.comm};
  const std::size_t bytes = node::Team::bytes(options);
  if (!memory_allows(state, ranks, bytes)) {
    why = "the cap of shared memory is reached (TUTTI_NODE_MEMORY)";
    return nullptr;
  }
  for (const node::Offer::Kind kind : {node::Offer::Kind::memfd, node::Offer::Kind::shm_open}) {
    std::optional<node::Segment> segment = shared_segment(state, ranks, bytes, kind, why);
    std::unique_ptr<node::Team> team = assembled(segment, options, why);
    if (!ranks.all(team != nullptr)) continue;
    mapped += state.active->team_bytes = bytes;
    return team;
  }
  if (why.empty()) why = "another rank could not";
  return nullptr;
}

/// Errors of calls on the user's communicator come back as codes while this lives.
class QuietErrors {
 public:
  explicit QuietErrors(MPI_Comm comm) : comm_(comm) {
    require(pmpi.Comm_get_errhandler(comm_, &users_), "PMPI_Comm_get_errhandler");
    require(pmpi.Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "PMPI_Comm_set_errhandler");
  }
  ~QuietErrors() {
    pmpi.Comm_set_errhandler(comm_, users_);
    pmpi.Errhandler_free(&users_);
  }
  QuietErrors(const QuietErrors&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler users_ = MPI_ERRHANDLER_NULL;
};

int tag_limit(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  return pmpi.Comm_get_attr(comm, MPI_TAG_UB, &value, &found) == MPI_SUCCESS && found ? *static_cast<int*>(value)
                                                                                      : 32767;
}

/// By a split, never a duplicate: that would run the user's attribute callbacks and, on some, inherit assertions.
bool make_wire(State& state, std::string& why) {
  Agreement ranks(state.comm, state.rank, state.size, "make a private communicator");
  if (!ranks.all(wires.load() < most_wires)) {
    why = "private communicators are used up";
    return false;
  }
  MPI_Comm made = MPI_COMM_NULL;
  {
    const QuietErrors quiet(state.comm);
    if (pmpi.Comm_split(state.comm, 0, state.rank, &made) != MPI_SUCCESS) made = MPI_COMM_NULL;
  }
  if (made != MPI_COMM_NULL) pmpi.Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  Wire& wire = state.active->wire;
  wire.comm = made, wire.me = state.rank, wire.size = state.size;
  if (made != MPI_COMM_NULL) ++wires;
  if (!ranks.all(made != MPI_COMM_NULL)) {
    why = "the MPI library has no communicator left";
    return false;
  }
  wire.tag_limit = tag_limit(made);
  wire.window = std::clamp(state.active->adopted.settings.window, 1, 64);
  if (state.active->placement.most_per_node > cpus_of(state, ranks)) wire.polls = 4;
  return true;
}

void free_wire(Wire& wire) {
  if (wire.comm == MPI_COMM_NULL) return;
  if (!states_retired()) pmpi.Comm_free(&wire.comm);
  wire.comm = MPI_COMM_NULL;
  --wires;
}

}  // namespace

Active::~Active() {
  if (team) mapped -= team_bytes;
  free_wire(wire);
}

node::Team* team_of(State& state) {
  Active& active = *state.active;
  if (active.team_state == Asset::unmade) {
    active.team_state = Asset::refused;  // also where what follows throws
    std::string why;
    active.team = make_team(state, why);
    if (active.team) active.team_state = Asset::ready;
    if (!active.team) explain_refusal(state, "no node engine on " + name_of(state.comm), why);
  }
  return active.team.get();
}

Wire* wire_of(State& state) {
  Active& active = *state.active;
  if (active.wire_state == Asset::unmade) {
    active.wire_state = Asset::refused;
    std::string why;
    if (make_wire(state, why))
      active.wire_state = Asset::ready;
    else
      free_wire(active.wire), explain_refusal(state, "no messages of our own on " + name_of(state.comm), why);
  }
  return active.wire_state == Asset::ready ? &active.wire : nullptr;
}

}  // namespace tutti::mpi
