#include "algorithms/study.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/vector.h>

#include "algorithms/survey.hpp"
#include "bindings.hpp"
#include "models/bounds.hpp"
#include "selection/candidates.hpp"
#include "selection/named.hpp"

namespace tutti::bindings {
namespace {

using Progress =
    std::function<void(const std::string& collective, const std::string& algorithm, int ranks, std::int64_t proved)>;

/// Ctrl-C stops a survey.
SurveyResult survey(const std::vector<int>& sizes, std::optional<std::string> which, const std::string& algorithm,
                    int threads, const std::optional<Progress>& progress) {
  Survey wanted{.sizes = sizes, .collective = {}, .algorithm = algorithm, .thoroughness = {}, .threads = threads};
  if (which) wanted.collective = collective(*which);
  const nb::gil_scoped_release working;
  return verify_catalogue(wanted, [&](const SurveyState& state) {
    const nb::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (progress && state.algorithm)
      (*progress)(std::string(name(state.algorithm->collective)), std::string(state.algorithm->name), state.size,
                  state.proved);
    return true;
  });
}

void add_survey(nb::module_& module) {
  nb::class_<SurveyResult>(module, "Survey", "What a proof of the catalogue came to.")
      .def_ro("proved", &SurveyResult::proved, "schedules (all ranks of one call) without a fault")
      .def_prop_ro(
          "subject", [](const SurveyResult& result) { return result.subject ? to_text(*result.subject) : ""; },
          "what is wrong: 'allreduce ring, 5 ranks, root 0, counts 7'; '' where nothing is")
      .def_prop_ro(
          "fault", [](const SurveyResult& result) { return result.fault ? to_text(*result.fault) : ""; },
          "the first fault, with its step and the steps around it; '' where there is none");

  module.def(
      "surveyed",
      [](std::optional<std::string> which, const std::string& algorithm) {
        Survey wanted{.sizes = {}, .collective = {}, .algorithm = algorithm, .thoroughness = {}};
        if (which) wanted.collective = collective(*which);
        std::vector<Algorithm> all;
        for (const Algorithm* each : surveyed_algorithms(wanted)) all.push_back(*each);
        return all;
      },
      "collective"_a = nb::none(), "algorithm"_a = "",
      "What `verify` proves with these filters: the catalogue's, and compositions of them that stand for all.");
  module.def("verify", &survey, "sizes"_a, "collective"_a = nb::none(), "algorithm"_a = "", "threads"_a = 0,
             "progress"_a = nb::none(),
             "Proves every algorithm that passes the filters for every number of ranks in `sizes`, on as many threads "
             "as there are processors unless told otherwise, up to the first fault.  `progress(collective, algorithm, "
             "ranks, proved)` is called after each; what it raises stops the survey.");
}

void add_costs(nb::module_& module) {
  nb::class_<Cost>(module, "Cost", "Costs on the critical path; each is the longest path by itself.")
      .def_ro("rounds", &Cost::rounds, "messages one after the other")
      .def_ro("moved", &Cost::moved, "bytes in messages one after the other")
      .def_ro("reduced", &Cost::reduced, "bytes combined one after the other")
      .def_ro("messages", &Cost::messages, "of all ranks together");
  nb::class_<Traffic>(module, "Traffic", "What passes between nodes; of each the node with the most of it.")
      .def_ro("hops", &Traffic::hops, "messages on the longest path of which each waits for the one before")
      .def_ro("messages", &Traffic::messages, "that a node sends, or that it receives")
      .def_ro("moved", &Traffic::moved, "bytes in them")
      .def_ro("inside", &Traffic::inside, "bytes in messages that stay in a node");

  module.def(
      "schedule_cost",
      [](std::string_view which, std::string_view spec, int size, Rank root, std::int64_t bytes, int ports) {
        const Flat of = flat(which, spec, size, bytes);
        return schedule_cost(of.algorithm, size, root, of.parameters, bytes, ports);
      },
      "collective"_a, "spec"_a, "size"_a, "root"_a = 0, "bytes"_a = 1, "ports"_a = 1,
      "What all ranks' schedules cost together.");
  module.def(
      "schedule_traffic",
      [](std::string_view which, std::string_view spec, int size, Rank root, std::int64_t bytes, int per_node) {
        const Flat of = flat(which, spec, size, bytes);
        return schedule_traffic(of.algorithm, size, root, of.parameters, bytes, per_node);
      },
      "collective"_a, "spec"_a, "size"_a, "root"_a = 0, "bytes"_a = 1, "per_node"_a = 1,
      "What all ranks' schedules ask of the network between nodes of `per_node` neighbouring ranks each.");
  module.def(
      "lower_bound",
      [](std::string_view which, int size, Rank root, std::int64_t bytes, int ports) {
        if (size < 1 || root < 0 || root >= size || bytes < 0 || ports < 1)
          throw nb::value_error("a call has a rank or more, a root among them, and no negative size");
        return lower_bound({collective(which), size, root, {}, {bytes}, true}, ports);
      },
      "collective"_a, "size"_a, "root"_a = 0, "bytes"_a = 1, "ports"_a = 1,
      "The least that any schedule costs; `messages` is 0.");
}

}  // namespace

Flat flat(std::string_view which, std::string_view text, int ranks, std::int64_t bytes) {
  const Spec spec = parse_spec(text, collective(which));
  const Choice choice = choice_of(spec, collective(which), {.ranks = ranks});
  if (choice.kind != Choice::Kind::flat)
    throw nb::value_error((quoted(choice.text) + " has no schedule of its own; name one algorithm, or groups").c_str());
  const std::string why = obstacle_to_groups(spec, ranks, "rank");
  if (!why.empty()) throw nb::value_error((choice.text + ": " + why).c_str());
  return {*choice.algorithm, parameters_for(choice, bytes)};
}

void add_study(nb::module_& module) {
  add_survey(module);
  add_costs(module);
  module.def(
      "schedule_text",
      [](std::string_view which, std::string_view spec, int rank, int size, Rank root, std::int64_t bytes) {
        const Flat of = flat(which, spec, size, bytes);
        return schedule_text(of.algorithm, {rank, size, root, of.parameters});
      },
      "collective"_a, "spec"_a, "rank"_a, "size"_a, "root"_a = 0, "bytes"_a = -1,
      "One rank's schedule, a step a line.  `bytes` matters where the spec has a segment size.");
}

}  // namespace tutti::bindings
