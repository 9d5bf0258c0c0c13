#include "selection/settings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "selection/number.hpp"
#include "selection/setting_table.hpp"
#include "selection/spec.hpp"

namespace tutti {
namespace {

constexpr std::uintmax_t largest_profile = 16u << 20;  // every rank holds it; the largest sensible one is far below

constexpr std::string_view profile_contents = "profile";  // their name in to_text

std::string assignment(std::string_view variable, std::string_view value) {
  std::string text(variable);
  text += '=';
  text += value;
  return text;
}

void ignore(std::vector<Warning>& warnings, std::string_view variable, const std::string& value,
            const std::string& cause) {
  warnings.push_back({assignment(variable, value) + " is ignored: " + cause});
}

/// The file's contents.  Throws UnusableValue with the system's cause.
std::string contents(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw UnusableValue(error ? error.message() : std::strerror(ENOENT));
  if (!fs::is_regular_file(status)) throw UnusableValue("it is not a file");
  if (fs::file_size(file, error) > largest_profile) throw UnusableValue("it is larger than 16M");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw UnusableValue(std::strerror(errno ? errno : EIO));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw UnusableValue(std::strerror(EIO));
  return text;
}

void read_profile(Settings& settings, std::vector<Warning>& warnings) {
  if (settings.profile.empty()) return;
  try {
    settings.profile_text = contents(settings.profile);
  } catch (const UnusableValue& error) {
    ignore(warnings, "TUTTI_PROFILE", settings.profile, std::string("cannot read it: ") + error.what());
    settings.profile.clear();
  }
}

/// Variables that look like ours and are none.
void notice_misspelt(const std::vector<std::string>& variables, std::vector<Warning>& warnings) {
  const std::string prefix = "TUTTI_";
  std::vector<std::string_view> known;  // without the prefix: it would make every two names near
  for (const SettingRow& row : setting_table())
    if (row.info.variable.starts_with(prefix)) known.push_back(row.info.variable.substr(prefix.size()));
  for (const std::string& variable : std::set<std::string>(variables.begin(), variables.end())) {
    if (!variable.starts_with(prefix) || find_setting(variable)) continue;
    const std::string_view near = nearest(std::string_view(variable).substr(prefix.size()), known);
    warnings.push_back(
        {"unknown variable " + variable + " is ignored" +
         (near.empty() ? "; `tutti settings` lists all" : "; did you mean 'TUTTI_" + std::string(near) + "'?")});
  }
}

/// One value of to_text's text.
void set(Settings& settings, const std::string& name, const std::string& value) {
  if (name == profile_contents) {
    settings.profile_text = value;
    return;
  }
  const SettingRow* const row = find_setting(name);
  if (!row) throw std::invalid_argument("settings: unknown " + name);
  try {
    row->read(*row, value, settings);
  } catch (const UnusableValue& error) {
    throw std::invalid_argument(assignment(name, value) + ": " + error.what());
  }
}

}  // namespace

std::span<const SettingInfo> settings_manual() {
  static const std::vector<SettingInfo> manual = [] {
    std::vector<SettingInfo> infos;
    for (const SettingRow& row : setting_table()) infos.push_back(row.info);
    return infos;
  }();
  return manual;
}

std::string setting_value(const Settings& settings, std::string_view variable) {
  const SettingRow* row = find_setting(variable);
  if (!row) throw std::out_of_range("no variable " + std::string(variable));
  return row->write(*row, settings);
}

Settings read_settings(const std::function<const char*(const char*)>& lookup, const std::vector<std::string>& variables,
                       std::vector<Warning>& warnings) {
  Settings settings;
  for (const SettingRow& row : setting_table()) {
    const char* const value = lookup(std::string(row.info.variable).c_str());
    if (!value || !*value) continue;
    try {
      row.read(row, value, settings);
    } catch (const UnusableValue& error) {
      ignore(warnings, row.info.variable, value, error.what());
    }
  }
  read_profile(settings, warnings);
  notice_misspelt(variables, warnings);
  return settings;
}

// One line "NAME LENGTH" and the value for each that is not at its standard; the profile's contents last.

std::string to_text(const Settings& settings) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += std::string(name) + " " + std::to_string(value.size()) + "\n" + value + "\n";
  };
  for (const SettingRow& row : setting_table())
    if (const std::string value = row.write(row, settings); value != row.info.standard) add(row.info.variable, value);
  if (!settings.profile_text.empty()) add(profile_contents, settings.profile_text);
  return text;
}

Settings parse_settings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const std::size_t blank = text.find(' '), line = text.find('\n');
    if (line == std::string_view::npos || blank > line) throw std::invalid_argument("settings: no name and length");
    const std::string name(text.substr(0, blank));
    const auto length = parse_number(text.substr(blank + 1, line - blank - 1));
    text.remove_prefix(line + 1);
    if (!length || static_cast<std::size_t>(*length) >= text.size())
      throw std::invalid_argument("settings: wrong length of " + name);
    const auto size = static_cast<std::size_t>(*length);
    set(settings, name, std::string(text.substr(0, size)));
    text.remove_prefix(size + 1);
  }
  return settings;
}

}  // namespace tutti
