#include "preload/large_count/large_count_types.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::pmpi;
using runtime::require;

OwnType::OwnType(MPI_Datatype made) : type_(made), made_(true) { require(pmpi.Type_commit(&type_), "MPI_Type_commit"); }

OwnType::OwnType(OwnType&& other) noexcept : type_(other.type_), made_(std::exchange(other.made_, false)) {}

OwnType& OwnType::operator=(OwnType&& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(made_, other.made_);
  return *this;
}

OwnType::~OwnType() {
  if (made_) pmpi.Type_free(&type_);
}

std::int64_t extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  require(pmpi.Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  return extent;
}

namespace {

OwnType contiguous(std::int64_t count, MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  require(pmpi.Type_contiguous(static_cast<int>(count), type, &made), "MPI_Type_contiguous");
  return OwnType(made);
}

/// Struct of one block of each type.
OwnType structure(std::array<MPI_Datatype, 2> types, std::array<MPI_Aint, 2> places, int blocks) {
  const std::array<int, 2> lengths{1, 1};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  require(pmpi.Type_create_struct(blocks, lengths.data(), places.data(), types.data(), &made),
          "MPI_Type_create_struct");
  return OwnType(made);
}

}  // namespace

OwnType repeat(std::int64_t count, MPI_Datatype type) {
  if (count <= int_max) return contiguous(count, type);
  MPI_Aint lower = 0, extent = 0;
  require(pmpi.Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  constexpr std::int64_t chunk = std::int64_t{1} << 30;
  const OwnType one = contiguous(chunk, type), chunks = contiguous(count / chunk, one.get()),
                rest = contiguous(count % chunk, type);
  const OwnType all =
      structure({chunks.get(), rest.get()}, {0, static_cast<MPI_Aint>(count / chunk * chunk * extent)}, 2);
  // A struct's extent may be rounded up; the next block of a gather must follow without a gap.
  MPI_Datatype made = MPI_DATATYPE_NULL;
  require(pmpi.Type_create_resized(all.get(), lower, static_cast<MPI_Aint>(count * extent), &made),
          "MPI_Type_create_resized");
  return OwnType(made);
}

OwnType displaced(std::int64_t count, MPI_Datatype type, std::int64_t displacement) {
  const OwnType all = repeat(count, type);
  return structure({all.get(), all.get()}, {static_cast<MPI_Aint>(displacement), 0}, 1);
}

Elements::Elements(std::int64_t count, MPI_Datatype type) : count_(static_cast<int>(count)), type_(type) {
  if (fits_int(count)) return;  // negative ones too: that error is the MPI's to report
  own_ = repeat(count, type);
  count_ = 1;
}

IntArrays::IntArrays(CountView counts, CountView displacements, int size, MPI_Datatype type) : type_(type) {
  if (!counts || !displacements) return;  // absent arrays stay absent: that error is the MPI's to report
  const auto displacement = [&](int i) { return counts[i] == 0 ? 0 : displacements[i]; };
  std::int64_t unit = 0, most = 0;
  const auto look = [&](std::int64_t value) {
    unit = std::gcd(unit, value);
    most = std::max(most, value < 0 ? -value : value);
  };
  for (int i = 0; i < size; ++i) look(counts[i]), look(displacement(i));
  if (most <= int_max) unit = 1;
  possible_ = most / unit <= int_max;
  if (!possible_) return;
  for (int i = 0; i < size; ++i) {
    counts_.push_back(static_cast<int>(counts[i] / unit));
    displacements_.push_back(static_cast<int>(displacement(i) / unit));
  }
  if (unit > 1) own_ = repeat(unit, type);
}

}  // namespace tutti::preload
