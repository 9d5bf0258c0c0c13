#pragma once
/// The collectives tutti knows: one enumeration, one table of names.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti {

enum class Collective : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
};

inline constexpr std::array<std::string_view, 17> collective_names = {
    "barrier",   "bcast",     "gather",     "gatherv",        "scatter",
    "scatterv",  "allgather", "allgatherv", "alltoall",       "alltoallv",
    "alltoallw", "reduce",    "allreduce",  "reduce_scatter", "reduce_scatter_block",
    "scan",      "exscan"};

constexpr std::string_view name(Collective which) { return collective_names[static_cast<std::size_t>(which)]; }

/// The collective of that name (lower case, as in MPI without the prefix), or nothing.
constexpr std::optional<Collective> collective_named(std::string_view name) {
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    if (collective_names[i] == name) return static_cast<Collective>(i);
  return std::nullopt;
}

}  // namespace tutti
