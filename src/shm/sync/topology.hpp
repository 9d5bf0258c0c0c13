#pragma once
/// Where members run: which last-level cache, memory (NUMA node) and package their CPUs share, as the kernel tells it;
/// and whether that is worth trees (tree.hpp).
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tutti::shm {

/// Each by the number of its first CPU; unknown where the member's CPUs lie in several, or the kernel tells nothing.
struct Home {
  static constexpr int unknown = -1;
  int cache = unknown, memory = unknown, package = unknown;
  bool operator==(const Home&) const = default;
};

/// Of whoever may run on the CPUs of `mask`, one bit a CPU.  Reads a few files of `system`: about 100 us.
Home home_of(std::span<const std::uint64_t> mask, const std::string& system = "/sys/devices/system");

/// Of all last-level caches of the machine together; 0 where the kernel tells nothing.  (sysconf says 320 MiB of two
/// CPUs that share 32.)
std::int64_t bytes_of_caches(const std::string& system = "/sys/devices/system");

/// Of the largest cache that a core has alone; as the processor tells it, or 1 MiB.
std::size_t bytes_of_own_cache();

/// In one word, for members to exchange.
std::uint64_t to_word(const Home& home);
Home home_from(std::uint64_t word);

/// Whether a group is so large, and has a CPU for each member, that its members should look for domains at all.
bool worth_domains(int size, int cpus);

/// The domain of each member, given where all run: by the narrowest level that divides them into several domains of
/// several members each.  Empty: flat.  The same on all members, as the facts are.
std::vector<int> domains_of(std::span<const Home> members);

/// As many members in a row share a domain: for tests, and to see what trees cost.  Empty where that makes but one.
std::vector<int> domains_in_rows(int size, int row);

/// What the CPUs of a mask are divided into: how many of each, and how many domains one member a CPU would form.
struct Census {
  int caches = 0, memories = 0, packages = 0, domains = 0;
};
Census census(std::span<const std::uint64_t> mask, const std::string& system = "/sys/devices/system");

}  // namespace tutti::shm
