#include "simulation/replay_trace.hpp"

#include <map>
#include <stdexcept>

namespace tutti::simulation {
namespace {

constexpr std::int64_t tags = 1 << 15;  // a tag is free again when as many messages have followed
constexpr Time per_flop = 1000;         // picoseconds

class Lines {
 public:
  Lines(const Costs& costs, Rank me) : costs_(costs), me_(me), begin_(std::to_string(me) + " ") { line("init"); }

  void take(const Action& action) {
    switch (action.kind) {
      case Action::Kind::send:
        return send(action);
      case Action::Kind::post:
        open(action, message("irecv", action, received_));
        return;
      case Action::Kind::receive:
        message("recv", action, received_);
        return;
      case Action::Kind::complete:
        line(waits_.at(action.open));
        waits_.erase(action.open);
        return;
      case Action::Kind::settle:
        if (!waits_.empty()) line("waitall");
        return waits_.clear();
      case Action::Kind::reduce:
        return compute(costs_.reduce_per_byte, action.bytes);
      case Action::Kind::copy:
        return compute(costs_.copy_per_byte, action.bytes);
      case Action::Kind::declare:
        throw std::invalid_argument(
            "rank " + std::to_string(me_) + ", step " + std::to_string(action.step) +
            ": takes messages in the order in which they come, which SimGrid's traces cannot say");
      case Action::Kind::end:
        return line("finalize");
    }
  }
  std::string finish() { return std::move(text_); }

 private:
  void line(const std::string& words) { text_ += begin_ + words + "\n"; }

  /// Its tag.
  std::int64_t message(const std::string& word, const Action& action, std::map<Rank, std::int64_t>& counts) {
    const std::int64_t tag = counts[action.peer]++ % tags;
    line(word + " " + std::to_string(action.peer) + " " + std::to_string(tag) + " " + std::to_string(action.bytes));
    return tag;
  }
  void send(const Action& action) {
    const std::int64_t tag = message(action.rendezvous ? "isend" : "send", action, sent_);
    if (action.rendezvous) open(action, tag);
  }
  void open(const Action& action, std::int64_t tag) {
    const bool sends = action.kind == Action::Kind::send;
    const Rank from = sends ? me_ : action.peer, to = sends ? action.peer : me_;
    waits_[action.open] = "wait " + std::to_string(from) + " " + std::to_string(to) + " " + std::to_string(tag);
  }
  void compute(double per_byte, std::int64_t bytes) {
    if (const Time time = LinkCosts::scaled(per_byte, bytes); time > 0)
      line("compute " + std::to_string((time + per_flop / 2) / per_flop));
  }

  const Costs& costs_;
  Rank me_;
  std::string begin_, text_;
  std::map<Rank, std::int64_t> sent_, received_;  ///< by peer
  std::map<std::int32_t, std::string> waits_;     ///< of open messages
};

}  // namespace

std::string replay_trace(const Machine& machine, const Costs& costs, Schedule schedule, const Seat& seat) {
  Lines lines(costs, seat.me);
  for_each_action(machine, std::move(schedule), seat, [&](const Action& action) { lines.take(action); });
  return lines.finish();
}

}  // namespace tutti::simulation
