#include "core/dataflow.hpp"

#include "core/text.hpp"

namespace tutti {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace

Dataflow::Dataflow(const Problem& problem, const std::vector<BoundProgram>& ranks)
    : problem_(problem),
      ranks_(ranks),
      expressions_(problem.size, problem.ordered),
      memory_(ranks.size()),
      next_(ranks.size()),
      posted_(ranks.size()) {
  for (Rank me = 0; me < problem.size; ++me) fill(me);
  run();
}

void Dataflow::fill(Rank me) {
  const Cells& cells = ranks_[at(me)].cells;
  Memory& memory = memory_[at(me)];
  memory.resize(at(cells.size()));
  posted_[at(me)].resize(ranks_[at(me)].steps.size());
  const auto hold = [&](const Run& run, int owner) {
    for (std::int64_t i = 0; i < run.length(); ++i) memory[at(run.begin + i)] = {owner, i, expressions_.of(me)};
  };
  for (int owner = 0; owner < cells.owners(); ++owner)
    if (cells.exists(Buffer::input, owner)) hold(cells.input(owner), owner);
  if (const int own = held_before(problem_, me); own >= 0) hold(cells.output(own), own);
}

void Dataflow::run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (Rank me = 0; me < problem_.size; ++me)
      while (next_[at(me)] < ranks_[at(me)].steps.size() && advance(me)) moved = true;
  }
  for (Rank me = 0; me < problem_.size; ++me)
    if (next_[at(me)] < ranks_[at(me)].steps.size())
      refute(me, static_cast<int>(next_[at(me)]),
             "deadlock: the message is sent only after this one has been received");
}

/// The next step of a rank; false where its message has not been sent yet.
bool Dataflow::advance(Rank me) {
  const BoundProgram& program = ranks_[at(me)];
  const Step& step = program.steps[next_[at(me)]];
  const BoundStep& bound = program.bound[next_[at(me)]];
  check_known(me, bound);
  if (std::holds_alternative<Send>(step)) {
    posted_[at(me)][next_[at(me)]] = bound.tokens ? std::vector<Value>{heard(me, bound)} : read(me, bound);
  } else if (std::holds_alternative<Receive>(step)) {
    if (next_[at(bound.peer)] <= at(bound.match)) return false;
    std::vector<Value>& message = posted_[at(bound.peer)][at(bound.match)];
    write(me, bound, message);
    message = {};
  } else if (std::holds_alternative<Reduce>(step)) {
    const std::vector<Value> result = combine(bound, read(me, bound));
    if (!expressions_.complaint().empty()) refute(me, static_cast<int>(next_[at(me)]), expressions_.complaint());
    write(me, bound, result);
  } else if (std::holds_alternative<Copy>(step)) {
    write(me, bound, read(me, bound));
  }
  ++next_[at(me)];
  return true;
}

/// Sizes in learned areas are there before they are used.
void Dataflow::check_known(Rank me, const BoundStep& step) {
  for (const Run& run : step.needs)
    for (std::int64_t cell = run.begin; cell < run.end; ++cell)
      if (!memory_[at(me)][at(cell)].written())
        refute(me, static_cast<int>(next_[at(me)]), "the size of a block that it names has not been learned");
}

std::vector<Value> Dataflow::read(Rank me, const BoundStep& step) {
  std::vector<Value> values;
  for (const Run& run : step.reads) {
    for (std::int64_t cell = run.begin; cell < run.end; ++cell) {
      values.push_back(memory_[at(me)][at(cell)]);
      if (!values.back().written())
        refute(me, static_cast<int>(next_[at(me)]),
               "element " + std::to_string(values.size() - 1) + " of what it reads has not been written");
    }
  }
  return values;
}

void Dataflow::write(Rank me, const BoundStep& step, const std::vector<Value>& values) {
  std::size_t i = 0;
  for (const Run& run : step.writes)
    for (std::int64_t cell = run.begin; cell < run.end; ++cell, i += step.tokens ? 0 : 1)
      memory_[at(me)][at(cell)] = values[i];
  for (const Run& run : step.learns)
    for (std::int64_t cell = run.begin; cell < run.end; ++cell) memory_[at(me)][at(cell)] = {0, 0, expressions_.of(me)};
}

/// Left operands, then right ones, to results; leaves the reason in `expressions_.complaint()`.
std::vector<Value> Dataflow::combine(const BoundStep& step, std::vector<Value> operands) {
  const std::size_t count = at(step.length);
  for (std::size_t i = 0; i < count; ++i) {
    Value& left = operands[i];
    const Value& right = operands[count + i];
    if (left.owner != right.owner || left.element != right.element)
      return expressions_.complain(describe(left) + " would be combined with " + describe(right)), operands;
    left.ranks = expressions_.combine(left.ranks, right.ranks);
    if (left.ranks < 0) return operands;
  }
  operands.resize(count);
  return operands;
}

/// What a message of tokens tells: that the sender is here, and all that the tokens have heard.
Value Dataflow::heard(Rank me, const BoundStep& step) {
  Value all{0, 0, expressions_.of(me)};
  for (const Run& run : step.reads)
    for (std::int64_t cell = run.begin; cell < run.end; ++cell)
      if (const Value& token = memory_[at(me)][at(cell)]; token.written())
        all.ranks = expressions_.join(all.ranks, token.ranks);
  return all;
}

void Dataflow::check_outcome() {
  for (Rank me = 0; me < problem_.size; ++me) {
    const Cells& cells = ranks_[at(me)].cells;
    if (problem_.collective == Collective::barrier) check_barrier(me);
    for (int owner = 0; owner < cells.owners(); ++owner)
      if (cells.exists(Buffer::output, owner)) check_block(me, owner);
  }
}

void Dataflow::check_block(Rank me, int owner) {
  const std::optional<Outcome> outcome = held_after(problem_, me, owner);
  if (!outcome) return;
  const Run run = ranks_[at(me)].cells.output(owner);
  for (std::int64_t i = 0; i < run.length(); ++i) {
    const Value& value = memory_[at(me)][at(run.begin + i)];
    const std::string where = to_text(output(owner)) + " element " + std::to_string(i);
    if (!value.written()) refute(me, -1, where + " has never been written");
    if (value.owner != outcome->owner || value.element != i ||
        !expressions_.is(value.ranks, outcome->first, outcome->end))
      refute(me, -1,
             where + " holds " + describe(value) + ", not element " + std::to_string(i) + " of owner " +
                 std::to_string(outcome->owner) + " from ranks " + std::to_string(outcome->first) + ".." +
                 std::to_string(outcome->end - 1));
    if (problem_.collective != Collective::allreduce || me == 0) continue;
    const Value& first = memory_[0][at(ranks_[0].cells.output(owner).begin + i)];
    if (value != first) refute(me, -1, where + " is combined in another bracketing than on rank 0: bits may differ");
  }
}

void Dataflow::check_barrier(Rank me) {
  Expression all = expressions_.of(me);
  for (const Value& cell : memory_[at(me)])
    if (cell.written()) all = expressions_.join(all, cell.ranks);
  if (!expressions_.is(all, 0, problem_.size))
    refute(me, -1, "the barrier may end before every rank has come: it has heard of " + expressions_.to_text(all));
}

std::string Dataflow::describe(const Value& value) const {
  return "element " + std::to_string(value.element) + " of owner " + std::to_string(value.owner) + " from " +
         expressions_.to_text(value.ranks);
}

void Dataflow::refute(Rank me, int step, const std::string& expected) const {
  throw Refuted{fault_at(me, step, ranks_[at(me)].steps, expected)};
}

}  // namespace tutti
