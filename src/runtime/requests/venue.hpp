#pragma once
/// What serves the nonblocking and persistent calls of one communicator, and how its ranks come to have it.
///
/// No nonblocking call may wait for that.  The first are the MPI's; at the 4th, each rank starts a nonblocking
/// reduction of the MPI's on the same communicator, in which the ranks compare what they must have in common, and rank
/// 0 offers memory.  At later calls a rank that sees it complete maps the memory, and joins the others there
/// (turnover.hpp).
///
/// A call that makes a persistent request may wait for the others (MPI 4.0, 6.13: it is not local).  So the first one
/// does all of this at once, and is served itself.  A rank that never comes there (its arguments were refused) or that
/// cannot map the memory ends the wait after `longest_wait`: a call that a rank has passed on is served on none.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/communicator/selector_pool.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/requests/channel.hpp"
#include "runtime/requests/comparison.hpp"
#include "runtime/requests/loans.hpp"
#include "runtime/requests/messages/wired_loans.hpp"
#include "runtime/requests/turnover.hpp"

namespace tutti::runtime {

/// All channels for persistent requests are lent.
Reason& more_than_served();
/// Messages would rest while the program is in other calls of the MPI's.
Reason& immovable();

class RequestVenue : public Attachment {
 public:
  explicit RequestVenue(State& state);
  ~RequestVenue() override;

  /// Whether the next call of the communicator is served; else `why()`.  Asked once for each, also where it will not
  /// be.  For a persistent request it waits for the other ranks.  Throws MpiError.
  bool serves_next(Form form);
  Reason& why() const { return *why_; }
  /// The call asked for last was not made.
  void take_back() { --next_; }

  Selector& selector() { return **selector_; }
  const Settings& settings() const { return agreed_->settings; }
  shm::InstructionSet instructions() const { return instructions_; }
  bool explaining() const { return settings().explain || !settings().log.empty(); }

  /// Null where there is none: then `why()`.  Asked once for each call that is served.  For a persistent request over
  /// messages it waits for the other ranks.
  Channel* channel_for(Form form, const Choice& choice);
  void meet() override;
  /// Calls of that size class whose choice has been explained.
  std::uint64_t& explained(Collective which) { return explained_[static_cast<std::size_t>(which)]; }

 private:
  enum class Phase : std::uint8_t {
    counting,   ///< the first calls
    comparing,  ///< the reduction is under way
    arrived,    ///< the memory is mapped
    asking,     ///< joined, and it is asked of each call whether it is served; on several nodes each is
    gathering,  ///< on several nodes: until all ranks meet
    refused,    ///< for good
  };
  void begin();
  void advance();
  bool compared();
  void map();
  void join(std::uint32_t number);
  bool all_know() const;
  void await_others();
  void end_comparing() noexcept;
  bool refuse(const char* words);
  bool refuse_all(const char* words);
  Channel& channel(int number);
  std::int64_t part() const;
  Mates own_mates() const;
  // Messages: meeting.cpp.
  void expect_meeting();
  void gather();
  void see_wiring();
  void set_up();
  void place();
  Wired all_wired() const;
  bool oversubscribed() const;
  Channel* wired_channel_for(Form form, const Choice& choice);

  State& state_;
  Phase phase_ = Phase::counting;
  std::uint32_t next_ = 1;  ///< number of the next call
  bool patient_ = true;     ///< no rank has failed to come in time
  Reason* why_;
  std::unique_ptr<RequestComparison> comparison_;
  MPI_Request comparing_ = MPI_REQUEST_NULL;
  const AgreedSettings* agreed_ = nullptr;
  shm::InstructionSet instructions_ = shm::InstructionSet::base;
  std::optional<SelectorLoan> selector_;
  std::optional<shm::Segment> memory_;
  shm::ShmGroupOptions options_;
  std::optional<Turnover> turnover_;
  std::optional<Loans> loans_;
  std::vector<std::unique_ptr<Channel>> channels_;  ///< 0: of nonblocking calls
  bool able_told_ = false;                          ///< channel 0 knows whether blocks may be copied once
  Wiring wiring_;
  WiredLoans wired_loans_;
  Reason* unwired_;  ///< why calls over messages are not served
  bool several_nodes_ = false;
  int most_per_node_ = 0;
  bool unhurried_ = false;      ///< the calls that make persistent requests wait as long as it takes
  std::uint64_t begun_at_ = 0;  ///< blocking calls before the comparison
  int meetings_ = 0;
  std::array<std::uint64_t, collective_names.size()> explained_{};
};

/// The communicator's, made at its first call.
RequestVenue& venue_of(State& state);

}  // namespace tutti::runtime
