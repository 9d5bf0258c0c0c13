#pragma once
/// Topology of the members' CPUs: shared last-level caches, NUMA nodes and packages, as the kernel reports them; and
/// whether trees (tree.hpp) pay.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tutti::shm {

/// Each by the number of its first CPU; unknown if the member's CPUs lie in several, or the kernel reports nothing.
struct Home {
  static constexpr int unknown = -1;
  int cache = unknown, memory = unknown, package = unknown;
  bool operator==(const Home&) const = default;
};

/// For a member that may run on the CPUs of `mask`, one bit a CPU.  Reads a few files of `system`: about 100 us.
Home home_of(std::span<const std::uint64_t> mask, const std::string& system = "/sys/devices/system");

/// Bytes of all last-level caches of the machine; 0 if the kernel reports nothing.  (sysconf reports 320 MiB for two
/// CPUs that share 32.)
std::int64_t bytes_of_caches(const std::string& system = "/sys/devices/system");

/// Bytes of the largest private cache of a core, as the processor reports it, or 1 MiB.
std::size_t bytes_of_own_cache();

/// In one word, for members to exchange.
std::uint64_t to_word(const Home& home);
Home home_from(std::uint64_t word);

/// Whether a group is large enough for domains, and has a CPU for each member.
bool worth_domains(int size, int cpus);

/// The domain of each member: by the narrowest level that divides them into several domains of several members each.
/// Empty: flat.  The same on all members, because the input is.
std::vector<int> domains_of(std::span<const Home> members);

/// Domains of so many consecutive members: for tests, and to measure trees.  Empty if that makes only one.
std::vector<int> domains_in_rows(int size, int row);

/// What the CPUs of a mask are divided into: how many of each, and how many domains one member a CPU would form.
struct Census {
  int caches = 0, memories = 0, packages = 0, domains = 0;
};
Census census(std::span<const std::uint64_t> mask, const std::string& system = "/sys/devices/system");

}  // namespace tutti::shm
