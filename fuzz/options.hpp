#pragma once
/// The fuzzer's command line.
#include <string>

#include "case.hpp"

namespace tutti::fuzz {

struct Options {
  Range range;
  int cases = 1000, only = -1;
  int patience = 60;  ///< seconds that one case may take
  std::string report;
};

/// Ends the process with status 2 where it is wrong.
Options parse(int argc, char** argv);

}  // namespace tutti::fuzz
