#pragma once
/// Blocks from member to member, pair by pair: what gather, scatter and alltoall are made of, and every long block.
///
/// One turn.  A member's slot is divided into *mailboxes*, one for each reader.  A short block lies in the mailbox.
/// For a long block the mailbox holds a rendezvous header: its address in the writer's memory, for a single copy by the
/// reader, or else the number of its first chunk on the writer's ring.  The block's size tells what a mailbox holds,
/// and the header tells which of the two.  So nothing is agreed on beyond the turn, and gatherv and alltoallv cost no
/// more messages than gather and alltoall.  A reader that expects more than the writer has is an error of the program,
/// but messages tolerate it: where sizes are not known to all, the mailbox begins with the writer's size.
///
/// Single copy: the reader answers in the rendezvous header, and the writer returns once it has all answers.  If the
/// kernel has refused, the answer says so, and the block takes the ring, whose chunks were numbered beforehand.  In a
/// joint turn both sides copy (joint_copy.hpp).
///
/// Deposits: where a reader does not come, the writer copies its block, or what the ring has not taken of it, into the
/// deposits (deposits.hpp), and goes on.  A block that is to be copied once is taken back first, unless the reader has
/// begun: the first of the two to change the header's answer decides.  Not where all have blocks for all: nobody can
/// leave there before the last one has come.
///
/// Rings: pairs in the order of their distance, chunk by chunk; a member writes its own chunk before it waits for the
/// other's, and reads chunks that have arrived at once, from any member.  Waits form no cycle: the least advanced
/// member (by distance, then chunk, of what it has not moved yet) waits for nobody, because the readers of its chunks
/// have read everything before.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "shm/copy/copy_trials.hpp"
#include "shm/copy/joint_copy.hpp"
#include "shm/copy/single_copy.hpp"
#include "shm/sync/pairwise_rings.hpp"
#include "shm/sync/slots.hpp"

namespace tutti::shm {

/// The turn's slots as rows of mailboxes: mailbox i of a member is for the reader i + 1 + skipped places behind it.
struct Mailboxes {
  std::size_t stride = 0, room = 0;
  int skipped = 0;
  bool sized = false;                                           ///< begin with the block's size
  bool single = false;                                          ///< one, for the only reader
  bool joint = false;                                           ///< what is copied once is copied by both sides
  bool from_root = false;                                       ///< one member alone has blocks for the others
  std::size_t whole = std::numeric_limits<std::size_t>::max();  ///< bytes of all of them, where known to be short
  std::size_t packed = 0;                                       ///< bytes of all of them, where they lie back to back
};

class Exchange {
 public:
  Exchange(Slots& slots, PairwiseRings& rings, SingleCopy& single_copy, Learners learners)
      : slots_(slots),
        rings_(rings),
        single_copy_(single_copy),
        joint_copy_(slots, single_copy, std::min(joint_piece, 2 * rings.chunk())),
        stride_for_all_(slots.size() > 1 ? stride(slots.size() - 1) : 0),
        copies_jointly_(learners.has(Learner::joint)),
        trials_(rings, slots.size(), slots.oversubscribed(), learners.has(Learner::copies)) {}

  Slots& slots() { return slots_; }
  /// Readers that have a mailbox in one turn, at most.
  int most_mailboxes() const { return static_cast<int>(slots_.capacity() / least_mailbox); }
  /// Mailboxes that hold at least a rendezvous header, for all readers from the first that is not skipped, or as many
  /// as fit.
  Mailboxes mailboxes(int skipped, Sizes sizes) const;
  /// One mailbox: everybody has one reader, the same one.
  Mailboxes joint_mailbox(Sizes sizes) const {
    Mailboxes mailboxes = furnished(0, slots_.capacity(), 0, sizes);
    mailboxes.single = mailboxes.joint = true;
    return mailboxes;
  }

