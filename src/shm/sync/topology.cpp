/// Read from /sys, whose files say the same on every kernel since 2.6.24.
#include "shm/sync/topology.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "core/borders.hpp"

namespace tutti::shm {
namespace {

/// CPUs as the kernel writes them ("0-3,8-11").
class CpuList {
 public:
  explicit CpuList(const std::string& text) {
    const char *at = text.data(), *const end = at + text.size();
    while (at < end) {
      Range range{};
      const auto first = std::from_chars(at, end, range.first);
      if (first.ec != std::errc()) return;
      range.last = range.first, at = first.ptr;
      if (at < end && *at == '-') at = std::from_chars(at + 1, end, range.last).ptr;
      ranges_.push_back(range);
      if (at < end) ++at;  // the comma
    }
  }
  bool has(int cpu) const {
    return std::ranges::any_of(ranges_, [&](const Range& range) { return range.first <= cpu && cpu <= range.last; });
  }
  int first() const { return ranges_.empty() ? Home::unknown : ranges_.front().first; }
  int last() const { return ranges_.empty() ? Home::unknown : ranges_.back().last; }

 private:
  struct Range {
    int first, last;
  };
  std::vector<Range> ranges_;
};

std::optional<std::string> line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::vector<int> cpus_in(std::span<const std::uint64_t> mask) {
  std::vector<int> cpus;
  for (std::size_t word = 0; word < mask.size(); ++word)
    for (std::uint64_t rest = mask[word]; rest != 0; rest &= rest - 1)
      cpus.push_back(static_cast<int>(word * 64) + std::countr_zero(rest));
  return cpus;
}

std::string folder_of(const std::string& system, int cpu) { return system + "/cpu/cpu" + std::to_string(cpu); }

/// The folder of a CPU's cache of the highest level.
std::optional<std::string> last_cache(const std::string& system, int cpu) {
  std::optional<std::string> widest;
  std::string highest;
  for (int index = 0;; ++index) {
    const std::string cache = folder_of(system, cpu) + "/cache/index" + std::to_string(index);
    const auto level = line_of(cache + "/level");
    if (!level) return widest;
    if (*level > highest) highest = *level, widest = cache;
  }
}

std::optional<std::string> sharing_cache(const std::string& system, int cpu) {
  const auto cache = last_cache(system, cpu);
  return cache ? line_of(*cache + "/shared_cpu_list") : std::nullopt;
}

/// "32768K", as the kernel writes sizes of caches; 0 where it is none.
std::int64_t bytes_of(const std::string& text) {
  std::int64_t kibibytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), kibibytes);
  return kibibytes << 10;
}

std::optional<std::string> sharing_memory(const std::string& system, int cpu) {
  const CpuList nodes(line_of(system + "/node/has_cpu").value_or(""));
  constexpr int most_nodes = 1024;
  for (int node = nodes.first(); node >= 0 && node < most_nodes; ++node) {
    if (!nodes.has(node)) continue;
    auto list = line_of(system + "/node/node" + std::to_string(node) + "/cpulist");
    if (list && CpuList(*list).has(cpu)) return list;
  }
  return std::nullopt;
}

std::optional<std::string> sharing_package(const std::string& system, int cpu) {
  const std::string topology = folder_of(system, cpu) + "/topology/";
  auto list = line_of(topology + "package_cpus_list");
  return list ? list : line_of(topology + "core_siblings_list");  // until Linux 5.2
}

/// The list's first CPU, if all of `cpus` are in it.
int common(const std::optional<std::string>& text, const std::vector<int>& cpus) {
  const CpuList list(text.value_or(""));
  return std::ranges::all_of(cpus, [&](int cpu) { return list.has(cpu); }) ? list.first() : Home::unknown;
}

constexpr int Home::*levels[] = {&Home::cache, &Home::memory, &Home::package};
constexpr int bits = 20;

}  // namespace

Home home_of(std::span<const std::uint64_t> mask, const std::string& system) {
  const std::vector<int> cpus = cpus_in(mask);
  if (cpus.empty()) return {};
  const int one = cpus.front();
  return {common(sharing_cache(system, one), cpus), common(sharing_memory(system, one), cpus),
          common(sharing_package(system, one), cpus)};
}

std::int64_t bytes_of_caches(const std::string& system) {
  const CpuList online(line_of(system + "/cpu/online").value_or(""));
  std::vector<CpuList> counted;  // who shares each cache
  std::int64_t sum = 0;
  for (int cpu = std::max(0, online.first()); cpu <= online.last(); ++cpu) {
    const auto has = [cpu](const CpuList& list) { return list.has(cpu); };
    const auto cache = online.has(cpu) && std::ranges::none_of(counted, has) ? last_cache(system, cpu) : std::nullopt;
    if (!cache) continue;
    counted.emplace_back(line_of(*cache + "/shared_cpu_list").value_or(""));
    sum += bytes_of(line_of(*cache + "/size").value_or(""));
  }
  return sum;
}

std::size_t bytes_of_own_cache() {
  static const std::size_t bytes = [] {
    constexpr std::size_t unknown = std::size_t{1} << 20;
    const long told = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
    return told > 0 ? static_cast<std::size_t>(told) : unknown;
  }();
  return bytes;
}

std::uint64_t to_word(const Home& home) {
  std::uint64_t word = 0;
  for (const auto level : levels) word = word << bits | static_cast<std::uint64_t>(home.*level + 1);
  return word;
}

Home home_from(std::uint64_t word) {
  const auto field = [&](int place) { return static_cast<int>(word >> place * bits & ((1U << bits) - 1)) - 1; };
  return {field(2), field(1), field(0)};
}

bool worth_domains(int size, int cpus) { return size >= borders::domains_from && size <= cpus; }

std::vector<int> domains_of(std::span<const Home> members) {
  for (const auto level : levels) {
    std::map<int, int> number;  // in the order of first CPUs
    for (const Home& member : members) number[member.*level] = 0;
    if (number.contains(Home::unknown) || number.size() < 2 ||
        members.size() < borders::members_of_a_domain * number.size())
      continue;
    int next = 0;
    for (auto& [cpu, domain] : number) domain = next++;
    std::vector<int> domains;
    for (const Home& member : members) domains.push_back(number[member.*level]);
    return domains;
  }
  return {};
}

std::vector<int> domains_in_rows(int size, int row) {
  std::vector<int> domains;
  for (int member = 0; member < size && row < size; ++member) domains.push_back(member / row);
  return domains;
}

Census census(std::span<const std::uint64_t> mask, const std::string& system) {
  std::vector<Home> homes;
  std::set<int> found[std::size(levels)];
  std::vector<std::uint64_t> one(mask.size());
  for (const int cpu : cpus_in(mask)) {
    const auto place = static_cast<std::size_t>(cpu);
    one[place / 64] = std::uint64_t{1} << place % 64;
    homes.push_back(home_of(one, system));
    one[place / 64] = 0;
    for (std::size_t level = 0; level < std::size(levels); ++level) found[level].insert(homes.back().*levels[level]);
  }
  for (auto& distinct : found) distinct.erase(Home::unknown);
  const auto count = [](const auto& things) { return static_cast<int>(things.size()); };
  Census result{count(found[0]), count(found[1]), count(found[2])};
  if (worth_domains(count(homes), count(homes)))
    for (const int domain : domains_of(homes)) result.domains = std::max(result.domains, domain + 1);
  return result;
}

}  // namespace tutti::shm
