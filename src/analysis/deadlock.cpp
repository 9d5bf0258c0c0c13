#include "analysis/deadlock.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

namespace tutti {
namespace {

enum class State : unsigned char { waiting, started, ended };

struct Progress {
  const std::vector<BoundProgram>& ranks;
  const Ended& ended;
  std::vector<std::vector<State>> states;
  std::vector<std::size_t> oldest;                        ///< first step that has not ended
  std::vector<Rank> ready;                                ///< ranks that may have something to start
  std::vector<std::array<std::size_t, most_sets>> begun;  ///< messages of each rank's sets that have begun to be sent

  Progress(const std::vector<BoundProgram>& all, const Ended& told)
      : ranks(all), ended(told), oldest(all.size()), begun(all.size()) {
    for (const BoundProgram& rank : all) states.emplace_back(rank.steps.size(), State::waiting);
    for (std::size_t rank = 0; rank < all.size(); ++rank) ready.push_back(static_cast<Rank>(rank));
  }

  /// Whether the strictest executor may start `step` while `first` is its oldest.
  static bool within_sight(const MatchedStep& first, const MatchedStep& step) {
    return step.round == first.round && step.place < first.place + least_window;
  }
  State& state(Rank rank, int step) { return states[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)]; }

  bool may_start(Rank me, const MatchedStep& step) {
    if (step.earlier >= 0 && state(me, step.earlier) == State::waiting) return false;
    return std::all_of(step.after.begin(), step.after.end(), [&](int i) { return state(me, i) == State::ended; });
  }

  void start(Rank me, std::size_t i) {
    const BoundProgram& program = ranks[static_cast<std::size_t>(me)];
    const MatchedStep& step = program.bound[i];
    State& mine = states[static_cast<std::size_t>(me)][i];
    mine = State::started;
    if (step.set != no_set) {
      const bool sends = std::holds_alternative<Send>(program.steps[i]);
      const Rank at = sends ? step.peer : me;
      if (sends) ++begun[static_cast<std::size_t>(at)][static_cast<std::size_t>(step.set)];
      return meet(at, step.set);
    }
    if (step.peer >= 0) {
      State& other = state(step.peer, step.match);
      if (other == State::waiting) return;
      other = State::ended;
      ready.push_back(step.peer);
    }
    mine = State::ended;
    if (std::holds_alternative<Receive>(program.steps[i]))
      ended(step.peer, step.match);
    else
      ended(me, static_cast<int>(i));
  }

  /// Ends what can end of a set of that rank's.
  void meet(Rank at, int number) {
    const BoundSet& set = *ranks[static_cast<std::size_t>(at)].find_set(number);
    if (begun[static_cast<std::size_t>(at)][static_cast<std::size_t>(number)] < set.members.size()) return;
    bool all = true;
    for (int receive : set.receives) {
      if (state(at, receive) == State::started) {
        state(at, receive) = State::ended;
        ended(at, receive);
      }
      all = all && state(at, receive) == State::ended;
    }
    ready.push_back(at);
    for (std::size_t i = 0; all && i < set.members.size(); ++i) {
      state(set.members[i], set.sends[i]) = State::ended;
      ready.push_back(set.members[i]);
    }
  }

