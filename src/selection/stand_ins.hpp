#pragma once
/// Which algorithm serves a collective where the chosen one cannot.
///
/// Three ask: reductions under TUTTI_REPRODUCIBLE without a setting of their own; the phase between nodes of a call
/// that has no algorithm there (a scan's exscan), or whose counts are too large for the MPI library's own collective.
/// So each needs nothing of a call, keeps the order of ranks, and takes few rounds where it combines.
#include "algorithms/catalogue.hpp"

namespace tutti {

const Algorithm& stand_in(Collective which);

}  // namespace tutti
