#pragma once
/// Proving the catalogue.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/subjects.hpp"

namespace tutti {

/// Which schedules to prove: every algorithm that passes the filters, for every p of `sizes`, in that order.  The
/// catalogue's, then compositions of them that stand for all (grouped/grouped.hpp).
struct Survey {
  std::vector<int> sizes;
  std::optional<Collective> collective;  ///< this collective alone
  std::string algorithm;                 ///< this algorithm alone, if not empty; "groups": all compositions in groups
  Thoroughness thoroughness;
  int threads = 0;  ///< that many prove at a time; 0: as many as there are processors
};

struct SurveyResult {
  std::int64_t proved = 0;         ///< subjects without a fault, before the first one with a fault
  bool stopped = false;            ///< the callback said so
  std::optional<Subject> subject;  ///< of the first fault
  std::optional<Fault> fault;      ///< the first fault; the same, however many threads
};

/// Where a survey stands.
struct SurveyState {
  const Algorithm* algorithm = nullptr;  ///< just proved at that p; null: nothing new
  int size = 0;
  std::int64_t proved = 0;
};

/// Called on the caller's thread after each algorithm at each p, and some times a second; false stops the survey.
using SurveyProgress = std::function<bool(const SurveyState& state)>;

/// The algorithms that pass the filters.
std::vector<const Algorithm*> surveyed_algorithms(const Survey& survey);

/// Proves the catalogue.
SurveyResult verify_catalogue(const Survey& survey, const SurveyProgress& progress = {});

}  // namespace tutti
