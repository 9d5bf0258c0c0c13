#include "analysis/timeline.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "analysis/critical_path.hpp"
#include "analysis/meaning.hpp"
#include "analysis/text.hpp"

namespace tutti {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// What a cell holds: an element of an owner's block, and who contributed to it.
struct Content {
  int owner = -1;
  std::shared_ptr<const std::vector<Rank>> ranks;
};

/// Follows what is moved and combined, step by step, and notes what each message carries.
class Tracing {
 public:
  Tracing(const Problem& problem, const std::vector<BoundProgram>& ranks) : ranks_(ranks), memory_(ranks.size()) {
    for (Rank me = 0; me < problem.size; ++me) fill(problem, me);
  }

  void step(Rank rank, int number, const Span& span) {
    const Step& step = ranks_[at(rank)].steps[at(number)];
    const MatchedStep& bound = ranks_[at(rank)].bound[at(number)];
    result_.end = std::max(result_.end, span.end.rounds);
    if (const auto* send = std::get_if<Send>(&step)) {
      const BoundProgram& peer = ranks_[at(send->to)];
      result_.messages.push_back({span.begin.rounds, rank, send->to, pieces(rank, *send), send->sized,
                                  bound.set != no_set, to_text(send->what),
                                  to_text(*received(peer.steps[at(bound.match)]))});
      if (!bound.tokens) write(send->to, peer.bound[at(bound.match)], read(rank, bound));
    } else if (std::holds_alternative<Reduce>(step)) {
      work(rank, number, span);
      write(rank, bound, combined(read(rank, bound)));
    } else if (std::holds_alternative<Copy>(step)) {
      work(rank, number, span);
      write(rank, bound, read(rank, bound));
    }
  }

  Timeline result() {
    std::ranges::sort(result_.messages, {}, [](const auto& one) { return std::tuple(one.begin, one.from, one.to); });
    std::ranges::sort(result_.works, {}, [](const auto& one) { return std::tuple(one.at, one.rank, one.step); });
    return std::move(result_);
  }

 private:
  void fill(const Problem& problem, Rank me) {
    const Cells& cells = ranks_[at(me)].cells;
    memory_[at(me)].resize(at(cells.size()));
    const auto own = std::make_shared<const std::vector<Rank>>(1, me);
    const auto hold = [&](const Run& run, int owner) {
      for (std::int64_t i = run.begin; i < run.end; ++i) memory_[at(me)][at(i)] = {owner, own};
    };
    for (int owner = 0; owner < cells.owners(); ++owner)
      if (cells.exists(Buffer::input, owner)) hold(cells.input(owner), owner);
    if (const int owner = held_before(problem, me); owner >= 0) hold(cells.output(owner), owner);
  }

  std::vector<Content> read(Rank rank, const MatchedStep& bound) const {
    std::vector<Content> contents;
    for (const Run& run : bound.reads)
      for (std::int64_t cell = run.begin; cell < run.end; ++cell) contents.push_back(memory_[at(rank)][at(cell)]);
    return contents;
  }

  void write(Rank rank, const MatchedStep& bound, const std::vector<Content>& contents) {
    std::size_t i = 0;
    for (const Run& run : bound.writes)
      for (std::int64_t cell = run.begin; cell < run.end; ++cell) memory_[at(rank)][at(cell)] = contents[i++];
  }

  /// Left operands, then right ones, to results.
  static std::vector<Content> combined(std::vector<Content> operands) {
    const std::size_t count = operands.size() / 2;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Rank> both;
      const auto &left = operands[i].ranks, &right = operands[count + i].ranks;
      if (!left || !right) throw std::logic_error("combines what has not been written");
      std::ranges::set_union(*left, *right, std::back_inserter(both));
      operands[i].ranks = std::make_shared<const std::vector<Rank>>(std::move(both));
    }
    operands.resize(count);
    return operands;
  }

  /// One piece for each block that the payload's runs hold.
  std::vector<MessagePiece> pieces(Rank rank, const Send& send) const {
    std::vector<MessagePiece> all;
    for (const Blocks& blocks : send.what) {
      if (blocks.buffer == Buffer::token) continue;
      const Run cells = ranks_[at(rank)].cells.find(blocks);
      for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
        const Content& content = memory_[at(rank)][at(cell)];
        if (!content.ranks) throw std::logic_error("sends what has not been written");
        MessagePiece piece{content.owner, blocks.part, blocks.parts, blocks.of, *content.ranks};
        if (all.empty() || all.back() != piece) all.push_back(std::move(piece));
      }
    }
    return all;
  }

  void work(Rank rank, int number, const Span& span) {
    const Step& step = ranks_[at(rank)].steps[at(number)];
    result_.works.push_back({span.end.rounds, rank, number, std::holds_alternative<Reduce>(step), to_text(step)});
  }

  const std::vector<BoundProgram>& ranks_;
  std::vector<std::vector<Content>> memory_;
  Timeline result_;
};

}  // namespace

Timeline lay_out(Problem problem, const std::function<Schedule(Context)>& schedule) {
  problem.counts = {cut_of(problem, schedule)};
  try {
    const std::vector<BoundProgram> ranks = tutti::bind(problem, schedule);
    Tracing tracing(problem, ranks);
    walk(ranks, 1, [&](Rank rank, int step, const Span& span) { tracing.step(rank, step, span); });
    return tracing.result();
  } catch (const Refuted& refuted) {
    throw std::logic_error(to_text(refuted.fault));
  }
}

}  // namespace tutti
