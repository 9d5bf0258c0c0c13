#pragma once
/// node(INTER, senders=k): phases inside the nodes, and between them a schedule in each lane of leaders.
#include "simulation/simulate.hpp"

namespace tutti::simulation {

/// Nothing where a folded run would depend on who asked first for a card.
std::optional<Result> run_hierarchical(const Machine& machine, const Call& call, const Options& options, bool fold);

/// When the first `ranks` ranks enter.
std::vector<Stamp> entries(const Machine& machine, const Options& options, int ranks);
/// Fills in what follows from when ranks end.
void conclude(Result& result, const std::vector<Stamp>& ends);

}  // namespace tutti::simulation
