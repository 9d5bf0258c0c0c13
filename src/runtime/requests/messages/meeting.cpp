/// What needs messages: made by all ranks at one call, as nobody may wait in a nonblocking one.
///
/// Once the ranks have compared they know how many blocking calls any of them had made when it began to.  They meet at
/// the first call that synchronises all of them anyway, and comes `apart` blocking calls or more after that.  A rank
/// that has come so far without having seen the end of the comparison waits for it: by the order of collectives that
/// MPI asks for, all others have begun it.  (Programs break that order and get away with it, by a barrier before a
/// nonblocking call on one rank and after it on another; not by so many calls.)  There the ranks compare how many
/// requests each has made: where that is the same, the next one is the first that is served on each.
#include <array>
#include <vector>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/messages/progress_hook.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/venue.hpp"
#include "runtime/wire/mpi_progress.hpp"

namespace tutti::runtime {
namespace {

constexpr const char* cannot_move = "this MPI library cannot move messages of tutti's inside its own calls";
constexpr std::uint64_t apart = 8;
/// Meetings at which ranks have made different numbers of requests, before they give up.
constexpr int most_meetings = 4;

/// Whether this rank knows that there are several nodes before it has asked the others.
bool surely_several_nodes(const State& state) {
  if (state.active) return state.active->placement.nodes > 1;
  return !pretended_node().empty() || (ranks_by_launcher() > 1 && ranks_by_launcher() < state.size);
}

}  // namespace

Reason& immovable() {
  static Reason& why = reason(cannot_move);
  return why;
}

/// What this rank tells the others about messages, and whether it will meet them.
void RequestVenue::expect_meeting() {
  unhurried_ = surely_several_nodes(state_);
  begun_at_ = state_.blocking_calls();
  comparison_->values[RequestComparison::stuck] = !progress_hook::possible();
  comparison_->values[RequestComparison::hurried] = !unhurried_;
  comparison_->values[RequestComparison::blocking_calls] = static_cast<std::int64_t>(begun_at_);
  const Active* const active = state_.active.get();
  if (active && active->placement.nodes == 1 && !active->selector->wiring_of_requests().messages) return;
  if (state_.mode != Mode::native) await_meeting(state_);
}

/// The ranks are on several nodes: nothing is served before they have met.
void RequestVenue::gather() {
  if (memory_) hold_memory(-part());
  memory_.reset();
  if (comparison_->values[RequestComparison::stuck] != 0) return static_cast<void>(refuse_all(cannot_move));
  phase_ = Phase::gathering;
}

/// On one node: whether some of its calls go over messages.
void RequestVenue::see_wiring() {
  wiring_ = (*selector_)->wiring_of_requests();
  if (wiring_.messages && comparison_->values[RequestComparison::stuck] == 0) return;
  end_meetings(state_);
}

void RequestVenue::meet() {
  const std::uint64_t now = state_.blocking_calls();
  if (phase_ == Phase::comparing && compared()) map();
  for (unsigned rounds = 0; phase_ == Phase::comparing && now >= begun_at_ + apart; ++rounds) {
    motion::move_if_any();
    motion::rest(rounds);
    if (compared()) map();
  }
  if (phase_ == Phase::comparing || !state_.meets) return;
  const auto latest = static_cast<std::uint64_t>(comparison_->values[RequestComparison::blocking_calls]);
  if (now >= latest + apart * static_cast<std::uint64_t>(meetings_ + 1)) set_up();
}

/// With all ranks.
void RequestVenue::set_up() {
  ++meetings_;
  std::array<std::int64_t, 3> values{next_, -std::int64_t{next_}, phase_ == Phase::refused};
  {
    Agreement ranks(state_.comm, state_.rank, state_.size, "set up messages for nonblocking calls");
    ranks.maximum(values);
  }
  const bool equal = values[0] == -values[1];
  if (!equal && meetings_ < most_meetings && values[2] == 0) return;
  end_meetings(state_);
  if (values[2] != 0 || !equal) {
    if (phase_ == Phase::gathering) refuse("its ranks made different numbers of requests between blocking calls");
    return;
  }
  std::string why;
  if (phase_ == Phase::arrived) join(next_);
  if (phase_ == Phase::gathering) {
    place();
    if (wiring_.messages) channels_[0] = std::make_unique<Channel>(state_.comm, oversubscribed());
    phase_ = Phase::asking;
  }
  if (!wiring_.messages) return;
  Wired wired = all_wired();
  wired.mates.suspend = channel(0).suspension();
  if (std::unique_ptr<Wires> wires = make_wires(wired, why)) return channel(0).attach(std::move(wires));
  unwired_ = &reason("messages for nonblocking and persistent calls: " + why);
}

/// Where the ranks are, and what follows from that.
void RequestVenue::place() {
  Agreement ranks(state_.comm, state_.rank, state_.size, "set up messages for nonblocking calls");
  std::vector<std::uint64_t> nodes(static_cast<std::size_t>(state_.size));
  ranks.gather(node_identity(), nodes);
  Placement placement = placement_of(nodes);
  std::int64_t minus_cpus = -std::int64_t{cpus_of_node()};
  ranks.maximum({&minus_cpus, 1});
  placement.shares_cpus = placement.most_per_node > -minus_cpus;
  several_nodes_ = placement.nodes > 1, most_per_node_ = placement.most_per_node;
  instructions_ = static_cast<shm::InstructionSet>(-comparison_->values[RequestComparison::minus_instructions]);
  selector_.emplace(intern(agreed_->text), placement);
  wiring_ = (*selector_)->wiring_of_requests();
}

Wired RequestVenue::all_wired() const {
  return {{state_.comm, state_.rank, state_.size, agreed_->settings},
          {instructions_, several_nodes_ ? most_per_node_ : state_.size},
          several_nodes_,
          wiring_};
}

bool RequestVenue::oversubscribed() const { return (several_nodes_ ? most_per_node_ : state_.size) > cpus_of_node(); }

Channel* RequestVenue::wired_channel_for(Form form, const Choice& choice) {
  if (comparison_->values[RequestComparison::stuck] != 0) return why_ = &immovable(), nullptr;
  if (form == Form::persistent) {
    Channel* const lent = wired_loans_.next(all_wired(), oversubscribed());
    if (!lent) why_ = &more_than_served();
    return lent;
  }
  const Wires* const wires = channels_[0]->wires();
  if (wires && wires->carry(choice)) return channels_[0].get();
  why_ = unwired_;
  return nullptr;
}

}  // namespace tutti::runtime
