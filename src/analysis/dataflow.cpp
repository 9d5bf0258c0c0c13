#include "analysis/dataflow.hpp"

#include <algorithm>

#include "analysis/text.hpp"

namespace tutti {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Of token or size cells, which tell only who wrote them.
Piece told(Expression ranks) { return {1, 0, ranks}; }

}  // namespace

Dataflow::Dataflow(const Problem& problem, const std::vector<BoundProgram>& ranks)
    : problem_(problem), ranks_(ranks), expressions_(problem.size, problem.ordered) {
  number_elements();
  for (Rank me = 0; me < problem.size; ++me) fill(me);
}

/// Owners have room for the largest block that any rank has of theirs.
void Dataflow::number_elements() {
  elements_.push_back(0);
  const Rank alike = problem_.counts.size() <= at(problem_.size) ? 1 : problem_.size;
  for (int owner = 0; owner < ranks_[0].cells.owners(); ++owner) {
    std::int64_t most = 0;
    for (Rank rank = 0; rank < alike; ++rank) most = std::max(most, problem_.input_elements(rank, owner));
    elements_.push_back(elements_.back() + most);
  }
}

void Dataflow::fill(Rank me) {
  const Cells& cells = ranks_[at(me)].cells;
  memory_.emplace_back(cells.size());
  const auto hold = [&](const Run& run, int owner) {
    const Piece own{run.length(), elements_[at(owner)], expressions_.of(me)};
    memory_.back().write(run, {&own, 1});
  };
  for (int owner = 0; owner < cells.owners(); ++owner)
    if (cells.exists(Buffer::input, owner)) hold(cells.input(owner), owner);
  if (const int own = held_before(problem_, me); own >= 0) hold(cells.output(own), own);
}

void Dataflow::perform(Rank me, int step) {
  const Step& what = ranks_[at(me)].steps[at(step)];
  const MatchedStep& bound = ranks_[at(me)].bound[at(step)];
  if (std::holds_alternative<Send>(what)) {
    deliver(me, step);
  } else if (std::holds_alternative<ReceiveAny>(what)) {
    receive_any(me, step);
  } else if (std::holds_alternative<Reduce>(what)) {
    write(me, bound, combine(me, step));
  } else if (std::holds_alternative<Copy>(what)) {
    check_known(me, step);
    write(me, bound, read(me, step, bound.reads));
  }
}

void Dataflow::deliver(Rank me, int step) {
  const MatchedStep& send = ranks_[at(me)].bound[at(step)];
  const MatchedStep& receive = ranks_[at(send.peer)].bound[at(send.match)];
  check_known(me, step);
  check_known(send.peer, send.match);
  if (!send.tokens) return write(send.peer, receive, read(me, step, send.reads));
  tell(send.peer, receive, heard(me, send));
}

void Dataflow::tell(Rank me, const MatchedStep& step, const Piece& all) {
  for (const Run& run : step.writes)
    for (std::int64_t cell = run.begin; cell < run.end; ++cell) memory_[at(me)].write({cell, cell + 1}, {&all, 1});
}

/// All messages of the set are in flight, and each may be received next.
void Dataflow::receive_any(Rank me, int step) {
  const MatchedStep& receive = ranks_[at(me)].bound[at(step)];
  const BoundSet& set = *ranks_[at(me)].find_set(receive.set);
  std::vector<Pieces> brought;
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const Rank sender = set.members[i];
    check_known(sender, set.sends[i]);
    const MatchedStep& send = ranks_[at(sender)].bound[at(set.sends[i])];
    brought.push_back(send.tokens ? Pieces{heard(sender, send)} : read(sender, set.sends[i], send.reads));
  }
  const Pieces any = any_of(me, step, brought);
  if (receive.tokens)
    tell(me, receive, any[0]);
  else
    write(me, receive, any);
}

/// What stands for one of several messages, whichever: in pieces that each of them has in one.
Pieces Dataflow::any_of(Rank me, int step, const std::vector<Pieces>& brought) {
  const BoundSet& set = *ranks_[at(me)].find_set(ranks_[at(me)].bound[at(step)].set);
  const auto turn = static_cast<int>(std::ranges::find(set.receives, step) - set.receives.begin());
  std::vector<std::size_t> piece(brought.size());
  std::vector<std::int64_t> done(brought.size());
  std::vector<Expression> values(brought.size());
  Pieces result;
  while (piece[0] < brought[0].size()) {
    const Piece& first = brought[0][piece[0]];
    std::int64_t length = first.length - done[0];
    for (std::size_t i = 0; i < brought.size(); ++i) {
      const Piece& other = brought[i][piece[i]];
      if (other.element + done[i] != first.element + done[0])
        refute(me, step,
               "gets " + describe({1, first.element + done[0], first.ranks}) + " or " +
                   describe({1, other.element + done[i], other.ranks}) + ", whichever comes first");
      length = std::min(length, other.length - done[i]);
      values[i] = other.ranks;
    }
    append(result, {length, first.element + done[0], expressions_.arrival(me, set.number, turn, values)});
    for (std::size_t i = 0; i < brought.size(); ++i)
      if ((done[i] += length) == brought[i][piece[i]].length) done[i] = 0, ++piece[i];
  }
  return result;
}

/// Sizes in learned areas are there before they are used.
void Dataflow::check_known(Rank me, int step) const {
  Pieces sizes;
  for (const Run& run : ranks_[at(me)].bound[at(step)].needs) memory_[at(me)].read(run, sizes);
  if (!std::all_of(sizes.begin(), sizes.end(), [](const Piece& piece) { return piece.written(); }))
    refute(me, step, "the size of a block that it names has not been learned");
}

