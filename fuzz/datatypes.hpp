#pragma once
/// The datatypes that cases draw from: predefined ones, and derived ones with gaps, odd extents and lower bounds.  The
/// part `types` draws from more: other names of the same elements, Fortran's, complex ones, and elements without bytes.
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "random.hpp"

namespace tutti::fuzz {

enum class Basic { i8, u8, i16, i32, i64, f32, f64, c32, c64, boolean, logical, pair_int, pair_double_int };

struct Datatype {
  std::string name;
  MPI_Datatype handle;
  Basic basic;
  int basics;  ///< basic elements in one element; 0: an element without bytes
  bool predefined;
  bool padded;  ///< predefined with bytes that are no data: an MPI may copy them or not
};

/// Made once a process.  Types that the library lacks (Fortran's, in a build without Fortran) are left out.
const std::vector<Datatype>& datatypes();
/// The first so many are those of the plain parts.
constexpr int plain_datatypes = 13;
std::size_t basic_size(Basic basic);

/// Memory for `elements` of a type with guards around it; knows which bytes are data.
class TypedBuffer {
 public:
  TypedBuffer(const Datatype& type, std::int64_t elements);
  /// Address to give to MPI.
  void* data() { return bytes_.data() + origin_; }
  /// Fills guards and gaps with a pattern and the data with small exact values drawn from `random`.
  void fill(Random random);
  /// As another buffer of the same shape.
  void assign(const TypedBuffer& other) { bytes_ = other.bytes_; }
  /// Empty where equal to `expected` in the data of the first `results` elements and untouched elsewhere; else the
  /// first difference.  Beyond the results the MPI library itself may write (reduce_scatter in place); tutti may not.
  std::string difference(const TypedBuffer& expected, const TypedBuffer& before, std::int64_t results) const;

 private:
  std::vector<std::byte> pack(Random random) const;
  /// Not zero where the first `elements` elements have data.
  std::vector<std::byte> mask(std::int64_t elements) const;
  void unpack(const std::vector<std::byte>& packed, std::int64_t elements, std::vector<std::byte>& into) const;

  const Datatype* type_;
  std::int64_t elements_;
  std::size_t origin_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace tutti::fuzz
