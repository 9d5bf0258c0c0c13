#pragma once
/// tutti.h, as the backend answers it.  The exported functions are the loader's, so that they exist before any MPI.
#include "tutti/tutti.h"

namespace tutti::capi {

int get_counters(const char* collective, tutti_counters* counters) noexcept;
const char* last_choice() noexcept;

}  // namespace tutti::capi
