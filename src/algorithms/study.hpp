#pragma once
/// Studying the catalogue: what the command and its bindings ask for.  No MPI, no I/O.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "core/count.hpp"
#include "core/timeline.hpp"
#include "core/verify.hpp"

namespace tutti {

/// Which schedules to prove: every algorithm that passes the filters, for every p in [first, last].
struct Survey {
  int first = 1, last = 33;              ///< ranks
  int all_roots_to = 9;                  ///< all roots up to this p; beyond it, roots 0, 1 and p-1
  std::optional<Collective> collective;  ///< this collective alone
  std::string algorithm;                 ///< this algorithm alone, if not empty
};

/// One proof of a survey: schedules of all ranks of one algorithm at one p, root, parameters and layout.
struct Subject {
  const Algorithm* algorithm = nullptr;
  int size = 1;
  Rank root = 0;
  Parameters parameters{};
  std::string shape;  ///< "counts 3 0 2"
};

/// `allreduce ring, 5 ranks, root 0, counts 7`.
std::string to_text(const Subject& subject);

struct SurveyResult {
  std::int64_t proved = 0;         ///< subjects without a fault
  bool stopped = false;            ///< the callback said so
  std::optional<Subject> subject;  ///< of the first fault
  std::optional<Fault> fault;      ///< the first fault; nothing is proved after it
};

/// Called before each algorithm at each p, with what has been proved so far; false stops the survey.
using SurveyProgress = std::function<bool(const Algorithm& algorithm, int size, std::int64_t proved)>;

/// Proves the catalogue, smallest p first, on small uneven layouts that include empty blocks and parts.
SurveyResult verify_catalogue(const Survey& survey, const SurveyProgress& progress = {});

/// The schedule of one rank as text (core/text.hpp), a step a line.  Throws std::invalid_argument, with a sentence
/// for the user, on an unknown algorithm, or a size, root, rank or parameter it does not take.
std::string schedule_text(Collective collective, std::string_view algorithm, const Context& context);

/// What all ranks' schedules cost on the critical path, for blocks of `elements` elements (the whole vector for
/// bcast and the reductions; per rank elsewhere), where a rank has that many ports.  Throws as above.
Cost schedule_cost(Collective collective, std::string_view algorithm, int size, Rank root, const Parameters& parameters,
                   std::int64_t elements, int ports = 1);

/// All ranks' schedules in time (core/timeline.hpp).  Throws as above.
Timeline schedule_timeline(Collective collective, std::string_view algorithm, int size, Rank root,
                           const Parameters& parameters);

}  // namespace tutti
