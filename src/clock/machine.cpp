#include "clock/machine.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace tutti {

std::string kernel_clock_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  struct stat space {};
  if (boot.empty()) boot = "?" + std::to_string(getpid());
  if (stat("/proc/self/ns/time", &space) == 0) boot += "|" + std::to_string(space.st_ino);
  return boot;
}

}  // namespace tutti
