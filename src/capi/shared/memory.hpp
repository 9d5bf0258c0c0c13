#pragma once
/// The memory of one result: shared by the ranks of each node, else each rank's own.
#include <optional>
#include <string>

#include "capi/shared/group.hpp"
#include "capi/shared/request.hpp"
#include "shm/segment/segment.hpp"

namespace tutti::shared {

struct Memory {
  const Group* group = nullptr;         ///< who shares it
  std::optional<shm::Segment> segment;  ///< none where this rank's node gets no result
  std::string why_private;              ///< empty where it is shared
  std::int64_t part = 0;                ///< bytes of shared memory that this rank answers for
};

/// Collective; the same on all ranks but for `segment`.  `off`: nothing is shared.  Nothing where there is not even
/// memory for each rank's own.  Throws MpiError.
std::optional<Memory> memory_for(runtime::State& state, const Request& request, bool off);

}  // namespace tutti::shared
