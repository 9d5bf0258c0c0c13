#include "bindings.hpp"
#include "models/closed_form.hpp"
#include "models/equations.hpp"
#include "models/message_time.hpp"
#include "simulation/node_phases.hpp"

namespace tutti::bindings {
namespace {

nb::tuple as_tuple(const Coefficients& cost) { return nb::make_tuple(cost.rounds, cost.moved, cost.reduced); }

double number(const nb::dict& row, const char* key) { return nb::cast<double>(row[key]); }

LogGops link_of(const nb::dict& row) {
  const LogGp base{number(row, "latency"), number(row, "send"), number(row, "receive"), number(row, "gap"),
                   number(row, "per_byte")};
  return {base, number(row, "overhead_per_byte"), nb::cast<std::int64_t>(row["rendezvous"])};
}

Hockney pieces_of(const nb::list& rows) {
  Hockney model;
  for (const nb::handle each : rows) {
    const auto row = nb::cast<nb::dict>(each);
    model.pieces.push_back({nb::cast<std::int64_t>(row["from"]), number(row, "latency"), number(row, "per_byte")});
  }
  return model;
}

/// What of a machine the phases in its nodes depend on.
simulation::Machine node_of(const nb::dict& row) {
  simulation::Machine machine;
  const LogGops within = link_of(nb::cast<nb::dict>(row["within"]));
  machine.nodes = nb::cast<int>(row["nodes"]), machine.per_node = nb::cast<int>(row["per_node"]);
  machine.within.latency = within.base.latency;
  machine.within.send = within.base.send, machine.within.receive = within.base.receive;
  machine.reduce_per_byte = number(row, "reduce_per_byte"), machine.copy_per_byte = number(row, "copy_per_byte");
  machine.memory_per_byte = number(row, "memory_per_byte");
  return machine;
}

nb::tuple phases(std::string_view which, const nb::dict& described, int senders, std::int64_t bytes) {
  const simulation::Machine machine = node_of(described);
  if (senders < 1 || senders > machine.per_node || bytes < 0)
    throw nb::value_error("of a node's ranks one sends at least, all at most, and no negative number of bytes");
  const simulation::Costs costs(machine);
  const simulation::NodePhases found =
      simulation::node_phases({collective(which), machine.nodes, machine.per_node, senders, bytes}, costs);
  const auto seconds = [](simulation::Time time) { return static_cast<double>(time) / simulation::per_second; };
  return nb::make_tuple(seconds(std::max(found.before, found.before_at_root)),
                        seconds(std::max(found.after, found.after_at_root)));
}

nb::list all_equations() {
  constexpr const char* kinds[] = {"cost", "derivative", "threshold"};
  nb::list all;
  for (const Equation& each : equations()) {
    nb::dict row;
    row["source"] = each.source, row["collective"] = name(each.collective), row["spec"] = each.spec;
    row["printed"] = each.printed, row["counted"] = each.counted, row["remark"] = each.remark;
    row["kind"] = kinds[static_cast<std::size_t>(each.kind)];
    all.append(row);
  }
  return all;
}

}  // namespace

void add_models(nb::module_& module) {
  module.def(
      "formula_cost",
      [](std::string_view which, std::string_view spec, int size, std::int64_t bytes) {
        const Flat of = flat(which, spec, size, bytes);
        const bool all_blocks = collective(which) == Collective::reduce_scatter;  // are a call's size
        return as_tuple(closed_form(of.algorithm, size, of.parameters, all_blocks ? (bytes + size - 1) / size : bytes));
      },
      "collective"_a, "spec"_a, "size"_a, "bytes"_a,
      "(rounds, bytes moved, bytes reduced) by the formula of the catalogue's row; of groups the sum of their phases.");
  module.def(
      "evaluate_formula",
      [](std::string_view text, double ranks, double bytes, double segments, double groups) {
        return as_tuple(evaluate(text, {.ranks = ranks, .bytes = bytes, .segments = segments, .groups = groups}));
      },
      "formula"_a, "ranks"_a, "bytes"_a, "segments"_a = 0.0, "groups"_a = 0.0,
      "(rounds, bytes moved, bytes reduced) of a formula in p, m, X and G.  Raises ValueError on what is none.");
  module.def("equations", &all_equations, "The papers' formulas as printed, beside those that agree with schedules.");
  module.def(
      "message_time", [](const nb::dict& link, std::int64_t bytes) { return link_of(link).time(bytes); }, "link"_a,
      "bytes"_a, "One message by LogGOPS, in seconds; `link` as in a machine of tutti.simulation.machine.");
  module.def(
      "message_interval", [](const nb::dict& link, std::int64_t bytes) { return link_of(link).interval(bytes); },
      "link"_a, "bytes"_a, "From one message of a rank to its next, by LogGOPS.");
  module.def(
      "hockney_time", [](const nb::list& pieces, std::int64_t bytes) { return pieces_of(pieces).time(bytes); },
      "pieces"_a, "bytes"_a, "One message, piece by piece: rows of from, latency, per_byte.");
  module.def(
      "max_rate_time",
      [](double latency, double per_byte, double node_per_byte, std::int64_t bytes, int senders) {
        return MaxRate{latency, per_byte, node_per_byte}.time(bytes, senders);
      },
      "latency"_a, "per_byte"_a, "node_per_byte"_a, "bytes"_a, "senders"_a,
      "One message, where so many ranks of a node send at a time.");
  module.def("node_phases", &phases, "collective"_a, "machine"_a, "senders"_a, "bytes"_a,
             "Seconds before and after the exchange between nodes, on the node that takes longest.");
}

}  // namespace tutti::bindings
