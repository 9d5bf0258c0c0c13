#pragma once
/// Slots: how members exchange data.
///
/// Each member owns a ring of `depth` slots, which it alone writes.  A collective is a sequence of *turns*, numbered
/// alike by all; turn t uses slot t mod depth of each member.  In a turn a member may write its slot and *post* it;
/// readers *await* the post.  The first bytes of the payload share the line of the turn number: a short message is one
/// line transfer.
///
/// Reuse.  A writer may overwrite a slot once the readers of its earlier turn have left it.  It learns that in two
/// ways: a turn that everybody posts and everybody awaits (`met`) says that all earlier turns are left; otherwise
/// members publish how far they are (`leave`).  Rule for every collective: each turn is either met or left by every
/// member, those included that neither wrote nor read.  Then a wait for reuse always ends: of the depth turns since,
/// the first that is left is published, and if all are met the last but one is known.  Members that leave early
/// (root of a bcast, others in a reduce) so run ahead by `depth` turns, and with short payloads by some thousands more:
/// where the slot is not free yet, these go to the backlog (backlog.hpp), and long ones to the deposits (deposits.hpp).
///
/// Beside the turn number lies a note: the length of the writer's data, whether the call has failed at the writer
/// (forfeits.hpp), and whether a long payload lies elsewhere (long_ring.hpp).
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "shm/copy/landing_policy.hpp"
#include "shm/copy/store_policy.hpp"
#include "shm/group.hpp"
#include "shm/sync/backlog.hpp"
#include "shm/sync/cpu_balancer.hpp"
#include "shm/sync/deposits.hpp"
#include "shm/sync/depth.hpp"
#include "shm/sync/forfeits.hpp"
#include "shm/sync/halves.hpp"
#include "shm/sync/long_ring.hpp"
#include "shm/sync/next_lines.hpp"
#include "shm/sync/scratch.hpp"
#include "shm/sync/slot_areas.hpp"
#include "shm/sync/waiting.hpp"

namespace tutti::shm {

class Slots : private SlotAreas, public Halves, public Forfeits, public Scratch {
 public:
  static constexpr std::size_t depth = slots_depth;
  /// Turns posted before the first is read: enough to hide the others' delays, few enough to be free in time.
  static constexpr std::size_t most_given = depth / 2;
  static constexpr int everybody = Use::everybody, nobody = Use::nobody;
  /// In a note: the payload lies in the long ring; the slot says where.  The announced length begins at `told_shift`.
  static constexpr Note elsewhere = 1 << 10;
  static constexpr Note deposited = 1 << 11;  ///< the same of the deposits
  static constexpr int told_shift = 16;
  /// Payload bytes in the cache line of the turn number.
  static constexpr std::size_t line_bytes = 48;

  static std::size_t bytes(const ShmGroupOptions& options);
  /// `long_rings`: options.long_ring bytes for each member, and behind them options.deposits for each.
  Slots(Segment segment, const ShmGroupOptions& options, std::byte* long_rings);

  int me() const { return me_; }
  int size() const { return size_; }
  void progress_soon() { waiter_.progress_soon(); }
  /// Whether members share CPUs.
  bool oversubscribed() const { return balancer_.oversubscribed(); }
  std::size_t capacity() const { return sizes_.capacity; }  ///< bytes that a slot holds

  /// Bytes of each turn of a stream of `bytes`.  In pieces of 16 KiB and more, writer and readers overlap; shorter
  /// streams take one turn, whose lines are prefetched (16 KiB of a bcast: 1.1 us in one turn, 1.6 in two).  Members
  /// that share CPUs use full slots: more turns would be more context switches.
  std::size_t piece(std::size_t bytes) const;

  /// Whether a stream of `bytes`, of elements of `unit` bytes, is posted before its first turn is read.
  bool gives_all(std::size_t bytes, std::size_t unit) const;
  /// Takes the next `count` turns; the first of them.
  Turn take(Turn count = 1) { return std::exchange(last_, last_ + count) + 1; }