const Pieces& Dataflow::read(Rank me, int step, std::span<const Run> runs) {
  read_.clear();
  for (const Run& run : runs) memory_[at(me)].read(run, read_);
  std::int64_t element = 0;
  for (const Piece& piece : read_) {
    if (!piece.written())
      refute(me, step, "element " + std::to_string(element) + " of what it reads has not been written");
    element += piece.length;
  }
  return read_;
}

/// Deals the pieces out to the runs that the step writes.
void Dataflow::write(Rank me, const MatchedStep& step, const Pieces& pieces) {
  Memory& memory = memory_[at(me)];
  std::size_t next = 0;
  std::int64_t done = 0;
  for (const Run& run : step.writes) {
    part_.clear();
    for (std::int64_t missing = run.length(); missing > 0;) {
      const Piece& piece = pieces[next];
      const std::int64_t length = std::min(missing, piece.length - done);
      append(part_, {length, piece.element + done, piece.ranks});
      missing -= length;
      if ((done += length) == piece.length) done = 0, ++next;
    }
    memory.write(run, part_);
  }
  const Piece size = told(expressions_.of(me));
  for (const Run& run : step.learns)
    for (std::int64_t cell = run.begin; cell < run.end; ++cell) memory.write({cell, cell + 1}, {&size, 1});
}

/// What a reduction makes of its operands.
const Pieces& Dataflow::combine(Rank me, int step) {
  const std::span<const Run> operands = ranks_[at(me)].bound[at(step)].reads;
  right_ = read(me, step, operands.subspan(1));
  read(me, step, operands.first(1));
  std::swap(part_, read_);
  read_.clear();
  each_pair(part_, right_, [&](const Piece& left, const Piece& right) {
    if (left.element != right.element) refute(me, step, describe(left) + " would be combined with " + describe(right));
    const Expression both = expressions_.combine(left.ranks, right.ranks);
    if (both < 0) refute(me, step, expressions_.complaint());
    append(read_, {left.length, left.element, both});
  });
  return read_;
}

/// The content of a message of tokens: the sender has entered, and all that its tokens have learned.
Piece Dataflow::heard(Rank me, const MatchedStep& step) {
  read_.clear();
  for (const Run& run : step.reads) memory_[at(me)].read(run, read_);
  Expression all = expressions_.of(me);
  for (const Piece& token : read_)
    if (token.written()) all = expressions_.join(all, token.ranks);
  return told(all);
}

void Dataflow::check_outcome() {
  for (Rank me = 0; me < problem_.size; ++me) {
    const Cells& cells = ranks_[at(me)].cells;
    if (problem_.collective == Collective::barrier) check_barrier(me);
    for (int owner = 0; owner < cells.owners(); ++owner) {
      if (!cells.exists(Buffer::output, owner)) continue;
      check_block(me, owner);
      if (problem_.collective == Collective::allreduce) check_bracketing(me, owner);
    }
  }
}

void Dataflow::check_block(Rank me, int owner) {
  const std::optional<Outcome> outcome = held_after(problem_, me, owner);
  if (!outcome) return;
  read_.clear();
  memory_[at(me)].read(ranks_[at(me)].cells.output(owner), read_);
  std::int64_t element = 0;
  for (const Piece& piece : read_) {
    const bool right = piece.written() && piece.element == elements_[at(outcome->owner)] + element &&
                       expressions_.is(piece.ranks, outcome->first, outcome->end);
    if (!right) refute_block(me, owner, element, piece, *outcome);
    element += piece.length;
  }
}

void Dataflow::refute_block(Rank me, int owner, std::int64_t element, const Piece& piece,
                            const Outcome& outcome) const {
  const std::string which = std::to_string(element), where = to_text(output(owner)) + " element " + which;
  if (!piece.written()) refute(me, -1, where + " has never been written");
  refute(me, -1,
         where + " holds " + describe(piece) + ", not element " + which + " of owner " + std::to_string(outcome.owner) +
             " from ranks " + std::to_string(outcome.first) + ".." + std::to_string(outcome.end - 1));
}

void Dataflow::check_bracketing(Rank me, int owner) {
  read_.clear(), right_.clear();
  memory_[0].read(ranks_[0].cells.output(owner), read_);
  memory_[at(me)].read(ranks_[at(me)].cells.output(owner), right_);
  each_pair(read_, right_, [&](const Piece& first, const Piece& mine) {
    if (first.ranks != mine.ranks)
      refute(me, -1,
             to_text(output(owner)) + " element " + std::to_string(mine.element - elements_[at(owner)]) +
                 " is combined in another bracketing than on rank 0: bits may differ");
  });
}

void Dataflow::check_barrier(Rank me) {
  read_.clear();
  memory_[at(me)].read({0, ranks_[at(me)].cells.size()}, read_);
  Expression all = expressions_.of(me);
  for (const Piece& token : read_)
    if (token.written()) all = expressions_.join(all, token.ranks);
  if (!expressions_.is(all, 0, problem_.size))
    refute(me, -1, "the barrier may end before every rank has come: it has heard of " + expressions_.to_text(all));
}

std::string Dataflow::describe(const Piece& piece) const {
  const auto next = std::upper_bound(elements_.begin(), elements_.end() - 1, piece.element);
  const auto owner = next - elements_.begin() - 1;
  return "element " + std::to_string(piece.element - elements_[at(owner)]) + " of owner " + std::to_string(owner) +
         " from " + expressions_.to_text(piece.ranks);
}

void Dataflow::refute(Rank me, int step, const std::string& expected) const {
  throw Refuted{fault_at(me, step, ranks_[at(me)].steps, expected)};
}

}  // namespace tutti
