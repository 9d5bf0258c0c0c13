#pragma once
/// What tests of the choice ask, in few words.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "selection/choice.hpp"

namespace tutti::testing {

inline constexpr Placement one_node{8, 1, 8, 8}, two_nodes{8, 2, 4, 4};

inline Settings with(Collective collective, const std::string& spec) {
  Settings settings;
  settings.specs[collective] = spec;
  return settings;
}

inline Settings with_profile(const std::string& rules) {
  Settings settings;
  settings.profile = "dir/cluster.toml";
  settings.profile_text = "schema = 1\n" + rules;
  return settings;
}

inline Choice choose(const Settings& settings, const Placement& placement, const CallSignature& signature) {
  std::vector<Warning> warnings;
  const Choice choice = Selector(settings, placement, warnings).choose(signature);
  CHECK(warnings.empty());
  return choice;
}

/// "node, default.toml line 6".
inline std::string brief(const Choice& choice) {
  CHECK(choice.text == to_text(choice.spec));
  const bool named = choice.kind == Choice::Kind::hierarchy && choice.spec.arguments[0].name != "native";
  CHECK((choice.kind == Choice::Kind::flat || named) == (choice.algorithm != nullptr));
  return choice.text + ", " + choice.reason;
}

inline CallSignature ask(Collective collective, std::int64_t bytes, bool commutative = true) {
  return {.collective = collective, .bytes = bytes, .commutative = commutative};
}

using Texts = std::vector<std::string>;

}  // namespace tutti::testing
