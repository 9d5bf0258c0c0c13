/// The root sends the vector to every rank: T = (p-1)(alpha + m beta).  Hasanov et al., equation 1.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/phases/trees.hpp"

namespace tutti {

Schedule bcast_flat(Context context) { return bcast_down(FlatTree{context.size, context.root}.place(context.me)); }

}  // namespace tutti
