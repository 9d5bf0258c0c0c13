#include "algorithms/combinators/reverse.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "algorithms/combinators/renamed.hpp"
#include "analysis/program.hpp"

namespace tutti {
namespace {

/// Calls `visit(step)` from the last step to the first; areas come first nevertheless, and marks still end rounds.
template <class Visit>
Schedule backwards(Program steps, Visit visit) {
  for (const Step& step : steps)
    if (std::holds_alternative<Area>(step)) co_yield step;
  bool marked = false;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (std::holds_alternative<Area>(*step)) continue;
    if (const auto* mark = std::get_if<Round>(&*step)) {
      if (std::exchange(marked, true)) co_yield *mark;
      continue;
    }
    for (Step& turned : visit(*step)) co_yield std::move(turned);
  }
  if (marked) co_yield round_mark();
}

Schedule sides_exchanged(Schedule inner) {
  const auto exchanged = [](Buffer side) {
    return side == Buffer::input ? Buffer::output : side == Buffer::output ? Buffer::input : side;
  };
  const auto blocks = [exchanged](Blocks run) {
    run.buffer = exchanged(run.buffer);
    return run;
  };
  const auto area = [exchanged](Area area) {
    area.like = exchanged(area.like);
    return area;
  };
  return renamed(std::move(inner), {.peer = {}, .blocks = blocks, .area = area});
}

/// Where messages arrive before they are combined: run i of a message in slot i of its set, the sets by turns.
class Arrivals {
 public:
  Arrivals(const Program& forward, int ahead) {
    int messages = 0;
    for (const Step& step : forward) {
      if (std::holds_alternative<Copy>(step) || std::holds_alternative<Reduce>(step) || declares(step))
        throw std::logic_error("only what is sent and received in place can be turned into a reduction");
      if (const auto* send = std::get_if<Send>(&step)) ++messages, make_room(*send);
    }
    sets_ = std::min(ahead, messages);
  }

  Schedule declared() const {
    for (int set = 0; set < sets_; ++set)
      for (std::size_t i = 0; i < largest_.size(); ++i) co_yield area(slot(set, i), largest_[i]);
  }

  BlockList next(const BlockList& payload) {
    BlockList arrived;
    std::size_t i = 0;
    for (Blocks run : payload) {
      run.buffer = Buffer::scratch, run.slot = slot(turn_, i++);
      arrived.add(run);
    }
    turn_ = (turn_ + 1) % sets_;
    return arrived;
  }

 private:
  int slot(int set, std::size_t run) const { return set * static_cast<int>(largest_.size()) + static_cast<int>(run); }

  static Step area(int slot, const Blocks& largest) {
    return largest.of > 1 ? floating_parts(slot, largest.of, largest.parts) : floating_owners(slot, largest.count);
  }

  void make_room(const Send& send) {
    std::size_t i = 0;
    for (const Blocks& run : send.what) {
      if (i == largest_.size()) largest_.push_back(run);
      Blocks& largest = largest_[i++];
      const bool vector_parts = run.of == largest.of && run.first == 0 && largest.first == 0;
      if (run.of > 1 && vector_parts)
        largest.parts = std::max(largest.parts, run.parts);
      else  // a part is never larger than its owner's block
        largest = output(0, std::max(run.count, largest.count));
    }
  }

  std::vector<Blocks> largest_;
  int sets_ = 0, turn_ = 0;
};

}  // namespace

Schedule reversed(Schedule forward) {
  const auto turn = [](const Step& step) -> Program {
    if (const auto* sent = std::get_if<Send>(&step)) return {receive(sent->to, sent->what)};
    if (const auto* received = std::get_if<Receive>(&step)) return {send(received->from, received->into)};
    if (const auto* copied = std::get_if<Copy>(&step)) return {copy(copied->into, copied->from)};
    throw std::logic_error("a reduction cannot be turned round, nor what comes in any order");
  };
  return sides_exchanged(backwards(program(std::move(forward)), turn));
}

Schedule reversed_reducing(Rank me, Schedule forward, int ahead) {
  const Program steps = program(std::move(forward));
  Arrivals arrivals(steps, ahead);
  Schedule areas = arrivals.declared();
  while (const Step* step = areas.next()) co_yield *step;
  const auto turn = [&](const Step& step) -> Program {
    if (const auto* received = std::get_if<Receive>(&step)) return {send(received->from, received->into)};
    const auto& sent = std::get<Send>(step);
    const BlockList arrived = arrivals.next(sent.what);
    Program turned{receive(sent.to, arrived)};
    for (std::size_t i = 0; i < arrived.size(); ++i)
      turned.push_back(Reduce{arrived.runs()[i], sent.what.runs()[i], sent.to < me});
    return turned;
  };
  Schedule combined = backwards(steps, turn);
  while (const Step* step = combined.next()) co_yield *step;
}

}  // namespace tutti
