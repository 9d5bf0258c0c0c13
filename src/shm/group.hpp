#pragma once
/// A group: the ranks of one communicator that share a node, and the collectives that they run in shared memory. Every
/// member makes the same calls in the same order, one thread at a time (as MPI demands).
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/borders.hpp"
#include "shm/copy/copy.hpp"
#include "shm/learners.hpp"
#include "shm/reducer.hpp"
#include "shm/segment/segment.hpp"
#include "shm/variants/variants.hpp"
#include "task/suspend.hpp"

namespace tutti::shm {

/// MPI progress.  Called by waits after about 10 us, and then at an interval that follows from its measured cost.
/// Returns whether the MPI has calls under way that this thread must go on moving: then a wait calls it again and
/// again, and does not sleep.
struct Progress {
  bool (*call)(void* context) = nullptr;
  void* context = nullptr;
};

/// Copies at most `bytes` from another process's memory.  Returns the bytes copied, or a negative number if refused.
using ReadMemory = std::ptrdiff_t (*)(std::int64_t process, const void* from, void* into, std::size_t bytes);
/// The same into another process's memory.
using WriteMemory = std::ptrdiff_t (*)(std::int64_t process, void* into, const void* from, std::size_t bytes);

/// Lengths of slots in bytes, best first; longer ones need more memory.  More calls fit one turn of a longer slot, and
/// long calls synchronise less (8 members on 2 CPUs, 32 KiB against 16: 1.1 to 1.9 times as fast from 128 KiB on); 64
/// KiB gain nothing more.  Fewer but longer slots are slower: members run less far ahead.
inline constexpr std::array<std::size_t, 3> chunks{32 * 1024, 16 * 1024, 8 * 1024};

/// Bytes of a member's backlog (backlog.hpp), best first.  It holds one call of 8 bytes for every 32 bytes.
inline constexpr std::array<std::size_t, 4> backlogs{256 * 1024, 128 * 1024, 64 * 1024, 32 * 1024};

struct ShmGroupOptions {
  int me = 0, size = 1;
  int cpus = 1;         ///< CPUs in the affinity masks of the members, together; the same number on all
  bool spread = false;  ///< balance CPUs (cpu_balancer.hpp): for a group of all ranks of a node
  /// Bytes of one slot of one member, preferably one of `chunks`; 0: the second of them.
  std::size_t chunk = 0;
  /// Bytes of short payloads by which a member may run ahead of those who read them, beside its slots; 0: none.
  std::size_t backlog = backlogs[0];
  /// Bytes of a member's long ring (long_ring.hpp), a multiple of 128; 0: long payloads lie in slots and places.
  std::size_t long_ring = 0;
  /// Bytes from which on a payload lies there.  6 KiB are as fast in slots, 8 KiB take 0.75 of the time (two cores of a
  /// Zen 4).
  std::size_t long_payload = 8 * 1024;
  /// How often long payloads from recent buffers would have filled the ring before its pages are taken; 0: it is used
  /// at once, and for all.
  std::size_t long_ring_after = 4;
  bool long_ring_now = false;  ///< its pages are taken as the group is made
  /// Bytes of long payloads by which a member may run ahead of those who read them (deposits.hpp), a multiple of 128;
  /// 0: it waits for them.
  std::size_t deposits = 0;
  /// Bytes of one place of a member's pairwise ring; 0: as long as a slot, but at least 16 KiB.  8 KiB took up to 1.7
  /// times as long as 16.  Where all send to all, 32 KiB take 0.7 to 0.9 of the time of 16 (2 members, Zen 4).
  std::size_t ring_chunk = 0;
  /// A reduction's work is shared where that saves each member the combining of this many bytes, for one more
  /// synchronisation.  0: by the cost of a synchronisation with these members on these CPUs.
  std::size_t stripe_from = 0;
  /// Bytes from which on scans of three and more members are a chain.
  std::size_t chain_from = borders::scan_chain_from;
  /// What is found out at run time: the same on all members.  `spread` above stands for that learner.
  Learners learners = Learners::all();
  /// The domain of each member, by any numbers, the same on all (topology.hpp): collectives follow them.  Empty: flat.
  std::vector<int> domains = {};
  Progress progress;
  Suspend suspend;                     ///< replaces blocking waits in a group whose calls run in tasks
  ReadMemory read_memory = nullptr;    ///< null: process_vm_readv
  WriteMemory write_memory = nullptr;  ///< null: process_vm_writev
};

/// Blocks of bytes, one a member: equal ones back to back, or each where and as long as the arrays say.
struct Blocks {
  std::byte* start = nullptr;
  std::size_t block = 0;
  const std::int64_t* offsets = nullptr;
  const std::int64_t* sizes = nullptr;

