#include "runtime/plan/online.hpp"

#include <mutex>
#include <vector>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/report/explanation.hpp"
#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

struct Lessons {
  std::mutex mutex;
  std::vector<Learned> all;
};

Lessons& lessons() {
  static auto& lessons = *new Lessons;  // outlives every static object
  return lessons;
}

bool same_rule(const Learned& one, const Learned& other) {
  return one.placement == other.placement && one.collective == other.collective && one.size_class == other.size_class;
}

/// The last communicator of a shape that settles overrides earlier ones.
void remember(const Learned& learned) {
  const std::lock_guard lock(lessons().mutex);
  std::erase_if(lessons().all, [&](const Learned& other) { return same_rule(learned, other); });
  lessons().all.push_back(learned);
}

}  // namespace

std::shared_ptr<Online> make_online() { return std::make_shared<Online>(); }

std::unique_ptr<Race> Online::make(State& state, const CallSignature& signature) const {
  Active& active = *state.active;
  const Choice& usual = active.selector->choose(signature);
  const Settings& settings = active.agreed.settings;
  const bool asked_for = settings.specs.contains(signature.collective);
  const bool reproducible = settings.reproducible && reduces(signature.collective);
  std::vector<Choice> entrants{usual};
  if (!asked_for && !reproducible) entrants = entrants_for(signature, usual, active.placement, settings);
  return std::make_unique<Race>(std::move(entrants));
}

void Online::exchange(State& state, const CallSignature& signature, Race& race) const {
  std::vector<std::int64_t> times = race.times();
  Agreement(state.comm, state.rank, state.size, nullptr).maximum(times);
  race.decide(times);
  if (!race.settled() || !signature.predefined) return;  // rules are about sizes: a user's operator has none of its own
  const bool sized = signature.bytes >= 0 && signature.collective != Collective::barrier;
  remember({state.active->placement, signature.collective, size_class(signature.bytes), sized, race.next().text,
            state.active->selector->choose(signature).text, race.best(), race.second()});
}

const Choice& Online::tried(State& state, const CallSignature& signature, std::size_t kind) {
  std::unique_ptr<Race>& race = races_[kind];
  if (!race) race = make(state, signature);
  if (race->due()) exchange(state, signature, *race);
  if (race->settled()) return *(winners_[kind] = &race->next());
  running_ = race.get();
  began_ = std::chrono::steady_clock::now();
  return race->next();
}

void Online::finish() {
  if (!running_) return;
  const auto spent = std::chrono::steady_clock::now() - began_;
  running_->took(std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
  running_ = nullptr;
}

std::string learned_profile() {
  const std::lock_guard lock(lessons().mutex);
  return lessons().all.empty() ? "" : profile_of(lessons().all, "learned by TUTTI_TUNE=online in a program");
}

}  // namespace tutti::runtime
