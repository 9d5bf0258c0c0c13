#include "datatypes.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

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
    case Basic::i16:
      return put(at, static_cast<std::int16_t>(small));
    case Basic::i32:
      return put(at, static_cast<std::int32_t>(small));
    case Basic::i64:
      return put(at, static_cast<std::int64_t>(small));
    case Basic::f32:
      return put(at, static_cast<float>(small));
    case Basic::f64:
      return put(at, static_cast<double>(small));
    case Basic::c32:
      return put(at, std::complex<float>(static_cast<float>(small), static_cast<float>(random.below(5) - 2)));
    case Basic::c64:
      return put(at, std::complex<double>(small, random.below(5) - 2));
    case Basic::boolean:
      return put(at, static_cast<std::uint8_t>(small > 0));
    case Basic::logical:
      return put(at, static_cast<std::int32_t>(small > 0));
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

MPI_Datatype blocks(const std::vector<int>& lengths, const std::vector<int>& places, MPI_Datatype of) {
  MPI_Datatype type;
  PMPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), of, &type);
  return committed(type);
}

std::vector<Datatype> plain() {
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

/// Other names and shapes of the same elements.
std::vector<Datatype> others() {
  return {
      {"char_", MPI_CHAR, Basic::i8, 1, true, false},
      {"int8_t", MPI_INT8_T, Basic::i8, 1, true, false},
      {"integer1", MPI_INTEGER1, Basic::i8, 1, true, false},
      {"character", MPI_CHARACTER, Basic::i8, 1, true, false},
      {"short", MPI_SHORT, Basic::i16, 1, true, false},
      {"int16_t", MPI_INT16_T, Basic::i16, 1, true, false},
      {"integer2", MPI_INTEGER2, Basic::i16, 1, true, false},
      {"int32_t", MPI_INT32_T, Basic::i32, 1, true, false},
      {"integer", MPI_INTEGER, Basic::i32, 1, true, false},
      {"integer4", MPI_INTEGER4, Basic::i32, 1, true, false},
      {"long", MPI_LONG, Basic::i64, 1, true, false},
      {"long_long", MPI_LONG_LONG, Basic::i64, 1, true, false},
      {"integer8", MPI_INTEGER8, Basic::i64, 1, true, false},
      {"aint", MPI_AINT, Basic::i64, 1, true, false},
      {"count", MPI_COUNT, Basic::i64, 1, true, false},
      {"real", MPI_REAL, Basic::f32, 1, true, false},
      {"real4", MPI_REAL4, Basic::f32, 1, true, false},
      {"real8", MPI_REAL8, Basic::f64, 1, true, false},
      {"double_precision", MPI_DOUBLE_PRECISION, Basic::f64, 1, true, false},
      {"c_complex", MPI_C_COMPLEX, Basic::c32, 1, true, false},
      {"complex", MPI_COMPLEX, Basic::c32, 1, true, false},
      {"complex8", MPI_COMPLEX8, Basic::c32, 1, true, false},
      {"c_double_complex", MPI_C_DOUBLE_COMPLEX, Basic::c64, 1, true, false},
      {"double_complex", MPI_DOUBLE_COMPLEX, Basic::c64, 1, true, false},
      {"complex16", MPI_COMPLEX16, Basic::c64, 1, true, false},
      {"c_bool", MPI_C_BOOL, Basic::boolean, 1, true, false},
      {"cxx_bool", MPI_CXX_BOOL, Basic::boolean, 1, true, false},
      {"logical", MPI_LOGICAL, Basic::logical, 1, true, false},
      {"2integer", MPI_2INTEGER, Basic::pair_int, 1, true, false},
      {"nothing", contiguous(0, MPI_INT), Basic::i32, 0, false, false},
      {"nothing(16)", resized(contiguous(0, MPI_INT), 0, 16), Basic::i32, 0, false, false},
      {"contiguous(2,int)", contiguous(2, MPI_INT), Basic::i32, 2, false, false},
      {"contiguous(6,int)", contiguous(6, MPI_INT), Basic::i32, 6, false, false},
      {"vector(2,3,4,int)", strided(2, 3, 4, MPI_INT), Basic::i32, 6, false, false},
      {"indexed(1+2,int)", blocks({1, 2}, {3, 0}, MPI_INT), Basic::i32, 3, false, false},
      {"vector(3,2,5,complex)", strided(3, 2, 5, MPI_C_DOUBLE_COMPLEX), Basic::c64, 6, false, false},
      {"contiguous(6,double)", contiguous(6, MPI_DOUBLE), Basic::f64, 6, false, false},
      {"indexed(2+1,double)", blocks({2, 1}, {0, 4}, MPI_DOUBLE), Basic::f64, 3, false, false},
      {"gapped(char,3)", resized(MPI_SIGNED_CHAR, 0, 3), Basic::i8, 1, false, false},
      {"contiguous(4,char)", contiguous(4, MPI_SIGNED_CHAR), Basic::i8, 4, false, false},
  };
}

/// The library knows the type, in the size that is expected.
bool known(const Datatype& type) {
  int size = -1;
  return type.handle != MPI_DATATYPE_NULL && PMPI_Type_size(type.handle, &size) == MPI_SUCCESS &&
         static_cast<std::size_t>(size) == static_cast<std::size_t>(type.basics) * basic_size(type.basic);
}

/// The library combines its elements as it does those that it is another name of.  Open MPI takes MPI_CHARACTER, which
/// the standard has no reductions of, for unsigned, and its sums of many stay at 255.
bool combined_as_named(const Datatype& type) {
  if (!type.predefined || type.basic != Basic::i8) return true;
  constexpr std::size_t many = 200;
  for (const MPI_Op op : {MPI_SUM, MPI_MIN}) {
    std::vector<signed char> in(many, -100), named(many, 100), usual(many, 100);
    if (PMPI_Reduce_local(in.data(), named.data(), many, type.handle, op) != MPI_SUCCESS) return true;
    PMPI_Reduce_local(in.data(), usual.data(), many, MPI_SIGNED_CHAR, op);
    if (named != usual) return false;
  }
  return true;
}

std::vector<Datatype> make() {
  std::vector<Datatype> all = plain();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (Datatype& type : others())
    if (known(type) && combined_as_named(type)) all.push_back(std::move(type));
  return all;
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
    case Basic::boolean:
      return 1;
    case Basic::i16:
      return 2;
    case Basic::i32:
    case Basic::logical:
    case Basic::f32:
      return 4;
    case Basic::i64:
    case Basic::f64:
    case Basic::c32:
    case Basic::pair_int:
      return 8;
    case Basic::c64:
      return 16;
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
