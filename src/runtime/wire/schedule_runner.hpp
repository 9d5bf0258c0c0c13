#pragma once
/// The core of the executor: runs bound steps in any order that their blocks allow.
///
/// It looks ahead by a window of steps.  A step starts when all earlier steps that touch its elements are complete and,
/// for a message, earlier messages to (from) the same peer have been posted to MPI.  So the next receive is posted
/// while the last segment is reduced.
#include "core/layout.hpp"
#include "runtime/datatype/combiner.hpp"
#include "runtime/plan/staging.hpp"
#include "runtime/wire/private_comm.hpp"
#include "runtime/wire/window.hpp"
#include "runtime/wire/workspace.hpp"

namespace tutti::runtime {

class ScheduleRunner {
 public:
  /// `combiner` is null where nothing is reduced.
  ScheduleRunner(PrivateComm& wire, const Frame& frame, Combiner* combiner, int tag);
  ~ScheduleRunner();
  ScheduleRunner(const ScheduleRunner&) = delete;

  /// To the last step.  Throws MpiError, std::bad_alloc.
  void run(const SchedulePlan& plan);
  void run(StepStream& stream);

 private:
  template <class Pull>
  void drive(Pull&& pull);
  template <class Pull>
  void fill(Pull& pull);
  void run_whole(const SchedulePlan& plan);
  void admit(int place);
  void start_messages();
  bool run_local();
  int oldest_of(std::uint64_t places) const;

  // Local steps.
  void carry_out(Place& place);
  void copy_late(Place& place);
  void reduce(const Place& place);

  // Messages: transfers.cpp.
  void start_message(int place);
  void start_late(int place);
  void start_sized(int place);
  void gather(Place& place);
  void lay_out(Place& place);
  void hand_over(int place);
  void post(const OrderedStep& step, int number, std::byte* start, std::int64_t bytes);
  void post(OrderedStep::Kind kind, std::int32_t peer, int tag, int number, std::byte* start, std::int64_t bytes);
  void arrived(int place, Rank source);
  void heard(Place& place, int number);
  void look();
  void await();

  // Memory.
  void copy(const std::byte* from, std::int64_t count, std::byte* into) const;
  std::byte* address(const Range& range) const {
    return at(work_.bases[static_cast<std::size_t>(range.space)].start, range.first * unit_);
  }
  std::byte* row(std::int64_t count);
  void declare(const std::vector<std::int64_t>& areas);
  void resolve(Place& place) const;
  Place& place_at(int place) { return work_.places[static_cast<std::size_t>(place)]; }
  const Place& place_at(int place) const { return work_.places[static_cast<std::size_t>(place)]; }

  PrivateComm& wire_;
  Workspace& work_;
  std::int64_t unit_;  ///< bytes of an element
  Combiner* combiner_;
  int tag_;
  Backoff backoff_;
  Window window_;
  std::uint64_t round_ = 0;  ///< places of the steps of the last marked round
  std::int64_t oldest_ = 0, next_ = 0;
  std::uint32_t last_round_ = 0;
  bool exhausted_ = false;
};

}  // namespace tutti::runtime