  /// Whether a root helps several readers to copy.  Where each has a CPU: several that find pages of one process take
  /// turns at their counters, so that seven that read 128 KiB each take 100 us, where one alone takes 7; the root's own
  /// writes find the readers' pages, and meet nobody there.
  bool helps(const Mailboxes& of_root) const {
    return !slots_.oversubscribed() && of_root.stride >= sizeof(JointRendezvousHeader) + sizeof(std::size_t);
  }

  /// Whether a block of so many bytes is copied once.
  bool once(std::size_t bytes, const Borders& borders) const {
    return single_copy_.allowed() && bytes >= borders.single_copy;
  }

  /// Whether a block of so many bytes may be copied once, so that its mailbox holds a rendezvous header in any case.
  bool is_rendezvous(std::size_t bytes, const Borders& borders) const {
    return single_copy_.allowed() && bytes >= std::min(borders.single_copy, borders.by_clock);
  }

  /// Begins a turn.
  void open(Turn turn, Mailboxes mailboxes, const Borders& borders);
  /// Start and length of all that is stored in my memory in this turn.  Called before anything is put.
  void expect(Block result);
  /// Start of all that I put, if it is more than one block.
  void begins_at(const std::byte* start) { trials_.begins_at(start); }
  /// Called before I put blocks of at most that length for so many readers.  Where the slot is not free yet, short
  /// mailboxes are placed close together, so that they fit the backlog; their stride comes first there.
  void close_up(std::size_t longest, int readers);
  /// A block of mine.  Before `post`, readers in the order of their distance behind me.  Empty ones are nothing.
  void put(int reader, Block block);
  /// Announces that everything is put, unless there was nothing.  `reader` as for slots.  `each`: bytes of each block,
  /// for readers that expect another length; 0: readers know the length.
  void post(int reader, std::size_t each = 0);
  /// My own block.  It is copied where that delays nobody: while the others read, after the ring's chunks, or, in a
  /// joint turn, before I copy others' blocks.  Deferred to close().
  void meanwhile(const OwnBlock& own);
  /// A block for me, truncated to the room that there is.  Writers in the order of my distance behind them.
  void take(int writer, Block block) { take(writer, block, mailboxes_); }
  /// The same, from a writer whose mailboxes differ from mine.
  void take(int writer, Block block, const Mailboxes& mailboxes);
  /// Ends the turn: returns when nobody reads or writes my memory any more.  `met`: everybody has posted, and no block
  /// is long.
  void close(bool met = false);
  /// Bytes to read of a block whose length differs from the expected one; the call's ending reports it.
  [[gnu::noinline]] std::size_t room_for(std::size_t sent, std::size_t expected);
  /// Whether all blocks were as long as expected since this was asked last.
  Ending take_ending() { return std::exchange(ending_, Ending::whole); }
  /// Bytes of the last one that was shorter.
  std::size_t received() const { return received_; }

 private:
  /// A block that takes the ring, or may fall back to it.
  struct Row {
    int step = 0, member = 0;  ///< distance, and the other side
    Block block;
    std::size_t sent = 0;  ///< its bytes on the writer's side
    PairwiseRings::Number first = 0;
    RendezvousHeader* rendezvous = nullptr;  ///< to be answered
    RendezvousHeader* ring = nullptr;        ///< of a block on the ring: says what is deposited of it
    std::size_t next = 0;                    ///< its chunk that comes next
    std::size_t chunk = 0;                   ///< bytes of each
    bool timed = false;                      ///< for the choice
    std::uint64_t since = 0;                 ///< a reader's clock when it arrived, where it is timed

    bool done() const { return next * chunk >= sent; }
    bool comes_before(const Row& other) const { return step != other.step ? step < other.step : next <= other.next; }
    PairwiseRings::Number number() const { return first + next; }
    std::byte* at() const { return block.start + next * chunk; }
    /// Of the next chunk, as far as there is room.
    std::size_t bytes() const { return std::min(chunk, block.bytes - std::min(block.bytes, next * chunk)); }
  };
  using Rows = std::vector<Row>;
  static constexpr std::size_t least_mailbox = 64, unknown = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t stride_bytes =
      16;  ///< of what says the stride, before mailboxes that are close together
  static constexpr std::size_t joint_piece = 32 * 1024;

