#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>

#include "bindings.hpp"
#include "core/contract.hpp"
#include "selection/candidates.hpp"
#include "selection/named.hpp"
#include "selection/stand_ins.hpp"
#include "simulated.hpp"
#include "simulation/least_time.hpp"

namespace tutti::bindings {
namespace {

namespace sim = simulation;

constexpr const char* parts[] = {"latency", "overhead", "transfer", "waiting", "work", "noise"};
static_assert(std::size(parts) == sim::part_count);

}  // namespace

double seconds(sim::Time time) { return static_cast<double>(time) / sim::per_second; }

namespace {

/// What the schedule moves is one block; of a reduce_scatter the call's size is that of all blocks together.
std::int64_t block_bytes(Collective which, std::int64_t bytes, int ranks) {
  return which == Collective::reduce_scatter ? (bytes + ranks - 1) / ranks : bytes;
}

/// A scan between nodes is exclusive.
const Algorithm* between_nodes(Collective which, const Algorithm* chosen) {
  if (which != Collective::scan) return chosen;
  const Algorithm* const same = find_algorithm(Collective::exscan, chosen->name);
  return same ? same : &stand_in(Collective::exscan);
}

void refuse(const std::string& why) { throw std::invalid_argument(why); }

}  // namespace

sim::Call call_of(Collective which, std::string_view text, const sim::Machine& machine, Rank root, std::int64_t bytes) {
  const Spec spec = parse_spec(text, which);
  const int ranks = machine.ranks();
  const Choice choice = choice_of(spec, which,
                                  {.ranks = ranks,
                                   .nodes = machine.nodes,
                                   .most_per_node = machine.per_node,
                                   .least_per_node = machine.per_node,
                                   .consecutive = !machine.cyclic || machine.nodes == 1});
  if (!choice.algorithm)
    refuse(choice.kind == Choice::Kind::node
               ? quoted(choice.text) + " sends no messages: tutti bench measures it"
               : quoted(choice.text) + " is the MPI library's own collective, whose messages are not known");
  const bool hierarchical = choice.kind == Choice::Kind::hierarchy;
  const int members = hierarchical ? machine.nodes : ranks;
  const std::string_view who = hierarchical ? "node" : "rank";
  std::string why = obstacle(choice.algorithm->constraints, {.ranks = members, .who = who});
  if (why.empty()) why = obstacle_to_groups(hierarchical ? choice.spec.arguments[0] : choice.spec, members, who);
  if (hierarchical && choice.senders > machine.per_node)
    why = "a node has " + std::to_string(machine.per_node) + " ranks, and " + std::to_string(choice.senders) + " send";
  if (hierarchical && machine.cyclic && (which == Collective::scan || which == Collective::exscan))
    why = "a scan in nodes needs consecutive ranks in each";
  if (hierarchical && choice.direct > 0 && bytes >= choice.direct)
    why = "messages straight from rank to rank (direct=) are not simulated";
  if (!why.empty()) refuse(choice.text + ": " + why);
  const Algorithm& algorithm = hierarchical ? *between_nodes(which, choice.algorithm) : *choice.algorithm;
  sim::Call call{.collective = which,
                 .root = root,
                 .bytes = block_bytes(which, bytes, ranks),
                 .schedule = algorithm.schedule,
                 .parameters = parameters_for(choice, bytes)};
  if (!hierarchical) return call;
  call.senders = choice.senders, call.overlap = choice.overlap;
  call.parameters_of_slice = [choice](std::int64_t slice) { return parameters_for(choice, slice); };
  return call;
}

namespace {

sim::LogGops link_of(const nb::dict& row) {
  const auto number = [&](const char* key) { return nb::cast<double>(row[key]); };
  return {number("latency"),
          number("send"),
          number("receive"),
          number("gap"),
          number("per_byte"),
          number("overhead_per_byte"),
          row.contains("rendezvous") ? nb::cast<std::int64_t>(row["rendezvous"]) : INT64_MAX};
}

sim::Topology topology_of(const std::string& word) {
  if (word == "fat_tree") return sim::Topology::fat_tree;
  if (word == "dragonfly") return sim::Topology::dragonfly;
  if (word == "torus") return sim::Topology::torus;
  return sim::Topology::flat;
}

}  // namespace

sim::Machine machine_of(const nb::dict& row) {
  sim::Machine machine;
  machine.nodes = nb::cast<int>(row["nodes"]), machine.per_node = nb::cast<int>(row["per_node"]);
  machine.cyclic = nb::cast<bool>(row["cyclic"]), machine.cards = nb::cast<int>(row["cards"]);
  machine.between = link_of(nb::cast<nb::dict>(row["between"]));
  machine.within = link_of(nb::cast<nb::dict>(row["within"]));
  machine.reduce_per_byte = nb::cast<double>(row["reduce_per_byte"]);
  machine.copy_per_byte = nb::cast<double>(row["copy_per_byte"]);
  machine.memory_per_byte = nb::cast<double>(row["memory_per_byte"]);
  const auto network = nb::cast<nb::dict>(row["network"]), noise = nb::cast<nb::dict>(row["noise"]);
  machine.network = {topology_of(nb::cast<std::string>(network["topology"])), nb::cast<double>(network["hop"]),
                     nb::cast<int>(network["leaf"]), nb::cast<double>(network["taper"]),
                     nb::cast<std::vector<int>>(network["sides"])};
  machine.noise = {nb::cast<double>(noise["period"]), nb::cast<double>(noise["duration"]),
                   nb::cast<double>(noise["jitter"]), nb::cast<std::uint64_t>(noise["seed"])};
  machine.slow_nodes = nb::cast<std::vector<int>>(row["slow_nodes"]);
  machine.slowdown = nb::cast<double>(row["slowdown"]);
  sim::check(machine);
  return machine;
}

namespace {

nb::list events_of(const sim::Result& result) {
  constexpr const char* kinds[] = {"send", "receive", "wait", "reduce", "copy", "flight", "node", "calc"};
  nb::list all;
  for (const sim::Event& event : result.events)
    all.append(nb::make_tuple(kinds[static_cast<std::size_t>(event.kind)], event.rank, event.peer, event.step,
                              event.bytes, seconds(event.begin), seconds(event.end)));
  return all;
}

}  // namespace

nb::dict row_of(const sim::Result& result) {
  nb::dict row, spent;
  row["seconds"] = seconds(result.end.at);
  sim::Time all = 0;
  for (int i = 0; i < sim::part_count; ++i) {
    spent[parts[i]] = seconds(result.end.parts[i]);
    all += result.end.parts[i];
  }
  spent["entry"] = seconds(result.end.at - all);
  row["parts"] = spent;
  row["last_rank"] = result.last;
  row["last_entry"] = seconds(result.last_entry), row["first_exit"] = seconds(result.first_exit);
  row["messages"] = result.counts.messages, row["bytes"] = result.counts.bytes;
  row["messages_between"] = result.counts.messages_between, row["bytes_between"] = result.counts.bytes_between;
  const bool folded = result.fold != sim::Fold::Kind::none;
  row["fold"] = !folded ? "" : result.fold == sim::Fold::Kind::rotation ? "rotation" : "reflection";
  row["simulated_ranks"] = result.simulated;
  row["events"] = events_of(result);
  return row;
}

void tick(std::int64_t) {
  const nb::gil_scoped_acquire python;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

namespace {

nb::dict simulated(std::string_view which, std::string_view spec, const nb::dict& described, Rank root,
                   std::int64_t bytes, const std::string& arrival, double skew, bool fold, bool trace, int threads) {
  const sim::Machine machine = machine_of(described);
  const auto pattern = arrival_named(arrival);
  if (!pattern || *pattern == ArrivalPattern::replay) refuse("arrival: no pattern is called " + quoted(arrival));
  sim::Result result;
  {
    const sim::Call call = call_of(collective(which), spec, machine, root, bytes);
    const sim::Options options{
        .arrival = *pattern, .skew = skew, .fold = fold, .trace = trace, .threads = threads, .tick = tick};
    const nb::gil_scoped_release working;
    result = sim::simulate(machine, call, options);
  }
  return row_of(result);
}

}  // namespace

void add_simulation(nb::module_& module) {
  module.def(
      "simulate", &simulated, "collective"_a, "spec"_a, "machine"_a, "root"_a = 0, "bytes"_a = 0, "arrival"_a = "none",
      "skew"_a = 0.0, "fold"_a = true, "trace"_a = false, "threads"_a = 1,
      "One call on a machine, which is described by a dictionary (tutti.simulation.machine).  Times are seconds, "
      "parts those of the longest path.  Raises ValueError on a machine or call that cannot be, RuntimeError on "
      "schedules that do not fit together: one sentence.");
  module.def(
      "least_time",
      [](std::string_view which, const nb::dict& described, Rank root, std::int64_t bytes) {
        const sim::Machine machine = machine_of(described);
        const Collective what = collective(which);
        return seconds(
            sim::least_time(machine, {what, machine.ranks(), root, {}, {block_bytes(what, bytes, machine.ranks())}}));
      },
      "collective"_a, "machine"_a, "root"_a = 0, "bytes"_a = 0,
      "A lower bound on the time of every algorithm for that call, in seconds.");
}

}  // namespace tutti::bindings
