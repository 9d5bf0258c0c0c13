#pragma once
/// How the ranks of a node get one segment: one makes it, the others map it, and all learn whether all have it.
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/communicator/agreement.hpp"
#include "shm/segment/segment.hpp"

namespace tutti::runtime {

/// A segment that every rank has mapped.  It has no name any more, but its descriptor is open until `publish`.
struct CreatedSegment {
  shm::Segment segment;
  std::uint64_t identity;  ///< the same on all ranks, unlike any other segment's; below 2^62 and never 0
};

/// Collective over ranks that share a node, of which this is `rank`: 0 makes the segment.  Nothing where that fails on
/// any of them; then `why` is one sentence on those that know.  `free`: bytes that rank 0 may take.  Bytes from
/// `reserved` on are taken when they are written to.
std::optional<CreatedSegment> create_segment(Agreement& ranks, int rank, std::size_t bytes, shm::Offer::Kind kind,
                                             std::size_t free, shm::Pages pages, std::string& why,
                                             std::size_t reserved = SIZE_MAX);

}  // namespace tutti::runtime
