/// How much memory is left: the least of what the machine and the control groups say.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "shm/segment/segment.hpp"

namespace tutti::shm {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The number in a file that holds one; nothing where it is absent, or says "max".
std::optional<std::size_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// The value of `key` in a file of "key value" or "key: value kB" lines, in its own unit.
std::optional<std::size_t> field_of(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    std::size_t at = key.size();
    if (at < line.size() && line[at] == ':') ++at;
    if (at >= line.size() || !std::isspace(static_cast<unsigned char>(line[at]))) continue;
    std::istringstream rest(line.substr(at));
    std::size_t value = 0;
    if (rest >> value) return value;
  }
  return std::nullopt;
}

struct GroupFiles {
  const char *limit, *usage, *reclaimable;
};

/// Left in one control group.  File pages that nobody uses count as free: the kernel takes them back first.
std::size_t left_in(const std::string& folder, const GroupFiles& files) {
  const auto limit = number_in(folder + files.limit), usage = number_in(folder + files.usage);
  if (!limit || !usage) return unlimited;
  const std::size_t idle = field_of(folder + "/memory.stat", files.reclaimable).value_or(0);
  const std::size_t used = *usage - std::min(idle, *usage);
  return *limit - std::min(used, *limit);
}

/// A group's limit holds for its children: the least from `path` up to the root of the hierarchy.
std::size_t left_along(const std::string& mount, std::string path, const GroupFiles& files) {
  std::size_t least = left_in(mount, files);
  while (path.size() > 1) {
    least = std::min(least, left_in(mount + path, files));
    path.resize(path.rfind('/'));
  }
  return least;
}

/// One line of /proc/self/cgroup: "hierarchy:controllers:path"; "0::path" is version 2.
std::size_t left_by_line(const std::string& line) {
  const std::size_t first = line.find(':'), second = line.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return unlimited;
  std::string controllers = ",";
  controllers.append(line, first + 1, second - first - 1).push_back(',');
  const std::string path = line.substr(second + 1);
  if (controllers == ",,") {
    return left_along("/sys/fs/cgroup", path, {"/memory.max", "/memory.current", "inactive_file"});
  }
  if (controllers.find(",memory,") == std::string::npos) return unlimited;
  return left_along("/sys/fs/cgroup/memory", path,
                    {"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"});
}

}  // namespace

std::size_t memory_headroom() {
  std::size_t least = unlimited;
  if (const auto available = field_of("/proc/meminfo", "MemAvailable")) least = *available * 1024;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) least = std::min(least, left_by_line(line));
  return least;
}

}  // namespace tutti::shm
