#pragma once
/// What one message takes, by four models of the literature.  Seconds, and bytes.
#include <cstdint>
#include <vector>

namespace tutti {

/// T = α + s β (Hockney 1994), piece by piece: an MPI changes its protocol with the size.
struct Hockney {
  struct Piece {
    std::int64_t from = 0;  ///< of messages of so many bytes or more
    double latency = 0;     ///< α
    double per_byte = 0;    ///< β
  };
  std::vector<Piece> pieces;  ///< rising; the first holds for shorter messages too
  /// Throws std::invalid_argument where there is no piece.
  double time(std::int64_t bytes) const;
};

/// LogGP (Alexandrov, Ionescu, Schauser & Scheiman 1995).
struct LogGp {
  double latency = 0;            ///< L
  double send = 0, receive = 0;  ///< o of either side
  double gap = 0, per_byte = 0;  ///< g, G
  /// o + s G + L + o.  The paper's s - 1 bytes after the first are s here, as in the simulator.
  double time(std::int64_t bytes) const;
  /// Until the next message may follow: the sender's processor or its card, whichever is busy for longer.
  double interval(std::int64_t bytes) const;
};

/// LogGOPS (Hoefler, Schneider & Lumsdaine 2010): O for each byte on both processors, and rendezvous from S bytes on.
struct LogGops {
  LogGp base;
  double overhead_per_byte = 0;         ///< O
  std::int64_t rendezvous = INT64_MAX;  ///< S
  /// From S bytes on a request (L) goes ahead, and an answer (o + L) comes, before the data.
  double time(std::int64_t bytes) const;
  double interval(std::int64_t bytes) const;
};

/// max-rate (Gropp, Olson & Samfass 2016): k ranks of a node send at a time, and share what its cards carry.
/// T = α + s max(β, k β_N).
struct MaxRate {
  double latency = 0;        ///< α
  double per_byte = 0;       ///< β of one rank
  double node_per_byte = 0;  ///< β_N of a node's cards together
  double time(std::int64_t bytes, int senders) const;
};

}  // namespace tutti
