#include "datatypes.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

namespace tutti::fuzz {
namespace {

constexpr std::size_t guard = 64;

struct DoubleInt {
  double value;
  int index;
};

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// Small values: sums and products of a few of them are exact in every type.
void put_basic(std::byte* at, Basic basic, Random& random) {
  const int small = random.below(5) - 2;
  switch (basic) {
    case Basic::i8:
      return put(at, static_cast<std::int8_t>(small));
    case Basic::u8:
      return put(at, static_cast<std::uint8_t>(random.below(3)));
    case Basic::i32:
      return put(at, static_cast<std::int32_t>(small));
    case Basic::i64:
      return put(at, static_cast<std::int64_t>(small));
    case Basic::f32:
      return put(at, static_cast<float>(small));
    case Basic::f64:
      return put(at, static_cast<double>(small));
    case Basic::pair_int:
      put(at, small);
      return put(at + sizeof(int), random.below(100));
    case Basic::pair_double_int:
      put(at, static_cast<double>(small));
      return put(at + sizeof(double), random.below(100));
  }
}

MPI_Datatype committed(MPI_Datatype type) {
  PMPI_Type_commit(&type);
  return type;
}

MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype type;
  PMPI_Type_contiguous(count, of, &type);
  return committed(type);
}

MPI_Datatype strided(int count, int length, int stride, MPI_Datatype of) {
  MPI_Datatype type;
  PMPI_Type_vector(count, length, stride, of, &type);
  return committed(type);
}

MPI_Datatype resized(MPI_Datatype of, MPI_Aint lower, MPI_Aint extent) {
  MPI_Datatype type;
  PMPI_Type_create_resized(of, lower, extent, &type);
  return committed(type);
}

/// Data below the address that the user gives: true lower bound of -8.
MPI_Datatype below_origin() {
  const int length[2] = {1, 1};
  const MPI_Aint place[2] = {-8, 4};
  const MPI_Datatype parts[2] = {MPI_INT, MPI_INT};
  MPI_Datatype type;
  PMPI_Type_create_struct(2, length, place, parts, &type);
  return resized(committed(type), -8, 24);
}

std::vector<Datatype> make() {
  return {
      {"char", MPI_SIGNED_CHAR, Basic::i8, 1, true, false},
      {"byte", MPI_BYTE, Basic::u8, 1, true, false},
      {"int", MPI_INT, Basic::i32, 1, true, false},
      {"int64", MPI_INT64_T, Basic::i64, 1, true, false},
      {"float", MPI_FLOAT, Basic::f32, 1, true, false},
      {"double", MPI_DOUBLE, Basic::f64, 1, true, false},
      {"2int", MPI_2INT, Basic::pair_int, 1, true, false},
      {"double_int", MPI_DOUBLE_INT, Basic::pair_double_int, 1, true, true},
      {"contiguous(3,int)", contiguous(3, MPI_INT), Basic::i32, 3, false, false},
      {"vector(2,1,2,int)", strided(2, 1, 2, MPI_INT), Basic::i32, 2, false, false},
      {"gapped(int,12)", resized(MPI_INT, 0, 12), Basic::i32, 1, false, false},
      {"negative(2 int)", below_origin(), Basic::i32, 2, false, false},
      {"vector(3,2,5,double)", strided(3, 2, 5, MPI_DOUBLE), Basic::f64, 6, false, false},
  };
}

}  // namespace

const std::vector<Datatype>& datatypes() {
  static const std::vector<Datatype> all = make();
  return all;
}

std::size_t basic_size(Basic basic) {
  switch (basic) {
    case Basic::i8:
    case Basic::u8:
      return 1;
    case Basic::i32:
    case Basic::f32:
      return 4;
    case Basic::i64:
    case Basic::f64:
    case Basic::pair_int:
      return 8;
    case Basic::pair_double_int:
      return sizeof(DoubleInt);
  }
  return 0;
}

TypedBuffer::TypedBuffer(const Datatype& type, std::int64_t elements) : type_(&type), elements_(elements) {
  MPI_Aint lower, extent, true_lower, true_extent;
  PMPI_Type_get_extent(type.handle, &lower, &extent);
  PMPI_Type_get_true_extent(type.handle, &true_lower, &true_extent);
  const auto below = static_cast<std::size_t>(true_lower < 0 ? -true_lower : 0);
  const auto above = static_cast<std::size_t>(elements * extent + true_extent + (true_lower > 0 ? true_lower : 0));
  origin_ = guard + below;
  bytes_.resize(origin_ + above + guard);
}

std::vector<std::byte> TypedBuffer::mask(std::int64_t elements) const {
  std::vector<std::byte> data(bytes_.size(), std::byte{0});
  const std::size_t element = static_cast<std::size_t>(type_->basics) * basic_size(type_->basic);
  unpack(std::vector<std::byte>(static_cast<std::size_t>(elements) * element, std::byte{0xFF}), elements, data);
  return data;
}

std::vector<std::byte> TypedBuffer::pack(Random random) const {
  const std::size_t size = basic_size(type_->basic);
  const auto count = static_cast<std::size_t>(elements_ * type_->basics);
  std::vector<std::byte> packed(count * size, std::byte{0x5A});
  for (std::size_t i = 0; i < count; ++i) put_basic(packed.data() + i * size, type_->basic, random);
  return packed;
}

void TypedBuffer::unpack(const std::vector<std::byte>& packed, std::int64_t elements,
                         std::vector<std::byte>& into) const {
  if (packed.empty()) return;
  if (type_->predefined) {  // also right for padded pairs, whose packed form has no padding
    std::memcpy(into.data() + origin_, packed.data(), packed.size());
    return;
  }
  int position = 0;
  PMPI_Unpack(packed.data(), static_cast<int>(packed.size()), &position, into.data() + origin_,
              static_cast<int>(elements), type_->handle, MPI_COMM_SELF);
}

void TypedBuffer::fill(Random random) {
  for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(0xA5u ^ (i & 0x3Fu));
  unpack(pack(random), elements_, bytes_);
}

std::string TypedBuffer::difference(const TypedBuffer& expected, const TypedBuffer& before,
                                    std::int64_t results) const {
  const std::vector<std::byte> result = mask(results);
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    const bool data = result[i] != std::byte{0};
    if (bytes_[i] == (data ? expected.bytes_[i] : before.bytes_[i])) continue;
    if (type_->padded && (i - origin_) % sizeof(DoubleInt) >= sizeof(double) + sizeof(int)) continue;
    const auto at = static_cast<long long>(i) - static_cast<long long>(origin_);
    return std::string(data ? "data byte " : "byte outside the data, ") + "offset " + std::to_string(at) + ": got " +
           std::to_string(std::to_integer<int>(bytes_[i])) + ", expected " +
           std::to_string(std::to_integer<int>(data ? expected.bytes_[i] : before.bytes_[i]));
  }
  return {};
}

}  // namespace tutti::fuzz
