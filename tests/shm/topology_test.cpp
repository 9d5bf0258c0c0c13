/// Domains of members, read from folders that look like the kernel's.
#include "shm/sync/topology.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tutti::shm::test {
namespace {

namespace fs = std::filesystem;

/// A machine's /sys/devices/system; removes itself.
class Machine {
 public:
  Machine() {
    std::string name = (fs::temp_directory_path() / "tutti-topology.XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~Machine() { fs::remove_all(root_); }
  Machine(const Machine&) = delete;

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  /// CPUs begin to end - 1 share the cache of that level, by its index.
  void cache(int begin, int end, int index, int level) const {
    for (int cpu = begin; cpu < end; ++cpu) {
      const std::string folder = "cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
      write(folder + "/level", std::to_string(level));
      write(folder + "/shared_cpu_list", std::to_string(begin) + "-" + std::to_string(end - 1));
    }
  }
  std::string root() const { return root_; }

 private:
  fs::path root_;
};

/// 32 CPUs: two packages, each a NUMA node, each with two last-level caches of 8 CPUs.
struct Large : Machine {
  Large() {
    write("cpu/online", "0-31");
    for (int cpu = 0; cpu < 32; ++cpu) {
      cache(cpu, cpu + 1, 0, 1);
      write("cpu/cpu" + std::to_string(cpu) + "/topology/package_cpus_list", cpu < 16 ? "0-15" : "16-31");
    }
    for (int cpu = 0; cpu < 32; cpu += 8) cache(cpu, cpu + 8, 1, 3);
    write("node/has_cpu", "0,2");
    write("node/node0/cpulist", "0-15");
    write("node/node2/cpulist", "16-31");
  }
};

std::vector<std::uint64_t> mask(std::initializer_list<int> cpus) {
  std::vector<std::uint64_t> bits(2);
  for (const int cpu : cpus) bits[static_cast<std::size_t>(cpu) / 64] |= std::uint64_t{1} << cpu % 64;
  return bits;
}

TEST_CASE("last-level caches are added up, each once however many share it") {
  const Large machine;
  CHECK(bytes_of_caches(machine.root()) == 0);  // no sizes
  for (int cpu = 0; cpu < 32; ++cpu) {
    machine.write("cpu/cpu" + std::to_string(cpu) + "/cache/index0/size", "32K");
    machine.write("cpu/cpu" + std::to_string(cpu) + "/cache/index1/size", "16384K");
  }
  CHECK(bytes_of_caches(machine.root()) == std::int64_t{64} << 20);
  machine.write("cpu/online", "0-8,24");
  CHECK(bytes_of_caches(machine.root()) == std::int64_t{48} << 20);
  CHECK(bytes_of_caches("/nowhere") == 0);
}

TEST_CASE("a home is what all CPUs of the mask share") {
  const Large machine;
  CHECK(home_of(mask({9}), machine.root()) == Home{8, 0, 0});
  CHECK(home_of(mask({24, 31}), machine.root()) == Home{24, 16, 16});
  CHECK(home_of(mask({7, 8}), machine.root()) == Home{Home::unknown, 0, 0});
  CHECK(home_of(mask({0, 31}), machine.root()) == Home{});
  CHECK(home_of(mask({}), machine.root()) == Home{});
  CHECK(home_of(mask({70}), machine.root()) == Home{});
  CHECK(home_of(mask({0}), "/no/such/folder") == Home{});
}

TEST_CASE("older kernels name the package otherwise") {
  const Machine machine;
  machine.write("cpu/cpu3/topology/core_siblings_list", "2-3,8");
  CHECK(home_of(mask({3, 8}), machine.root()) == Home{Home::unknown, Home::unknown, 2});
}

TEST_CASE("homes travel in one word") {
  for (const Home& home : {Home{}, Home{0, 0, 0}, Home{8, Home::unknown, 1000}, Home{5, 600000, 7}})
    CHECK(home_from(to_word(home)) == home);
}

std::vector<Home> homes(int members, int in_cache, int in_memory) {
  std::vector<Home> all;
  for (int member = 0; member < members; ++member)
    all.push_back({member / in_cache * in_cache, member / in_memory * in_memory, 0});
  return all;
}

TEST_CASE("domains: the narrowest level with several members each") {
  std::vector<int> expected(16, 0);
  std::fill(expected.begin() + 8, expected.end(), 1);
  CHECK(domains_of(homes(16, 8, 16)) == expected);
  CHECK(domains_of(homes(16, 2, 8)) == expected);  // caches with two members each are too small
  CHECK(domains_of(homes(16, 16, 16)).empty());
  CHECK(domains_of(homes(16, 1, 2)).empty());
  auto some = homes(16, 8, 16);
  some[3].cache = Home::unknown;  // runs on both
  CHECK(domains_of(some).empty());
}

TEST_CASE("only groups that are large, and have a CPU for each member") {
  CHECK(worth_domains(16, 16));
  CHECK_FALSE(worth_domains(8, 64));
  CHECK_FALSE(worth_domains(64, 63));
}

TEST_CASE("domains in rows") {
  CHECK(domains_in_rows(5, 2) == std::vector{0, 0, 1, 1, 2});
  CHECK(domains_in_rows(4, 4).empty());
}

TEST_CASE("census") {
  const Large machine;
  std::vector<std::uint64_t> all{0xffffffff};
  const Census whole = census(all, machine.root());
  CHECK(whole.caches == 4);
  CHECK(whole.memories == 2);
  CHECK(whole.packages == 2);
  CHECK(whole.domains == 4);
  CHECK(census(mask({0, 1}), machine.root()).domains == 0);
  CHECK(census(mask({0}), "/no/such/folder").caches == 0);
}

}  // namespace
}  // namespace tutti::shm::test