  /// My slot's payload for `turn` (16-byte aligned), once the readers of its previous contents have left.
  std::byte* writable(Turn turn) {
    if (!is_free(turn)) [[unlikely]]
      await_readers(uses_[turn % depth]);
    return slot(me_, turn) + payload_offset;
  }
  /// The same for a payload that is made of so many bytes from there, and may lie in the long ring.
  std::byte* writable(Turn turn, const std::byte* from, std::size_t bytes) {
    std::byte* const payload = writable(turn);
    return long_ring_.takes(from, bytes) ? in_long_ring(turn, bytes, payload) : payload;
  }
  /// The same, and while readers are late it may go to the backlog or the deposits, if all of them `await` the turn.
  std::byte* writable_ahead(Turn turn, const std::byte* from, std::size_t bytes) {
    if (!is_free(turn)) [[unlikely]]
      if (std::byte* const ahead = go_ahead(uses_[turn % depth], turn, bytes)) return ahead;
    return writable(turn, from, bytes);
  }
  std::byte* writable_ahead(Turn turn, std::size_t bytes) { return writable_ahead(turn, nullptr, bytes); }
  /// Whether `writable` is known neither to wait nor to use the backlog.
  bool is_free(Turn turn) const { return uses_[turn % depth].turn <= left_by_all_; }
  /// Whether my next write goes to the backlog instead of the slot.
  bool goes_ahead() const { return next_in_ != Memory::slot; }

  /// Copies into my part of the shared memory, for the turn that I post next.
  void fill(std::byte* into, const std::byte* from, std::size_t bytes) {
    if (forfeits_) [[unlikely]]
      return;
    next_lines_.filled_to(into + bytes);
    if (bytes <= line_bytes) return copy_few(into, from, bytes);
    if (bytes < long_from_) return demotes_ ? fill_brief(into, from, bytes) : copy_bytes(into, from, bytes);
    note_ = fill_long(traffic_of(bytes), into, from, bytes);
  }
  /// The same for a ring's place, which `last_reader` has read: lines last read on my own CPU are in its caches.
  Note fill_ring(std::byte* into, const std::byte* from, std::size_t bytes, int last_reader);
  /// This call stores so many bytes into my buffer.  Called by readers of streams and rings.
  void expect(const std::byte* start, std::size_t bytes) { landings_.expect(start, bytes); }
  void expect_little() { landings_.expect_little(); }
  const LandingPolicies& landings() const { return landings_; }
  /// Copies from another member's payload of `turn`.
  void read(int member, Turn turn, std::byte* into, const std::byte* from, std::size_t bytes) {
    if (forfeits_) [[unlikely]]
      return;
    if (bytes <= line_bytes) return copy_few(into, from, bytes);
    const Traffic traffic = bytes < long_from_ ? Traffic::brief : traffic_of(bytes);
    read(traffic, posted_note(member, turn), into, from, bytes);
  }
  void read(Traffic traffic, const std::atomic<Note>& note, std::byte* into, const std::byte* from, std::size_t bytes) {
    if (forfeits_) [[unlikely]]
      return;
    if (bytes <= line_bytes) return copy_few(into, from, bytes);
    if ((note.load(std::memory_order_relaxed) & way_mask) != 0) [[unlikely]]
      return read_timed(traffic, note.load(std::memory_order_relaxed), into, from, bytes);
    land(into, from, bytes);
  }
  /// Copies from the shared memory into the user's buffer.
  void land(std::byte* into, const std::byte* from, std::size_t bytes) {
    if (!forfeits_) [[likely]]
      landings_.copy(into, from, bytes);
  }
  /// Publishes my CPU, if members share CPUs: at each post, and by members that read without posting, for fill().
  void note_place() { balancer_.note(); }
  /// Whether that member last ran on my CPU, and so cannot run before I wait.
  bool waits_for_my_cpu(int member) const { return balancer_.beside_me(member); }
  /// Whether a result is better combined in private memory and then copied.
  bool fills_non_temporal(std::size_t bytes) const {
    return stores_[static_cast<std::size_t>(traffic_of(bytes))].past(bytes);
  }

