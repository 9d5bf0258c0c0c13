#include "runtime/requests/channel.hpp"

#include <algorithm>
#include <utility>

#include "runtime/requests/carrier.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/request_table.hpp"

namespace tutti::runtime {
namespace {

constexpr std::size_t page = 4096;

std::size_t pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

}  // namespace

Channel::Channel(shm::Segment memory, shm::ShmGroupOptions options, const Engine& owner)
    : engine_(owner.rank, owner.size), oversubscribed_(options.size > options.cpus) {
  options.suspend = running_.suspension();
  engine_.comm = owner.comm, engine_.instructions = owner.instructions;
  engine_.group = std::make_unique<shm::ShmGroup>(std::move(memory), options);
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
  return running_.start(head_->plan, head_->call, {.engine = &engine_});
}

void Channel::move(bool mpi, int looks) {
  while (head_ != nullptr && (mpi || !head_->plan.needs_mpi())) {
    running_.look_again(looks);
    if (!run_head()) return;
    Request& ended = *head_;
    head_ = ended.next, begun_ = false;
    ended.code = running_.code();
    if (ended.freed) give_back(ended);
    else ended.state.store(Request::State::complete, std::memory_order_release);
  }
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
  request.next = std::exchange(free_, &request);
}

/// The shortest slots: long blocks are copied once where that is allowed.  A persistent request is started again only
/// once it is complete, so that no member runs ahead of the others by more than one call.
shm::ShmGroupOptions Channels::options(const shm::ShmGroupOptions& of_engine, int number) {
  shm::ShmGroupOptions options = of_engine;
  options.chunk = shm::chunks.back();
  options.backlog = number == 0 ? shm::backlogs.back() : 0;
  options.spread = false;
  options.progress = {};
  return options;
}

std::size_t Channels::bytes(const shm::ShmGroupOptions& of_engine) {
  return pages(shm::ShmGroup::bytes(options(of_engine, 0))) +
         most_persistent * pages(shm::ShmGroup::bytes(options(of_engine, 1)));
}

Channels::Channels(shm::Segment memory, const shm::ShmGroupOptions& of_engine, const Engine& owner)
    : memory_(std::move(memory)),
      options_(of_engine),
      owner_(owner),
      comm_(owner.comm),
      made_(most_persistent + 1) {}

Channel& Channels::at(int number) {
  std::unique_ptr<Channel>& wanted = made_[static_cast<std::size_t>(number)];
  if (wanted) return *wanted;
  const std::size_t first = pages(shm::ShmGroup::bytes(options(options_, 0)));
  const std::size_t each = pages(shm::ShmGroup::bytes(options(options_, 1)));
  const std::size_t from = number == 0 ? 0 : first + each * static_cast<std::size_t>(number - 1);
  wanted = std::make_unique<Channel>(memory_.part(from, number == 0 ? first : each), options(options_, number), owner_);
  wanted->allow_single_copy(single_copy_);
  wanted->belong_to(comm_);
  return *wanted;
}

bool Channels::unused() const {
  return std::ranges::all_of(made_, [](const auto& channel) { return !channel || channel->unused(); });
}

void Channels::belong_to(MPI_Comm comm) {
  comm_ = comm;
  for (const auto& channel : made_)
    if (channel) channel->belong_to(comm);
}

}  // namespace tutti::runtime
