#include "algorithms/subjects.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "analysis/program.hpp"
#include "analysis/verify.hpp"

namespace tutti {
namespace {

using Counts = std::vector<std::int64_t>;

bool per_pair(Collective which) { return which == Collective::alltoallv || which == Collective::alltoallw; }

/// Blocks of `least` to `least + 3` times `unit` elements, different from neighbour to neighbour.
Counts uneven(int blocks, int size, std::int64_t least, std::int64_t unit) {
  Counts counts;
  for (int i = 0; i < blocks; ++i) counts.push_back((least + (i * 5 + i / size + 2) % 4) * unit);
  return counts;
}

/// Blocks of `least` elements at least, no two sums of them alike but by a chance of one in a thousand million.
Counts all_different(int blocks, std::int64_t least) {
  std::mt19937_64 random(20020917);
  Counts counts;
  for (int i = 0; i < blocks; ++i) counts.push_back(least + static_cast<std::int64_t>(random() >> 34));
  return counts;
}

Counts one_alone(int blocks) {
  Counts counts(static_cast<std::size_t>(blocks), 0);
  counts[static_cast<std::size_t>(blocks) / 2] = 3;
  return counts;
}

/// Layouts that tell mistakes apart, those with empty blocks or parts first; blocks are cut into `parts`.
std::vector<Counts> layouts(const Algorithm& algorithm, int size, std::int64_t parts, const Thoroughness& wanted) {
  const Collective collective = algorithm.collective;
  const bool thorough = size <= wanted.all_values_to;
  std::vector<Counts> all;
  if (collective == Collective::barrier) return {{0}};
  if (irregular(collective)) {
    const int blocks = per_pair(collective) ? size * size : size;
    if (thorough) all.insert(all.end(), {{0}, {2 * parts}, one_alone(blocks)});
    all.push_back(uneven(blocks, size, 0, 1));
    all.push_back(wanted.large_blocks ? all_different(blocks, 2 * parts) : uneven(blocks, size, 1, 2 * parts));
    return all;
  }
  if (thorough) all.insert(all.end(), {{0}, {1}});
  if (one_vector(collective)) all.push_back({std::max(2, size - 1)});
  all.push_back({2 * parts + parts / 2 + 1});
  if (parts > 3) all.insert(all.end(), {{2 * parts + 1}, {3 * parts - 1}});
  return all;
}

/// A composition in groups: all numbers of groups for few ranks, and some parts' parameters at one of them.
std::vector<Parameters> composition_values(const Algorithm& algorithm, int size) {
  const int root = static_cast<int>(std::lround(std::sqrt(size)));
  std::set<int> groups{2, root, size / 2 + 1};
  for (int count = 1; count <= size && size <= 6; ++count) groups.insert(count);
  std::vector<Parameters> all;
  for (int count : groups)
    if (count <= size) all.push_back({{count}});
  for (std::size_t i = 1; i < algorithm.parameters.size(); ++i)
    for (int value : {2, 5}) {
      Parameters parameters{{std::min(size, 3)}};
      for (std::size_t other = 1; other < algorithm.parameters.size(); ++other) parameters.values[other] = 3;
      parameters.values[i] = value;
      all.push_back(parameters);
    }
  return all;
}

/// The default, and others for one parameter after the other.
std::vector<Parameters> parameter_values(const Algorithm& algorithm, int size, bool thorough) {
  if (algorithm.schedule.parts()) return composition_values(algorithm, size);
  std::vector<Parameters> all{Parameters{}};
  const std::vector<long long> values =
      thorough ? std::vector<long long>{1, 2, 3, 5, 8, 19, 32} : std::vector<long long>{1, 2, 5, 8};
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i) {
    const ParameterInfo& info = algorithm.parameters[i];
    const bool parts = info.kind == ParameterInfo::Kind::segment;
    for (long long value : values) {
      if (!parts && (value < info.least || value > info.most)) continue;
      Parameters parameters;
      parameters.values[i] = static_cast<int>(value);
      all.push_back(parameters);
    }
  }
  return all;
}

std::vector<Rank> roots(Collective collective, int size, int all_to) {
  if (!rooted(collective)) return {0};
  std::vector<Rank> result;
  for (Rank root = 0; root < size; ++root)
    if (size <= all_to || root <= 1 || root == size / 2 + 1 || root == size - 1) result.push_back(root);
  return result;
}

std::string shape_text(const Counts& counts) {
  constexpr std::size_t shown = 40;
  std::string text = counts.size() == 1 ? "count" : "counts";
  for (std::size_t i = 0; i < std::min(counts.size(), shown); ++i) text.append(" ").append(std::to_string(counts[i]));
  return counts.size() > shown ? text + " …" : text;
}

}  // namespace

Problem Subject::problem() const {
  const Constraints& claimed = algorithm->constraints;
  return {algorithm->collective, size, root, parameters, counts, !claimed.commutative, claimed.one_ported};
}

std::string to_text(const Subject& subject) {
  const Algorithm& algorithm = *subject.algorithm;
  std::string text = std::string(name(algorithm.collective)) + " " + std::string(algorithm.name);
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i)
    text += (i == 0 ? "(" : ", ") + std::to_string(subject.parameters[i]);
  if (!algorithm.parameters.empty()) text += ")";
  text += ", " + std::to_string(subject.size) + (subject.size == 1 ? " rank" : " ranks");
  if (rooted(algorithm.collective)) text += ", root " + std::to_string(subject.root);
  return text + ", " + shape_text(subject.counts);
}

std::vector<Subject> subjects_of(const Algorithm& algorithm, int size, const Thoroughness& thoroughness) {
  std::vector<Subject> all;
  const bool thorough = size <= thoroughness.all_values_to;
  for (Rank root : roots(algorithm.collective, size, thoroughness.all_roots_to)) {
    for (const Parameters& parameters : parameter_values(algorithm, size, thorough)) {
      Subject subject{&algorithm, size, root, parameters, {1}};
      const std::int64_t parts = cut_of(subject.problem(), algorithm.schedule);
      for (Counts& counts : layouts(algorithm, size, parts, thoroughness)) {
        subject.counts = std::move(counts);
        all.push_back(subject);
      }
    }
  }
  return all;
}

std::optional<Fault> verify(const Subject& subject) { return verify(subject.problem(), subject.algorithm->schedule); }

}  // namespace tutti
