#include "core/progress.hpp"

#include <algorithm>
#include <string>

namespace tutti {
namespace {

enum class State : unsigned char { waiting, started, ended };

struct Progress {
  const std::vector<BoundProgram>& ranks;
  std::vector<std::vector<State>> states;
  std::vector<std::size_t> oldest;  ///< first step that has not ended
  std::vector<Rank> ready;          ///< ranks that may have something to start

  explicit Progress(const std::vector<BoundProgram>& all) : ranks(all), oldest(all.size()) {
    for (const BoundProgram& rank : all) states.emplace_back(rank.steps.size(), State::waiting);
    for (std::size_t rank = 0; rank < all.size(); ++rank) ready.push_back(static_cast<Rank>(rank));
  }

  State& state(Rank rank, int step) { return states[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)]; }

  bool may_start(Rank me, const BoundStep& step) {
    if (step.earlier >= 0 && state(me, step.earlier) == State::waiting) return false;
    return std::all_of(step.after.begin(), step.after.end(), [&](int i) { return state(me, i) == State::ended; });
  }

  void start(Rank me, std::size_t i) {
    const BoundStep& step = ranks[static_cast<std::size_t>(me)].bound[i];
    State& mine = states[static_cast<std::size_t>(me)][i];
    mine = State::started;
    if (step.peer >= 0) {
      State& other = state(step.peer, step.match);
      if (other == State::waiting) return;
      other = State::ended;
      ready.push_back(step.peer);
    }
    mine = State::ended;
  }

  /// Starts what may start in the round of the oldest step; again, as long as that moves it on.
  void advance(Rank me) {
    const std::vector<BoundStep>& steps = ranks[static_cast<std::size_t>(me)].bound;
    std::vector<State>& mine = states[static_cast<std::size_t>(me)];
    std::size_t& from = oldest[static_cast<std::size_t>(me)];
    for (bool moved = true; moved;) {
      moved = false;
      while (from < steps.size() && mine[from] == State::ended) ++from;
      if (from == steps.size()) return;
      for (std::size_t i = from; i < steps.size() && steps[i].round == steps[from].round; ++i) {
        if (mine[i] != State::waiting || !may_start(me, steps[i])) continue;
        start(me, i);
        moved = true;
      }
    }
  }
};

}  // namespace

void check_progress(const std::vector<BoundProgram>& ranks) {
  Progress progress(ranks);
  while (!progress.ready.empty()) {
    const Rank me = progress.ready.back();
    progress.ready.pop_back();
    progress.advance(me);
  }
  std::string stuck;
  std::size_t first = ranks.size();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (progress.oldest[rank] == ranks[rank].steps.size()) continue;
    if (first == ranks.size()) first = rank;
    stuck += (stuck.empty() ? "rank " : ", rank ") + std::to_string(rank) + " in step " +
             std::to_string(progress.oldest[rank]);
  }
  if (first == ranks.size()) return;
  throw Refuted{fault_at(static_cast<Rank>(first), static_cast<int>(progress.oldest[first]), ranks[first].steps,
                         "deadlock when sends wait for their receives: " + stuck + " wait for each other")};
}

}  // namespace tutti