  int distance(int from, int to) const { return to > from ? to - from : to - from + slots_.size(); }
  /// Bytes of each chunk of a block of so many.  In one direction writer and reader overlap, chunk by chunk; where all
  /// send to all, each has its own to write meanwhile, and the fewest chunks have the fewest waits.
  std::size_t chunk_of(std::size_t bytes) const {
    const bool one_way = mailboxes_.from_root || mailboxes_.joint;
    return one_way ? std::min(rings_.chunk(), slots_.piece(bytes)) : rings_.chunk();
  }
  std::size_t place(int writer, int reader, const Mailboxes& mailboxes) const {
    return static_cast<std::size_t>(distance(writer, reader) - 1 - mailboxes.skipped) * mailboxes.stride;
  }
  static Mailboxes furnished(std::size_t stride, std::size_t bytes, int skipped, Sizes sizes) {
    const bool sized = sizes == Sizes::own;
    return {stride, bytes - (sized ? sizeof(std::size_t) : 0), skipped, sized};
  }
  bool lies_in_mailbox(std::size_t bytes, const Mailboxes& mailboxes) const {
    return bytes <= mailboxes.room && !is_rendezvous(bytes, borders_);
  }
  /// Bytes of the turn's mailboxes; of this block, if it is in the only one.
  std::size_t whole_with(const Block& block) const {
    return mailboxes_.single && lies_in_mailbox(block.bytes, mailboxes_) ? sizeof block.bytes + block.bytes
                                                                         : mailboxes_.whole;
  }
  std::byte* writable_with(const Block& block);
  const std::byte* mailbox_for_me(int writer, Mailboxes mailboxes);
  JointRendezvousHeader& joint(const Row& row) const { return static_cast<JointRendezvousHeader&>(*row.rendezvous); }
  RendezvousHeader& new_rendezvous(std::byte* mailbox) const;
  bool chooses_once(const Block& block);
  bool left_to_reader(std::size_t bytes) const;
  void copy_jointly();
  bool may_go_ahead(std::size_t bytes, PairwiseRings::Number number) const;
  void collect_answers();
  double await_answer(const Row& row);
  /// Of blocks from one member to all, or from all to one.
  bool may_deposit(std::size_t bytes) const {
    return (mailboxes_.from_root || mailboxes_.joint) && slots_.deposits().hold(bytes);
  }
  Deposits::Position deposit(const Row& row, const std::byte* from, std::size_t bytes);
  bool takes_back(const Row& row);
  bool deposits_rest(Row& row);
  void read_deposit(const Row& row, std::size_t offset);
  void read_rest(Row& row);
  void write_chunk(Row& row);
  void read_chunk(Row& row);
  bool read_what_is_there(Rows::iterator row);
  void carry();

  std::size_t stride(int readers) const;

  Slots& slots_;
  PairwiseRings& rings_;
  SingleCopy& single_copy_;
  JointCopy joint_copy_;
  const std::size_t stride_for_all_;  ///< with a mailbox for every other member
  const bool copies_jointly_;
  Turn turn_ = 0;
  Mailboxes mailboxes_;
  Borders borders_;
  OwnBlock own_;               ///< still to be moved
  std::byte* mine_ = nullptr;  ///< my slot's payload, once something is put
  bool expected_ = false;
  bool has_own_ = false;  ///< a block that moves meanwhile
  Ending ending_ = Ending::whole;
  std::size_t received_ = 0;
  Rows out_, in_;
  Rows opened_;                                    ///< blocks for me that are copied jointly
  bool late_ = false;                              ///< a reader of this turn did not come
  const std::byte* shared_from_ = nullptr;         ///< a block that all readers get, once it is deposited, and
  Deposits::Position shared_at_ = Deposits::none;  ///< where
  CopyTrials trials_;
};

}  // namespace tutti::shm
