#pragma once
/// What a communicator owns once its ranks have agreed to be served.
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/communicator/engine.hpp"
#include "runtime/communicator/selector_pool.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/hierarchy/hierarchy.hpp"
#include "runtime/plan/call_plans.hpp"
#include "runtime/plan/contests.hpp"
#include "runtime/report/left_to_mpi.hpp"
#include "runtime/wire/private_comm.hpp"

namespace tutti::runtime {

/// A resource made by all ranks at one call: the first that needs it, if that synchronises them, else (wanted) the next
/// that does.  Ranks have then made the same calls, and want the same.  Refused is final.
enum class Asset : std::uint8_t { unmade, wanted, ready, refused };

/// Whether missing resources may be made now.
enum class When : bool { later, now };

class Online;  // online.hpp
std::shared_ptr<Online> make_online();

struct Active {
  Active(const AgreedSettings& agreed, const Placement& placement)
      : agreed(agreed),
        placement(placement),
        selector(agreed, placement),
        explaining(!agreed.settings.log.empty() || agreed.settings.explain),
        online(agreed.settings.online && placement.ranks > 1 ? make_online() : nullptr) {}
  ~Active();
  /// An engine that all ranks have brought along.
  void adopt(std::unique_ptr<Engine> from_before, MPI_Comm comm) {
    engine = std::move(from_before), engine->comm = comm, engine_state = Asset::ready;
    engine->instructions = instructions;
  }
  Active(const Active&) = delete;

  const AgreedSettings& agreed;
  const Placement placement;
  SelectorLoan selector;
  shm::InstructionSet instructions = shm::InstructionSet::base;  ///< the widest that all ranks have
  const bool explaining;  ///< TUTTI_EXPLAIN or TUTTI_LOG: each choice goes through explain_choice

  const std::shared_ptr<Online> online;  ///< TUTTI_TUNE=online

  Asset engine_state = Asset::unmade, private_comm_state = Asset::unmade, hierarchy_state = Asset::unmade;
  std::set<int> lanes_wanted;  ///< senders for whose lanes the hierarchy needs communicators
  bool wanting = false;        ///< any of these is wanted
  Reason* lacking = nullptr;   ///< why the asset asked for last is not there
  std::unique_ptr<Engine> engine;
  PrivateComm wire;
  std::unique_ptr<Hierarchy> hierarchy;
  Contests contests;
  CallPlans plans;  ///< of calls on the node engine, and of those left to the MPI beside them

  std::array<std::uint64_t, collective_names.size()> explained{};  ///< one bit a size class already spoken of

  /// The counter of calls with that choice that are left to the MPI library.
  Reason& reason_of(const Choice& choice);

 private:
  std::array<std::pair<const Choice*, Reason*>, 16> reasons_{};
};

/// Agrees with the other ranks of the communicator and sets its mode to active or native.  Collective, and no rank
/// leaves before all have come.  Throws MpiError where the MPI underneath fails.
void activate(State& state);

/// Collectives that no rule of this placement serves bypass the selector.  With explanations on, none does.
void find_passing(State& state);

/// From now on each call that synchronises all ranks calls the venue's `meet` first: no plan is kept, and no call
/// bypasses the selector.
void await_meeting(State& state);
/// No longer.
void end_meetings(State& state);

/// The node engine of an active communicator.  Null where it is refused, or wanted; then `lacking` says why.
/// Collective where it is made: by When::now, which all ranks say at the same calls.
Engine* engine_of(State& state, When when = When::now);
/// The private communicator of an active communicator; as above.
PrivateComm* private_comm_of(State& state, When when = When::now);
/// The hierarchy of a communicator over several nodes, with lanes' communicators for so many senders (0: without); as
/// above.
Hierarchy* hierarchy_of(State& state, int lanes, When when = When::now);
/// Makes whatever is wanted.  Collective.
void make_wanted(State& state);

}  // namespace tutti::runtime
