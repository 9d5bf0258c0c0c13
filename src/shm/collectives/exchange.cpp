#include "shm/collectives/exchange.hpp"

#include <algorithm>
#include <cstring>

#include "clock/cycles.hpp"
#include "core/borders.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::shm {

std::size_t Exchange::stride(int readers) const {
  static_assert(sizeof(RendezvousHeader) + sizeof(std::size_t) <= least_mailbox &&
                alignof(RendezvousHeader) <= sizeof(std::size_t));
  return std::max(least_mailbox, slots_.capacity() / static_cast<std::size_t>(readers) / least_mailbox * least_mailbox);
}

Mailboxes Exchange::mailboxes(int skipped, Sizes sizes) const {
  const std::size_t stride = skipped == 0 ? stride_for_all_ : this->stride(slots_.size() - 1 - skipped);
  return furnished(stride, stride, skipped, sizes);
}

void Exchange::open(Turn turn, Mailboxes mailboxes, const Borders& borders) {
  turn_ = turn, mailboxes_ = mailboxes, borders_ = borders, mine_ = nullptr;
  out_.clear(), in_.clear(), opened_.clear();
  late_ = false, shared_from_ = nullptr;
  expected_ = has_own_ = false;
  trials_.open(mailboxes.from_root ? Pattern::from_root : mailboxes.joint ? Pattern::to_one : Pattern::all_to_all);
  slots_.expect_little();
}

void Exchange::expect(Block result) {
  slots_.expect(result.start, result.bytes);
  expected_ = true;
}

bool Exchange::chooses_once(const Block& block) {
  if (once(block.bytes, borders_)) return true;
  const bool by_clock = block.bytes >= borders_.by_clock && single_copy_.allowed();
  return by_clock && trials_.chooses_once(block, borders_.by_clock);
}

/// Whether the reader copies alone.  A root leaves a block that its core's own caches hold to the reader, whose caches
/// then keep the lines: a bcast of 128 KiB takes 4.9 us instead of 7.1 with both sides copying.  In a gather the writer
/// helps, because the root copies its own block meanwhile.
bool Exchange::left_to_reader(std::size_t bytes) const {
  static const std::size_t longest = bytes_of_own_cache() / borders::part_of_own_cache;
  return !mailboxes_.joint || !copies_jointly_ || (mailboxes_.from_root && bytes <= longest && trials_.is_near());
}

void Exchange::close_up(std::size_t longest, int readers) {
  // A single mailbox is as close as can be.
  if (mailboxes_.single || longest == 0 || slots_.is_free(turn_) || !lies_in_mailbox(longest, mailboxes_)) return;
  const std::size_t stride = sizeof(std::size_t) + longest;
  std::byte* const start = slots_.writable_ahead(turn_, stride_bytes + stride * static_cast<std::size_t>(readers));
  mine_ = start;
  if (!slots_.goes_ahead()) return;
  std::memcpy(start, &stride, sizeof stride);
  mine_ += stride_bytes, mailboxes_.stride = stride;
}

void Exchange::put(int reader, Block block) {
  if (block.bytes == 0) return;
  if (mine_ == nullptr) mine_ = writable_with(block);
  if (slots_.forfeits()) [[unlikely]]
    return;
  std::byte* mailbox = mine_ + place(slots_.me(), reader, mailboxes_);
  if (mailboxes_.sized) {
    std::memcpy(mailbox, &block.bytes, sizeof block.bytes);
    mailbox += sizeof block.bytes;
  }
  if (lies_in_mailbox(block.bytes, mailboxes_)) {
    slots_.fill(mailbox, block.start, block.bytes);
    return;
  }
  const bool copied_once = chooses_once(block);
  const std::size_t chunk = chunk_of(block.bytes), chunks = (block.bytes + chunk - 1) / chunk;
  RendezvousHeader& rendezvous = new_rendezvous(mailbox);
  rendezvous.address = copied_once ? block.start : nullptr;
  rendezvous.alone = left_to_reader(block.bytes);
  rendezvous.first = rings_.reserve(chunks);
  trials_.announce(rendezvous, block.bytes, rendezvous.first + chunks - 1);
  if (copied_once) slots_.long_ring().takes(block.start, block.bytes);
  if (!copied_once && may_go_ahead(block.bytes, rendezvous.first)) {
    rings_.write(rendezvous.first, reader, block.start, block.bytes, rendezvous.timed ? trials_.cycles() : nullptr);
    return;
  }
  out_.push_back({distance(slots_.me(), reader), reader, block, block.bytes, rendezvous.first,
                  copied_once ? &rendezvous : nullptr, !copied_once && may_deposit(block.bytes) ? &rendezvous : nullptr,
                  0, chunk, rendezvous.timed, 0});
}

