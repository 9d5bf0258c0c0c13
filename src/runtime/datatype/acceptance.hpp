#pragma once
/// Which operators the MPI underneath takes on which types, and how it reads their bits then.
///
/// The standard defines some pairs; MPI libraries take more (MPI_CHAR with MPI_SUM, Fortran's types of a size), and
/// only they know which.  So each is asked once.  How it reads the bits is seen from what it makes of a few elements:
/// where one of our kernels makes the same of them, that serves.  So two names of the same bits get the same kernel,
/// whatever they are called.
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
  std::optional<shm::Element> element;  ///< as our kernels read it; nothing where the MPI's function has to serve
};

/// Of a predefined operator.
Acceptance acceptance(MPI_Op op, MPI_Datatype type, const TypeInfo& info);

}  // namespace tutti::runtime
