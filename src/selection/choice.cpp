#include "selection/choice.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "selection/candidates.hpp"
#include "selection/named.hpp"

namespace tutti {
namespace {

/// All that a choice depends on at one placement.
struct Key {
  std::int64_t bytes = -1;
  std::int64_t count = -1;
  Collective collective = Collective::barrier;
  bool commutative = true;
  bool operator==(const Key&) const = default;
};

constexpr std::size_t cache_bits = 6;

std::size_t slot_of(const Key& key) {
  const auto mixed = static_cast<std::uint64_t>(key.bytes) * 64 + static_cast<std::uint64_t>(key.collective) * 2 +
                     static_cast<std::uint64_t>(key.commutative);
  return (mixed * 0x9E3779B97F4A7C15u) >> (64 - cache_bits);
}

}  // namespace

struct Selector::State {
  struct Slot {
    Key key;
    const Choice* choice = nullptr;
  };
  std::shared_ptr<const Candidates> all;
  const Candidates& candidates = *all;
  /// For each collective, elements that are enough for every candidate; -1 where no candidate asks for any.
  std::array<std::int64_t, collective_names.size()> enough;
  std::array<Slot, std::size_t{1} << cache_bits> cache{};
  /// By candidates named: first those that were excluded, the one taken last.  Few, whatever sizes are asked for.
  std::array<std::map<std::vector<std::size_t>, Choice>, 2 * collective_names.size()> outcomes;

  explicit State(std::shared_ptr<const Candidates> shared) : all(std::move(shared)) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      enough[i] = -1;
      for (const Candidate& each : candidates[i])
        if (each.needs.least_count > 0) enough[i] = std::max(enough[i], each.needs.least_count);
    }
  }
  const Choice& choose(const CallSignature& signature);

 private:
  const Choice& decide(const Key& key, const CallSignature& signature);
};

const Choice& Selector::State::decide(const Key& key, const CallSignature& signature) {
  const std::vector<Candidate>& list = candidates[static_cast<std::size_t>(key.collective)];
  const auto obstacle_of = [&](const Candidate& candidate) {
    return candidate.excluded.empty() ? obstacle(candidate.needs, {.commutative = key.commutative, .count = key.count})
                                      : candidate.excluded;
  };
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].asked(signature)) continue;
    named.push_back(i);
    if (obstacle_of(list[i]).empty()) break;
  }
  auto& known = outcomes[2 * static_cast<std::size_t>(key.collective) + key.commutative];
  if (const auto found = known.find(named); found != known.end()) return found->second;
  Choice choice = list[named.back()].choice;
  for (std::size_t i : named)
    if (i != named.back()) choice.excluded.push_back(list[i].choice.text + ": " + obstacle_of(list[i]));
  return known.emplace(std::move(named), std::move(choice)).first->second;
}

Selector::Selector(const Settings& settings, const Placement& placement, std::vector<Warning>& warnings,
                   std::string_view library)
    : state_(std::make_unique<State>(
          std::make_shared<const Candidates>(make_candidates(settings, placement, library, warnings, false)))) {
  if (settings.request_specs.empty() && settings.profile_text.empty()) return;
  std::vector<Warning> same;
  for_requests_ = std::make_unique<State>(
      std::make_shared<const Candidates>(make_candidates(settings, placement, library, same, true)));
}

Selector::Selector(const Selector& other)
    : state_(std::make_unique<State>(other.state_->all)),
      for_requests_(other.for_requests_ ? std::make_unique<State>(other.for_requests_->all) : nullptr) {}

Selector::~Selector() = default;

const Choice& Selector::State::choose(const CallSignature& signature) {
  const Key key{signature.bytes, std::min(signature.count, enough[static_cast<std::size_t>(signature.collective)]),
                signature.collective, signature.commutative};
  Slot& slot = cache[slot_of(key)];
  if (slot.choice && slot.key == key) return *slot.choice;
  slot = {key, &decide(key, signature)};
  return *slot.choice;
}

const Choice& Selector::choose(const CallSignature& signature) {
  return (signature.request && for_requests_ ? for_requests_ : state_)->choose(signature);
}

bool Selector::ever_serves(Collective which) const {
  for (const Candidate& candidate : state_->candidates[static_cast<std::size_t>(which)]) {
    if (!candidate.excluded.empty()) continue;
    if (candidate.choice.kind != Choice::Kind::native) return true;
    if (!candidate.size) return false;  // native for every call that comes so far
  }
  return false;
}

void Wiring::add(const Choice& choice) {
  const bool over_nodes = choice.kind == Choice::Kind::hierarchy;
  messages = messages || over_nodes || choice.kind == Choice::Kind::flat;
  if (over_nodes && !choice.algorithm) lanes.insert(choice.senders);
}

Wiring Selector::wiring_of_requests() const {
  Wiring wiring;
  for (const std::vector<Candidate>& list : (for_requests_ ? for_requests_ : state_)->candidates)
    for (const Candidate& candidate : list)
      if (candidate.excluded.empty()) wiring.add(candidate.choice);
  return wiring;
}

Parameters parameters_for(const Choice& choice, std::int64_t bytes) {
  if (!choice.algorithm) return {};
  const Spec& spec = choice.kind == Choice::Kind::hierarchy ? choice.spec.arguments[0] : choice.spec;
  return values_of(spec, *choice.algorithm, {bytes, choice.ranks, choice.members, choice.gain});
}

}  // namespace tutti
