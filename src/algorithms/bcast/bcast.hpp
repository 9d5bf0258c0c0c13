#pragma once
/// Broadcasts that other algorithms are composed of.
#include "core/schedule.hpp"
#include "patterns/circulant.hpp"

namespace tutti {

/// n blocks over a circulant graph of `context.size` ranks, by its tables.
Schedule bcast_circulant(Context context, int blocks, CirculantGraph graph);

// In the catalogue as well.
Schedule bcast_flat(Context context);
Schedule bcast_chain(Context context);
Schedule bcast_pipelined_chain(Context context);
Schedule bcast_binary(Context context);
Schedule bcast_pipelined_binary(Context context);
Schedule bcast_binomial(Context context);
Schedule bcast_k_nomial(Context context);
Schedule bcast_two_tree(Context context);
Schedule bcast_circulant_n_block(Context context);

}  // namespace tutti
