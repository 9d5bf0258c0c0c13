#include "runtime/communicator/create_segment.hpp"

namespace tutti::runtime {

std::optional<CreatedSegment> create_segment(Agreement& ranks, int rank, std::size_t bytes, shm::Offer::Kind kind,
                                             std::size_t free, shm::Pages pages, std::string& why,
                                             std::size_t reserved) {
  shm::Offer offer;
  std::optional<shm::Segment> segment;
  if (rank == 0) segment = shm::Segment::create(bytes, kind, offer, why, free, pages, reserved);
  if (!segment) offer.kind = shm::Offer::Kind::none;
  ranks.broadcast(&offer, sizeof offer);
  if (offer.kind == shm::Offer::Kind::none) return std::nullopt;
  if (rank != 0) segment = shm::Segment::attach(offer, why);
  const bool everywhere = ranks.all(segment.has_value());
  if (segment) segment->hide();
  if (!everywhere) return std::nullopt;
  return CreatedSegment{std::move(*segment), (offer.nonce >> 2) | 1};
}

}  // namespace tutti::runtime
