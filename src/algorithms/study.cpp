#include "algorithms/study.hpp"

#include <stdexcept>

#include "algorithms/subjects.hpp"
#include "analysis/text.hpp"

namespace tutti {
namespace {

std::string name_of(const Algorithm& algorithm) {
  return std::string(name(algorithm.collective)) + " " + std::string(algorithm.name);
}

/// Throws std::invalid_argument where it cannot be run so.
void check(const Algorithm& algorithm, const Context& context) {
  const std::string why = obstacle(algorithm.constraints, {.ranks = context.size});
  if (context.size < 1 || !why.empty())
    throw std::invalid_argument(name_of(algorithm) + " does not run on " + std::to_string(context.size) + " ranks" +
                                (context.size < 1 ? "" : ": " + why));
  if (context.me < 0 || context.me >= context.size || context.root < 0 || context.root >= context.size)
    throw std::invalid_argument("ranks go from 0 to " + std::to_string(context.size - 1));
  for (int value : context.parameters.values)
    if (value < 0) throw std::invalid_argument("parameters of " + name_of(algorithm) + " are not negative");
}

}  // namespace

const Algorithm& known_algorithm(Collective collective, std::string_view name) {
  if (const Algorithm* algorithm = find_algorithm(collective, name)) return *algorithm;
  throw std::invalid_argument("there is no " + std::string(tutti::name(collective)) + " " + std::string(name));
}

std::string schedule_text(const Algorithm& algorithm, const Context& context) {
  check(algorithm, context);
  return to_text(program(algorithm.schedule(context)));
}

Cost schedule_cost(const Algorithm& algorithm, int size, Rank root, const Parameters& parameters, std::int64_t elements,
                   int ports) {
  check(algorithm, {0, size, root, parameters});
  if (elements < 0) throw std::invalid_argument("a number of elements is not negative");
  if (ports < 1) throw std::invalid_argument("a rank has one port or more");
  return count(Subject{&algorithm, size, root, parameters, {elements}}.problem(), algorithm.schedule, ports);
}

Traffic schedule_traffic(const Algorithm& algorithm, int size, Rank root, const Parameters& parameters,
                         std::int64_t elements, int per_node) {
  check(algorithm, {0, size, root, parameters});
  if (elements < 0) throw std::invalid_argument("a number of elements is not negative");
  if (per_node < 1) throw std::invalid_argument("a node has one rank or more");
  return traffic(Subject{&algorithm, size, root, parameters, {elements}}.problem(), algorithm.schedule, per_node);
}

Timeline schedule_timeline(const Algorithm& algorithm, int size, Rank root, const Parameters& parameters) {
  check(algorithm, {0, size, root, parameters});
  return lay_out(Subject{&algorithm, size, root, parameters, {1}}.problem(), algorithm.schedule);
}

}  // namespace tutti
