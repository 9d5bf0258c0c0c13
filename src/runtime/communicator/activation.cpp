/// The agreement, at the 4th call or later: do all ranks run the same tutti, by which settings, on which nodes.
///
/// One small collective where all ranks know the settings already and share a node.  Else settings cost two broadcasts,
/// several nodes an allgather of 8 bytes a rank, and a last collective confirms that all are ready.  Any shortfall
/// makes the communicator native for good.
#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/communicator/compatible.hpp"
#include "runtime/communicator/maxima.hpp"
#include "runtime/datatype/gpu_memory.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/explanation.hpp"
#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

/// The values that ranks compare.  Everything is a maximum; a value and its negative tell whether all are equal. The
/// first two fields, and their being first, stay as they are in all versions to come.
struct ComparisonFields {
  enum Field {
    build,
    minus_build,
    settings,
    minus_settings,
    node,
    minus_node,
    engine,
    minus_engine,
    unready,
    fault_tolerance,
    minus_instructions,
    device_buffers,
    cpus,
    minus_cpus,
    fields
  };
};
struct Comparison : ComparisonFields, Maxima<ComparisonFields::fields> {};

/// This rank's settings as text; one that nobody can read where they cannot be had.
std::string offered_settings(const AgreedSettings* known) try {
  return (known ? *known : read_here()).text;
} catch (const std::exception&) {
  return "unreadable";
}

/// Rank 0's settings.  Null where this rank cannot read them.
const AgreedSettings* shared_settings(Agreement& ranks, const AgreedSettings* known, bool equal, int rank) {
  if (equal && known) return known;
  std::string text;
  if (rank == 0) text = offered_settings(known);
  ranks.broadcast(text);
  try {
    return &intern(text);
  } catch (const std::exception& error) {
    journal::say_once(journal::text("rank 0's settings cannot be read: %s", error.what()));
    return nullptr;
  }
}

Placement shared_placement(Agreement& ranks, const Comparison& comparison, int size) {
  const std::int64_t least_cpus = -comparison.values[Comparison::minus_cpus];
  if (comparison.equal(Comparison::node)) return on_one_node(size, least_cpus);
  std::vector<std::uint64_t> nodes(static_cast<std::size_t>(size));
  ranks.gather(node_identity(), nodes);
  Placement placement = placement_of(nodes);
  placement.shares_cpus = placement.most_per_node > least_cpus;
  return placement;
}

/// Requests every kind of resource: online tuning tries candidates in calls that do not synchronise.
void want_all(State& state) {
  if (state.active->placement.nodes == 1)
    engine_of(state);
  else
    hierarchy_of(state, 1);
  private_comm_of(state);
}

/// Null where this rank cannot.
std::unique_ptr<Active> ready(const AgreedSettings& settings, const Placement& placement) try {
  return std::make_unique<Active>(settings, placement);
} catch (const std::exception& error) {
  journal::say_once(journal::text("a communicator cannot be served: %s", error.what()));
  return nullptr;
}

struct Refusal {
  std::string why;
  bool tell_anyway = false;  ///< an error of the user's, not a choice
};

/// This rank's offer for the common case: settings known to all, one node, and an engine of an earlier communicator of
/// the same ranks.
struct Guess {
  const AgreedSettings* known = nullptr;
  std::unique_ptr<Active> active;
  std::unique_ptr<Engine> engine;
  bool ready = false;
};

Guess guess(const State& state) {
  Guess guess;
  guess.known = agreed();
  if (!guess.known) return guess;
  const int size = state.size;
  if (guess.known->settings.on) guess.active = ready(*guess.known, on_one_node(size, cpus_of_node()));
  guess.ready = guess.active || !guess.known->settings.on;
  guess.engine = idle_engine(state.rank, size);
  return guess;
}

Comparison compare(Agreement& ranks, const Guess& guess) {
  Comparison comparison;
  comparison.set(Comparison::build, build_identity());
  comparison.set(Comparison::settings, guess.known ? guess.known->hash : 0);
  comparison.set(Comparison::node, node_identity());
  comparison.set(Comparison::engine, guess.engine ? guess.engine->identity : 0);
  comparison.values[Comparison::unready] = !guess.ready;
  comparison.values[Comparison::fault_tolerance] = fault_tolerance_on();
  comparison.values[Comparison::minus_instructions] = -static_cast<std::int64_t>(shm::widest_here());
  comparison.values[Comparison::device_buffers] = device_buffers_possible();
  comparison.set(Comparison::cpus, static_cast<std::uint64_t>(cpus_of_node()));
  ranks.maximum(comparison.values);
  return comparison;
}

