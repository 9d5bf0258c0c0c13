#pragma once
/// Which collectives are composed of groups, and of what: groups(16, outer=ring, inner=binomial).
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/catalogue.hpp"

namespace tutti {

/// Whether there is a composition for that collective.
bool has_groups(Collective collective);

/// The algorithms that `outer` may name, and those that `inner` may.
std::vector<const Algorithm*> between_groups(Collective collective);
std::vector<const Algorithm*> inside_groups(Collective collective);

/// The composition: `outer` names the algorithm between the groups' leaders, `inner` those inside the groups.  A phase
/// inside whose collective has none of that name takes the standard one.  Its first parameter is the number of groups.
///
/// Null where `outer` names no algorithm there, or there is no composition for the collective.
const Algorithm* grouped(Collective collective, std::string_view outer, std::string_view inner);

/// Compositions that stand for all: every algorithm between and every one inside groups is in one of them at least.
std::vector<const Algorithm*> sample_compositions();

}  // namespace tutti
