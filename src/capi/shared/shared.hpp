#pragma once
/// tutti/shared.h, as the backend answers it.
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::capi {

/// tutti_shared, tutti_free and tutti_result_kind.
void list_shared(std::vector<tutti_entry>& entries);

}  // namespace tutti::capi
