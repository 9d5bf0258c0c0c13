#pragma once
/// The results that this process holds, by their addresses.
#include <cstdint>
#include <string>

#include "shm/segment/segment.hpp"
#include "tutti/tutti.h"

namespace tutti::shared {

/// Keeps the segment, settled by now, until `free_result`; `start` is where the result begins in it.  `part`: bytes of
/// shared memory that this rank answers for.
void keep(void* start, shm::Segment segment, tutti_result kind, std::string reason, std::int64_t part);

/// Bytes of shared memory that this rank answers for now.
std::int64_t held();

/// False where there is no such result.
bool free_result(void* start) noexcept;
tutti_result kind_of(const void* start, const char** reason) noexcept;

}  // namespace tutti::shared