  std::size_t size(int member) const { return sizes != nullptr ? static_cast<std::size_t>(sizes[member]) : block; }
  std::byte* at(int member) const {
    return start + (sizes != nullptr ? offsets[member] : static_cast<std::int64_t>(block) * member);
  }
};

/// What members know of a call's blocks: one size known to all, or each member knows only its own.
enum class Sizes : std::uint8_t { equal, own };

/// A member's block for itself: copied when that delays nobody.  No bytes: it is in place already.
struct OwnBlock {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t bytes = 0;

  void move() const { copy_bytes(to, from, bytes); }
  /// Where my contribution to an allgather is.
  const std::byte* or_block(const std::byte* in_place) const { return bytes != 0 ? from : in_place; }
};

/// How a call has ended at a member: complete; with less, because a block was shorter than expected; with a truncated
/// block, which was longer than the room for it; or failed: a member that it depends on has forfeited its part, and the
/// result is undefined.
enum class Ending : std::uint8_t { whole, less, cut, failed };

/// Elements of each member's block: `each`, or its entry in `counts`.  In a contribution the blocks lie back to back,
/// or each so many elements from the start as `places` says.
struct Shares {
  std::size_t each = 0;
  const std::int64_t* counts = nullptr;
  const std::int64_t* places = nullptr;

  std::size_t count(int member) const { return counts != nullptr ? static_cast<std::size_t>(counts[member]) : each; }
  /// Elements before the member's block.
  std::size_t first(int member) const {
    if (counts == nullptr) return each * static_cast<std::size_t>(member);
    std::size_t sum = 0;
    for (int i = 0; i < member; ++i) sum += count(i);
    return sum;
  }
  std::size_t place(int member) const {
    return places != nullptr ? static_cast<std::size_t>(places[member]) : first(member);
  }
  std::size_t total(int size) const { return first(size); }
  std::size_t most(int size) const {
    if (counts == nullptr) return each;
    std::size_t longest = 0;
    for (int i = 0; i < size; ++i) longest = count(i) > longest ? count(i) : longest;
    return longest;
  }
  std::size_t least(int size) const {
    std::size_t shortest = count(0);
    for (int i = 1; counts != nullptr && i < size; ++i) shortest = count(i) < shortest ? count(i) : shortest;
    return shortest;
  }
};

/// Halves of a call: `give` posts what others wait for, and waits for nobody; `take` is the rest.
enum class Half : std::uint8_t { both, give, take };

class ShmGroup {
 public:
  /// The implementation: a segment (group.cpp), or messages between simulated ranks (src/smpi).
  struct State;
  explicit ShmGroup(std::unique_ptr<State> state);

  /// Bytes that the shared segment needs for this group.
  static std::size_t bytes(const ShmGroupOptions& options);
  /// Those that every group uses.  The rest, from there on, are the long rings and the deposits.
  static std::size_t used_bytes(const ShmGroupOptions& options);
  /// The segment must begin as `bytes(options)` zeros, the same on every member.
  ShmGroup(Segment segment, const ShmGroupOptions& options);
  ~ShmGroup();
  ShmGroup(const ShmGroup&) = delete;

