#pragma once
/// Allgathers that other algorithms are composed of.  They work in place on `output`, and bring every block to every
/// rank once, so that each one backwards (combinators/reverse.hpp) reduces and scatters.  In the catalogue as well.
#include "core/schedule.hpp"

namespace tutti {

Schedule allgather_ring(Context context);
Schedule allgather_recursive_doubling(Context context);
Schedule allgather_circulant(Context context);
Schedule allgather_pat(Context context);
Schedule allgather_bine(Context context);
Schedule allgather_recursive_exchange(Context context);

}  // namespace tutti
