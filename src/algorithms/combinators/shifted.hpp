#pragma once
/// An exscan from a scan.
#include "core/schedule.hpp"

namespace tutti {

/// Every rank hands its contribution to the next one; ranks 1 to p-1 scan what they got: alpha + m beta more than the
/// scan of p-1 ranks.
Schedule shifted(Context context, Schedule (*scan)(Context));

}  // namespace tutti
