#pragma once
/// Pieces that whole algorithms are composed of.  They work in place on `output`, an owner a rank; what a piece needs
/// before its first step stands with it.
#include "core/schedule.hpp"
#include "patterns/halving.hpp"

namespace tutti {

/// Before: rank 0 holds all blocks.  After: every rank holds the blocks of its binomial subtree, its own among them.
/// T = lg p alpha + (p-1)/p m beta.
Schedule scatter_in_place_binomial(Context context);

/// Before: every rank holds a contribution to all blocks.  After: its own block is reduced.  Needs a commutative
/// operator.  T = (p-1)(alpha + m/p (beta + gamma)).
Schedule reduce_scatter_in_place_ring(Context context);

/// Before: rank u holds block `halving.part(u)`.  After: all blocks.  Backwards, it reduces and scatters them so; along
/// a hypercube the order of operands is kept.  T = lg p alpha + (p-1)/p m beta.
Schedule allgather_halved(Rank me, Halving halving);

/// The catalogue's, whose duals and v-forms are made from them.
Schedule scatter_linear(Context context);
Schedule scatter_binomial(Context context);
Schedule scatter_k_nomial(Context context);
Schedule gather_binomial(Context context);
Schedule reduce_binomial(Context context);

}  // namespace tutti
