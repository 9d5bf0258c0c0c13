#pragma once
/// Why schedules are wrong: what the verifier returns.
#include <string>

#include "analysis/program.hpp"

namespace tutti {

struct Fault {
  Rank rank = -1;             ///< whose step; -1 where no single rank is at fault
  int step = -1;              ///< its number in that rank's program, from 0; -1 after the last step
  std::string text;           ///< the step, as text
  std::string expected;       ///< one sentence: what should have held, and what did
  std::string neighbourhood;  ///< the steps around it, one a line, the faulty one marked
};

/// `rank 3, step 7: send output[2] to 4: output[2] is read before it is written`, then the neighbourhood.
std::string to_text(const Fault& fault);

/// The fault of step `step` of `steps`, which is rank `rank`'s program; -1: after the last one.
Fault fault_at(Rank rank, int step, const Program& steps, std::string expected);

/// How the parts of the verifier report to each other: the first fault ends the proof.
struct Refuted {
  Fault fault;
};

}  // namespace tutti
