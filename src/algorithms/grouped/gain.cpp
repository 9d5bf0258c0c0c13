#include "algorithms/grouped/gain.hpp"

#include <cmath>

#include "algorithms/grouped/grouping.hpp"
#include "algorithms/subjects.hpp"
#include "analysis/count.hpp"

namespace tutti {
namespace {

constexpr int counted_ranks = 16, counted_groups = 4;
constexpr std::int64_t counted_elements = 256;  ///< a vector of 16 parts, each of which has segments

Cost counted(const Algorithm& composition, int groups, int segments) {
  Parameters parameters{{groups}};
  for (std::size_t i = 1; i < composition.parameters.size(); ++i) {
    const ParameterInfo& info = composition.parameters[i];
    const bool cuts = info.kind == ParameterInfo::Kind::segment;
    parameters.values.at(i) = cuts ? segments : static_cast<int>(info.standard);
  }
  const Subject subject{&composition, counted_ranks, 0, parameters, {counted_elements}};
  return count(subject.problem(), composition.schedule);
}

struct Difference {
  double rounds, moved;
};

Difference saved(const Algorithm& composition, int segments) {
  const Cost flat = counted(composition, counted_ranks, segments);
  const Cost grouped = counted(composition, counted_groups, segments);
  const bool vector = one_vector(composition.collective);
  const double whole = static_cast<double>(counted_elements) * (vector ? 1 : counted_ranks);
  return {static_cast<double>(flat.rounds - grouped.rounds), static_cast<double>(grouped.moved - flat.moved) / whole};
}

}  // namespace

Gain gain_of(const Algorithm& composition) {
  const Difference one = saved(composition, 1), two = saved(composition, 2);
  const double whole = 2 * (one.moved - two.moved);
  return {one.rounds, one.rounds - two.rounds, whole, one.moved - whole};
}

int best_groups(const Gain& gain, const GroupedCall& call) {
  const auto square = [](double value) { return value * value; };
  const double ranks = call.ranks, segments = static_cast<double>(call.segments);
  const double growth = square((std::sqrt(ranks) - 1) / (std::sqrt(counted_ranks) - 1));
  const double rounds = gain.rounds * growth - gain.rounds_a_segment * (segments - 1);
  const double vectors = gain.moved_whole * growth / segments + gain.moved * growth * counted_ranks / ranks;
  const bool pays = static_cast<double>(call.latency) * rounds > static_cast<double>(call.bytes) * vectors;
  return pays ? number_of_groups(0, call.ranks) : call.ranks;
}

}  // namespace tutti
