#include "algorithms/combinators/from_input.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "algorithms/combinators/combinators.hpp"
#include "analysis/program.hpp"

namespace tutti {
namespace {

/// Where what this rank knows of a block lies.  `input`: nothing was added to its contribution; the own block lies in
/// the output as well then.
enum class Place : unsigned char { input, accumulator, output };

constexpr int accumulators = 0;  ///< slot; those of the schedule in place follow

class Translation {
 public:
  Translation(Context context, const Program& in_place)
      : me_(context.me), steps_(in_place), places_(static_cast<std::size_t>(context.size), Place::input) {
    for (at_ = 0; at_ < steps_.size(); ++at_) std::visit([&](const auto& step) { translate(step); }, steps_[at_]);
    if (place(me_) == Place::accumulator) emit(copy(at(output(me_), Place::accumulator), output(me_)));
  }

  Schedule steps() && {
    if (first_ < end_) co_yield scratch_area(accumulators, first_, end_ - first_);
    for (Step& step : result_) {
      const auto* area = std::get_if<Area>(&step);
      if (area == nullptr || used_.contains(area->slot)) co_yield step;
    }
  }

 private:
  Place& place(Rank owner) { return places_[static_cast<std::size_t>(owner)]; }
  void emit(Step step) { result_.push_back(std::move(step)); }
  bool is_own(const Blocks& run) const { return run.first == me_ && run.count == 1; }
  bool untouched(const Blocks& run) {
    const auto begin = places_.begin() + run.first;
    return std::all_of(begin, begin + run.count, [](Place place) { return place == Place::input; });
  }

  static Blocks at(Blocks run, Place place) {
    run.buffer = place == Place::input ? Buffer::input : place == Place::output ? Buffer::output : Buffer::scratch;
    run.slot = accumulators;
    return run;
  }

  /// The pieces of a run of the row that lie in one place each.
  BlockList pieces(const Blocks& run) {
    BlockList list;
    for (int first = run.first, end = run.first + run.count, next = first; first < end; first = next) {
      while (next < end && place(next) == place(first)) ++next;
      list.add(at(output(first, next - first), place(first)));
    }
    return list;
  }
  BlockList found(const BlockList& list) {
    BlockList result;
    for (const Blocks& run : list) {
      if (run.of > 1) throw std::logic_error("only whole blocks can be accumulated");
      if (run.buffer == Buffer::scratch) used_.insert(run.slot);
      if (run.buffer != Buffer::output)
        result.add(run);
      else
        for (const Blocks& piece : pieces(run)) result.add(piece);
    }
    return result;
  }

  /// From now on the run lies there.
  Blocks claim(const Blocks& run, Place now) {
    std::fill_n(places_.begin() + run.first, run.count, now);
    if (now == Place::accumulator) first_ = std::min(first_, run.first), end_ = std::max(end_, run.first + run.count);
    return at(run, now);
  }

  /// Where something can be added to the run.  What has been added to some of its blocks only is brought together; the
  /// own block alone is complete in the output.
  Blocks accumulated(const Blocks& run) {
    if (is_own(run) && place(me_) != Place::accumulator) return claim(run, Place::output);
    for (const Blocks& piece : pieces(run))
      if (piece.buffer != Buffer::scratch) emit(copy(piece, at(piece, Place::accumulator)));
    return claim(run, Place::accumulator);
  }

  /// The combination, right after the message that is about to arrive there, of blocks that nothing was added to.
  const Reduce* first_use(const Blocks& arrived) {
    for (std::size_t i = at_ + 1; i < steps_.size(); ++i) {
      const auto* reduce = std::get_if<Reduce>(&steps_[i]);
      if (reduce == nullptr) return nullptr;
      if (reduce->from == arrived) return untouched(reduce->into) && !is_own(reduce->into) ? reduce : nullptr;
    }
    return nullptr;
  }

  void translate(const Receive& step) {
    BlockList into;
    for (const Blocks& run : step.into) {
      if (run.buffer == Buffer::output) {
        into.add(claim(run, is_own(run) ? Place::output : Place::accumulator));
      } else if (const Reduce* reduce = first_use(run)) {
        into.add(claim(reduce->into, Place::accumulator));
        arrived_.insert(reduce);
      } else {
        used_.insert(run.slot);
        into.add(run);
      }
    }
    emit(receive(step.from, std::move(into)));
  }
  void translate(const Reduce& step) {
    if (arrived_.contains(&step)) {
      emit(Reduce{at(step.into, Place::input), at(step.into, Place::accumulator), !step.from_left});
      return;
    }
    const BlockList from = found(step.from);
    if (from.size() != 1) throw std::logic_error("an operand has been accumulated in part");
    emit(Reduce{from.runs()[0], accumulated(step.into), step.from_left});
  }
  void translate(const Send& step) { emit(Send{step.to, found(step.what), step.sized, step.set}); }
  void translate(const Peers& step) { emit(step); }
  void translate(const ReceiveAny&) { throw std::logic_error("what comes in any order cannot be accumulated"); }
  void translate(const Copy&) { throw std::logic_error("a reduce-scatter in place copies nothing"); }
  void translate(const Area& step) { emit(step); }
  void translate(const Round& step) { emit(step); }

  Rank me_;
  const Program& steps_;
  std::size_t at_ = 0;
  std::vector<Place> places_;
  Program result_;
  std::set<const Reduce*> arrived_;  ///< whose operand has arrived in the accumulator
  std::set<int> used_;               ///< slots
  Rank first_ = 1 << 30, end_ = 0;   ///< owners that have an accumulator
};

}  // namespace

Schedule from_input(Context context, Schedule in_place) {
  const Program program_in_place = program(with_slots_from(accumulators + 1, std::move(in_place)));
  Translation translation(context, program_in_place);
  Schedule steps = std::move(translation).steps();
  while (const Step* step = steps.next()) co_yield *step;
}

}  // namespace tutti
