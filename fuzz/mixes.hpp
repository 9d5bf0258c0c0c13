#pragma once
/// Mixes of requests: nonblocking and persistent collectives on several communicators, blocking ones and messages
/// between them, completed in any order by any of the Wait and Test calls.
///
/// Calls on one communicator begin in one order on all ranks, on different ones in any; whatever a rank completes in
/// the middle, all ranks begin before they wait for anything.
#include <string>
#include <vector>

#include "case.hpp"
#include "forms.hpp"

namespace tutti::fuzz {

struct MixedCall {
  Case which;
  int group = 0;
  Form form = Form::blocking;
  std::vector<char> phases;  ///< where it begins; a persistent one may in several
};

struct Mix {
  int number = 0;
  int phases = 1;
  std::vector<MixedCall> calls;
};

Mix draw_mix(const Range& range, int number, const std::vector<ShmGroup>& groups);
std::string describe(const Mix& mix);
/// Empty, or what differs from the library's blocking calls on the same data.
std::string carry_out(const Mix& mix, const std::vector<ShmGroup>& groups);

}  // namespace tutti::fuzz
