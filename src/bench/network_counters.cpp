#include "bench/network_counters.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "clock/machine.hpp"

namespace tutti::bench {

std::int64_t counter_in(std::istream& table, std::string_view protocol, std::string_view name) {
  for (std::string names, values; std::getline(table, names) && std::getline(table, values);) {
    std::istringstream words(names), figures(values);
    std::string word, figure;
    if (!(words >> word) || !(figures >> figure) || word != std::string(protocol) + ":") continue;
    while (words >> word && figures >> figure)
      if (word == name) return std::stoll(figure);
  }
  return -1;
}

std::int64_t network_timeouts() {
  std::ifstream table("/proc/self/net/netstat");
  return std::max<std::int64_t>(0, counter_in(table, "TcpExt", "TCPTimeouts"));
}

NetworkCounters network_counters() {
  std::ifstream table("/proc/self/net/snmp");
  return {network_timeouts(), std::max<std::int64_t>(0, counter_in(table, "Tcp", "RetransSegs"))};
}

std::string network_identity() {
  struct stat space {};
  if (stat("/proc/self/ns/net", &space) != 0) return kernel_clock_identity();
  return kernel_clock_identity() + "|" + std::to_string(space.st_ino);
}

}  // namespace tutti::bench
