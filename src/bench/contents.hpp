#pragma once
/// Contents of buffers, and what a right result looks like.
///
/// Element i of a block holds table[(i + phase) mod 251].  The period is prime, so that a block shifted by any
/// power-of-two segment differs; a phase made from ranks and repetition makes blocks differ from each other and a
/// stale result from a fresh one.  Values and their sums over 65 536 ranks are exact in a 4-byte float.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::bench {

inline constexpr int period = 251;

/// Phase of the block that `from` contributes for `to` in repetition `repetition`; non-negative arguments.
constexpr int phase_of(std::int64_t from, std::int64_t to, std::int64_t repetition) {
  return static_cast<int>((17 * (from % period) + 29 * (to % period) + 31 * (repetition % period)) % period);
}

/// What elements are, as MPI_BYTE, MPI_INT and so on; strided: four bytes and a gap of four, a derived type; then
/// MPI_2INT, MPI_FLOAT_INT and MPI_DOUBLE_INT, a value and its place.
enum class Element { byte, int32, int64, float32, float64, strided, int32_at, float32_at, float64_at };
inline constexpr std::array<std::string_view, 9> element_names = {"byte",    "int",  "long",      "float",     "double",
                                                                  "strided", "2int", "float_int", "double_int"};
constexpr std::string_view name(Element element) { return element_names[static_cast<std::size_t>(element)]; }
std::optional<Element> element_named(std::string_view word);
/// Bytes of data in one, and from one to the next.
int size_of(Element element);
int extent_of(Element element);

/// MPI_SUM and its like; user: a sum made with MPI_Op_create; ordered: the same, said not to be commutative.
enum class Operator { sum, prod, max, min, band, bor, bxor, land, lor, lxor, user, ordered, maxloc, minloc };
inline constexpr std::array<std::string_view, 14> operator_names = {
    "sum", "prod", "max", "min", "band", "bor", "bxor", "land", "lor", "lxor", "user", "ordered", "maxloc", "minloc"};
constexpr std::string_view name(Operator op) { return operator_names[static_cast<std::size_t>(op)]; }
std::optional<Operator> operator_named(std::string_view word);
/// Whether MPI defines it: bits of whole numbers alone, places with values alone, and nothing of bytes in numbers or of
/// derived types.
bool defined(Operator op, Element element);
/// What is combined where nothing else is asked for: float, or float_int where places are looked for.
Element usual_element(Operator op);

class Contents {
 public:
  /// table[i] = i: what ranks send.  Of prod 1 and 2, whose products are exact; of the logical ones 0 and 1.  Of values
  /// and places i mod 7 at i: many are equal, so that the place decides.
  static Contents contribution(Element element, Operator op = Operator::sum);
  /// Ranks first..last-1 combined, of what they contribute at phase_of(rank, 0, 0).  At least one rank.
  static Contents combined(Element element, Operator op, int first, int last);

  void fill(void* block, std::int64_t count, std::int64_t phase) const;
  bool matches(const void* block, std::int64_t count, std::int64_t phase) const;

 private:
  template <typename T>
  static Contents of(Element element, const std::array<T, period>& table);
  const std::byte* from(std::int64_t phase) const;

  std::int64_t size_ = 1, extent_ = 1;  ///< bytes of an element
  std::vector<std::byte> twice_;        ///< without gaps, so that a whole period lies in one piece from any phase on
};

}  // namespace tutti::bench