  /// Announces that my slot holds `turn`.  `reader`: the one member that will read it, or everybody.  `told`: the
  /// length announced to readers.
  void post(Turn turn, int reader, std::size_t told = 0) {
    if (goes_ahead()) [[unlikely]]
      return post_ahead(turn, reader, told);
    if (long_at_ != LongRing::none) [[unlikely]]
      say_where(turn);
    uses_[turn % depth] = {turn, reader};
    note_place();
    slot_note(me_, turn).store(note_ | marks_ | static_cast<Note>(told) << told_shift, std::memory_order_relaxed);
    note_ = 0;
    mark(me_, turn).store(turn, std::memory_order_release);
    notify(bell(me_));
    if (demoted_to_ != nullptr) hand_over(turn);
    next_lines_.ask(slot(me_, turn), slot(me_, turn + 1), balancer_.oversubscribed());
  }

  /// The payload that `member` has posted for `turn`; waits for it.
  const std::byte* await(int member, Turn turn) {
    const Turn seen = waiter_.until_either(mark(member, turn), newest_ahead(member), turn, bell(member));
    if (seen != turn) [[unlikely]]
      return posted_ahead(member, turn);
    hear(member, turn);
    return posted(member, turn);
  }

  /// The same for a turn that is known to be posted in the slot.
  const std::byte* posted(int member, Turn turn) {
    const std::byte* const payload = slot(member, turn) + payload_offset;
    const bool here = (slot_note(member, turn).load(std::memory_order_relaxed) & elsewhere) == 0;
    return here ? payload : in_long_ring(member, payload);
  }
  Note note(int member, Turn turn) const { return posted_note(member, turn).load(std::memory_order_relaxed); }
  /// The length that `member` announces with its post of `turn`, which I have awaited; usually the expected one.  By a
  /// branch, so that the copy does not depend on the loaded line, and the processor can speculate.
  std::size_t told(int member, Turn turn, std::size_t expected) const {
    if (note(member, turn) >> told_shift != expected) [[unlikely]]
      return told_otherwise(member, turn);
    return expected;
  }

  /// Whether the slots are free for as many turns as the first half of a call posts.
  bool can_give() { return have_left(uses_[(last_ + most_given) % depth]); }
  void run_half(Half half) { last_ = choose(half, last_); }

  /// Waits until everybody has posted `turn`.  `ahead`: members may have posted it in the backlog.
  void await_all(Turn turn, bool ahead = false) {
    if (balancer_.oversubscribed()) return await_all_oversubscribed(turn, ahead);
    const auto wait_for = [&](int member) {
      ahead ? static_cast<void>(await(member, turn)) : await_slot(member, turn);
    };
    for (int member = me_ + 1; member < size_; ++member) wait_for(member);  // not all read one line at once
    for (int member = 0; member < me_; ++member) wait_for(member);
  }

  /// Everybody has posted `turn`, and so has read all earlier turns.
  void met(Turn turn) {
    if (turn - 1 > left_by_all_) left_by_all_ = turn - 1;
  }

  /// I shall read nothing of turns up to `turn` any more.
  void leave(Turn turn) {
    progress(me_).store(turn, std::memory_order_release);
    notify(bell(me_));
  }

  /// Until `word`, which `member` changes, has reached `value`.
  void until(const std::atomic<std::uint64_t>& word, std::uint64_t value, int member) {
    waiter_.until(word, value, bell(member));
  }
  std::uint64_t until_either(const std::atomic<std::uint64_t>& word, const std::atomic<std::uint64_t>& other,
                             std::uint64_t value, int member) {
    return waiter_.until_either(word, other, value, bell(member));
  }
  /// Wakes members that wait for a word that I have changed.
  void ring() { notify(bell(me_)); }

  LongRing& long_ring() { return long_ring_; }
  LongRing::Position reserve_long(std::size_t holder, std::size_t bytes) {
    return long_ring_.reserve(holder, bytes, [&](std::size_t slot) { return have_left(uses_[slot]); });
  }

