#include "runtime/requests/channel.hpp"

#include <utility>

#include "runtime/requests/carrier.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/request_table.hpp"

namespace tutti::runtime {

Channel::Channel(ChannelPlace place)
    : engine_(place.options.me, place.options.size), oversubscribed_(place.options.size > place.options.cpus) {
  place.options.suspend = running_.suspension();
  engine_.comm = place.comm, engine_.instructions = place.instructions;
  engine_.group = std::make_unique<shm::ShmGroup>(std::move(place.memory), place.options);
}

Channel::Channel(MPI_Comm comm, bool oversubscribed) : engine_(0, 1), oversubscribed_(oversubscribed) {
  engine_.comm = comm;
}

Channel::~Channel() {
  motion::forget(*this);
  for (const auto& request : all_) {
    request_table::remove(*request);
    carrier::give_back(request->carrier);
  }
}

void Channel::start(Request& request) {
  request.next = nullptr;
  request.state.store(Request::State::started, std::memory_order_relaxed);
  (head_ == nullptr ? head_ : tail_->next) = &request;
  tail_ = &request;
}

bool Channel::run_head() {
  if (begun_) return running_.test();
  begun_ = true;
  return running_.start(head_->plan, head_->call, venue());
}

Venue Channel::venue() {
  Venue venue{.engine = &engine_};
  if (wires_) venue.messages = &wires_->messages, venue.hierarchy = wires_->hierarchy.get();
  return venue;
}

bool Channel::give() {
  if (!head_->has_halves || !group()->can_give()) return false;
  group()->run_half(shm::Half::give);
  head_->plan.run(head_->call, {.engine = &engine_});
  group()->run_half(shm::Half::take);
  return given_ = true;
}

void Channel::finish(const Suspend& idle) {
  finishing_ = true;
  const int code = running_.run(head_->plan, head_->call, venue(), idle);
  finishing_ = false;
  end_head(code);
}

void Channel::move(bool mpi, int looks) {
  while (head_ != nullptr && !finishing_ && (mpi || !head_->plan.needs_mpi())) {
    running_.look_again(looks);
    if (!run_head()) return;
    end_head(running_.code());
  }
}

void Channel::end_head(int code) {
  Request& ended = *head_;
  head_ = ended.next, begun_ = false;
  if (std::exchange(given_, false)) group()->run_half(shm::Half::both);
  ended.code = code;
  if (ended.freed)
    give_back(ended);
  else
    ended.state.store(Request::State::complete, std::memory_order_release);
}

Request& Channel::make() {
  auto made = std::make_unique<Request>();
  made->channel = this;
  all_.reserve(all_.size() + 1);
  made->carrier = carrier::take();
  request_table::add(*made);
  return *all_.emplace_back(std::move(made));
}

Request& Channel::take(const Operation& call) {
  Request** best = &free_;
  for (Request** at = &free_; *at != nullptr; at = &(*at)->next)
    if ((*at)->plan.lasts() && (*at)->plan.matches(call)) {
      best = at;
      break;
    }
  Request& taken = *best != nullptr ? **best : make();
  if (*best != nullptr) *best = taken.next;
  ++used_;
  return taken;
}

void Channel::give_back(Request& request) {
  --used_;
  request.state.store(Request::State::inactive, std::memory_order_relaxed);
  request.persistent = false;
  request.types.drop();
  if (given_back_ != nullptr) given_back_->fetch_add(1, std::memory_order_acq_rel);
  request.next = std::exchange(free_, &request);
}

}  // namespace tutti::runtime
