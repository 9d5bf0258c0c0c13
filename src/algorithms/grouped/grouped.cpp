#include "algorithms/grouped/grouped.hpp"

#include <algorithm>
#include <optional>

#include "algorithms/grouped/grouping.hpp"

namespace tutti {
namespace {

/// A collective in phases.  What is not there has no phase.
struct Scheme {
  Collective collective;
  std::optional<Collective> first;
  Collective between;
  std::optional<Collective> last;
  Schedule (*composer)(const Composition&, Context);
  std::string_view cost;  ///< p/G ranks inside, G between
  bool first_on_row = false, last_on_row = false;
};

using enum Collective;
constexpr std::optional<Collective> none;
constexpr Scheme schemes[] = {
    {barrier, bcast, barrier, bcast, barrier_in_groups, "2 T_inner(p/G) + T_outer(G)"},
    {bcast, none, bcast, bcast, bcast_in_groups, "T_outer(G) + T_inner(p/G)"},
    {gather, none, gather, gather, gather_in_groups, "T_inner(p/G) + T_outer(G)"},
    {scatter, none, scatter, scatter, scatter_in_groups, "T_outer(G) + T_inner(p/G)"},
    {allgather, gather, allgather, bcast, allgather_in_groups, "T_gather(p/G) + T_outer(G) + T_bcast(p/G)", false,
     true},
    {allgatherv, gather, allgatherv, bcast, allgather_in_groups, "T_gather(p/G) + T_outer(G) + T_bcast(p/G)", false,
     true},
    {reduce, reduce, reduce, none, reduce_in_groups, "T_inner(p/G) + T_outer(G)"},
    {allreduce, reduce, allreduce, bcast, allreduce_in_groups, "T_reduce(p/G) + T_outer(G) + T_bcast(p/G)"},
    {reduce_scatter, reduce, reduce_scatter, scatter, reduce_scatter_in_groups,
     "T_reduce(p/G) + T_outer(G) + T_scatter(p/G)"},
    {reduce_scatter_block, reduce, reduce_scatter_block, scatter, reduce_scatter_in_groups,
     "T_reduce(p/G) + T_outer(G) + T_scatter(p/G)", true},
    {scan, scan, exscan, bcast, scan_in_groups, "T_inner(p/G) + T_outer(G) + T_bcast(p/G) + mγ"},
    {exscan, exscan, exscan, bcast, exscan_in_groups, "T_inner(p/G) + T_outer(G) + T_bcast(p/G) + 2mγ"},
};

const Scheme* scheme_of(Collective collective) {
  const auto* found = std::ranges::find(schemes, collective, &Scheme::collective);
  return found == std::end(schemes) ? nullptr : found;
}

/// What a phase inside takes where `inner` names none of its algorithms: few rounds, in rank order.
std::string_view standard_inside(Collective phase) {
  if (phase == reduce) return "binomial_in_order";
  return phase == scan || phase == exscan ? "recursive_doubling" : "binomial";
}

bool cuts(const Algorithm& algorithm) {
  return std::ranges::any_of(algorithm.parameters,
                             [](const ParameterInfo& info) { return info.kind == ParameterInfo::Kind::segment; });
}

/// A barrier's messages cannot be cut.
bool fits_inside(const Scheme& scheme, const Algorithm& algorithm) {
  return scheme.collective != barrier || !cuts(algorithm);
}

const Algorithm* inside(const Scheme& scheme, const std::optional<Collective>& phase, std::string_view inner) {
  if (!phase) return nullptr;
  const Algorithm* named = find_algorithm(*phase, inner);
  return named && fits_inside(scheme, *named) ? named : find_algorithm(*phase, standard_inside(*phase));
}

Constraints constraints_of(const std::vector<Composition::Part>& parts) {
  Constraints all;
  for (const Composition::Part& part : parts) {
    if (!part.algorithm) continue;
    const Constraints& each = part.algorithm->constraints;
    all.commutative = all.commutative || each.commutative;
    all.by_arrival = all.by_arrival || each.by_arrival;
    all.one_ported = all.one_ported && each.one_ported;
    all.least_count = std::max(all.least_count, each.least_count);
  }
  return all;
}

std::string name_of(std::string_view outer, std::string_view inner) {
  if (outer == inner) return "groups(" + std::string(outer) + ")";
  return "groups(outer=" + std::string(outer) + ", inner=" + std::string(inner) + ")";
}

std::vector<const Algorithm*> all_of(Collective collective) {
  std::vector<const Algorithm*> all;
  for (const Algorithm& algorithm : catalogue())
    if (algorithm.collective == collective) all.push_back(&algorithm);
  return all;
}

}  // namespace

bool has_groups(Collective collective) { return scheme_of(collective) != nullptr; }

std::vector<const Algorithm*> between_groups(Collective collective) {
  const Scheme* scheme = scheme_of(collective);
  return scheme ? all_of(scheme->between) : std::vector<const Algorithm*>();
}

std::vector<const Algorithm*> inside_groups(Collective collective) {
  std::vector<const Algorithm*> all;
  const Scheme* scheme = scheme_of(collective);
  if (!scheme) return all;
  for (const auto& phase : {scheme->first, scheme->last}) {
    if (!phase || (phase == scheme->last && scheme->first == scheme->last && !all.empty())) continue;
    for (const Algorithm* algorithm : all_of(*phase))
      if (fits_inside(*scheme, *algorithm)) all.push_back(algorithm);
  }
  return all;
}

const Algorithm* grouped(Collective collective, std::string_view outer, std::string_view inner) {
  const Scheme* scheme = scheme_of(collective);
  const Algorithm* middle = scheme ? find_algorithm(scheme->between, outer) : nullptr;
  if (!middle) return nullptr;
  std::vector<Composition::Part> parts(3);
  parts[before] = {inside(*scheme, scheme->first, inner), scheme->first_on_row};
  parts[between] = {middle};
  parts[after] = {inside(*scheme, scheme->last, inner), scheme->last_on_row};
  const Constraints constraints = constraints_of(parts);
  return &composite({collective,
                     name_of(outer, inner),
                     scheme->composer,
                     std::move(parts),
                     {{"groups", ParameterInfo::Kind::integer, 1, 1 << 30, 0}},
                     constraints,
                     std::string(scheme->cost),
                     collective == bcast ? "Hasanov et al., section 3" : "as Hasanov et al. for bcast"});
}

std::vector<const Algorithm*> sample_compositions() {
  std::vector<const Algorithm*> all;
  const auto add = [&](Collective collective, std::string_view outer, std::string_view inner) {
    const Algorithm* algorithm = grouped(collective, outer, inner);
    if (std::ranges::find(all, algorithm) == all.end()) all.push_back(algorithm);
  };
  for (const Scheme& scheme : schemes) {
    const std::vector<const Algorithm*> middles = between_groups(scheme.collective);
    const std::vector<const Algorithm*> insides = inside_groups(scheme.collective);
    for (const Algorithm* middle : middles) add(scheme.collective, middle->name, middle->name);
    // Every one inside, and with the others between by turns.
    for (std::size_t i = 0; i < insides.size(); ++i)
      add(scheme.collective, middles[(i + 1) % middles.size()]->name, insides[i]->name);
  }
  return all;
}

}  // namespace tutti
