/// The agreement at the 4th call: do all ranks run the same tutti, by which settings, on which nodes.
///
/// Three small collectives where all ranks know the settings already and share a node; settings cost two broadcasts
/// more, several nodes an allgather of 8 bytes a rank.  Any shortfall makes the communicator native for good.
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "mpi/active.hpp"
#include "mpi/agreement.hpp"
#include "mpi/errors.hpp"
#include "mpi/explanation.hpp"
#include "mpi/journal.hpp"
#include "mpi/pmpi.hpp"
#include "mpi/where.hpp"

namespace tutti::mpi {
namespace {

/// What the ranks compare.  Everything is a maximum; a value and its negative tell whether all are equal.
/// The first two fields, and their being first, stay as they are in all versions to come.
struct Comparison {
  enum Field { build, minus_build, settings, minus_settings, node, minus_node, fault_tolerance, fields };
  std::array<std::int64_t, fields> values{};

  bool equal(Field field) const { return values[field] == -values[field + 1]; }
  void set(Field field, std::uint64_t value) {
    values[field] = static_cast<std::int64_t>(value);
    values[field + 1] = -values[field];
  }
};

/// Two libraries that would choose or carry out a call differently differ here.
std::uint64_t build_identity() {
  static const std::uint64_t identity = [] {
    std::string text = "agreement 1, version " TUTTI_VERSION " ";
    text += default_profile();
    for (const Algorithm& algorithm : catalogue()) {
      text += '|';
      text += name(algorithm.collective);
      text += ' ';
      text += algorithm.name;
    }
    return fingerprint(text);
  }();
  return identity;
}

Comparison compare(Agreement& ranks, const Adopted* known) {
  Comparison comparison;
  comparison.set(Comparison::build, build_identity());
  comparison.set(Comparison::settings, known ? known->hash : 0);
  comparison.set(Comparison::node, node_identity());
  comparison.values[Comparison::fault_tolerance] = fault_tolerance_on();
  ranks.maximum(comparison.values);
  return comparison;
}

/// This rank's settings as text; empty, which nobody can read, where they cannot be had.
std::string offered_settings(const Adopted* known) try {
  return (known ? *known : read_here()).text;
} catch (const std::exception&) {
  return {};
}

/// Rank 0's settings.  Null where this rank cannot read them.
const Adopted* shared_settings(Agreement& ranks, const Adopted* known, bool equal, int rank) {
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

Placement shared_placement(Agreement& ranks, bool one_node, int size) {
  if (one_node) return {size, 1, size, size};
  std::vector<std::uint64_t> nodes(static_cast<std::size_t>(size));
  ranks.gather(node_identity(), nodes);
  return placement_of(nodes);
}

/// Collectives that no rule of this placement serves need not even be asked about.  With explanations on, all are
/// asked.
std::uint32_t passing(Active& active) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < collective_names.size() && !active.explaining; ++i) {
    const auto which = static_cast<Collective>(i);
    if (active.selector->ever_serves(which)) continue;
    note_native(active.selector->choose({.collective = which}));
    bits |= std::uint32_t{1} << i;
  }
  return bits;
}

/// Null where this rank cannot.
std::unique_ptr<Active> ready(const Adopted& settings, const Placement& placement) try {
  auto active = std::make_unique<Active>(settings, placement);
  active->passing = passing(*active);
  return active;
} catch (const std::exception& error) {
  journal::say_once(journal::text("a communicator cannot be served: %s", error.what()));
  return nullptr;
}

struct Refusal {
  std::string why;
  bool tell_anyway = false;  ///< the user's mistake, not the user's wish
};

/// Makes state.active on all ranks, or says why the communicator stays native.
std::optional<Refusal> agree(State& state) {
  Agreement ranks(state.comm, state.rank, state.size, "agree at their 4th collective on it");
  const Adopted* const known = adopted();
  const Comparison comparison = compare(ranks, known);
  if (!comparison.equal(Comparison::build)) return Refusal{"its ranks preload different versions of tutti", true};
  if (comparison.values[Comparison::fault_tolerance]) return Refusal{"the MPI library runs with fault tolerance"};
  const Adopted* const settings = shared_settings(ranks, known, comparison.equal(Comparison::settings), state.rank);
  const Placement placement = shared_placement(ranks, comparison.equal(Comparison::node), state.size);
  const bool off = settings && !settings->settings.on;
  if (settings && !off) state.active = ready(*settings, placement);
  if (!ranks.all(off || state.active)) return Refusal{"one of its ranks could not get ready", true};
  if (off) return Refusal{"TUTTI=off"};
  return std::nullopt;
}

void settle(State& state) {
  require(pmpi.Comm_rank(state.comm, &state.rank), "PMPI_Comm_rank");
  if (speaks_for_job())
    offered_settings(nullptr);  // prints the warnings even where another rank's settings are adopted
  if (const std::optional<Refusal> refusal = agree(state)) {
    state.active.reset();
    state.leave_alone();
    explain_refusal(state, name_of(state.comm) + " is left to the MPI library", refusal->why, refusal->tell_anyway);
    return;
  }
  state.passing = state.active->passing;
  state.mode = Mode::active;
}

}  // namespace

void activate(State& state) {
  state.mode = Mode::activating;
  try {
    settle(state);
  } catch (...) {
    state.leave_alone();
    throw;
  }
}

}  // namespace tutti::mpi
