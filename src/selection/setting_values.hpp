#pragma once
/// How the value of each setting is read from its text, and written as text again.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hang/signals.hpp"
#include "selection/number.hpp"
#include "selection/pretended.hpp"
#include "selection/setting_table.hpp"
#include "selection/spec.hpp"

namespace tutti {

inline std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// "expected on or off; did you mean 'off'?"
[[noreturn]] inline void refuse(const std::string& expected, std::string_view word,
                                const std::vector<std::string_view>& valid) {
  throw UnusableValue("expected " + expected + did_you_mean(word, valid));
}

/// A switch: 1 and 0 in all their spellings.
template <bool Settings::*member>
void read_switch(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  for (const auto& [yes, no] : {std::pair{"1", "0"}, {"on", "off"}, {"yes", "no"}, {"true", "false"}}) {
    if (word == yes || word == no) {
      settings.*member = word == yes;
      return;
    }
  }
  refuse("on or off (or 1 or 0)", word, {"on", "off", "yes", "no", "true", "false"});
}

template <bool Settings::*member>
std::string write_switch(const SettingRow& row, const Settings& settings) {
  const bool digits = row.info.standard == "0" || row.info.standard == "1";
  return settings.*member ? (digits ? "1" : "on") : (digits ? "0" : "off");
}

template <std::string Settings::*member>
void read_text(const SettingRow&, const std::string& value, Settings& settings) {
  settings.*member = value;
}

template <std::string Settings::*member>
std::string write_text(const SettingRow&, const Settings& settings) {
  return settings.*member;
}

template <int Settings::*member>
void read_count(const SettingRow& row, const std::string& value, Settings& settings) {
  const auto number = parse_number(value);
  if (!number || *number < row.least || *number > row.most)
    throw UnusableValue("expected a number from " + std::to_string(row.least) + " to " + std::to_string(row.most));
  settings.*member = static_cast<int>(*number);
}

template <int Settings::*member>
std::string write_count(const SettingRow&, const Settings& settings) {
  return std::to_string(settings.*member);
}

template <std::int64_t Settings::*member>
void read_size(const SettingRow&, const std::string& value, Settings& settings) {
  const auto number = parse_number(value);
  if (!number) throw UnusableValue("expected a size such as 64M (0 for the default rule)");
  settings.*member = *number;
}

template <std::int64_t Settings::*member>
std::string write_size(const SettingRow&, const Settings& settings) {
  return size_text(settings.*member);
}

/// A size, 0 for `off`, -1 for `auto`.
template <std::int64_t Settings::*member>
void read_auto_size(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  const auto number = parse_number(value);
  if (word != "auto" && word != "off" && !number) refuse("auto, off or a size such as 4M", word, {"auto", "off"});
  settings.*member = word == "auto" ? -1 : word == "off" ? 0 : *number;
}

template <std::int64_t Settings::*member>
std::string write_auto_size(const SettingRow&, const Settings& settings) {
  const std::int64_t size = settings.*member;
  return size < 0 ? "auto" : size == 0 ? "off" : size_text(size);
}

inline void read_domains(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  const auto number = parse_number(value);
  if (word != "auto" && word != "off" && (!number || *number < 1 || *number > 1 << 20))
    refuse("auto, off or a number of ranks", word, {"auto", "off"});
  settings.node_domains = word == "auto" ? -1 : word == "off" ? 0 : static_cast<int>(*number);
}

inline std::string write_domains(const SettingRow&, const Settings& settings) {
  if (settings.node_domains < 0) return "auto";
  return settings.node_domains == 0 ? "off" : std::to_string(settings.node_domains);
}

inline void read_learners(const SettingRow&, const std::string& value, Settings& settings) try {
  settings.learners = parse_learners(lower(value));
} catch (const std::invalid_argument& unknown) {
  std::vector<std::string_view> valid{"all", "none"};
  valid.insert(valid.end(), learner_names.begin(), learner_names.end());
  refuse("all, none or names by commas, which `tutti settings` lists", unknown.what(), valid);
}

inline std::string write_learners(const SettingRow&, const Settings& settings) { return to_text(settings.learners); }

inline void read_pretended(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  if (!PretendedNodes::parse(word))
    refuse("block:4, cyclic:3, sizes:1,3,2 or random:NODES:SEED", word, {"block:4", "cyclic:3"});
  settings.pretend_nodes = word;
}

inline void read_signal(const SettingRow&, const std::string& value, Settings& settings) {
  if (!hang::signal_named(value)) refuse("a signal that a program may catch, such as USR1", value, {"USR1", "USR2"});
  settings.hang_signal = value;
}

/// A choice of two words, of which the second is `true`.
using TwoWords = std::array<std::string_view, 2>;
inline constexpr TwoWords tune_words{"off", "online"}, layer_words{"mpi", "pmpi"}, gpu_words{"native", "host"};

template <bool Settings::*member, const TwoWords& words>
void read_either(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  if (std::ranges::find(words, word) == words.end())
    refuse(std::string(words[0]) + " or " + std::string(words[1]), word, {words[0], words[1]});
  settings.*member = word == words[1];
}

template <bool Settings::*member, const TwoWords& words>
std::string write_either(const SettingRow&, const Settings& settings) {
  return std::string(words[settings.*member ? 1 : 0]);
}

using Specs = std::map<Collective, std::string>;
template <Specs Settings::*member>
void read_spec(const SettingRow& row, const std::string& value, Settings& settings) try {
  (settings.*member)[row.collective] = to_text(parse_spec(value, row.collective));
} catch (const SpecError& error) {
  throw UnusableValue(error.sentence);
}

template <Specs Settings::*member>
std::string write_spec(const SettingRow& row, const Settings& settings) {
  const auto found = (settings.*member).find(row.collective);
  return found == (settings.*member).end() ? "" : found->second;
}

}  // namespace tutti
