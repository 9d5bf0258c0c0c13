#include "runtime/requests/venue.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/communicator/compatible.hpp"
#include "runtime/datatype/gpu_memory.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/explanation.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/wire/mpi_progress.hpp"

namespace tutti::runtime {
namespace {

/// As many as of blocking calls: programs that make a communicator for a few pay nothing.
constexpr std::uint32_t compared_at = activation_call;
/// Ranks make their first persistent request together, or after work on which some are slow.  A rank that waits in
/// vain has a program that is in error or relies on a local call: it loses this time once for each communicator.
constexpr std::chrono::seconds longest_wait{5};
/// At the end of a communicator for which a rank has waited in vain: for a reduction that is complete in all but name.
constexpr int last_looks = 1000;
/// This process could not map what another offered: the next ones need not wait to learn it again.
std::atomic<bool> cannot_map{false};
constexpr std::size_t page = 4096;
/// The one of nonblocking calls, and those of a few persistent requests: a ring in use takes megabytes of each rank.
constexpr int channels_with_long_rings = 4;
std::size_t pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// The shortest slots: long blocks are copied once where that is allowed.  A persistent request is started again only
/// once it is complete, so that no rank runs ahead of another by more than one call.
shm::ShmGroupOptions options_of(shm::ShmGroupOptions options, int channel) {
  options.chunk = shm::chunks.back();
  options.backlog = channel == 0 ? shm::backlogs.back() : 0;
  if (channel > channels_with_long_rings) options.long_ring = 0;
  return options;
}

std::size_t bytes_of(const shm::ShmGroupOptions& options, int channel) {
  return pages(shm::ShmGroup::bytes(options_of(options, channel)));
}

/// Where the channel of that number begins; of the number after the last: where all end.
std::size_t place_of(const shm::ShmGroupOptions& options, int number) {
  std::size_t from = pages(Turnover::bytes(options.size)) + pages(Loans::bytes(options.size));
  for (int before = 0; before < number; ++before) from += bytes_of(options, before);
  return from;
}

/// What takes memory at once.
std::int64_t part_of(const shm::ShmGroupOptions& options) {
  return static_cast<std::int64_t>(shm::ShmGroup::used_bytes(options_of(options, 0))) / options.size;
}

/// Requests of communicators that were freed live on, and so does what they need.
void outlive(std::vector<std::unique_ptr<Channel>> channels, std::optional<shm::Segment> memory) {
  struct Outlived {
    std::vector<std::unique_ptr<Channel>> channels;
    std::optional<shm::Segment> memory;
  };
  static auto& all = *new std::vector<Outlived>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::erase_if(all, [](const Outlived& each) {
    return std::ranges::all_of(each.channels, [](const auto& channel) { return !channel || channel->unused(); });
  });
  const bool needed = std::ranges::any_of(channels, [](const auto& channel) { return channel && !channel->unused(); });
  if (!needed) return;
  for (const auto& channel : channels)
    if (channel) channel->forget_comm();
  all.push_back({std::move(channels), std::move(memory)});
}

}  // namespace

RequestVenue::RequestVenue(State& state)
    : state_(state),
      why_(&first_calls()),
      comparison_(std::make_unique<RequestComparison>()),
      channels_(Loans::channels + 1),
      unwired_(&not_set_up()) {}

RequestVenue::~RequestVenue() {
  end_comparing();
  if (memory_) hold_memory(-part());
  try {
    for (auto& channel : wired_loans_.take_all()) channels_.push_back(std::move(channel));
    outlive(std::move(channels_), std::move(memory_));
  } catch (const std::exception&) {  // no memory to keep them: the program's requests of a freed communicator end
  }
}

/// A rank that has not come so far may never come; then the reduction, and what it writes to, is left behind.
void RequestVenue::end_comparing() noexcept {
  if (comparing_ == MPI_REQUEST_NULL) return;
  if (patient_) return static_cast<void>(pmpi.Wait(&comparing_, MPI_STATUS_IGNORE));
  int done = 0;
  for (int looks = 0; done == 0 && looks < last_looks; ++looks) pmpi.Test(&comparing_, &done, MPI_STATUS_IGNORE);
  if (done == 0) static_cast<void>(comparison_.release());
}

bool RequestVenue::refuse(const char* words) {
  phase_ = Phase::refused, why_ = &reason(words);
  explain_refusal(state_, "nonblocking and persistent calls are left to the MPI library", words);
  return false;
}

/// As all ranks find.
bool RequestVenue::refuse_all(const char* words) {
  end_meetings(state_);
  return refuse(words);
}

bool RequestVenue::serves_next(Form form) {
  const std::uint32_t number = next_++;
  if (phase_ == Phase::counting && (number == compared_at || form == Form::persistent)) begin();
  advance();
  if (form == Form::persistent) await_others();
  // On several nodes the ranks know at that call, or at another one, that they all wait.
  const bool all_wait = comparison_->values[RequestComparison::hurried] == 0;
  if (form == Form::persistent && phase_ == Phase::gathering && all_wait) set_up();
  return phase_ == Phase::asking && (!turnover_ || turnover_->serves(number));
}

void RequestVenue::advance() {
  if (phase_ == Phase::comparing && compared()) map();
  if (phase_ == Phase::arrived && turnover_->all_arrived()) join(next_ - 1);
}

bool RequestVenue::all_know() const {
  if (phase_ == Phase::refused || phase_ == Phase::gathering) return true;
  return phase_ == Phase::asking && (!turnover_ || turnover_->all_joined());
}

/// They may be in calls of the MPI's that need this rank's progress.
void RequestVenue::await_others() {
  if (!patient_ || all_know()) return;
  const auto start = std::chrono::steady_clock::now();
  for (unsigned rounds = 0; !all_know(); ++rounds) {
    motion::move_if_any();
    look_for_messages(state_.comm);
    motion::rest(rounds);
    advance();
    if (!unhurried_ && std::chrono::steady_clock::now() - start > longest_wait)
      return static_cast<void>(patient_ = false);
  }
}

/// Starts the reduction.
void RequestVenue::begin() {
  why_ = &not_set_up();
  agreed_ = agreed() ? agreed() : &read_here();
  require(pmpi.Comm_rank(state_.comm, &state_.rank), "PMPI_Comm_rank");
  options_.me = state_.rank, options_.size = state_.size;
  comparison_->set(RequestComparison::build, build_identity());
  comparison_->set(RequestComparison::settings, agreed_->hash);
  comparison_->set(RequestComparison::node, node_identity());
  comparison_->values[RequestComparison::unable] = own_self() == MPI_COMM_NULL || !agreed_->settings.on ||
                                                   agreed_->settings.online || fault_tolerance_on() ||
                                                   goes_beyond_world(state_.comm) || cannot_map;
  comparison_->values[RequestComparison::device_buffers] = device_buffers_possible() && !agreed_->settings.gpu_host;
  comparison_->values[RequestComparison::minus_instructions] = -static_cast<std::int64_t>(shm::widest_here());
  comparison_->values[RequestComparison::cpus] = state_.rank == 0 ? std::min(cpus_of_node(), state_.size) : 0;
  expect_meeting();
  options_.cpus = static_cast<int>(comparison_->values[RequestComparison::cpus]);
  if (state_.rank == 0) options_.long_ring = long_ring_for(own_mates(), options_);
  comparison_->values[RequestComparison::long_ring] = static_cast<std::int64_t>(options_.long_ring);
  const std::size_t bytes = place_of(options_, Loans::channels + 1);
  if (state_.rank == 0 && 2 * part_of(options_) <= memory_left(own_mates())) {
    shm::Offer offer;
    std::string cause;
    memory_ = shm::Segment::create(bytes, shm::Offer::Kind::memfd, offer, cause, SIZE_MAX, shm::Pages::creators, page);
    if (memory_) comparison_->offer(offer), hold_memory(part());
  }
  require(pmpi.Iallreduce(MPI_IN_PLACE, comparison_->values.data(), RequestComparison::fields, MPI_INT64_T, MPI_MAX,
                          state_.comm, &comparing_),
          "PMPI_Iallreduce");
  phase_ = Phase::comparing;
}

/// Whether the ranks have compared, and may be served.
bool RequestVenue::compared() {
  int done = 0;
  require(pmpi.Test(&comparing_, &done, MPI_STATUS_IGNORE), "PMPI_Test");
  if (done == 0) return false;
  const auto& values = comparison_->values;
  if (!comparison_->equal(RequestComparison::build)) return refuse_all("its ranks preload different versions of tutti");
  if (!comparison_->equal(RequestComparison::settings)) return refuse_all("its ranks have different settings");
  if (values[RequestComparison::device_buffers] != 0)
    return refuse_all("a GPU runtime is in the process of one of its ranks");
  if (values[RequestComparison::unable] != 0)
    return refuse_all("TUTTI=off or online, fault tolerance, no common world, or memory that cannot be mapped");
  if (!comparison_->equal(RequestComparison::node)) return gather(), false;
  if (values[RequestComparison::bytes] == 0)
    return refuse_all("no shared memory is left for nonblocking and persistent calls");
  return true;
}

/// Maps what rank 0 has offered.  Where that fails the others never see this rank arrive, and nothing is served.
void RequestVenue::map() try {
  instructions_ = static_cast<shm::InstructionSet>(-comparison_->values[RequestComparison::minus_instructions]);
  options_.cpus = static_cast<int>(comparison_->values[RequestComparison::cpus]);
  options_.long_ring = static_cast<std::size_t>(comparison_->values[RequestComparison::long_ring]);
  options_.learners = agreed_->settings.learners;
  selector_.emplace(intern(agreed_->text), on_one_node(state_.size, options_.cpus));
  see_wiring();
  std::string cause;
  if (state_.rank != 0) {
    memory_ = shm::Segment::attach(comparison_->offered(), cause);
    if (memory_) hold_memory(part());
  }
  if (!memory_) {
    cannot_map = true;
    return static_cast<void>(refuse("the memory that rank 0 offers cannot be mapped"));
  }
  turnover_.emplace(memory_->data(), state_.rank, state_.size);
  loans_.emplace(memory_->data() + pages(Turnover::bytes(options_.size)), state_.rank, state_.size);
  channel(0);  // where others find which process this is
  turnover_->arrive();
  phase_ = Phase::arrived;
} catch (const std::bad_alloc&) {
  refuse("a rank has no memory left for nonblocking and persistent calls");
}

/// Nobody needs the descriptor any more.
void RequestVenue::join(std::uint32_t number) {
  memory_->publish();
  turnover_->join(number, channel(0).group()->can_read_all());
  phase_ = Phase::asking;
}

/// What takes memory at once.
std::int64_t RequestVenue::part() const { return part_of(options_) + static_cast<std::int64_t>(options_.long_ring); }

Mates RequestVenue::own_mates() const { return {state_.comm, state_.rank, state_.size, agreed_->settings}; }

Channel& RequestVenue::channel(int number) {
  std::unique_ptr<Channel>& wanted = channels_[static_cast<std::size_t>(number)];
  if (wanted) return *wanted;
  shm::Segment memory = memory_->part(place_of(options_, number), bytes_of(options_, number));
  wanted = std::make_unique<Channel>(
      ChannelPlace{state_.comm, instructions_, std::move(memory), options_of(options_, number)});
  if (number > 0) wanted->group()->allow_single_copy(turnover_->all_able());
  return *wanted;
}

Channel* RequestVenue::channel_for(Form form, const Choice& choice) {
  if (choice.kind != Choice::Kind::node) return wired_channel_for(form, choice);
  if (form == Form::nonblocking) {
    Channel& shared = channel(0);
    if (!able_told_) shared.group()->allow_single_copy(turnover_->all_able());
    able_told_ = true;
    return &shared;
  }
  const int lent = loans_->next();
  if (lent < 0) return why_ = &more_than_served(), nullptr;
  Channel& own = channel(lent + 1);
  own.count_given_back(loans_->given_back(lent));
  return &own;
}

Reason& more_than_served() {
  static Reason& why = reason("its communicator has more persistent requests at once than are served");
  return why;
}

RequestVenue& venue_of(State& state) {
  if (!state.venue) state.venue = std::make_unique<RequestVenue>(state);
  return static_cast<RequestVenue&>(*state.venue);
}

}  // namespace tutti::runtime