/// Some rank's guess was wrong.  False where one of the ranks could not get ready.
bool agree_slowly(State& state, Agreement& ranks, const AgreedSettings*& settings, const Comparison& comparison) {
  settings = shared_settings(ranks, settings, comparison.equal(Comparison::settings), state.rank);
  const Placement placement = shared_placement(ranks, comparison, state.size);
  const bool off = settings && !settings->settings.on;
  if (settings && !off) state.active = ready(*settings, placement);
  return ranks.all(off || state.active);
}

/// Makes state.active on all ranks, or says why the communicator stays native.
std::optional<Refusal> agree(State& state) {
  if (goes_beyond_world(state.comm))
    return Refusal{"some of its processes are not in MPI_COMM_WORLD (spawned or connected), and may run without tutti"};
  Guess mine = guess(state);
  // Ranks that have an engine have agreed before: no watchdog is needed, and a loop that splits does not pay for one.
  Agreement ranks(state.comm, state.rank, state.size,
                  mine.engine ? nullptr : "agree on how its collectives are served");
  ranks.meet();
  const Comparison comparison = compare(ranks, mine);
  const bool right = !comparison.values[Comparison::unready] && comparison.equal(Comparison::settings) &&
                     comparison.equal(Comparison::node) && comparison.equal(Comparison::cpus);
  if (!right || !comparison.equal(Comparison::engine)) put_idle(std::move(mine.engine));
  if (!comparison.equal(Comparison::build)) return Refusal{"its ranks preload different versions of tutti", true};
  if (comparison.values[Comparison::fault_tolerance]) return Refusal{"the MPI library runs with fault tolerance"};
  if (right)
    state.active = std::move(mine.active);
  else if (!agree_slowly(state, ranks, mine.known, comparison))
    return Refusal{"one of its ranks could not get ready", true};
  if (!state.active) return Refusal{"TUTTI=off"};
  if (comparison.values[Comparison::device_buffers] && !state.active->agreed.settings.gpu_host) {
    put_idle(std::move(mine.engine));
    return Refusal{
        "a GPU runtime is in the process of one of its ranks, and the MPI library takes device buffers; "
        "TUTTI_GPU=host serves it"};
  }
  state.active->instructions = static_cast<shm::InstructionSet>(-comparison.values[Comparison::minus_instructions]);
  if (mine.engine) state.active->adopt(std::move(mine.engine), state.comm);
  return std::nullopt;
}

void settle(State& state) {
  require(pmpi.Comm_rank(state.comm, &state.rank), "PMPI_Comm_rank");
  if (speaks_for_job()) offered_settings(nullptr);  // prints the warnings even where another rank's settings are agreed
  if (const std::optional<Refusal> refusal = agree(state)) {
    state.active.reset();
    state.leave_alone(reason(refusal->why));
    explain_refusal(state, name_of(state.comm) + " is left to the MPI library", refusal->why, refusal->tell_anyway);
    return;
  }
  if (state.active->online && speaks_for_job())
    journal::say_once(
        "TUTTI_TUNE=online: candidates are tried in the first calls; the last bits of reductions may differ from run "
        "to run");
  find_passing(state);
  state.mode = Mode::active;
  if (state.active->online) want_all(state);
}

}  // namespace

void find_passing(State& state) {
  Active& active = *state.active;
  if (state.meets) return;
  for (std::size_t i = 0; i < collective_names.size() && !active.explaining && !active.online; ++i) {
    const auto which = static_cast<Collective>(i);
    if (active.selector->ever_serves(which)) continue;
    const Choice& choice = active.selector->choose({.collective = which});
    note_native(choice);
    state.pass(std::uint32_t{1} << i, active.reason_of(choice));
  }
}

void activate(State& state) {
  state.mode = Mode::activating;
  try {
    settle(state);
  } catch (...) {
    state.leave_alone(reason("its ranks could not agree: a call of the MPI library failed"));
    throw;
  }
}

}  // namespace tutti::runtime
