#pragma once
/// The catalogue: the one list of algorithms.
#include <span>
#include <string>
#include <string_view>

#include "algorithms/constraints.hpp"
#include "core/collective.hpp"
#include "core/schedule.hpp"

namespace tutti {

struct ParameterInfo {
  enum class Kind { integer, segment };  ///< segment: bytes in a spec, a count of parts in the schedule
  std::string_view name;                 ///< as in a spec: pipelined_chain(segment=64K)
  Kind kind = Kind::integer;
  long long least = 1, most = 1 << 30, standard = 1;
};

/// Where an algorithm is described.
struct Source {
  constexpr Source(const char* paper) : text(paper) {}  // NOLINT: a row of the catalogue gives the text alone
  constexpr Source(std::string_view paper, bool mpich) : text(paper), mpich_1_2_4(mpich) {}
  std::string_view text;     ///< paper and section
  bool mpich_1_2_4 = false;  ///< MPICH 1.2.4 did so: what Thakur & Gropp compare with
};

struct Algorithm {
  Collective collective;
  std::string_view name;
  Schedule (*schedule)(Context);
  Constraints constraints;
  std::span<const ParameterInfo> parameters;
  std::string_view cost;  ///< Hockney, the paper's m
  Source source;
};

/// Every algorithm, ordered by collective.
std::span<const Algorithm> catalogue();
/// The entry of that name for that collective, or null.
const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace tutti