  /// Tests whether every member can read every other's memory.  Called once all members have been made, as their first
  /// call: so long rings that have their pages by then are mapped here too.
  bool agree_on_single_copy();
  /// The two halves of it, where calls must not block: this member's test, once all have been made, and what all have
  /// found.
  bool can_read_all() const;
  void allow_single_copy(bool yes);

  /// The variant that carries such a call out.  Whoever makes the same call often asks once, and says so in
  /// `Borders::settled`.
  Variant settle(const VariantCall& call, const Borders& borders) const;
  /// Why the variant that the borders ask for cannot carry it out; empty where it can, or where none is asked for.
  std::string_view obstacle(const VariantCall& call, const Borders& borders) const;

  /// Whether such a call can be made in two halves.  Which of the members do so does not matter to the others.
  bool has_halves(const VariantCall& call, const Borders& borders) const;
  /// Whether nobody reads any more what the first half of a call overwrites.
  bool can_give();
  /// The next calls are that half, until this is called again.
  void run_half(Half half);

  void barrier(const Borders& borders = {});
  /// While `yes`, this member forfeits its part of the calls: it makes them with the same sizes and roots, but has no
  /// data.  It touches none of the given memory; members that depend on it learn that it has failed.
  void forfeit(bool yes);

  /// `bytes` from the root's buffer to everybody's.  Members may expect more or less than the root sends, but nothing
  /// only if the root sends nothing.
  Ending bcast(void* buffer, std::size_t bytes, int root, const Borders& borders = {});

  // Data moves between different members; a member's block for itself is not touched, unless it is given as `own`.  A
  // block that is shorter than expected leaves the rest unchanged.

  /// At the root: the destination of each member's block; elsewhere only block `me` exists, the contribution.
  Ending gather(const Blocks& blocks, int root, Sizes sizes, const Borders& borders = {}, const OwnBlock& own = {});
  /// At the root: each member's block; elsewhere only block `me` exists, the destination.
  Ending scatter(const Blocks& blocks, int root, Sizes sizes, const Borders& borders = {}, const OwnBlock& own = {});
  /// Block `me` goes to all others' block of that number.  All members know all sizes.
  Ending allgather(const Blocks& blocks, const Borders& borders = {}, const OwnBlock& own = {});
  /// `in` by destination, `out` by source; they do not overlap.
  Ending alltoall(const Blocks& in, const Blocks& out, Sizes sizes, const Borders& borders = {},
                  const OwnBlock& own = {});

  /// Order-preserving: member 0 (+) member 1 (+) ...  `out` is used at the root only.  `in == out` is in place.
  Ending reduce(const void* in, void* out, std::size_t count, const Reducer& op, int root, const Borders& borders = {});
  /// As reduce, to everybody, with identical bits.
  Ending allreduce(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders = {});

  /// Member i gets block i of the reduction of everybody's blocks.  `out` is apart from `in`.
  Ending reduce_scatter(const void* in, void* out, const Shares& blocks, const Reducer& op,
                        const Borders& borders = {});
  /// Member i gets member 0 (+) ... (+) member i; `in == out` is in place.
  Ending scan(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders = {});
  /// ... (+) member i - 1; member 0's `out` stays as it is.
  Ending exscan(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders = {});

  int size() const;
  int me() const;
  /// After a call that has ended with less: bytes of the last block that was shorter than expected.
  std::size_t received() const;

  /// Calls Progress: at once if members have a CPU each, else at this member's next wait.  Open MPI yields the CPU in
  /// it; between two calls that delayed the others, and a barrier of 8 members on 2 CPUs took twice as long.
  void progress_soon();

 private:
  std::unique_ptr<State> state_;
};

/// While it lives, this member forfeits its part.
class Forfeit {
 public:
  explicit Forfeit(ShmGroup& group) : group_(group) { group_.forfeit(true); }
  ~Forfeit() { group_.forfeit(false); }
  Forfeit(const Forfeit&) = delete;

 private:
  ShmGroup& group_;
};

}  // namespace tutti::shm
