#include "runtime/platform/location.hpp"

#include <sched.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>

#include "runtime/communicator/agreed_settings.hpp"

namespace tutti::runtime {
namespace {

std::string line_of(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Device and inode: two processes that see the same ones see the same object.
std::string object_at(const char* path) {
  struct stat status {};
  if (stat(path, &status) != 0) return "?";
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

/// CPUs' worth of time that a version 2 control group grants ("max 100000", "150000 100000"), at least 1.
int granted(const std::string& file) {
  std::ifstream limit(file);
  double quota = 0, period = 0;
  if (!(limit >> quota >> period) || period <= 0) return std::numeric_limits<int>::max();
  return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

/// The least grant from this process's group up to the root of the hierarchy.
int granted_here() {
  int least = std::numeric_limits<int>::max();
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (line.rfind("0::", 0) != 0) continue;
    for (std::string path = line.substr(3);; path.resize(path.rfind('/'))) {
      least = std::min(least, granted("/sys/fs/cgroup" + path + "/cpu.max"));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return least;
}

/// Never less than one, never more than granted (as it was at the first question: reading it takes 100 us).
int usable(int cpus) {
  static const int grant = granted_here();
  return std::clamp(cpus, 1, grant);
}

}  // namespace

std::uint64_t node_identity() {
  static const std::uint64_t identity = [] {
    utsname host{};
    uname(&host);
    return fingerprint(line_of("/proc/sys/kernel/random/boot_id") + "|" + host.nodename + "|" + object_at("/dev/shm") +
                       "|" + object_at("/proc/self/ns/pid") + pretended_node());
  }();
  return identity;
}

int ranks_by_launcher() {
  static const int told = [] {
    for (const char* name : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
      if (const char* value = std::getenv(name)) return std::clamp(std::atoi(value), 1, 1 << 20);
    return 1;
  }();
  return told;
}

CpuMask cpus_here() {
  CpuMask mask{};
  static_assert(sizeof mask >= sizeof(cpu_set_t));
  sched_getaffinity(0, sizeof mask, reinterpret_cast<cpu_set_t*>(mask.data()));
  return mask;
}

int cpus_in(const CpuMask& mask) {
  return usable(std::accumulate(mask.begin(), mask.end(), 0,
                                [](int sum, std::uint64_t word) { return sum + std::popcount(word); }));
}

int cpus_of_node() { return usable(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace tutti::runtime