/// The rendezvous header in the mailbox; not answered yet.
RendezvousHeader& Exchange::new_rendezvous(std::byte* mailbox) const {
  if (!mailboxes_.joint) {
    auto* const rendezvous = reinterpret_cast<RendezvousHeader*>(mailbox);
    rendezvous->answer.store(RendezvousHeader::none, std::memory_order_relaxed);
    return *rendezvous;
  }
  auto* const rendezvous = reinterpret_cast<JointRendezvousHeader*>(mailbox);
  rendezvous->clear();
  return *rendezvous;
}

/// A block of one chunk is written before it is announced, if its place is free and no earlier chunk is outstanding:
/// then a member that has seen all posts does not wait again.
bool Exchange::may_go_ahead(std::size_t bytes, PairwiseRings::Number number) const {
  return out_.empty() && bytes <= chunk_of(bytes) && rings_.writable(number);
}

/// Where my mailboxes are; only patterns that know that they are short may go ahead.
std::byte* Exchange::writable_with(const Block& block) {
  if (const std::size_t whole = whole_with(block); whole != unknown)
    return slots_.writable_ahead(turn_, block.start, whole);
  const bool alone = slots_.size() == 2 && lies_in_mailbox(block.bytes, mailboxes_);
  const std::size_t mine = alone ? sizeof block.bytes + block.bytes : 0;
  return slots_.writable(turn_, block.start, std::max(mine, mailboxes_.packed));
}

void Exchange::post(int reader, std::size_t each) {
  if (mine_ != nullptr) slots_.post(turn_, reader, each), trials_.posted();
}

void Exchange::meanwhile(const OwnBlock& own) {
  has_own_ = own.bytes != 0;
  if (!mailboxes_.joint && (out_.empty() || out_.front().rendezvous != nullptr))
    own.move();
  else
    own_ = own;
}

std::size_t Exchange::room_for(std::size_t sent, std::size_t expected) {
  ending_ = std::max(ending_, sent > expected ? Ending::cut : Ending::less);
  received_ = std::min(sent, expected);
  return std::min(sent, expected);
}

const std::byte* Exchange::mailbox_for_me(int writer, Mailboxes mailboxes) {
  const std::byte* start = slots_.await(writer, turn_);
  if (mailboxes.sized && !mailboxes.single && start != slots_.posted(writer, turn_)) [[unlikely]] {
    std::memcpy(&mailboxes.stride, start, sizeof mailboxes.stride);
    start += stride_bytes;
  }
  return start + place(writer, slots_.me(), mailboxes);
}

namespace {

/// How much the writer says it sends; where that stands before the payload, steps over it.
inline std::size_t told_length(std::byte*& mailbox, Note note, std::size_t expected, bool sized) {
  std::size_t sent = expected;
  if (sized) {
    std::memcpy(&sent, mailbox, sizeof sent);
    mailbox += sizeof sent;
  } else if (const std::size_t told = note >> Slots::told_shift; told != 0) {
    sent = told;
  }
  return sent;
}

}  // namespace

