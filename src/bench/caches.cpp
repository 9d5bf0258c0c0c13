#include "bench/caches.hpp"

#include <cctype>
#include <fstream>
#include <map>
#include <string>
#include <system_error>

namespace tutti::bench {

namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// "32768K"; 0 where it is no size.
std::size_t bytes_of(const std::string& text) {
  std::size_t value = 0, at = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
    value = 10 * value + static_cast<std::size_t>(text[at] - '0');
  const char unit = at < text.size() ? text[at] : ' ';
  return value << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

bool is_processor(const std::string& name) {
  return name.size() > 3 && name.rfind("cpu", 0) == 0 && std::isdigit(name[3]);
}

/// The directory of a processor's cache of the highest level; empty where none is stated.
fs::path last_of(const fs::path& processor) {
  fs::path found;
  int highest = 0;
  for (int index = 0;; ++index) {
    const fs::path cache = processor / "cache" / ("index" + std::to_string(index));
    const std::string level = line_of(cache / "level");
    if (level.empty()) return found;
    if (level[0] - '0' > highest) highest = level[0] - '0', found = cache;
  }
}

}  // namespace

std::size_t last_level_caches(const fs::path& processors) {
  std::map<std::string, std::size_t> caches;  // by who shares it
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(processors, none)) {
    if (!is_processor(entry.path().filename().string())) continue;
    if (const fs::path cache = last_of(entry.path()); !cache.empty())
      caches[line_of(cache / "shared_cpu_list")] = bytes_of(line_of(cache / "size"));
  }
  std::size_t sum = 0;
  for (const auto& [sharers, bytes] : caches) sum += bytes;
  return sum;
}

std::size_t last_level_caches() {
  constexpr std::size_t unknown = std::size_t{32} << 20;
  static const std::size_t found = last_level_caches("/sys/devices/system/cpu");
  return found > 0 ? found : unknown;
}

}  // namespace tutti::bench
