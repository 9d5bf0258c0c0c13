#include "runtime/datatype/named_types.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "runtime/datatype/acceptance.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime::named_types {
namespace {

using Kind = TypeInfo::Kind;
using shm::Element;

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

/// A type of the table, and its facts, stored by the first thread.
struct Entry {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  Kind kind = Kind::user;
  Reading reading = Reading::none;
  std::atomic<const TypeInfo*> facts{nullptr};
  Answers answers;

  /// Publishes these, unless there are some already.
  const TypeInfo* publish(const TypeInfo& info) {
    auto mine = std::make_unique<TypeInfo>(info);
    mine->answers = &answers;
    const TypeInfo* none = nullptr;
    if (!facts.compare_exchange_strong(none, mine.get(), std::memory_order_acq_rel, std::memory_order_acquire))
      return none;
    return mine.release();
  }
};

/// An entry is measured at its first use: an MPI library may define a name that it cannot serve, and a query about it
/// would raise an error.
class Table {
 public:
  Table() {
    for (const Predefined& type : predefined_types) insert(type);
  }
  Entry* find(MPI_Datatype handle) const {
    for (std::size_t at = start(handle);; at = next(at)) {
      Entry* const entry = slots_[at].load(std::memory_order_acquire);
      if (!entry || entry->handle == handle) return entry;
    }
  }
  /// Null where there is no room.
  Entry* add(MPI_Datatype handle) {
    const std::lock_guard lock(adding_);
    if (Entry* const known = find(handle)) return known;
    return used_ < most ? insert({handle, Kind::user, Reading::none}) : nullptr;
  }

 private:
  static constexpr std::size_t places = 256, most = places / 2;
  Entry* insert(const Predefined& type) {
    std::size_t at = start(type.handle);
    for (; Entry* const other = slots_[at].load(std::memory_order_relaxed); at = next(at))
      if (other->handle == type.handle) return other;  // two names of one type
    Entry& entry = entries_[used_++];
    entry.handle = type.handle, entry.kind = type.kind, entry.reading = type.reading;
    slots_[at].store(&entry, std::memory_order_release);
    return &entry;
  }
  static std::size_t next(std::size_t at) { return (at + 1) % places; }
  static std::size_t start(MPI_Datatype handle) {
    std::uint64_t key = 0;
    std::memcpy(&key, &handle, sizeof handle);
    return (key * 0x9E3779B97F4A7C15u) >> 56;
  }
  std::array<Entry, most> entries_;
  std::size_t used_ = 0;
  std::array<std::atomic<Entry*>, places> slots_{};
  std::mutex adding_;
};

Table& table() {
  static auto& made = *new Table;  // outlives every static object
  return made;
}

/// Two threads that meet a type for the first time both measure it, and find the same.
const TypeInfo* fill(Entry& entry) {
  TypeInfo info = measure(entry.handle);
  info.kind = entry.kind;
  info.predefined = true;
  info.flat = lies_packed(info);
  info.element = element_of(entry.reading, info.size);
  info.usable = info.size > 0 || is_committed(entry.handle);
  return entry.publish(info);
}

}  // namespace

const TypeInfo* find(MPI_Datatype type) {
  Entry* const entry = table().find(type);
  if (!entry) return nullptr;
  const TypeInfo* const known = entry->facts.load(std::memory_order_acquire);
  return known ? known : fill(*entry);
}

/// The name first: to ask how a type was made is an error for one that was made with large counts.
bool is_named(MPI_Datatype type) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0, integers = 0, addresses = 0, types = 0, combiner = 0;
  if (pmpi.Type_get_name(type, name.data(), &length) != MPI_SUCCESS) return false;
  if (!std::string_view(name.data()).starts_with("MPI")) return false;
  return pmpi.Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

void learn(MPI_Datatype type, const TypeInfo& info) {
  if (Entry* const entry = table().add(type)) entry->publish(info);
}

}  // namespace tutti::runtime::named_types
