#pragma once
/// The kernel's TCP counters, in the network namespace of this process.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tutti::bench {

struct NetworkCounters {
  std::int64_t timeouts = 0;         ///< TcpExt:TCPTimeouts: a connection stood still for 200 ms or more
  std::int64_t retransmissions = 0;  ///< Tcp:RetransSegs: segments sent again
};

/// The counter NAME of PROTOCOL in /proc/net/netstat or snmp: pairs of lines, names and then values, both after the
/// protocol's name and a colon.  -1 where it is not there.
std::int64_t counter_in(std::istream& table, std::string_view protocol, std::string_view name);

/// Now.  Zero where the kernel tells nothing.
NetworkCounters network_counters();

/// The first of them alone.
std::int64_t network_timeouts();

/// Equal for processes of one network namespace.
std::string network_identity();

}  // namespace tutti::bench
