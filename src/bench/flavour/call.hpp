#pragma once
/// One case as a call: its arguments, what its buffers hold before and what they must hold after.
#include <mpi.h>

#include <cstdint>

#include "bench/flavour/invoke.hpp"
#include "bench/options.hpp"
#include "bench/pattern.hpp"

namespace tutti::bench {

/// Bytes (MPI_BYTE) where the call moves data; floats and MPI_SUM where it reduces, the size rounded down to whole
/// floats but at least one.  The root is rank 0.  The v-forms get equal counts.
class Call {
 public:
  Call(const Case& what, MPI_Comm comm);

  std::int64_t send_bytes() const { return send_elements_ * element_; }
  std::int64_t receive_bytes() const { return receive_elements_ * element_; }

  void operator()(const Functions& mpi, Buffers buffers) const { invoke_(mpi, arguments_, buffers); }

  /// Writes this rank's input of repetition `repetition`.
  void fill(Buffers buffers, std::int64_t repetition) const;
  /// Whether this rank's output is that of repetition `repetition`.
  bool right(Buffers buffers, std::int64_t repetition) const;

  /// Whether no rank can leave before all have entered, so that calls back to back cannot run ahead of each other.
  static bool synchronising(Collective which);

 private:
  void shape();
  bool sum_is_right(const float* output, std::int64_t repetition) const;

  Collective collective_;
  Arguments arguments_;
  Invoke invoke_;
  int rank_ = 0, size_ = 1;
  int element_ = 1;  ///< bytes
  std::int64_t send_elements_ = 0, receive_elements_ = 0;
  Pattern<unsigned char> bytes_;
  Pattern<float> floats_, sum_;
};

}  // namespace tutti::bench
