#include "mpi/types.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "mpi/known_types.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

using Kind = TypeInfo::Kind;
using node::Element;

/// How a predefined type's bits are read; with the size it tells the kernel's element.
enum class Reading : std::uint8_t {
  none,
  signed_integer,
  unsigned_integer,
  real,
  long_real,
  complex,
  c_bool,
  integer_and_place,
  real_and_place,
  two_reals
};

struct Predefined {
  MPI_Datatype handle;
  Kind kind;
  Reading reading;
};

// What MPI 4.1, 6.9.2 groups, without the optional sizes that not every version of an MPI library defines.
const Predefined predefined_types[] = {
    {MPI_CHAR, Kind::character, Reading::none},
    {MPI_WCHAR, Kind::character, Reading::none},
    {MPI_CHARACTER, Kind::character, Reading::none},
    {MPI_SIGNED_CHAR, Kind::integer, Reading::signed_integer},
    {MPI_SHORT, Kind::integer, Reading::signed_integer},
    {MPI_INT, Kind::integer, Reading::signed_integer},
    {MPI_LONG, Kind::integer, Reading::signed_integer},
    {MPI_LONG_LONG, Kind::integer, Reading::signed_integer},
    {MPI_INT8_T, Kind::integer, Reading::signed_integer},
    {MPI_INT16_T, Kind::integer, Reading::signed_integer},
    {MPI_INT32_T, Kind::integer, Reading::signed_integer},
    {MPI_INT64_T, Kind::integer, Reading::signed_integer},
    {MPI_AINT, Kind::integer, Reading::signed_integer},
    {MPI_OFFSET, Kind::integer, Reading::signed_integer},
    {MPI_COUNT, Kind::integer, Reading::signed_integer},
    {MPI_INTEGER, Kind::integer, Reading::signed_integer},
    {MPI_UNSIGNED_CHAR, Kind::integer, Reading::unsigned_integer},
    {MPI_UNSIGNED_SHORT, Kind::integer, Reading::unsigned_integer},
    {MPI_UNSIGNED, Kind::integer, Reading::unsigned_integer},
    {MPI_UNSIGNED_LONG, Kind::integer, Reading::unsigned_integer},
    {MPI_UNSIGNED_LONG_LONG, Kind::integer, Reading::unsigned_integer},
    {MPI_UINT8_T, Kind::integer, Reading::unsigned_integer},
    {MPI_UINT16_T, Kind::integer, Reading::unsigned_integer},
    {MPI_UINT32_T, Kind::integer, Reading::unsigned_integer},
    {MPI_UINT64_T, Kind::integer, Reading::unsigned_integer},
    {MPI_FLOAT, Kind::floating, Reading::real},
    {MPI_DOUBLE, Kind::floating, Reading::real},
    {MPI_REAL, Kind::floating, Reading::real},
    {MPI_DOUBLE_PRECISION, Kind::floating, Reading::real},
    {MPI_LONG_DOUBLE, Kind::floating, Reading::long_real},
    {MPI_C_FLOAT_COMPLEX, Kind::complex, Reading::complex},
    {MPI_C_DOUBLE_COMPLEX, Kind::complex, Reading::complex},
    {MPI_C_LONG_DOUBLE_COMPLEX, Kind::complex, Reading::complex},
    {MPI_COMPLEX, Kind::complex, Reading::complex},
    {MPI_DOUBLE_COMPLEX, Kind::complex, Reading::complex},
    {MPI_C_BOOL, Kind::logical, Reading::c_bool},
    {MPI_CXX_BOOL, Kind::logical, Reading::c_bool},
    {MPI_LOGICAL, Kind::logical, Reading::none},
    {MPI_BYTE, Kind::byte, Reading::unsigned_integer},
    {MPI_PACKED, Kind::character, Reading::none},
    {MPI_2INT, Kind::pair, Reading::integer_and_place},
    {MPI_SHORT_INT, Kind::pair, Reading::integer_and_place},
    {MPI_LONG_INT, Kind::pair, Reading::integer_and_place},
    {MPI_FLOAT_INT, Kind::pair, Reading::real_and_place},
    {MPI_DOUBLE_INT, Kind::pair, Reading::real_and_place},
    {MPI_LONG_DOUBLE_INT, Kind::pair, Reading::none},
    {MPI_2REAL, Kind::pair, Reading::two_reals},
    {MPI_2DOUBLE_PRECISION, Kind::pair, Reading::two_reals},
    {MPI_2INTEGER, Kind::pair, Reading::integer_and_place},
};

/// Which element is read so and takes so many bytes.
struct Row {
  Reading reading;
  std::int64_t size;
  Element element;
};
constexpr Row elements[] = {
    {Reading::signed_integer, 1, Element::i8},
    {Reading::signed_integer, 2, Element::i16},
    {Reading::signed_integer, 4, Element::i32},
    {Reading::signed_integer, 8, Element::i64},
    {Reading::unsigned_integer, 1, Element::u8},
    {Reading::unsigned_integer, 2, Element::u16},
    {Reading::unsigned_integer, 4, Element::u32},
    {Reading::unsigned_integer, 8, Element::u64},
    {Reading::real, 4, Element::f32},
    {Reading::real, 8, Element::f64},
    {Reading::long_real, sizeof(long double), Element::long_double},
    {Reading::complex, 8, Element::complex_f32},
    {Reading::complex, 16, Element::complex_f64},
    {Reading::complex, 2 * sizeof(long double), Element::complex_long_double},
    {Reading::c_bool, 1, Element::logical_c_bool},
    {Reading::integer_and_place, 6, Element::i16_i32},
    {Reading::integer_and_place, 8, Element::i32_i32},
    {Reading::integer_and_place, 12, Element::i64_i32},
    {Reading::real_and_place, 8, Element::f32_i32},
    {Reading::real_and_place, 12, Element::f64_i32},
    {Reading::two_reals, 8, Element::f32_f32},
    {Reading::two_reals, 16, Element::f64_f64},
};

