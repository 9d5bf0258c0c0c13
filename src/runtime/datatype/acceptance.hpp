#pragma once
/// Which operators the MPI underneath accepts on which types, and how it interprets their bits.
///
/// The standard defines some pairs; MPI libraries accept more (MPI_CHAR with MPI_SUM, Fortran's sized types), and only
/// they know which.  So each pair is tested once.  The interpretation follows from the library's result on a few
/// elements: a kernel of ours with the same result serves.  So two names of the same bits get the same kernel.
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/datatype/types.hpp"
#include "shm/reducer.hpp"

namespace tutti::runtime {

inline constexpr int operators = 12;  ///< predefined ones that a collective may use

/// The MPI's answers about one type, by operator; 0: it has not been asked.
struct Answers {
  std::array<std::atomic<std::uint8_t>, operators> of{};
  void forget() {
    for (auto& answer : of) answer.store(0, std::memory_order_relaxed);
  }
};

struct Acceptance {
  bool accepted = false;
  std::optional<shm::Element> element;  ///< as our kernels read it; nothing if the MPI's function has to serve
};

/// Of a predefined operator.
Acceptance acceptance(MPI_Op op, MPI_Datatype type, const TypeInfo& info);

}  // namespace tutti::runtime
