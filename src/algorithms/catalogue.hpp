#pragma once
/// The catalogue: the one list of algorithms.
#include <span>
#include <string>
#include <string_view>

#include "core/collective.hpp"
#include "core/schedule.hpp"

namespace tutti {

struct ParameterInfo {
  enum class Kind { integer, segment };  ///< segment: bytes in a spec, a count of parts in the schedule
  std::string_view name;                 ///< as in a spec: pipelined_chain(segment=64K)
  Kind kind = Kind::integer;
  long long least = 1, most = 1 << 30, standard = 1;
};

struct Constraints {
  bool commutative = false;   ///< needs a commutative operator
  bool power_of_two = false;  ///< of ranks
  bool regular = false;       ///< needs equal blocks on all ranks (no v-form)
};

struct Algorithm {
  Collective collective;
  std::string_view name;
  Schedule (*schedule)(Context);
  Constraints constraints;
  std::span<const ParameterInfo> parameters;
  std::string_view cost;    ///< Hockney, the paper's m
  std::string_view source;  ///< paper and section
};

/// Every algorithm, ordered by collective.
std::span<const Algorithm> catalogue();
/// The entry of that name for that collective, or null.
const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace tutti
