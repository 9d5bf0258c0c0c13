#include "models/message_time.hpp"

#include <algorithm>
#include <stdexcept>

namespace tutti {

double Hockney::time(std::int64_t bytes) const {
  if (pieces.empty()) throw std::invalid_argument("a Hockney model has one piece at least");
  const auto above = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.from > bytes; });
  const Piece& piece = above == pieces.begin() ? pieces.front() : *(above - 1);
  return piece.latency + static_cast<double>(bytes) * piece.per_byte;
}

double LogGp::time(std::int64_t bytes) const {
  return send + static_cast<double>(bytes) * per_byte + latency + receive;
}

double LogGp::interval(std::int64_t bytes) const {
  return std::max({send, receive, gap + static_cast<double>(bytes) * per_byte});
}

double LogGops::time(std::int64_t bytes) const {
  const double processors = 2 * static_cast<double>(bytes) * overhead_per_byte;
  const double agreed = bytes >= rendezvous ? 2 * base.latency + base.receive : 0;
  return base.time(bytes) + processors + agreed;
}

double LogGops::interval(std::int64_t bytes) const {
  const double processor = static_cast<double>(bytes) * overhead_per_byte;
  return std::max(
      {base.send + processor, base.receive + processor, base.gap + static_cast<double>(bytes) * base.per_byte});
}

double MaxRate::time(std::int64_t bytes, int senders) const {
  return latency + static_cast<double>(bytes) * std::max(per_byte, senders * node_per_byte);
}

}  // namespace tutti
