#include "bench/caches.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace tutti::bench;
namespace fs = std::filesystem;

namespace {

/// A tree of processors that is gone at the end.
class Tree {
 public:
  Tree() { fs::create_directories(path); }
  ~Tree() { fs::remove_all(path); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  void cache(int cpu, int index, const std::string& level, const std::string& size, const std::string& sharers) {
    const fs::path at = path / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(at);
    std::ofstream(at / "level") << level << '\n';
    std::ofstream(at / "size") << size << '\n';
    std::ofstream(at / "shared_cpu_list") << sharers << '\n';
  }

  const fs::path path = fs::temp_directory_path() / ("tutti-caches-" + std::to_string(getpid()));
};

}  // namespace

TEST_CASE("last-level caches are added up, each once however many share it") {
  Tree tree;
  for (int cpu = 0; cpu < 4; ++cpu) {
    tree.cache(cpu, 0, "1", "32K", std::to_string(cpu));
    tree.cache(cpu, 1, "3", "16384K", cpu < 2 ? "0-1" : "2-3");
    tree.cache(cpu, 2, "2", "1M", std::to_string(cpu));
  }
  fs::create_directories(tree.path / "cpuidle");
  CHECK(last_level_caches(tree.path) == 32u << 20);
}

TEST_CASE("where nothing is stated there is a guess") {
  CHECK(last_level_caches(fs::path("/nowhere")) == 0);
  CHECK(last_level_caches() > 0);
}
