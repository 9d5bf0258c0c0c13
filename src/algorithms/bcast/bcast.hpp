#pragma once
/// Broadcasts that other algorithms are composed of.
#include "core/schedule.hpp"
#include "patterns/circulant.hpp"

namespace tutti {

/// n blocks over a circulant graph of `context.size` ranks, by its tables.
Schedule bcast_circulant(Context context, int blocks, CirculantGraph graph);

// In the catalogue as well.
Schedule bcast_circulant_n_block(Context context);

}  // namespace tutti
