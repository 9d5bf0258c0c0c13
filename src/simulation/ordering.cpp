#include "simulation/ordering.hpp"

#include <stdexcept>
#include <string>

namespace tutti::simulation {
namespace {

/// Only orders: sent without bytes.
bool of_tokens(const BlockList& list) {
  for (const Blocks& run : list)
    if (run.buffer == Buffer::token) return true;
  return false;
}

/// Both sides leave out what has no bytes, see core/step.hpp.
bool moves(const Memory& memory, const Step& step) {
  if (const auto* send = std::get_if<Send>(&step))
    return send->sized || memory.length(send->what) > 0 || of_tokens(send->what);
  if (const auto* receive = std::get_if<Receive>(&step); receive && receive->sized) return true;
  if (const BlockList* into = received(step)) return memory.length(*into) > 0 || of_tokens(*into);
  if (const auto* reduce = std::get_if<Reduce>(&step)) return memory.length(reduce->into) > 0;
  if (const auto* copy = std::get_if<Copy>(&step)) return memory.length(copy->into) > 0;
  return false;
}

}  // namespace

bool Ordering::next(const Machine& machine, std::vector<Action>& actions, std::size_t most) {
  machine_ = &machine, actions_ = &actions;
  while (actions.size() < most) {
    const Step* step = schedule_.next();
    if (!step) {
      settle();
      actions.push_back({.kind = Action::Kind::end, .step = step_});
      return true;
    }
    ++step_;
    if (const auto* round = std::get_if<Round>(step)) {
      ++round_;
      if (round->fence) settle();
    } else if (const auto* area = std::get_if<Area>(step)) {
      floating_ = Memory::floats(floating_, *area);
    } else if (const auto* peers = std::get_if<Peers>(step)) {
      actions.push_back({.kind = Action::Kind::declare,
                         .set = static_cast<std::int8_t>(peers->set),
                         .peer = static_cast<Rank>(peers->ranks.size()),
                         .step = step_});
    } else if (moves(memory(), *step)) {
      take(*step);
    }
  }
  return false;
}

void Ordering::take(const Step& step) {
  for (;;) {
    const int found = conflict(step, deferred_.size());
    if (found == none) return execute(step, step_, round_);
    if (may_look_ahead(found)) {
      deferred_.push_back({step, round_, step_});
      return;
    }
    if (!deferred_.empty())
      run_deferred();
    else
      complete(static_cast<std::size_t>(found));
  }
}

/// What the step waits for: the place of an open message, `deferred_one`, or `none`; of deferred steps the first
/// `deferred` count.
int Ordering::conflict(const Step& step, std::size_t deferred) const {
  const Memory here = memory();
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (waits_for(here, step, open_[i].blocks, open_[i].written)) return static_cast<int>(i);
  for (std::size_t i = 0; i < deferred; ++i)
    if (waits_for(here, step, deferred_[i].step)) return deferred_one;
  return none;
}

bool Ordering::may_look_ahead(int conflict) const {
  if (deferred_.size() + open_.size() >= static_cast<std::size_t>(least_window)) return false;
  if (!deferred_.empty()) return deferred_.front().round == round_;
  return conflict >= 0 && open_[static_cast<std::size_t>(conflict)].round == round_;
}

/// The oldest deferred step, once nothing is in its way.
void Ordering::run_deferred() {
  const Deferred oldest = std::move(deferred_.front());
  deferred_.erase(deferred_.begin());
  for (int found = conflict(oldest.step, 0); found != none; found = conflict(oldest.step, 0))
    complete(static_cast<std::size_t>(found));
  execute(oldest.step, oldest.number, oldest.round);
}

void Ordering::complete(std::size_t index) {
  const std::int32_t number = open_[index].number;
  if (!actions_->empty() && actions_->back().kind == Action::Kind::post && actions_->back().open == number)
    actions_->back().kind = Action::Kind::receive;
  else
    actions_->push_back({.kind = Action::Kind::complete, .open = number, .step = step_});
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Ordering::settle() {
  while (!deferred_.empty()) run_deferred();
  if (open_.empty()) return;
  actions_->push_back({.kind = Action::Kind::settle, .step = step_});
  open_.clear();
}

void Ordering::open(const BlockList& blocks, bool written, int round, Action& action) {
  action.open = opened_++;
  open_.push_back({blocks, action.open, round, written});
}

Rank Ordering::peer(Rank number, const char* does) const {
  const std::int64_t rank = std::int64_t{number} * seat_.lanes + seat_.me % seat_.lanes;
  if (number < 0 || rank >= seat_.ranks || rank == seat_.me)
    throw std::invalid_argument("rank " + std::to_string(seat_.me) + ", step " + std::to_string(step_) + ": " + does +
                                " rank " + std::to_string(number) + ", which is no other rank");
  return static_cast<Rank>(rank);
}

void Ordering::send(const Send& step, Action action, int round) {
  action.kind = Action::Kind::send;
  action.peer = peer(step.to, "sends to"), action.set = static_cast<std::int8_t>(step.set);
  const std::int64_t payload = memory().length(step.what);
  action.bytes = payload + (step.sized ? sized_header(step.what) : 0);
  action.within = machine_->node_of(seat_.me) == machine_->node_of(action.peer);
  action.rendezvous = action.bytes >= (action.within ? machine_->within : machine_->between).rendezvous;
  counts_.add(action.within, payload);
  if (action.rendezvous) open(step.what, false, round, action);
  actions_->push_back(action);
}

void Ordering::execute(const Step& step, int number, int round) {
  if (open_.size() >= static_cast<std::size_t>(least_window)) complete(0);
  Action action{.step = number};
  if (const auto* sent = std::get_if<Send>(&step)) return send(*sent, action, round);
  if (const BlockList* into = received(step)) {
    const auto* receive = std::get_if<Receive>(&step);
    action.kind = Action::Kind::post;
    action.bytes = memory().length(*into) + (receive && receive->sized ? sized_header(*into) : 0);
    if (receive) {
      action.peer = peer(receive->from, "receives from");
      action.within = machine_->node_of(seat_.me) == machine_->node_of(action.peer);
    } else {
      action.set = static_cast<std::int8_t>(std::get<ReceiveAny>(step).set);
    }
    open(*into, true, round, action);
  } else if (const auto* reduce = std::get_if<Reduce>(&step)) {
    action.kind = Action::Kind::reduce, action.bytes = memory().length(reduce->into);
  } else if (const auto* copy = std::get_if<Copy>(&step)) {
    action.kind = Action::Kind::copy, action.bytes = memory().length(copy->into);
  }
  actions_->push_back(action);
}

}  // namespace tutti::simulation
