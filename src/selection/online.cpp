#include "selection/online.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/borders.hpp"
#include "selection/candidates.hpp"

namespace tutti {
namespace {

/// Of a collective's algorithms over messages, so many take part; those that have no parameters, in the catalogue's
/// order.  More cost more calls than they are worth.
constexpr std::size_t most_between = 8, most_flat = 4;
/// Who is so many times slower than the best is out, however few are left; but not for so few nanoseconds, which a
/// trial may cost: an engine's first calls meet memory that nobody has touched, at 4 us each beside 0.3 us later.
constexpr std::int64_t hopeless = 2, negligible = 10000;

std::vector<std::string> plain_algorithms(Collective which, std::size_t most) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : catalogue())
    if (algorithm.collective == which && algorithm.parameters.empty() && names.size() < most)
      names.emplace_back(algorithm.name);
  return names;
}

std::vector<std::string> specs_for(const CallSignature& signature, const Placement& placement) {
  const Collective which = signature.collective;
  std::vector<std::string> specs{"native"};
  if (placement.nodes == 1) {
    specs.emplace_back("node");
    if (signature.bytes >= borders::tried_once_from) specs.emplace_back("node(single_copy=1)");
    for (std::string& name : plain_algorithms(which, most_flat)) specs.push_back(std::move(name));
    return specs;
  }
  specs.emplace_back("node(native)");
  const std::string senders = ", senders=" + std::to_string(placement.least_per_node) + ")";
  for (const std::string& name : plain_algorithms(which, most_between)) {
    specs.emplace_back("node(").append(name).append(")");
    if (signature.bytes >= borders::tried_senders_from && placement.least_per_node > 1)
      specs.emplace_back("node(").append(name).append(senders);
  }
  return specs;
}

std::string quoted_toml(const std::string& plain) {
  std::string text = "\"";
  for (const char c : plain) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return text + '"';
}

std::string microseconds(std::int64_t nanoseconds) {
  return std::to_string(nanoseconds / 1000) + "." + std::to_string(nanoseconds / 100 % 10);
}

}  // namespace

Race::Race(std::vector<Choice> entrants)
    : entrants_(std::move(entrants)), order_(entrants_.size()), calls_of_(entrants_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

/// In turns, so that a machine whose speed drifts hits all alike.
std::size_t Race::turn() const { return static_cast<std::size_t>(calls_ / at_a_turn[round_]) % order_.size(); }

const Choice& Race::next() const { return entrants_[settled() ? order_[0] : order_[turn()]]; }

void Race::took(std::int64_t nanoseconds) {
  if (calls_ % at_a_turn[round_] != 0) calls_of_[turn()].push_back(nanoseconds);
  ++calls_;
}

std::vector<std::int64_t> Race::times() const {
  std::vector<std::int64_t> medians;
  for (std::vector<std::int64_t> calls : calls_of_) {
    if (calls.empty()) calls.push_back(0);
    const auto middle = calls.begin() + static_cast<std::ptrdiff_t>((calls.size() - 1) / 2);
    std::ranges::nth_element(calls, middle);
    medians.push_back(*middle);
  }
  return medians;
}

void Race::decide(std::span<const std::int64_t> slowest) {
  std::vector<std::size_t> places(order_.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  // Equal times keep the order so far, which is the same on all ranks.
  std::ranges::sort(places, {}, [&](std::size_t place) { return std::pair(slowest[place], place); });
  best_ = slowest[places[0]];
  second_ = places.size() > 1 ? slowest[places[1]] : 0;
  std::size_t left = std::min(places.size(), static_cast<std::size_t>(kept[round_]));
  const std::int64_t bearable = std::max(hopeless * slowest[places[0]], slowest[places[0]] + negligible);
  while (left > 1 && slowest[places[left - 1]] > bearable) --left;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < left; ++i) order.push_back(order_[places[i]]);
  order_ = std::move(order);
  calls_of_.assign(order_.size(), {});
  calls_ = 0;
  if (round_ + 1 < rounds) ++round_;
}

int Race::most_calls(int count) {
  int calls = 0;
  for (int round = 0; round < rounds && count > 1; ++round) {
    calls += turns[round] * count;
    count = std::min(count, kept[round]);
  }
  return calls;
}

bool serves_class(const Candidate& candidate, const CallSignature& signature) {
  if (!candidate.excluded.empty() || candidate.needs.least_count > 1) return false;
  return obstacle(candidate.needs, {.commutative = signature.commutative, .count = -1}).empty();
}

std::vector<Choice> entrants_for(const CallSignature& signature, const Choice& usual, const Placement& placement,
                                 const Settings& settings) {
  std::vector<Choice> entrants{usual};
  std::set<std::string> known{usual.text};
  const bool brief = placement.nodes == 1 && signature.bytes >= 0 && signature.bytes < borders::tried_messages_from;
  const auto in_memory = [](const Choice& choice) { return choice.kind == Choice::Kind::node; };
  for (const std::string& text : specs_for(signature, placement)) {
    const bool over_messages = text != "native" && !text.starts_with("node");
    if (brief && over_messages && std::ranges::any_of(entrants, in_memory)) continue;
    try {
      Candidate candidate = make_candidate(settings, placement, signature.collective, text);
      if (!serves_class(candidate, signature) || !known.insert(candidate.choice.text).second) continue;
      candidate.choice.reason = "TUTTI_TUNE";
      entrants.push_back(std::move(candidate.choice));
    } catch (const SpecError&) {  // not every collective takes one copy, or several senders
    }
  }
  return entrants;
}

std::string profile_of(std::span<const Learned> learned, const std::string& about) {
  std::string text =
      "# Written under TUTTI_TUNE=online; the first rule that matches a call serves it.\nschema = 1\nabout = " +
      quoted_toml(about) + "\n";
  for (const Learned& rule : learned) {
    text += "\n[[rule]]\ncollective = \"" + std::string(name(rule.collective)) + "\"\nuse = " + quoted_toml(rule.spec);
    text += "\nnodes = \"" + std::to_string(rule.placement.nodes) + "\"\nranks = \"" +
            std::to_string(rule.placement.ranks) + "\"\nppn = \"" + std::to_string(rule.placement.most_per_node) +
            "\"\n";
    if (rule.sized && rule.size_class == 0) text += "size = \"0\"\n";
    if (rule.sized && rule.size_class > 0)
      text += "size = \"" + std::to_string(std::int64_t{1} << (rule.size_class - 1)) + ":" +
              std::to_string((std::int64_t{1} << (rule.size_class - 1)) * 2 - 1) + "\"\n";
    std::string because = microseconds(rule.nanoseconds) + " us a call in the program itself";
    if (rule.next > 0) because += ", the next best " + microseconds(rule.next) + " us";
    text += "because = " + quoted_toml(because + "; without tuning it was " + rule.usual) + "\n";
  }
  return text;
}

}  // namespace tutti
