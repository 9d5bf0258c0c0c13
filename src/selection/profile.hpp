#pragma once
/// Profiles: selection as data.  A TOML file of rules; the first that matches a call serves it.
///
///   schema = 1
///
///   [[rule]]
///   collective = "allreduce"
///   use = "node"              # a spec
///   nodes = "1"               # ranges are optional; both ends belong to them: "2:32", "64K:", ":1M", "4"
///   ranks = "2:"
///   ppn = "2:32"              # most ranks on one node
///   cpus = "own"              # where each rank has a CPU; "shared": where some node has more ranks than CPUs
///   mpi = "Intel MPI"         # under that MPI library alone (letters and digits of its name, maybe with its version)
///   size = "0:64K"            # bytes as users know them (CallSignature::bytes); without it any size, an unknown one
///   too.
///                             # Reductions with a user's operator: 8 bytes an element, whatever its type.
///                             # alltoallv and alltoallw: with ranks = "2" alone, and the larger of the two blocks
///   calls = "all"             # nonblocking and persistent calls too, where a rule is about several nodes or messages:
///                             # else it serves "blocking" ones, with which it was measured
///   because = "why"           # for people
///   measured = { … }          # for people: the measurement behind the rule.  Such a rule for one number of ranks
///                             # serves layouts near its own, too, where no rule is about theirs
///
/// `about` (a string or a table) may stand beside `schema`.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selection/range.hpp"
#include "selection/settings.hpp"
#include "selection/spec.hpp"

namespace tutti {

struct Rule {
  Collective collective = Collective::barrier;
  Spec spec;
  Range nodes, ranks, ppn;
  std::optional<Range> size;
  std::string mpi;                  ///< part of the library's name, letters and digits alone; empty: any
  std::optional<bool> shares_cpus;  ///< asks for ranks that do, or do not
  bool places = false;              ///< asks for nodes, ppn or cpus
  bool all_calls = false;           ///< serves nonblocking and persistent calls, wherever it is about
  bool measured = false;            ///< carries its measurement: then it speaks for layouts near its own, too
  std::string because;
  int line = 0;   ///< of its [[rule]]
  int index = 0;  ///< among all rules of the file, unsound ones too
};

/// What two ways of writing a library's name have in common: small letters and digits, without "(R)".
/// "Intel(R) MPI Library 2021.18 for Linux* OS" -> "intelmpilibrary202118forlinuxos"
std::string letters_of_library(std::string_view name);

/// The sound rules, in order.  Every other becomes one warning that begins "FILE line L, column C: ".  Never throws on
/// a bad profile.
std::vector<Rule> parse_profile(std::string_view text, const std::string& file, std::vector<Warning>& warnings);

}  // namespace tutti
