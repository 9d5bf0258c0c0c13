#include "models/closed_form.hpp"

#include <algorithm>
#include <stdexcept>

#include "algorithms/composite.hpp"
#include "algorithms/grouped/grouping.hpp"
#include "core/contract.hpp"

namespace tutti {
namespace {

/// The paper's m: the vector, or all blocks of a row together.
double row_of(Collective collective, int ranks, std::int64_t bytes) {
  const double one = static_cast<double>(bytes);
  return collective == Collective::barrier || one_vector(collective) ? one : one * ranks;
}

/// A phase on `ranks` whose m is `row`.
Coefficients phase(const Algorithm& algorithm, double ranks, const Parameters& parameters, double row) {
  if (ranks <= 1) return {};
  Quantities values = quantities_of(algorithm, static_cast<int>(ranks), parameters, 0);
  values.bytes = row;
  return evaluate(algorithm.cost, values);
}

/// Leaders of G groups, and p/G ranks in each.  Vectors are whole in every phase; of blocks a group has its share.
Coefficients of_groups(const Algorithm& algorithm, int ranks, const Parameters& parameters, std::int64_t bytes) {
  const Composition& composition = *algorithm.schedule.parts();
  const int groups = std::clamp(parameters[0], 1, ranks), members = (ranks + groups - 1) / groups;
  const double row = row_of(algorithm.collective, ranks, bytes);
  Coefficients all;
  for (std::size_t i = 0; i < composition.parts.size(); ++i) {
    const Composition::Part& part = composition.parts[i];
    if (!part.algorithm) continue;
    const bool whole = i == between || one_vector(part.algorithm->collective);
    const double share = algorithm.collective == Collective::barrier ? 0 : whole ? row : row / groups;
    all =
        all + phase(*part.algorithm, i == between ? groups : members, composition.parameters_of(i, parameters), share);
  }
  const bool joins = algorithm.collective == Collective::scan || algorithm.collective == Collective::exscan;
  if (joins && groups > 1) all.reduced += row * (algorithm.collective == Collective::scan ? 1 : 2);
  return all;
}

}  // namespace

Quantities quantities_of(const Algorithm& algorithm, int ranks, const Parameters& parameters, std::int64_t bytes) {
  if (ranks < 1) throw std::invalid_argument("a call has a rank or more");
  Quantities values{.ranks = static_cast<double>(ranks), .bytes = row_of(algorithm.collective, ranks, bytes)};
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i) {
    const ParameterInfo& info = algorithm.parameters[i];
    const double value = std::max(parameters[i], 1);
    if (info.kind == ParameterInfo::Kind::segment || info.name == "blocks") values.segments = value;
    if (info.name == "k") values.radix = value;
    if (info.name == "aggregation") values.aggregation = std::min<double>(value, ranks);
    if (info.name == "groups") values.groups = value;
  }
  return values;
}

Coefficients closed_form(const Algorithm& algorithm, int ranks, const Parameters& parameters, std::int64_t bytes) {
  if (ranks == 1) return {};
  if (algorithm.schedule.parts()) return of_groups(algorithm, ranks, parameters, bytes);
  return evaluate(algorithm.cost, quantities_of(algorithm, ranks, parameters, bytes));
}

}  // namespace tutti
