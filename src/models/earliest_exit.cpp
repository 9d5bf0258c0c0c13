#include "models/earliest_exit.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tutti {
namespace {

std::int64_t block_of(const ExitCall& call, Rank owner) {
  if (call.which != Collective::reduce_scatter) return call.elements;
  return call.elements / call.ranks + (owner < call.elements % call.ranks ? 1 : 0);
}

std::int64_t elements_of(const ExitCall& call, Shape shape, Rank me) {
  switch (shape) {
    case Shape::nothing:
      return 0;
    case Shape::vector:
      return call.elements;
    case Shape::block:
      return block_of(call, me);
    case Shape::row:
      return call.which == Collective::reduce_scatter ? call.elements : call.ranks * call.elements;
  }
  return 0;
}

/// The side that holds what a rank gives: of bcast there is one side alone.
const SideContract& giving(const Contract& row) { return row.send.shape == Shape::nothing ? row.receive : row.send; }

std::int64_t moved(const ExitCall& call, const SideContract& side, Rank me) {
  if (!among(side.ranks, me, call.root)) return 0;
  const bool own_stays =
      call.in_place && side.shape == Shape::row && among(contract(call.which).in_place_on, me, call.root);
  return elements_of(call, side.shape, me) - (own_stays ? block_of(call, me) : 0);
}

/// When the last of those has come that a rank needs.
std::vector<double> ready_times(const ExitCall& call, std::span<const double> arrivals) {
  std::vector<double> ready(arrivals.begin(), arrivals.end());
  const double last = *std::max_element(arrivals.begin(), arrivals.end());
  double so_far = std::numeric_limits<double>::lowest();
  for (Rank me = 0; me < call.ranks; ++me) {
    const auto place = static_cast<std::size_t>(me);
    so_far = std::max(so_far, arrivals[place]);
    const Awaited whom = awaited(call, me);
    if (whom == Awaited::root) ready[place] = std::max(ready[place], arrivals[static_cast<std::size_t>(call.root)]);
    if (whom == Awaited::earlier) ready[place] = so_far;
    if (whom == Awaited::all) ready[place] = last;
  }
  return ready;
}

/// What is known of the ranks of one node.
struct OnNode {
  std::span<const double> arrivals, ready, copies;
  std::vector<std::size_t> ranks;

  bool waited(std::size_t rank) const { return ready[rank] > arrivals[rank]; }
};

/// Takes turns on the node's CPUs.
void take_turns(OnNode node, const Crowding& crowding, std::vector<double>& exits) {
  std::vector<double> free(static_cast<std::size_t>(crowding.cpus), std::numeric_limits<double>::lowest());
  std::sort(node.ranks.begin(), node.ranks.end(), [&](std::size_t a, std::size_t b) {
    if (node.ready[a] != node.ready[b]) return node.ready[a] < node.ready[b];
    if (node.waited(a) != node.waited(b)) return node.waited(b);
    return node.copies[a] < node.copies[b];
  });
  for (const std::size_t rank : node.ranks) {
    double& cpu = *std::min_element(free.begin(), free.end());
    double begin = node.ready[rank];
    if (node.waited(rank) && cpu >= begin) begin = cpu + crowding.switching;
    cpu = exits[rank] = begin + node.copies[rank];
  }
}

}  // namespace

Awaited awaited(const ExitCall& call, Rank me) {
  const Contract& row = contract(call.which);
  const bool nothing = elements_of(call, row.receive.shape, me) == 0;
  return nothing && call.which != Collective::barrier ? Awaited::nobody : awaited(call.which, me, call.root);
}

std::int64_t own_bytes(const ExitCall& call, Rank me) {
  const Contract& row = contract(call.which);
  return call.element * moved(call, awaited(call, me) == Awaited::nobody ? giving(row) : row.receive, me);
}

std::vector<double> earliest_exits(const ExitCall& call, std::span<const double> arrivals,
                                   std::span<const double> copies, const Crowding& crowding) {
  const std::vector<double> ready = ready_times(call, arrivals);
  std::vector<double> exits(ready.size());
  std::transform(ready.begin(), ready.end(), copies.begin(), exits.begin(), std::plus());
  std::vector<std::vector<std::size_t>> nodes(crowding.hosts.empty() ? 0 : ready.size());
  for (std::size_t rank = 0; rank < crowding.hosts.size(); ++rank)
    nodes[static_cast<std::size_t>(crowding.hosts[rank])].push_back(rank);
  for (std::vector<std::size_t>& ranks : nodes)
    if (ranks.size() > static_cast<std::size_t>(crowding.cpus))
      take_turns({arrivals, ready, copies, std::move(ranks)}, crowding, exits);
  return exits;
}

double avoidable_wait(std::span<const double> exits, std::span<const double> earliest) {
  return std::transform_reduce(exits.begin(), exits.end(), earliest.begin(), 0.0, std::plus(),
                               [](double exit, double least) { return std::max(0.0, exit - least); });
}

double avoidable_error(const ExitCall& call, double apart, double reading) {
  double error = 0;
  for (Rank me = 0; me < call.ranks; ++me) error += reading + (awaited(call, me) == Awaited::nobody ? 0 : apart);
  return error;
}

}  // namespace tutti
