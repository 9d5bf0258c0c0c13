#pragma once
/// Counts beyond int for functions that take an int.
#include <mpi.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/layout.hpp"

namespace tutti::preload {

inline constexpr std::int64_t int_max = std::numeric_limits<int>::max();
inline bool fits_int(std::int64_t value) { return value >= -int_max - 1 && value <= int_max; }

/// A committed datatype of our own, freed at the end of its life.
class OwnType {
 public:
  OwnType() = default;
  explicit OwnType(MPI_Datatype made);
  OwnType(OwnType&& other) noexcept;
  OwnType& operator=(OwnType&& other) noexcept;
  ~OwnType();
  explicit operator bool() const { return made_; }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  bool made_ = false;
};

/// `count` times `type`, one after the other, as one element whose extent is count times the type's.
OwnType repeat(std::int64_t count, MPI_Datatype type);
/// `count` times `type`, `displacement` bytes from the call's buffer.
OwnType displaced(std::int64_t count, MPI_Datatype type, std::int64_t displacement);
/// Bytes from one element to the next.
std::int64_t extent_of(MPI_Datatype type);

/// The elements themselves where their number fits int, else one element that is all of them.
class Elements {
 public:
  Elements(std::int64_t count, MPI_Datatype type);
  int count() const { return count_; }
  MPI_Datatype type() const { return own_ ? own_.get() : type_; }

 private:
  int count_;
  MPI_Datatype type_;
  OwnType own_;
};

/// Arrays of counts and displacements as int: in elements of `type`, or of a number of them that divides all.
class IntArrays {
 public:
  IntArrays(CountView counts, CountView displacements, int size, MPI_Datatype type);
  bool possible() const { return possible_; }
  const int* counts() const { return counts_.data(); }
  const int* displacements() const { return displacements_.data(); }
  MPI_Datatype type() const { return own_ ? own_.get() : type_; }

 private:
  std::vector<int> counts_, displacements_;
  MPI_Datatype type_;
  OwnType own_;
  bool possible_ = true;
};

}  // namespace tutti::preload