std::optional<Element> element_of(Reading reading, std::int64_t size) {
  for (const Row& row : elements)
    if (row.reading == reading && row.size == size) return row.element;
  return std::nullopt;
}

TypeInfo measure(MPI_Datatype type) {
  TypeInfo info;
  MPI_Count size = 0;
  MPI_Aint lower = 0, extent = 0;
  pmpi.Type_size_x(type, &size);
  pmpi.Type_get_extent(type, &lower, &extent);
  info.size = size, info.extent = extent;
  pmpi.Type_get_true_extent(type, &lower, &extent);
  info.true_lower = lower, info.true_extent = extent;
  return info;
}

/// The predefined types by handle.  An entry is measured when it is first asked for: an MPI library may define a
/// name that it cannot serve, and asking about that one would be an error of our making.
class Table {
 public:
  struct Entry {
    Predefined type;
    std::atomic<int> state{0};  // 0 unknown, 1 being filled, 2 filled
    TypeInfo info;
  };
  Table() {
    for (const Predefined& type : predefined_types) {
      std::size_t at = start(type.handle);
      while (slots_[at] && slots_[at]->type.handle != type.handle) at = (at + 1) % slots_.size();
      if (slots_[at]) continue;  // two names of one type
      entries_[used_].type = type;
      slots_[at] = &entries_[used_++];
    }
  }
  Entry* find(MPI_Datatype handle) {
    for (std::size_t at = start(handle); slots_[at]; at = (at + 1) % slots_.size())
      if (slots_[at]->type.handle == handle) return slots_[at];
    return nullptr;
  }

 private:
  std::size_t start(MPI_Datatype handle) const {
    std::uint64_t key = 0;
    std::memcpy(&key, &handle, sizeof handle);
    return (key * 0x9E3779B97F4A7C15u) >> 56;
  }
  std::array<Entry, std::size(predefined_types)> entries_;
  std::size_t used_ = 0;
  std::array<Entry*, 256> slots_{};
};

TypeInfo fill(Table::Entry& entry) {
  TypeInfo info = measure(entry.type.handle);
  info.kind = entry.type.kind;
  info.predefined = true;
  info.flat = info.size == info.extent && info.size == info.true_extent && info.true_lower == 0;
  info.element = element_of(entry.type.reading, info.size);
  int unknown = 0;
  if (entry.state.compare_exchange_strong(unknown, 1, std::memory_order_relaxed)) {
    entry.info = info;
    entry.state.store(2, std::memory_order_release);
  }
  return info;
}

/// Packs one element whose bytes tell their own positions: the type is dense and in order if they come out in order.
/// (Asking how the type was made would need calls that are errors for types made with large counts.)
/// Nothing where the MPI underneath refuses: such a type may be committed later.
std::optional<bool> packs_in_order(MPI_Datatype type, std::int64_t size, MPI_Comm comm) {
  constexpr std::int64_t largest = 64 * 1024;
  if (size > largest) return false;
  std::array<unsigned char, 1024> small;
  std::vector<unsigned char> large;
  const auto bytes = static_cast<std::size_t>(size);
  unsigned char* in = small.data();
  if (2 * bytes > small.size()) large.resize(2 * bytes), in = large.data();
  unsigned char* const out = in + bytes;
  for (int shift = 0; shift < (size > 256 ? 16 : 8); shift += 8) {
    for (std::size_t i = 0; i < bytes; ++i) in[i] = static_cast<unsigned char>(i >> shift);
    int position = 0;
    if (pmpi.Pack(in, 1, type, out, static_cast<int>(size), &position, comm) != MPI_SUCCESS) return std::nullopt;
    if (position != size || std::memcmp(in, out, bytes) != 0) return false;
  }
  return true;
}

Table& table() {
  static Table made;
  return made;
}

}  // namespace

std::int64_t plain_size(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return -1;
  Table::Entry* const entry = table().find(type);
  if (!entry) return -1;
  if (entry->state.load(std::memory_order_acquire) != 2) fill(*entry);
  return entry->state.load(std::memory_order_acquire) == 2 && entry->info.flat ? entry->info.size : -1;
}

std::int64_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return 0;
  Table::Entry* const entry = table().find(type);
  if (entry && entry->state.load(std::memory_order_acquire) == 2) return entry->info.size;
  MPI_Count size = 0;
  if (const TypeInfo* known = known_types::find(type)) return known->size;
  pmpi.Type_size_x(type, &size);
  return size;
}

TypeInfo describe(MPI_Datatype type, MPI_Comm comm) {
  if (type == MPI_DATATYPE_NULL) {
    TypeInfo nothing;
    nothing.flat = true;
    return nothing;
  }
  if (Table::Entry* entry = table().find(type))
    return entry->state.load(std::memory_order_acquire) == 2 ? entry->info : fill(*entry);
  if (const TypeInfo* known = known_types::find(type)) return *known;
  TypeInfo info = measure(type);
  const bool dense = info.size == info.extent && info.size == info.true_extent && info.true_lower == 0;
  const std::optional<bool> in_order = info.size > 0 && dense ? packs_in_order(type, info.size, comm) : info.size == 0;
  info.flat = in_order.value_or(false);
  if (in_order) known_types::keep(type, info);
  return info;
}

}  // namespace tutti::mpi
