#include "mpi/handing_out.hpp"

namespace tutti::mpi {

std::optional<Handed> hand_out(Agreement& ranks, int rank, std::size_t bytes, node::Offer::Kind kind, std::size_t free,
                               node::Pages pages, std::string& why) {
  node::Offer offer;
  std::optional<node::Segment> segment;
  if (rank == 0) segment = node::Segment::create(bytes, kind, offer, why, free, pages);
  if (!segment) offer.kind = node::Offer::Kind::none;
  ranks.broadcast(&offer, sizeof offer);
  if (offer.kind == node::Offer::Kind::none) return std::nullopt;
  if (rank != 0) segment = node::Segment::attach(offer, why);
  const bool everywhere = ranks.all(segment.has_value());
  if (segment) segment->hide();
  if (!everywhere) return std::nullopt;
  return Handed{std::move(*segment), (offer.nonce >> 2) | 1};
}

}  // namespace tutti::mpi
