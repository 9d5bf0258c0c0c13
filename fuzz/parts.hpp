#pragma once
/// The parts of the fuzzer: kinds of cases, which can be switched on alone (`--parts moves,types`).
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti::fuzz {

enum class Part : std::uint8_t {
  moves,     ///< right calls by MPI_X, one datatype on all ranks
  mistakes,  ///< wrong arguments on one rank or on all, then the right call
  types,     ///< another datatype of the same signature on each rank; rare, absolute and empty types
  names,     ///< another name of the function on each rank
  lives,     ///< communicators made and freed, with attributes whose delete callbacks make collectives
  crossed,   ///< rooted calls crossed with messages
  requests,  ///< nonblocking and persistent calls on several communicators, blocking ones and messages between them
};
inline constexpr std::array<std::string_view, 7> part_names = {"moves", "mistakes", "types",   "names",
                                                               "lives", "crossed",  "requests"};
constexpr std::string_view name(Part part) { return part_names[static_cast<std::size_t>(part)]; }

/// Requests by name only: what the libraries themselves never end among them is not all known yet (library.cpp).
struct Parts {
  std::array<bool, part_names.size()> on{true, true, true, true, true, true, false};
  bool has(Part part) const { return on[static_cast<std::size_t>(part)]; }
};

/// "moves,types"; nothing where a name is unknown or none is given.
std::optional<Parts> parts_named(std::string_view names);
/// The part that a case belongs to: the same on all ranks.
Part part_of(const Parts& parts, std::uint64_t seed, int number);

}  // namespace tutti::fuzz
