#pragma once
/// What ranks compare before their requests are served, and rank 0's offer of memory.
#include <cstdint>

#include "runtime/communicator/maxima.hpp"
#include "shm/segment/segment.hpp"

namespace tutti::runtime {

struct RequestComparisonFields {
  enum Field {
    // Equal on all, as a value and its negative tell.
    build,
    minus_build,
    settings,
    minus_settings,
    node,
    minus_node,
    // Whether any rank says so.
    unable,
    device_buffers,
    stuck,    ///< its calls over messages would rest while the program is in other calls of the MPI's
    hurried,  ///< it does not wait long for the others
    // The most of all.
    blocking_calls,
    // The least of all.
    minus_instructions,
    // Rank 0's alone.
    process,
    descriptor,
    nonce_high,
    nonce_low,
    bytes,
    cpus,
    long_ring,
    fields
  };
};

struct RequestComparison : RequestComparisonFields, Maxima<RequestComparisonFields::fields> {
  void offer(const shm::Offer& offer) {
    values[process] = offer.pid, values[descriptor] = offer.fd;
    values[nonce_high] = static_cast<std::int64_t>(offer.nonce >> 32);
    values[nonce_low] = static_cast<std::int64_t>(offer.nonce & 0xFFFFFFFFu);
    values[bytes] = static_cast<std::int64_t>(offer.bytes);
  }
  shm::Offer offered() const {
    shm::Offer offer;
    offer.kind = values[bytes] > 0 ? shm::Offer::Kind::memfd : shm::Offer::Kind::none;
    offer.pid = static_cast<std::int32_t>(values[process]), offer.fd = static_cast<std::int32_t>(values[descriptor]);
    offer.nonce = static_cast<std::uint64_t>(values[nonce_high]) << 32 | static_cast<std::uint64_t>(values[nonce_low]);
    offer.bytes = static_cast<std::uint64_t>(values[bytes]);
    return offer;
  }
};

}  // namespace tutti::runtime
