#include "node/exchange.hpp"

#include <algorithm>
#include <cstring>

#include "clock/cycles.hpp"
#include "node/topology.hpp"

namespace tutti::node {

std::size_t Exchange::stride(int readers) const {
  static_assert(sizeof(Notice) + sizeof(std::size_t) <= least_desk && alignof(Notice) <= sizeof(std::size_t));
  return std::max(least_desk, slots_.capacity() / static_cast<std::size_t>(readers) / least_desk * least_desk);
}

Desks Exchange::desks(int skipped, Sizes sizes) const {
  const std::size_t stride = skipped == 0 ? stride_for_all_ : this->stride(slots_.size() - 1 - skipped);
  return furnished(stride, stride, skipped, sizes);
}

void Exchange::open(Turn turn, Desks desks, const Borders& borders) {
  turn_ = turn, desks_ = desks, borders_ = borders, mine_ = nullptr;
  out_.clear(), in_.clear(), opened_.clear();
  expected_ = has_own_ = false;
  trials_.open(desks.from_root ? Pattern::from_root : desks.joint ? Pattern::to_one : Pattern::all_to_all);
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

/// Where the writer need not help.  A root need not where the core's own caches hold the block, as the reader's will
/// hold the lines that nobody writes: 128 KiB of a bcast take 4.9 us so, and 7.1 where both sides copy.  For a root
/// that copies its own block meanwhile, as in a gather, the writer had better.
bool Exchange::left_to_reader(std::size_t bytes) const {
  static const std::size_t longest = bytes_of_own_cache() / 8;
  return !desks_.joint || (desks_.from_root && bytes <= longest && trials_.is_near());
}

void Exchange::close_up(std::size_t longest, int readers) {
  // A single desk is as close as can be.
  if (desks_.joint || longest == 0 || slots_.is_free(turn_) || !lies_in_desk(longest, desks_)) return;
  const std::size_t stride = sizeof(std::size_t) + longest;
  std::byte* const start = slots_.writable(turn_, stride_bytes + stride * static_cast<std::size_t>(readers));
  mine_ = start;
  if (!slots_.goes_ahead()) return;
  std::memcpy(start, &stride, sizeof stride);
  mine_ += stride_bytes, desks_.stride = stride;
}

void Exchange::put(int reader, Block block) {
  if (block.bytes == 0) return;
  if (mine_ == nullptr) mine_ = slots_.writable(turn_, whole_with(block));
  if (slots_.forfeits()) [[unlikely]]
    return;
  std::byte* desk = mine_ + place(slots_.me(), reader, desks_);
  if (desks_.sized) {
    std::memcpy(desk, &block.bytes, sizeof block.bytes);
    desk += sizeof block.bytes;
  }
  if (lies_in_desk(block.bytes, desks_)) {
    slots_.fill(desk, block.start, block.bytes);
    return;
  }
  const bool copied_once = chooses_once(block);
  const std::size_t chunks = (block.bytes + lanes_.chunk() - 1) / lanes_.chunk();
  Notice& notice = new_notice(desk);
  notice.address = copied_once ? block.start : nullptr;
  notice.alone = left_to_reader(block.bytes);
  notice.first = lanes_.reserve(chunks);
  trials_.announce(notice, block.bytes, notice.first + chunks - 1);
  if (!copied_once && may_go_ahead(block.bytes, notice.first)) {
    lanes_.write(notice.first, reader, block.start, block.bytes, notice.timed ? trials_.cycles() : nullptr);
    return;
  }
  out_.push_back({distance(slots_.me(), reader), reader, block, block.bytes, notice.first,
                  copied_once ? &notice : nullptr, 0, notice.timed, 0});
}

/// In the desk; not answered yet.
Notice& Exchange::new_notice(std::byte* desk) const {
  if (!desks_.joint) {
    auto* const notice = reinterpret_cast<Notice*>(desk);
    notice->answer.store(Notice::none, std::memory_order_relaxed);
    return *notice;
  }
  auto* const notice = reinterpret_cast<JointNotice*>(desk);
  notice->clear();
  return *notice;
}

/// A block of one chunk is on its lane before it is announced, if nobody has to be waited for and no chunk before it
/// is still to come: then whoever has seen that all have posted waits no more.
bool Exchange::may_go_ahead(std::size_t bytes, Lanes::Number number) const {
  return out_.empty() && bytes <= lanes_.chunk() && lanes_.writable(number);
}

void Exchange::post(int reader, std::size_t each) {
  if (mine_ != nullptr) slots_.post(turn_, reader, each);
}

void Exchange::meanwhile(const OwnBlock& own) {
  has_own_ = own.bytes != 0;
  if (!desks_.joint && (out_.empty() || out_.front().notice != nullptr))
    own.move();
  else
    own_ = own;
}

std::size_t Exchange::room_for(std::size_t sent, std::size_t expected) {
  ending_ = std::max(ending_, sent > expected ? Ending::cut : Ending::less);
  received_ = std::min(sent, expected);
  return std::min(sent, expected);
}

/// Waits for it.
const std::byte* Exchange::desk_for_me(int writer, Desks desks) {
  const std::byte* start = slots_.await(writer, turn_);
  if (desks.sized && !desks.joint && start != slots_.posted(writer, turn_)) [[unlikely]] {
    std::memcpy(&desks.stride, start, sizeof desks.stride);
    start += stride_bytes;
  }
  return start + place(writer, slots_.me(), desks);
}

void Exchange::take(int writer, Block block, const Desks& desks) {
  if (block.bytes == 0) return;
  auto* desk = const_cast<std::byte*>(desk_for_me(writer, desks));
  const Note note = slots_.note(writer, turn_);
  if ((note & Slots::hollow) != 0) [[unlikely]]
    return;
  std::size_t sent = block.bytes;
  if (desks.sized) {
    std::memcpy(&sent, desk, sizeof sent);
    desk += sizeof sent;
  } else if (const std::size_t told = note >> Slots::told_shift; told != 0) {
    sent = told;
  }
  // A branch, so that what is fetched does not hang on what the first line holds: the processor runs ahead.
  if (sent != block.bytes) [[unlikely]]
    block.bytes = room_for(sent, block.bytes);
  if (slots_.forfeits()) [[unlikely]]
    block.bytes = 0;
  if (lies_in_desk(sent, desks)) {
    slots_.read(writer, turn_, block.start, desk, block.bytes);
    return;
  }
  auto* const notice = desks_.joint ? reinterpret_cast<JointNotice*>(desk) : reinterpret_cast<Notice*>(desk);
  const Row row{distance(writer, slots_.me()), writer, block, sent, notice->first, notice, 0, notice->timed, 0};
  trials_.heard(*notice, block.bytes);
  if (notice->address == nullptr) {
    in_.push_back(row);
  } else if (!notice->alone) {
    joint_copy_.open(joint(row), block);
    opened_.push_back(row);
  } else {
    const std::uint64_t begin = notice->timed ? cycle_count() : 0;
    const bool done = single_copy_.read(writer, notice->address, block.start, block.bytes);
    if (notice->timed) notice->cycles.store(static_cast<float>(cycle_count() - begin), std::memory_order_relaxed);
    notice->answer.store(done ? Notice::copied : Notice::refused, std::memory_order_release);
    slots_.ring();
    if (!done) in_.push_back(row);
  }
}

/// First what those have who wait for my CPU: nobody else gets on with that.
void Exchange::copy_jointly() {
  slots_.note_place();
  std::partition(opened_.begin(), opened_.end(), [&](const Row& row) { return slots_.waits_for_my_cpu(row.member); });
  for (const Row& row : opened_) {
    const double cycles = joint_copy_.read(joint(row), row.member);
    if (row.timed) row.notice->cycles.store(static_cast<float>(cycles), std::memory_order_relaxed);
  }
  for (const Row& row : opened_) {
    joint_copy_.close(joint(row), row.member);
    if (!row.notice->is_copied()) in_.push_back(row);
  }
}

void Exchange::close(bool met) {
  if (desks_.joint) std::exchange(own_, {}).move();
  if (!opened_.empty()) copy_jointly();
  if (met)
    slots_.met(turn_);
  else
    slots_.leave(turn_);
  if (!out_.empty() || !in_.empty()) {
    collect_answers();
    carry();
    std::exchange(own_, {}).move();
  }
  trials_.close();
}

/// Rows that have been copied go.
void Exchange::collect_answers() {
  std::erase_if(out_, [&](const Row& row) {
    if (row.notice == nullptr) return false;
    JointCopy::Cycles mine;
    if (!row.notice->alone)
      mine = joint_copy_.write(joint(row), row.member);
    else
      slots_.until(row.notice->answer, Notice::copied, row.member);
    if (row.timed) trials_.answered(*row.notice, cost(row, mine));
    return row.notice->is_copied();
  });
}

/// What a timed block that is copied once has cost both sides.  Of a bcast whoever copies nothing more waits for the
/// other, and two copies of it go on at once: then the time counts until both are done.
double Exchange::cost(const Row& row, const JointCopy::Cycles& mine) const {
  const double reader = row.notice->cycles.load(std::memory_order_relaxed);
  const bool waits = desks_.from_root && !has_own_;
  if (!waits) return mine.copying + reader;
  return 2 * (row.notice->alone ? reader : mine.until_answered);
}

std::byte* Exchange::Row::at(std::size_t chunk) const { return block.start + next * chunk; }

/// Of the chunk that comes next, as far as there is room.
std::size_t Exchange::Row::bytes(std::size_t chunk) const {
  return std::min(chunk, block.bytes - std::min(block.bytes, next * chunk));
}

void Exchange::write_chunk(Row& row) {
  double* const cycles = row.timed && row.notice == nullptr ? trials_.cycles() : nullptr;
  lanes_.write(row.number(), row.member, row.at(lanes_.chunk()), row.bytes(lanes_.chunk()), cycles);
  ++row.next;
}

void Exchange::read_chunk(Row& row) {
  lanes_.read(row.member, row.number(), row.at(lanes_.chunk()), row.bytes(lanes_.chunk()),
              row.timed ? &row.cycles : nullptr);
  ++row.next;
}

/// What has come, whoever it is from: a lane emptied late holds its owner up.
bool Exchange::read_what_is_there(Rows::iterator row) {
  bool any = false;
  for (; row != in_.end(); ++row)
    for (; !row->done(lanes_.chunk()) && lanes_.readable(row->member, row->number()); any = true) read_chunk(*row);
  return any;
}

/// Waits only for what is least far; everything else goes on as it can.
void Exchange::carry() {
  const std::size_t chunk = lanes_.chunk();
  if (!expected_ && !in_.empty()) {
    std::size_t bytes = 0;
    for (const Row& row : in_) bytes += row.block.bytes;
    slots_.expect(in_.front().block.start, bytes);
  }
  auto out = out_.begin(), in = in_.begin();
  const auto unfinished = [chunk](Rows::iterator& row, const Rows& rows) {
    while (row != rows.end() && row->done(chunk)) ++row;
    return row != rows.end();
  };
  for (;;) {
    const bool writes = unfinished(out, out_), reads = unfinished(in, in_);
    if (!writes && !reads) return;
    if (!reads || (writes && out->comes_before(*in))) {
      write_chunk(*out);
      continue;
    }
    while (unfinished(out, out_) && lanes_.writable(out->number())) write_chunk(*out);
    if (!read_what_is_there(in)) read_chunk(*in);
  }
}

}  // namespace tutti::node
