#include <doctest/doctest.h>

#include <sstream>

#include "bench/network_counters.hpp"

using namespace tutti::bench;

TEST_CASE("a counter is found by its protocol and name") {
  const std::string text =
      "TcpExt: SyncookiesSent TCPTimeouts TCPLossProbes\nTcpExt: 1 23 4\n"
      "IpExt: TCPTimeouts InOctets\nIpExt: 5 6\n";
  const auto counter = [&](const char* protocol, const char* name) {
    std::istringstream table(text);
    return counter_in(table, protocol, name);
  };
  CHECK(counter("TcpExt", "TCPTimeouts") == 23);
  CHECK(counter("IpExt", "TCPTimeouts") == 5);
  CHECK(counter("IpExt", "InOctets") == 6);
  CHECK(counter("TcpExt", "InOctets") == -1);
  CHECK(counter("Tcp", "TCPTimeouts") == -1);
}

TEST_CASE("what this machine counted") {
  const NetworkCounters counters = network_counters();
  CHECK(counters.timeouts >= 0);
  CHECK(counters.retransmissions >= 0);
  CHECK(network_identity() == network_identity());
}
