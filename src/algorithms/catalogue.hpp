#pragma once
/// The catalogue: the one list of algorithms.
#include <span>
#include <string>
#include <string_view>

#include "algorithms/constraints.hpp"
#include "core/contract.hpp"
#include "core/schedule.hpp"

namespace tutti {

struct ParameterInfo {
  enum class Kind { integer, segment };  ///< segment: bytes in a spec, a count of parts in the schedule
  std::string_view name;                 ///< as in a spec: pipelined_chain(segment=64K)
  Kind kind = Kind::integer;
  long long least = 1, most = 1 << 30, standard = 1;
  bool of_row = false;  ///< segment: of the blocks of all ranks together, where a call's size is that of one block
};

/// Where an algorithm is described.
struct Source {
  constexpr Source(const char* paper) : text(paper) {}  // NOLINT: a row of the catalogue gives the text alone
  constexpr Source(std::string_view paper, bool mpich) : text(paper), mpich_1_2_4(mpich) {}
  std::string_view text;     ///< paper and section
  bool mpich_1_2_4 = false;  ///< MPICH 1.2.4 did so: what Thakur & Gropp compare with
};

struct Composition;  // composite.hpp

/// Makes an algorithm's schedules: a function, as in the catalogue, or one that composes other algorithms.
class ScheduleMaker {
 public:
  constexpr ScheduleMaker(Schedule (*function)(Context))
      : function_(function) {}  // NOLINT: a row of the catalogue names it
  /// Needs the composition for as long as the maker is used.
  constexpr ScheduleMaker(Schedule (*composer)(const Composition&, Context), const Composition& parts)
      : composer_(composer), parts_(&parts) {}
  Schedule operator()(Context context) const { return function_ ? function_(context) : composer_(*parts_, context); }
  /// What the algorithm is composed of; null for a plain one.
  constexpr const Composition* parts() const { return parts_; }

 private:
  Schedule (*function_)(Context) = nullptr;
  Schedule (*composer_)(const Composition&, Context) = nullptr;
  const Composition* parts_ = nullptr;
};

struct Algorithm {
  Collective collective;
  std::string_view name;
  ScheduleMaker schedule;
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
