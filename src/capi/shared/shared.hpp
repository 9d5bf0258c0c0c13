#pragma once
/// tutti/shared.h, as the flavour answers it.
#include <vector>

#include "front/flavour.h"

namespace tutti::capi {

/// tutti_shared, tutti_free and tutti_result_kind.
void list_shared(std::vector<tutti_entry>& entries);

}  // namespace tutti::capi
