#include "algorithms/study.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/text.hpp"

namespace tutti {
namespace {

using Counts = std::vector<std::int64_t>;

bool per_pair(Collective which) { return which == Collective::alltoallv || which == Collective::alltoallw; }

/// Small layouts that tell mistakes apart: nothing, one element, fewer elements than ranks (empty parts), blocks of
/// different sizes with empty ones among them, everything with one owner.
std::vector<Counts> layouts(Collective collective, int size) {
  if (collective == Collective::barrier) return {{0}};
  if (one_vector(collective)) return {{0}, {1}, {std::max(2, size - 1)}, {2 * size + 9}};
  if (!irregular(collective)) return {{0}, {1}, {3}};
  const int blocks = per_pair(collective) ? size * size : size;
  Counts uneven, single(static_cast<std::size_t>(blocks), 0);
  for (int i = 0; i < blocks; ++i) uneven.push_back((i * 5 + i / size + 2) % 4);
  single[static_cast<std::size_t>(blocks) / 2] = 3;
  return {{0}, {2}, uneven, single};
}

/// The default, the ends of what is allowed and little values, for one parameter after the other.
std::vector<Parameters> parameter_values(const Algorithm& algorithm) {
  std::vector<Parameters> all{Parameters{}};
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i) {
    const ParameterInfo& info = algorithm.parameters[i];
    const bool blocks = info.kind == ParameterInfo::Kind::segment;
    for (long long value : {1, 2, 3, 5, 19}) {
      if (!blocks && (value < info.least || value > info.most)) continue;
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
    if (size <= all_to || root <= 1 || root == size - 1) result.push_back(root);
  return result;
}

bool takes(const Algorithm& algorithm, int size) {
  return size >= 1 && obstacle(algorithm.constraints, {.ranks = size}).empty();
}

std::string shape_text(const Counts& counts) {
  std::string text = counts.size() == 1 ? "count" : "counts";
  for (std::int64_t count : counts) text.append(" ").append(std::to_string(count));
  return text;
}

Problem problem_of(const Subject& subject, Counts counts) {
  return {subject.algorithm->collective,
          subject.size,
          subject.root,
          subject.parameters,
          std::move(counts),
          !subject.algorithm->constraints.commutative};
}

/// All subjects of one algorithm at one p; stops at the first fault.
void prove(const Algorithm& algorithm, int size, const Survey& survey, SurveyResult& result) {
  for (Rank root : roots(algorithm.collective, size, survey.all_roots_to)) {
    for (const Parameters& parameters : parameter_values(algorithm)) {
      for (const Counts& counts : layouts(algorithm.collective, size)) {
        Subject subject{&algorithm, size, root, parameters, shape_text(counts)};
        result.fault = verify(problem_of(subject, counts), algorithm.schedule);
        if (result.fault) {
          result.subject = std::move(subject);
          return;
        }
        ++result.proved;
      }
    }
  }
}

/// The entry, if it can be run so.  Throws std::invalid_argument.
const Algorithm& entry(Collective collective, std::string_view name, const Context& context) {
  const Algorithm* algorithm = find_algorithm(collective, name);
  const std::string which = std::string(tutti::name(collective)) + " " + std::string(name);
  if (algorithm == nullptr) throw std::invalid_argument("there is no " + which);
  if (!takes(*algorithm, context.size))
    throw std::invalid_argument(
        which + " does not run on " + std::to_string(context.size) + " ranks" +
        (context.size < 1 ? "" : ": " + obstacle(algorithm->constraints, {.ranks = context.size})));
  if (context.me < 0 || context.me >= context.size || context.root < 0 || context.root >= context.size)
    throw std::invalid_argument("ranks go from 0 to " + std::to_string(context.size - 1));
  for (int value : context.parameters.values)
    if (value < 0) throw std::invalid_argument("parameters of " + which + " are not negative");
  return *algorithm;
}

}  // namespace

std::string to_text(const Subject& subject) {
  std::string text = std::string(name(subject.algorithm->collective)) + " " + std::string(subject.algorithm->name);
  for (std::size_t i = 0; i < subject.algorithm->parameters.size(); ++i)
    text += (i == 0 ? "(" : ", ") + std::to_string(subject.parameters[i]);
  if (!subject.algorithm->parameters.empty()) text += ")";
  text += ", " + std::to_string(subject.size) + (subject.size == 1 ? " rank" : " ranks");
  if (rooted(subject.algorithm->collective)) text += ", root " + std::to_string(subject.root);
  return text + ", " + subject.shape;
}

SurveyResult verify_catalogue(const Survey& survey, const SurveyProgress& progress) {
  SurveyResult result;
  for (int size = survey.first; size <= survey.last; ++size) {
    for (const Algorithm& algorithm : catalogue()) {
      if (survey.collective && *survey.collective != algorithm.collective) continue;
      if (!survey.algorithm.empty() && survey.algorithm != algorithm.name) continue;
      if (!takes(algorithm, size)) continue;
      result.stopped = progress && !progress(algorithm, size, result.proved);
      if (result.stopped) return result;
      prove(algorithm, size, survey, result);
      if (result.fault) return result;
    }
  }
  return result;
}

std::string schedule_text(Collective collective, std::string_view algorithm, const Context& context) {
  return to_text(program(entry(collective, algorithm, context).schedule(context)));
}

Cost schedule_cost(Collective collective, std::string_view algorithm, int size, Rank root, const Parameters& parameters,
                   std::int64_t elements, int ports) {
  const Algorithm& found = entry(collective, algorithm, {0, size, root, parameters});
  if (elements < 0) throw std::invalid_argument("a number of elements is not negative");
  if (ports < 1) throw std::invalid_argument("a rank has one port or more");
  return count(problem_of({&found, size, root, parameters, {}}, {elements}), found.schedule, ports);
}

Timeline schedule_timeline(Collective collective, std::string_view algorithm, int size, Rank root,
                           const Parameters& parameters) {
  const Algorithm& found = entry(collective, algorithm, {0, size, root, parameters});
  return lay_out(problem_of({&found, size, root, parameters, {}}, {1}), found.schedule);
}

}  // namespace tutti