  Deposits& deposits() { return deposits_; }
  /// Memory of mine among them for a payload with that use; none where readers need it all.
  Deposits::Position reserve_deposit(const Use& use, std::size_t bytes);
  /// Whether another member changes `word` to `value`, or posts `turn`, in the time in which one that is not late does.
  /// `bytes`: of each block or contribution of the call.
  bool soon(const std::atomic<std::uint64_t>& word, std::uint64_t value, std::size_t bytes);
  bool posts_soon(int member, Turn turn, std::size_t bytes);

 private:
  enum class Memory : std::uint8_t { slot, backlog, deposits };
  /// The note of a turn that is posted, wherever it lies.
  const std::atomic<Note>& posted_note(int member, Turn turn) const {
    if (mark(member, turn).load(std::memory_order_relaxed) != turn) [[unlikely]]
      return backlog_.note(member, turn);
    return slot_note(member, turn);
  }
  static Traffic traffic_of(std::size_t bytes) { return bytes <= longest_of_a_turn ? Traffic::turn : Traffic::stream; }
  void fill_brief(std::byte* into, const std::byte* from, std::size_t bytes);
  void fill_brief_timed(Way way, std::byte* into, const std::byte* from, std::size_t bytes);
  void hand_over(Turn turn);
  const ReadCosts& next_reader(Traffic traffic);
  Note fill_long(Traffic traffic, std::byte* into, const std::byte* from, std::size_t bytes);
  void hear(int member, Turn turn) { Forfeits::hear(slot_note(member, turn).load(std::memory_order_relaxed)); }
  const std::byte* posted_ahead(int member, Turn turn);
  std::size_t told_otherwise(int member, Turn turn) const;
  void read_timed(Traffic traffic, Note note, std::byte* into, const std::byte* from, std::size_t bytes);
  void await_readers(const Use& use);
  void await_all_oversubscribed(Turn turn, bool ahead);
  bool has_posted(int member, Turn turn, bool ahead) const;
  void await_slot(int member, Turn turn) {
    waiter_.until(mark(member, turn), turn, bell(member));
    hear(member, turn);
  }
  void await_left(int member, Turn turn);
  std::byte* in_long_ring(Turn turn, std::size_t bytes, std::byte* otherwise);
  const std::byte* in_long_ring(int member, const std::byte* payload);
  void say_where(Turn turn);
  std::size_t of_all_others(std::size_t bytes) const { return bytes * static_cast<std::size_t>(size_ - 1); }
  std::byte* go_ahead(const Use& use, Turn turn, std::size_t bytes);
  std::byte* deposit_ahead(const Use& use, Turn turn, std::size_t bytes);
  void await_oldest(const Use& use);
  void post_ahead(Turn turn, int reader, std::size_t told);
  template <typename HasLeft>
  bool by_readers(const Use& use, HasLeft has_left);
  bool has_left(int member, Turn turn);
  bool have_left(const Use& use);
  bool leave_soon(const Use& use);

  int me_, size_;
  CpuBalancer balancer_;
  Turn last_ = 0, left_by_all_ = 0;  ///< taken last; last turn known to be left by every member
  std::vector<Turn> left_by_;        ///< ... by one member, as it last published
  std::array<Use, depth> uses_{};
  Backlog backlog_;
  LongRing long_ring_;
  LongRing::Position long_at_ = LongRing::none;  ///< of the payload that I post next
  Deposits deposits_;
  Memory next_in_ = Memory::slot;  ///< where the turn that I post next goes
  Use late_;                       ///< turn whose readers I have waited for in vain
  Waiter waiter_;
  std::array<StorePolicy, traffics - 1> stores_;  ///< of all but brief payloads
  BriefStorePolicy brief_stores_;
  LandingPolicies landings_;
  bool demotes_;           ///< brief payloads are demoted, if that is cheaper
  std::size_t long_from_;  ///< bytes; shorter payloads are brief
  NextLines next_lines_;
  const std::byte* demoted_to_ = nullptr;  ///< end of the lines to demote once I have posted
  Note note_ = 0;                          ///< of the turn that I post next
  int listened_ = -1;                      ///< to that member last
};

}  // namespace tutti::shm
