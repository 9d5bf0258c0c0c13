#pragma once
/// What a process shows of its collective calls: one block of memory, which `tutti hang` reads from outside.
///
/// The block is a Block: facts of the process, names of the codes and handles in it, its communicators, and a ring of
/// the last calls of each thread that makes any.  One thread writes a ring; nobody locks anything.  A reader takes a
/// record as it is if its `stamp` is not 0 and the same before and after: the writer sets it to 0 first and to the
/// call's position last.  python/tutti/hang/memory.py reads by the same layout; `version` changes with it.
#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::hang {

inline constexpr std::uint32_t layout_version = 1;
inline constexpr std::size_t most_records = 64, most_rings = 8, most_communicators = 128, most_names = 96;

/// Other calls that all ranks of a communicator make: codes behind those of Collective.
enum class Other : std::uint8_t {
  comm_dup = 32,
  comm_dup_with_info,
  comm_split,
  comm_split_type,
  comm_create,
  comm_create_group,
  cart_create,
  cart_sub,
  graph_create,
  dist_graph_create,
  dist_graph_create_adjacent,
  intercomm_create,
  intercomm_merge,
  comm_spawn,
  finalize,
};

enum class Progress : std::uint8_t { left = 0, inside = 1 };

struct alignas(64) Head {
  std::array<char, 8> magic{};  ///< "tuttical"; written last
  std::uint32_t version = 0, bytes = 0;
  std::int32_t pid = 0, world_rank = 0, world_size = 0;  ///< -1: not known (no call so far, or sessions alone)
  std::uint32_t reported = 0;                            ///< set by who has reported a hang of this job (TUTTI_HANG)
  std::uint64_t started = 0;                             ///< seconds since 1970
  std::uint64_t unrecorded = 0;                          ///< threads that found no ring
  std::array<char, 64> host{}, job{};
  std::array<char, 256> program{};
  std::array<char, 80> unused{};
};
static_assert(sizeof(Head) == 512);

/// What stands for a number in this process: a call's code, the handle of a datatype or of an operator.
struct Name {
  enum What : std::uint16_t { none, call, type, op };
  std::uint64_t value = 0;
  std::uint16_t what = 0, bytes = 0;  ///< bytes: of one element of the type
  std::array<char, 28> text{};
};
static_assert(sizeof(Name) == 40);

/// World ranks first, first + stride, … of a communicator's members in a row.
struct Range {
  std::int32_t first = 0, count = 0, stride = 0;
};

struct alignas(64) Communicator {
  enum Flag : std::uint32_t {
    used = 1,
    inter = 2,     ///< two groups: members are those of this rank's own
    guessed = 4,   ///< nobody saw how it was made: `identity` is by members and order of first use
    unlisted = 8,  ///< the ranges hold not all of the members
  };
  std::uint64_t identity = 0;  ///< the same on all members
  std::uint64_t entered = 0;   ///< calls so far: the sequence number of the last one
  std::uint64_t key = 0;       ///< the handle's value in this process
  std::int32_t size = 0, rank = 0;
  std::uint32_t flags = 0, ranges = 0;
  std::uint32_t index = 0, made_here = 0;  ///< its place in the block; communicators made of it so far
  std::array<Range, 5> range{};            ///< of `ranges`
  std::array<char, 20> origin{};           ///< the call that made it, such as "Comm_split"
};
static_assert(sizeof(Communicator) == 128);

struct alignas(64) Record {
  std::uint64_t stamp = 0;         ///< position in the ring from 1 on; 0 while it is written
  std::uint64_t sequence = 0;      ///< of the call on its communicator, from 1 on; 0: it has none
  std::uint64_t site = 0;          ///< the return address of the call
  std::uint64_t frame = 0;         ///< the stack pointer before it
  std::int64_t count = 0;          ///< elements, or -1 where each peer has its own
  std::uint64_t type = 0, op = 0;  ///< handles, or 0
  std::int32_t root = 0;           ///< -1: there is none
  std::uint16_t communicator = 0;
  std::uint8_t code = 0;      ///< of Collective or of Other; + 64: nonblocking, + 128: makes a persistent request
  std::uint8_t progress = 0;  ///< Progress
};
static_assert(sizeof(Record) == 64);

struct alignas(64) Ring {
  std::uint64_t next = 0;   ///< calls so far
  std::int32_t thread = 0;  ///< as the kernel numbers them; 0: nobody's
  std::array<char, 52> unused{};
  std::array<Record, most_records> records{};
};

struct Block {
  Head head;
  std::array<Name, most_names> names;
  std::array<Communicator, most_communicators> communicators;
  std::array<Ring, most_rings> rings;
};

}  // namespace tutti::hang
