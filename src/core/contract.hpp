#pragma once
/// The contract: what each of the seventeen collectives means (MPI 4.1, chapter 6), a row each.
///
/// The verifier, the binder, the check of arguments and the choice read it.  A new collective is a row, its schedules,
/// and its call of the MPI underneath (runtime/mpi_collective.cpp).
#include <array>
#include <cstdint>

#include "core/block.hpp"
#include "core/collective.hpp"

namespace tutti {

/// Some of the ranks of a call.
enum class Ranks : std::uint8_t { none, root, others, all, later };  // others: all but the root; later: all but rank 0

constexpr bool among(Ranks ranks, Rank me, Rank root) {
  switch (ranks) {
    case Ranks::none:
      return false;
    case Ranks::root:
      return me == root;
    case Ranks::others:
      return me != root;
    case Ranks::all:
      return true;
    case Ranks::later:
      return me > 0;
  }
  return false;
}

/// What one buffer of a call holds: nothing, one vector that all ranks share, this rank's block, a block for each rank.
enum class Shape : std::uint8_t { nothing, vector, block, row };

/// One side of the call, as a program makes it.
struct SideContract {
  Ranks ranks = Ranks::none;  ///< where its arguments count
  Shape shape = Shape::nothing;
  bool irregular = false;  ///< has an array of counts
};

/// Where a rank's own data are if its call is in place: nowhere (it cannot be), its own block in the other side (so
/// that its own side is not there), or all that it gives in the buffer of what it gets.
enum class InPlace : std::uint8_t { never, block_in_receive, block_in_send, all_in_receive };

/// Owners' blocks that a schedule finds in a buffer.
struct Held {
  Ranks ranks = Ranks::none;  ///< which ranks have any
  bool own = false;           ///< this rank's block alone, else those of all owners
};

/// What an owner's block of the output holds in the end.
struct Outputs {
  enum class Data : std::uint8_t { vector, owner, mine };  ///< of whose block: the one vector, the owner's, this rank's
  enum class From : std::uint8_t { root, owner, all, to_me, before_me };  ///< contributions of which ranks
  Ranks ranks = Ranks::none;                                              ///< elsewhere the output may hold anything
  Data data = Data::vector;
  From from = From::all;
};

/// What of a call's size is the same on all ranks, so that a choice may follow from it: nothing to know, the one count,
/// all counts, the blocks between two ranks, nothing.
enum class CommonSize : std::uint8_t { none, count, counts, pair, unknown };

struct Contract {
  Collective collective = Collective::barrier;
  bool reduces = false;  ///< combines values with an operator
  SideContract send{}, receive{};
  Ranks in_place_on = Ranks::none;
  InPlace in_place = InPlace::never;
  /// Before the first step: who has which blocks; `holds_own`: whose output begins with what the rank itself gives
  /// (its own block, or the vector).
  Held input{}, output{};
  Ranks holds_own = Ranks::none;
  Outputs result{};
  CommonSize size = CommonSize::unknown;
  bool needs_all = false;  ///< each result depends on every rank's data: if nothing is empty, no rank may leave
                           ///< before all have entered
};

namespace contract_rows {

using enum Collective;
using Data = Outputs::Data;
using From = Outputs::From;

inline constexpr SideContract vector_of_all{Ranks::all, Shape::vector}, block_of_all{Ranks::all, Shape::block},
    row_of_all{Ranks::all, Shape::row}, row_of_root{Ranks::root, Shape::row};
inline constexpr Held nobody{}, everywhere{Ranks::all}, at_root{Ranks::root}, own_elsewhere{Ranks::others, true};

constexpr SideContract irregular(SideContract side) { return {side.ranks, side.shape, true}; }

constexpr Contract gathering(Collective which, SideContract all, CommonSize size) {
  return {.collective = which,
          .send = block_of_all,
          .receive = all,
          .in_place_on = all.ranks,
          .in_place = InPlace::block_in_receive,
          .input = all.ranks == Ranks::root ? own_elsewhere : nobody,
          .output = {all.ranks},
          .holds_own = all.ranks,
          .result = {all.ranks, Data::owner, From::owner},
          .size = size,
          .needs_all = all.ranks == Ranks::all};
}

constexpr Contract scattering(Collective which, SideContract all, CommonSize size) {
  return {.collective = which,
          .send = all,
          .receive = block_of_all,
          .in_place_on = Ranks::root,
          .in_place = InPlace::block_in_send,
          .input = at_root,
          .output = own_elsewhere,
          .result = {Ranks::others, Data::mine, From::root},
          .size = size};
}

constexpr Contract exchanging(Collective which, SideContract all, CommonSize size) {
  return {.collective = which,
          .send = all,
          .receive = all,
          .in_place_on = Ranks::all,
          .in_place = InPlace::all_in_receive,
          .input = everywhere,
          .output = everywhere,
          .holds_own = Ranks::all,
          .result = {Ranks::all, Data::mine, From::owner},
          .size = size,
          .needs_all = true};
}

/// One vector into one vector.
constexpr Contract combining(Collective which, Ranks results, From from) {
  const bool exclusive = from == From::before_me;
  return {.collective = which,
          .reduces = true,
          .send = vector_of_all,
          .receive = {results, Shape::vector},
          .in_place_on = results == Ranks::root ? Ranks::root : Ranks::all,
          .in_place = InPlace::all_in_receive,
          .input = exclusive ? everywhere : nobody,
          .output = {exclusive ? results : Ranks::all},
          .holds_own = exclusive ? Ranks::none : Ranks::all,
          .result = {results, Data::vector, from},
          .size = CommonSize::count,
          .needs_all = results == Ranks::all && from == From::all};
}

/// A row of blocks into this rank's.
constexpr Contract combining_blocks(Collective which, SideContract mine, CommonSize size) {
  return {.collective = which,
          .reduces = true,
          .send = row_of_all,
          .receive = mine,
          .in_place_on = Ranks::all,
          .in_place = InPlace::all_in_receive,
          .input = everywhere,
          .output = {Ranks::all, true},
          .holds_own = Ranks::all,
          .result = {Ranks::all, Data::mine, From::all},
          .size = size,
          .needs_all = true};
}

}  // namespace contract_rows

inline constexpr std::array<Contract, collective_names.size()> contracts = [] {
  using namespace contract_rows;
  return std::array<Contract, collective_names.size()>{{
      {.collective = barrier, .size = CommonSize::none, .needs_all = true},
      {.collective = bcast,
       .receive = vector_of_all,
       .output = everywhere,
       .holds_own = Ranks::root,
       .result = {Ranks::all, Data::vector, From::root},
       .size = CommonSize::count},
      gathering(gather, row_of_root, CommonSize::count),
      gathering(gatherv, irregular(row_of_root), CommonSize::unknown),
      scattering(scatter, row_of_root, CommonSize::count),
      scattering(scatterv, irregular(row_of_root), CommonSize::unknown),
      gathering(allgather, row_of_all, CommonSize::count),
      gathering(allgatherv, irregular(row_of_all), CommonSize::counts),
      exchanging(alltoall, row_of_all, CommonSize::count),
      exchanging(alltoallv, irregular(row_of_all), CommonSize::pair),
      exchanging(alltoallw, irregular(row_of_all), CommonSize::pair),
      combining(reduce, Ranks::root, From::all),
      combining(allreduce, Ranks::all, From::all),
      combining_blocks(reduce_scatter, irregular(block_of_all), CommonSize::counts),
      combining_blocks(reduce_scatter_block, block_of_all, CommonSize::count),
      combining(scan, Ranks::all, From::to_me),
      combining(exscan, Ranks::later, From::before_me),
  }};
}();

constexpr const Contract& contract(Collective which) { return contracts[static_cast<std::size_t>(which)]; }

/// Has one rank with a role of its own.
constexpr bool rooted(Collective which) {
  const Contract& row = contract(which);
  return row.holds_own == Ranks::root || row.send.ranks == Ranks::root || row.receive.ranks == Ranks::root;
}

namespace contract_rows {

/// One bit a collective: asked in every call, a table would be another line of the cache.
template <class Is>
constexpr std::uint32_t bits(Is is) {
  std::uint32_t all = 0;
  for (const Contract& row : contracts) all |= std::uint32_t{is(row)} << static_cast<unsigned>(row.collective);
  return all;
}
inline constexpr std::uint32_t reducing = bits([](const Contract&row) { return row.reduces; }),
                               differing =
                                   bits([](const Contract&row) { return row.send.irregular || row.receive.irregular; });
constexpr bool among_bits(std::uint32_t all, Collective which) { return all >> static_cast<unsigned>(which) & 1; }

}  // namespace contract_rows

/// Combines values with an operator.
constexpr bool reduces(Collective which) { return contract_rows::among_bits(contract_rows::reducing, which); }

/// Has one vector that all ranks share (one owner); otherwise an owner a rank.
constexpr bool one_vector(Collective which) { return contract(which).receive.shape == Shape::vector; }

/// Every rank has a block for every rank.
constexpr bool all_to_all(Collective which) {
  return contract(which).send.shape == Shape::row && contract(which).receive.shape == Shape::row;
}

/// Whose arrival a rank needs besides its own before it can leave: nobody's, the root's, those of all ranks before it,
/// everybody's.
enum class Awaited : std::uint8_t { nobody, root, earlier, all };

/// What the call's meaning asks for where nothing is empty; an implementation may wait for more.
constexpr Awaited awaited(Collective which, Rank me, Rank root) {
  using From = Outputs::From;
  const Contract& row = contract(which);
  if (row.needs_all) return Awaited::all;
  if (!among(row.result.ranks, me, root)) return Awaited::nobody;  // it gives, and has nothing to get
  if (row.result.from == From::root) return me == root ? Awaited::nobody : Awaited::root;
  return row.result.from == From::to_me || row.result.from == From::before_me ? Awaited::earlier : Awaited::all;
}

/// Blocks of different ranks may differ in size.
constexpr bool irregular(Collective which) { return contract_rows::among_bits(contract_rows::differing, which); }

}  // namespace tutti
