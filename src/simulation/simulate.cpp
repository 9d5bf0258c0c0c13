#include "simulation/simulate.hpp"

#include <algorithm>

#include "simulation/hierarchy.hpp"

namespace tutti::simulation {
namespace {

void check(const Machine& machine, const Call& call, const Options& options) {
  check(machine);
  if (call.root < 0 || call.root >= machine.ranks())
    throw std::invalid_argument("root " + std::to_string(call.root) + ": ranks go from 0 to " +
                                std::to_string(machine.ranks() - 1));
  if (call.bytes < 0 || call.bytes > (std::int64_t{1} << 50) / machine.ranks())
    throw std::invalid_argument("size " + std::to_string(call.bytes) + ": a call has from 0 bytes to 1 PiB in all");
  if (!(options.skew >= 0) || options.skew > 1e3) throw std::invalid_argument("skew: from 0 to 1000 seconds");
  if (call.senders > machine.per_node)
    throw std::invalid_argument("senders=" + std::to_string(call.senders) + ": a node has " +
                                std::to_string(machine.per_node) + (machine.per_node == 1 ? " rank" : " ranks"));
}

Job job_of(const Machine& machine, const Call& call, const Options& options, bool fold) {
  Job job;
  job.threads = options.threads;
  job.ranks = machine.ranks();
  job.schedule = [&](Rank me) { return call.schedule({me, machine.ranks(), call.root, call.parameters}); };
  job.blocks = {call.bytes};
  job.fold = fold ? find_fold(machine, {job.ranks, 1, machine.per_node, job.blocks, job.schedule})
                  : Fold::nothing(machine.ranks());
  job.start = entries(machine, options, job.fold.period);
  return job;
}

/// Nothing where a folded run would depend on who asked first for a card.
std::optional<Result> run_flat(const Machine& machine, const Call& call, const Options& options, bool fold) {
  const Costs costs(machine);
  Wires wires(machine, costs);
  Result result;
  Trace trace;
  Job job = job_of(machine, call, options, fold);
  result.fold = job.fold.kind, result.simulated = job.fold.period;
  for (const Stamp& start : job.start) result.last_entry = std::max(result.last_entry, start.at);
  Engine engine(machine, costs, wires, options.tick, options.trace ? &trace : nullptr);
  const std::vector<Stamp> ends = engine.run(std::move(job));
  if (result.fold != Fold::Kind::none && wires.contended()) return std::nullopt;
  result.counts = engine.counts();
  result.counts.multiply(machine.ranks() / result.simulated);
  result.most_under_way = engine.most_under_way();
  result.events = std::move(trace.events);
  conclude(result, ends);
  return result;
}

}  // namespace

std::vector<Stamp> entries(const Machine& machine, const Options& options, int ranks) {
  std::vector<Stamp> all(static_cast<std::size_t>(ranks));
  if (options.arrival == ArrivalPattern::none || options.skew == 0) return all;
  const int size = machine.ranks(), last = machine.node_of(size - 1);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const bool there = last != machine.node_of(0) && machine.node_of(rank) == last;
    all[static_cast<std::size_t>(rank)].at = picoseconds(
        options.skew * lateness(options.arrival, {rank, size, there}, static_cast<std::int64_t>(machine.noise.seed)));
  }
  return all;
}

void conclude(Result& result, const std::vector<Stamp>& ends) {
  result.first_exit = longest;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) {
    result.first_exit = std::min(result.first_exit, ends[rank].at);
    if (rank == 0 || ends[rank].at > result.end.at) result.end = ends[rank], result.last = static_cast<Rank>(rank);
  }
}

Result simulate(const Machine& machine, const Call& call, const Options& options) {
  check(machine, call, options);
  const auto run = call.senders == 0 ? run_flat : run_hierarchical;
  const bool together = options.skew == 0 || options.arrival == ArrivalPattern::none;
  if (options.fold && together && !rooted(call.collective))
    if (std::optional<Result> found = run(machine, call, options, true)) return std::move(*found);
  return *run(machine, call, options, false);
}

}  // namespace tutti::simulation