  /// Starts what may start within sight of the oldest step; again, as long as that moves it on.
  void advance(Rank me) {
    const std::vector<MatchedStep>& steps = ranks[static_cast<std::size_t>(me)].bound;
    std::vector<State>& mine = states[static_cast<std::size_t>(me)];
    std::size_t& from = oldest[static_cast<std::size_t>(me)];
    for (bool moved = true; moved;) {
      moved = false;
      while (from < steps.size() && mine[from] == State::ended) ++from;
      if (from == steps.size()) return;
      for (std::size_t i = from; i < steps.size() && within_sight(steps[from], steps[i]); ++i) {
        if (mine[i] != State::waiting || !may_start(me, steps[i])) continue;
        start(me, i);
        moved = true;
      }
    }
  }
};

/// A step of a rank.
struct Place {
  Rank rank;
  std::size_t step;
  bool operator==(const Place&) const = default;
};

/// What a started step of a set waits for: the receive to come, or a message that has not begun to be sent.
Place missing(Progress& progress, const Place& place) {
  const BoundProgram& program = progress.ranks[static_cast<std::size_t>(place.rank)];
  const MatchedStep& step = program.bound[place.step];
  const bool sends = std::holds_alternative<Send>(program.steps[place.step]);
  const Rank at = sends ? step.peer : place.rank;
  const BoundSet& set = *progress.ranks[static_cast<std::size_t>(at)].find_set(step.set);
  for (std::size_t i = 0; sends && i < set.receives.size(); ++i)
    if (progress.state(at, set.receives[i]) != State::ended) return {at, static_cast<std::size_t>(set.receives[i])};
  for (std::size_t i = 0; i < set.members.size(); ++i)
    if (progress.state(set.members[i], set.sends[i]) == State::waiting)
      return {set.members[i], static_cast<std::size_t>(set.sends[i])};
  return place;
}

/// What keeps a step that has not ended: another one, of its rank or of its peer.
Place hindrance(Progress& progress, const Place& place) {
  const Rank me = place.rank;
  const std::vector<MatchedStep>& steps = progress.ranks[static_cast<std::size_t>(me)].bound;
  const MatchedStep& step = steps[place.step];
  if (step.set != no_set && progress.state(me, static_cast<int>(place.step)) == State::started)
    return missing(progress, place);
  if (progress.state(me, static_cast<int>(place.step)) == State::started)
    return {step.peer, static_cast<std::size_t>(step.match)};
  const std::size_t oldest = progress.oldest[static_cast<std::size_t>(me)];
  if (!Progress::within_sight(steps[oldest], step)) return {me, oldest};
  if (step.earlier >= 0 && progress.state(me, step.earlier) == State::waiting)
    return {me, static_cast<std::size_t>(step.earlier)};
  for (int i : step.after)
    if (progress.state(me, i) != State::ended) return {me, static_cast<std::size_t>(i)};
  return place;
}

/// The cycle of steps that wait for each other, each for the next one.
std::vector<Place> circle(Progress& progress, Place place) {
  std::vector<Place> way;
  for (auto met = way.end(); met == way.end(); met = std::find(way.begin(), way.end(), place)) {
    way.push_back(place);
    place = hindrance(progress, place);
  }
  way.erase(way.begin(), std::find(way.begin(), way.end(), place));
  return way;
}

constexpr std::size_t told_at_most = 8;

/// Names the cycle's messages that have begun; the steps in between wait for these.
std::string to_text(Progress& progress, const std::vector<Place>& way) {
  std::string text;
  std::size_t told = 0;
  for (const Place& place : way) {
    if (progress.state(place.rank, static_cast<int>(place.step)) != State::started) continue;
    if (++told <= told_at_most)
      text +=
          (text.empty() ? "rank " : ", rank ") + std::to_string(place.rank) + " in step " + std::to_string(place.step);
  }
  if (told > told_at_most) text += " and " + std::to_string(told - told_at_most) + " more";
  return text;
}

}  // namespace

void run_to_the_end(const std::vector<BoundProgram>& ranks, const Ended& ended) {
  Progress progress(ranks, ended);
  while (!progress.ready.empty()) {
    const Rank me = progress.ready.back();
    progress.ready.pop_back();
    progress.advance(me);
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (progress.oldest[rank] == ranks[rank].steps.size()) continue;
    std::vector<Place> way = circle(progress, {static_cast<Rank>(rank), progress.oldest[rank]});
    const auto started = [&](const Place& place) {
      return progress.state(place.rank, static_cast<int>(place.step)) == State::started;
    };
    const auto lowest = std::min_element(way.begin(), way.end(), [&](const Place& a, const Place& b) {
      return std::tuple(!started(a), a.rank, a.step) < std::tuple(!started(b), b.rank, b.step);
    });
    std::rotate(way.begin(), lowest, way.end());
    const Place& first = way.front();
    throw Refuted{
        fault_at(first.rank, static_cast<int>(first.step), ranks[static_cast<std::size_t>(first.rank)].steps,
                 "deadlock when sends wait for their receives: " + to_text(progress, way) + " wait for each other")};
  }
}

}  // namespace tutti
