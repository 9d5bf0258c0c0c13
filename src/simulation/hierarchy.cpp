#include "simulation/hierarchy.hpp"

#include <algorithm>

#include "simulation/node_phases.hpp"

namespace tutti::simulation {
namespace {

/// Leaders alone are ranks here: a machine of as many ranks a node as senders.
Machine machine_of_leaders(const Machine& machine, int senders) {
  Machine leaders = machine;
  leaders.per_node = senders;
  leaders.cards = std::min(machine.cards, senders);
  leaders.cyclic = false;  // leaders are numbered node by node
  return leaders;
}

class HierarchicalRun {
 public:
  HierarchicalRun(const Machine& machine, const Call& call, const Options& options)
      : machine_(machine),
        call_(call),
        options_(options),
        senders_(call.senders),
        root_node_(machine.node_of(call.root)),
        leaders_(machine_of_leaders(machine, call.senders)),
        costs_(leaders_),
        wires_(leaders_, costs_),
        engine_(leaders_, costs_, wires_, options.tick, options.trace ? &trace_ : nullptr) {}

  std::optional<Result> run(bool fold) {
    fold_ = fold ? found_fold() : Fold::nothing(leaders_.ranks());
    enter();
    if (one_vector(call_.collective) && call_.collective != Collective::scan &&
        call_.collective != Collective::exscan) {
      std::int64_t left = call_.bytes;
      do {
        const std::int64_t piece = std::min(left, std::max<std::int64_t>(1, call_.overlap));
        pass(piece);
        left -= piece;
      } while (left > 0);
    } else {
      pass(call_.bytes);
    }
    if (fold_.kind != Fold::Kind::none && wires_.contended()) return std::nullopt;
    return result();
  }

 private:
  std::int64_t slice(std::int64_t bytes, int lane) const {
    if (one_vector(call_.collective)) return balanced(bytes, lane, 1, senders_).length;
    const std::int64_t crew = balanced(machine_.per_node, lane, 1, senders_).length;
    return all_to_all(call_.collective) ? crew * machine_.per_node * bytes : crew * bytes;
  }

  Schedule schedule(Rank leader, std::int64_t piece) const {
    const std::int64_t bytes = one_vector(call_.collective) ? slice(piece, leader % senders_) : -1;
    return call_.schedule({leader / senders_, machine_.nodes, root_node_, call_.parameters_of_slice(bytes)});
  }

  /// The first piece stands for the others, in which leaders do the same.
  Fold found_fold() const {
    const std::int64_t piece = std::min(call_.bytes, call_.overlap);
    Folding folding{leaders_.ranks(), senders_, senders_, {}, [&](Rank leader) { return schedule(leader, piece); }};
    for (int lane = 0; lane < senders_; ++lane) folding.blocks.push_back(slice(piece, lane));
    return find_fold(leaders_, folding);
  }

  int nodes() const { return fold_.period / senders_; }

  /// A node's ranks are together when the last has come.
  void enter() {
    const std::vector<Stamp> all = entries(machine_, options_, nodes() * machine_.per_node);
    const std::vector<Stamp> every =
        fold_.kind == Fold::Kind::none ? entries(machine_, options_, machine_.ranks()) : all;
    nodes_.assign(static_cast<std::size_t>(nodes()), {});
    for (std::size_t rank = 0; rank < every.size(); ++rank) {
      last_entry_ = std::max(last_entry_, every[rank].at);
      const auto node =
          static_cast<std::size_t>(fold_.kind == Fold::Kind::none ? machine_.node_of(static_cast<Rank>(rank)) : 0);
      nodes_[node].join(every[rank]);
    }
  }

  void phase(int node, Time time) {
    Stamp& clock = nodes_[static_cast<std::size_t>(node)];
    const Time begin = clock.at;
    costs_.work(node * senders_, Part::work, time, clock);
    if (options_.trace && clock.at > begin)
      trace_.events.push_back({Event::Kind::node, node * senders_, -1, 0, 0, begin, clock.at});
  }

  void pass(std::int64_t piece) {
    const bool has_root = rooted(call_.collective);
    const NodePhases times =
        node_phases({call_.collective, machine_.nodes, machine_.per_node, senders_, piece}, costs_);
    for (int node = 0; node < nodes(); ++node)
      phase(node, has_root && node == root_node_ ? times.before_at_root : times.before);
    Job job;
    job.threads = options_.threads;
    job.ranks = leaders_.ranks(), job.lanes = senders_, job.fold = fold_;
    job.schedule = [this, piece](Rank leader) { return schedule(leader, piece); };
    for (int lane = 0; lane < senders_; ++lane) job.blocks.push_back(slice(piece, lane));
    for (int leader = 0; leader < fold_.period; ++leader)
      job.start.push_back(nodes_[static_cast<std::size_t>(leader / senders_)]);
    const std::vector<Stamp> ends = engine_.run(std::move(job));
    for (std::size_t leader = 0; leader < ends.size(); ++leader)
      nodes_[leader / static_cast<std::size_t>(senders_)].join(ends[leader]);
    for (int node = 0; node < nodes(); ++node)
      phase(node, has_root && node == root_node_ ? times.after_at_root : times.after);
  }

  Result result() {
    Result found;
    found.last_entry = last_entry_;
    found.fold = fold_.kind, found.simulated = fold_.period;
    found.counts = engine_.counts();
    found.counts.multiply(leaders_.ranks() / fold_.period);
    found.most_under_way = engine_.most_under_way();
    found.events = std::move(trace_.events);
    conclude(found, nodes_);
    found.last *= machine_.cyclic ? 1 : machine_.per_node;
    return found;
  }

  const Machine& machine_;
  const Call& call_;
  const Options& options_;
  int senders_, root_node_;
  Machine leaders_;
  Costs costs_;
  Wires wires_;
  Trace trace_;
  Engine engine_;
  Fold fold_;
  std::vector<Stamp> nodes_;
  Time last_entry_ = 0;
};

}  // namespace

std::optional<Result> run_hierarchical(const Machine& machine, const Call& call, const Options& options, bool fold) {
  return HierarchicalRun(machine, call, options).run(fold);
}

}  // namespace tutti::simulation
