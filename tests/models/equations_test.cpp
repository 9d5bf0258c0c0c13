/// The papers' equations against the schedules: each agrees, or stands beside one that does.
#include "models/equations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "algorithms/grouped/grouped.hpp"
#include "algorithms/study.hpp"
#include "models/closed_form.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t vector = 720720;
constexpr int segments = 4;

bool grouped_spec(const Equation& equation) { return equation.spec.starts_with("groups("); }

const Algorithm& algorithm_of(const Equation& equation) {
  std::string_view spec = equation.spec;
  if (!grouped_spec(equation)) return known_algorithm(equation.collective, spec);
  spec.remove_prefix(spec.find(", ") + 2), spec.remove_suffix(1);
  const Algorithm* found = grouped(equation.collective, spec, spec);
  REQUIRE(found);
  return *found;
}

/// Where formulas are exact: trees are complete for one rank less than a power of two, in each of the groups.
struct Shape {
  int ranks, groups;
};
Shape shape_of(const Equation& equation) {
  if (equation.spec.find("binary") == std::string_view::npos) return {16, 4};
  return grouped_spec(equation) ? Shape{21, 3} : Shape{15, 1};
}

Parameters parameters_of(const Algorithm& algorithm, int groups) {
  Parameters parameters;
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i)
    parameters.values[i] = algorithm.parameters[i].name == "groups" ? groups : segments;
  return parameters;
}

Quantities letters(const Equation& equation, Shape shape) {
  const bool row = equation.collective != Collective::bcast;
  return {.ranks = static_cast<double>(shape.ranks),
          .bytes = static_cast<double>(row ? vector * shape.ranks : vector),
          .segments = segments,
          .groups = static_cast<double>(shape.groups),
          .whole_logs = false};
}

bool agrees(std::string_view formula, const Equation& equation) {
  const Shape shape = shape_of(equation);
  const Algorithm& algorithm = algorithm_of(equation);
  const Cost counted = schedule_cost(algorithm, shape.ranks, 0, parameters_of(algorithm, shape.groups), vector);
  const Coefficients said = evaluate(formula, letters(equation, shape));
  return std::abs(said.rounds - static_cast<double>(counted.rounds)) < 1e-6 &&
         std::abs(said.moved - static_cast<double>(counted.moved)) < 1 &&
         std::abs(said.reduced - static_cast<double>(counted.reduced)) < 1;
}

const Equation& equation(std::string_view source, std::string_view spec) {
  for (const Equation& each : equations())
    if (each.source == source && each.spec == spec) return each;
  FAIL("no such equation");
  return equations()[0];
}

}  // namespace

TEST_CASE("each equation is what the schedules come to, or stands beside what is") {
  for (const Equation& each : equations()) {
    if (each.kind != Equation::Kind::cost) continue;
    CAPTURE(each.source);
    CAPTURE(each.spec);
    CHECK(agrees(each.printed, each) == each.counted.empty());
    if (!each.counted.empty()) CHECK(agrees(each.counted, each));
  }
}

TEST_CASE("equations 1 to 17 are there") {
  for (int number = 1; number <= 17; ++number) {
    const std::string source = "Hasanov et al., equation " + std::to_string(number);
    CAPTURE(source);
    bool found = false;
    for (const Equation& each : equations()) found = found || each.source == source;
    CHECK(found);
  }
}

TEST_CASE("equations 9 and 13 are the derivatives of 8 and 12") {
  const auto cost = [](std::string_view formula, double g) {
    return evaluate(formula, {.ranks = 64, .bytes = 1000, .segments = 1, .groups = g, .whole_logs = false});
  };
  for (const auto& [number, of, spec] :
       {std::tuple{"9", "8", "groups(G, flat)"}, {"13", "12", "groups(G, scatter_ring_allgather)"}}) {
    const std::string begin = "Hasanov et al., equation ";
    const std::string_view derivative = equation(begin + number, spec).printed,
                           base = equation(begin + of, spec).printed;
    for (double g : {2.0, 8.0, 20.0}) {
      const Coefficients slope = (cost(base, g + 1e-4) + cost(base, g - 1e-4) * -1) * (1 / 2e-4);
      CHECK(cost(derivative, g).rounds == doctest::Approx(slope.rounds).epsilon(1e-4));
      CHECK(cost(derivative, g).moved == doctest::Approx(slope.moved).epsilon(1e-4));
    }
  }
}

TEST_CASE("equation 14: above the threshold sqrt p groups are the least, below it the greatest") {
  const std::string_view spec = "groups(G, scatter_ring_allgather)";
  const double threshold =
      evaluate_number(equation("Hasanov et al., equation 14", spec).printed, {.ranks = 64, .bytes = 6400});
  CHECK(threshold == 200);
  const auto time = [&](double ratio, double g) {
    const Coefficients cost =
        evaluate(equation("Hasanov et al., equation 12", spec).printed, {.ranks = 64, .bytes = 6400, .groups = g});
    return cost.rounds * ratio + cost.moved;
  };
  for (double g : {2.0, 4.0, 16.0, 32.0}) {
    CHECK(time(threshold * 1.1, 8) < time(threshold * 1.1, g));
    CHECK(time(threshold * 0.9, 8) > time(threshold * 0.9, g));
  }
}

TEST_CASE("equations 16 and 17 lose to 6 and 7 for every number of groups") {
  const std::string begin = "Hasanov et al., equation ";
  for (double g : {2.0, 4.0, 8.0, 32.0}) {
    const Quantities values{.ranks = 64, .bytes = 1e6, .segments = 100, .groups = g};
    const Coefficients flat = evaluate(equation(begin + "6", "scatter_recursive_doubling_allgather").printed, values);
    const Coefficients two =
        evaluate(equation(begin + "16", "groups(G, scatter_recursive_doubling_allgather)").printed, values);
    CHECK(two.rounds == flat.rounds);
    CHECK(two.moved > flat.moved);
    const Coefficients split = evaluate(equation(begin + "7", "split_binary").counted, values);
    const Coefficients pairs = evaluate(equation(begin + "17", "groups(G, split_binary)").counted, values);
    CHECK(pairs.rounds > split.rounds);
    CHECK(pairs.moved > split.moved);
  }
}
