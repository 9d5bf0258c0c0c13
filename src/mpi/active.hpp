#pragma once
/// What a communicator owns once its ranks have agreed to be served.
#include <array>
#include <cstdint>
#include <memory>

#include "mpi/adopted.hpp"
#include "mpi/engine.hpp"
#include "mpi/hierarchy/hierarchy.hpp"
#include "mpi/repetition.hpp"
#include "mpi/selectors.hpp"
#include "mpi/state.hpp"
#include "mpi/wire.hpp"

namespace tutti::mpi {

/// Something made at the first call that needs it, by all ranks at that same call; refused means: for good.
enum class Asset : std::uint8_t { unmade, ready, refused };

class Online;  // online.hpp
std::shared_ptr<Online> make_online();

struct Active {
  Active(const Adopted& adopted, const Placement& placement)
      : adopted(adopted),
        placement(placement),
        selector(adopted, placement),
        explaining(!adopted.settings.log.empty() || adopted.settings.explain),
        online(adopted.settings.online && placement.ranks > 1 ? make_online() : nullptr) {}
  ~Active();
  /// An engine that all ranks have brought along.
  void adopt(std::unique_ptr<Engine> from_before, MPI_Comm comm) {
    engine = std::move(from_before), engine->comm = comm, engine_state = Asset::ready;
    engine->instructions = instructions;
  }
  Active(const Active&) = delete;

  const Adopted& adopted;
  const Placement placement;
  SelectorLoan selector;
  std::uint32_t passing = 0;                                       ///< one bit a collective that no rule serves
  node::InstructionSet instructions = node::InstructionSet::base;  ///< the widest that all ranks have
  const bool explaining;  ///< TUTTI_EXPLAIN or TUTTI_LOG: each choice goes through explain_choice

  const std::shared_ptr<Online> online;  ///< TUTTI_TUNE=online

  Asset engine_state = Asset::unmade, wire_state = Asset::unmade, hierarchy_state = Asset::unmade;
  std::unique_ptr<Engine> engine;
  Wire wire;
  std::unique_ptr<Hierarchy> hierarchy;
  Repetitions repetitions;  ///< of calls on the node engine, and of those left to the MPI beside them

  std::array<std::uint64_t, collective_names.size()> explained{};  ///< one bit a size class already spoken of
};

/// Agrees with the other ranks of the communicator and sets its mode to active or native.  Collective; at call
/// `activation_call`.  Throws MpiError where the MPI underneath fails.
void activate(State& state);

/// The node engine of an active communicator; made at the first call, which is collective.  Null where it is refused.
Engine* engine_of(State& state);
/// The wire of an active communicator; as above.
Wire* wire_of(State& state);
/// What one over several nodes needs to be served in them and between them; as above.
Hierarchy* hierarchy_of(State& state);

}  // namespace tutti::mpi