void Exchange::take(int writer, Block block, const Mailboxes& mailboxes) {
  if (block.bytes == 0) return;
  auto* mailbox = const_cast<std::byte*>(mailbox_for_me(writer, mailboxes));
  const Note note = slots_.note(writer, turn_);
  if ((note & Slots::hollow) != 0) [[unlikely]]
    return;
  const std::size_t sent = told_length(mailbox, note, block.bytes, mailboxes.sized);
  // A branch: the loads that follow do not depend on the first line, so the processor can speculate.
  if (sent != block.bytes) [[unlikely]]
    block.bytes = room_for(sent, block.bytes);
  if (slots_.forfeits()) [[unlikely]]
    block.bytes = 0;
  if (lies_in_mailbox(sent, mailboxes)) {
    slots_.read(writer, turn_, block.start, mailbox, block.bytes);
    return;
  }
  auto* const rendezvous = mailboxes_.joint ? reinterpret_cast<JointRendezvousHeader*>(mailbox)
                                            : reinterpret_cast<RendezvousHeader*>(mailbox);
  const Row row{distance(writer, slots_.me()),
                writer,
                block,
                sent,
                rendezvous->first,
                rendezvous,
                rendezvous->address == nullptr && may_deposit(sent) ? rendezvous : nullptr,
                0,
                chunk_of(sent),
                rendezvous->timed,
                rendezvous->timed ? cycle_count() : 0};
  trials_.heard(*rendezvous, block.bytes);
  if (rendezvous->address == nullptr) {
    in_.push_back(row);
  } else if (!rendezvous->alone) {
    joint_copy_.open(joint(row), block) ? opened_.push_back(row) : read_deposit(row, 0);
  } else if (may_deposit(sent) && !rendezvous->comes_first(RendezvousHeader::open)) {
    read_deposit(row, 0);
  } else {
    const bool done = single_copy_.read(writer, rendezvous->address, block.start, block.bytes);
    if (rendezvous->timed)
      rendezvous->cycles.store(static_cast<float>(cycle_count() - row.since), std::memory_order_relaxed);
    rendezvous->answer.store(done ? RendezvousHeader::copied : RendezvousHeader::refused, std::memory_order_release);
    slots_.ring();
    if (!done) in_.push_back(row);
  }
}

/// Blocks of members that wait for my CPU first, because nobody else can copy them.
void Exchange::copy_jointly() {
  slots_.note_place();
  std::partition(opened_.begin(), opened_.end(), [&](const Row& row) { return slots_.waits_for_my_cpu(row.member); });
  for (const Row& row : opened_) joint_copy_.read(joint(row), row.member);
  for (const Row& row : opened_) {
    joint_copy_.close(joint(row), row.member, row.since);
    if (!row.rendezvous->is_copied()) in_.push_back(row);
  }
}

void Exchange::close(bool met) {
  if (mailboxes_.joint) std::exchange(own_, {}).move();
  if (!opened_.empty()) copy_jointly();
  // What is deposited of a block on the ring, its header says.
  const bool reads_on = std::any_of(in_.begin(), in_.end(), [](const Row& row) { return row.ring != nullptr; });
  if (met)
    slots_.met(turn_);
  else if (!reads_on)
    slots_.leave(turn_);
  if (!out_.empty() || !in_.empty()) {
    collect_answers();
    carry();
    std::exchange(own_, {}).move();
  }
  if (reads_on) slots_.leave(turn_);
  trials_.close();
}

void Exchange::write_chunk(Row& row) {
  double* const cycles = row.timed && row.rendezvous == nullptr ? trials_.cycles() : nullptr;
  const bool met = row.next > PairwiseRings::depth;  // the reader has read of this block: I wait for its copies alone
  rings_.write(row.number(), row.member, row.at(), row.bytes(), cycles, met);
  ++row.next;
}

void Exchange::read_chunk(Row& row) {
  if (row.ring != nullptr && !rings_.arrives(row.member, row.number(), row.ring->answer)) return read_rest(row);
  rings_.read(row.member, row.number(), row.at(), row.bytes(), row.since);
  ++row.next;
}

/// Reads every chunk that has arrived, from any member: a ring that is emptied late delays its owner.
bool Exchange::read_what_is_there(Rows::iterator row) {
  bool any = false;
  for (; row != in_.end(); ++row)
    for (; !row->done() && rings_.readable(row->member, row->number()); any = true) read_chunk(*row);
  return any;
}

/// Waits only for the transfer that is least advanced; all others continue meanwhile.
void Exchange::carry() {
  if (!expected_ && !in_.empty()) {
    std::size_t bytes = 0;
    for (const Row& row : in_) bytes += row.block.bytes;
    slots_.expect(in_.front().block.start, bytes);
  }
  auto out = out_.begin(), in = in_.begin();
  const auto unfinished = [](Rows::iterator& row, const Rows& rows) {
    while (row != rows.end() && row->done()) ++row;
    return row != rows.end();
  };
  for (;;) {
    const bool writes = unfinished(out, out_), reads = unfinished(in, in_);
    if (!writes && !reads) return;
    if (!reads || (writes && out->comes_before(*in))) {
      if (!deposits_rest(*out)) write_chunk(*out);
      continue;
    }
    while (unfinished(out, out_) && rings_.writable(out->number())) write_chunk(*out);
    if (!read_what_is_there(in)) read_chunk(*in);
  }
}

}  // namespace tutti::shm
