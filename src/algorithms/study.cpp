#include "algorithms/study.hpp"

#include <stdexcept>

#include "algorithms/subjects.hpp"
#include "core/text.hpp"

namespace tutti {
namespace {

bool takes(const Algorithm& algorithm, int size) {
  return size >= 1 && obstacle(algorithm.constraints, {.ranks = size}).empty();
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

std::string schedule_text(Collective collective, std::string_view algorithm, const Context& context) {
  return to_text(program(entry(collective, algorithm, context).schedule(context)));
}

Cost schedule_cost(Collective collective, std::string_view algorithm, int size, Rank root, const Parameters& parameters,
                   std::int64_t elements, int ports) {
  const Algorithm& found = entry(collective, algorithm, {0, size, root, parameters});
  if (elements < 0) throw std::invalid_argument("a number of elements is not negative");
  if (ports < 1) throw std::invalid_argument("a rank has one port or more");
  return count(Subject{&found, size, root, parameters, {elements}}.problem(), found.schedule, ports);
}

Timeline schedule_timeline(Collective collective, std::string_view algorithm, int size, Rank root,
                           const Parameters& parameters) {
  const Algorithm& found = entry(collective, algorithm, {0, size, root, parameters});
  return lay_out(Subject{&found, size, root, parameters, {1}}.problem(), found.schedule);
}

}  // namespace tutti
