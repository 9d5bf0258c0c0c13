#include "node/exchange.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::node {

/// Goes through the chunks of rows.
class Exchange::Cursor {
 public:
  Cursor(const std::vector<Row>& rows, std::size_t chunk) : row_(rows.begin()), end_(rows.end()), chunk_(chunk) {}

  bool done() const { return row_ == end_; }
  bool behind(const Cursor& other) const {
    if (done() || other.done()) return !done();
    return row_->step != other.row_->step ? row_->step < other.row_->step : index_ <= other.index_;
  }
  int member() const { return row_->member; }
  Lanes::Number number() const { return row_->first + index_; }
  std::byte* at() const { return row_->block.start + index_ * chunk_; }
  /// Of the chunk, as far as there is room.
  std::size_t bytes() const {
    return std::min(chunk_, row_->block.bytes - std::min(row_->block.bytes, index_ * chunk_));
  }
  void advance() {
    if (++index_ * chunk_ >= row_->sent) ++row_, index_ = 0;
  }

 private:
  std::vector<Row>::const_iterator row_, end_;
  std::size_t chunk_, index_ = 0;
};

Desks Exchange::desks(int skipped, Sizes sizes) const {
  static_assert(sizeof(Notice) + sizeof(std::size_t) <= least_desk && alignof(Notice) <= sizeof(std::size_t));
  const auto readers = static_cast<std::size_t>(slots_.size() - 1 - skipped);
  const std::size_t stride = std::max(least_desk, slots_.capacity() / readers / least_desk * least_desk);
  return furnished(stride, stride, skipped, sizes);
}

void Exchange::open(Turn turn, Desks desks, const Borders& borders) {
  turn_ = turn, desks_ = desks, borders_ = borders, mine_ = nullptr;
  out_.clear(), in_.clear();
}

void Exchange::put(int reader, Block block) {
  if (block.bytes == 0) return;
  if (mine_ == nullptr) mine_ = slots_.writable(turn_);
  std::byte* desk = mine_ + place(slots_.me(), reader);
  if (desks_.sized) {
    std::memcpy(desk, &block.bytes, sizeof block.bytes);
    desk += sizeof block.bytes;
  }
  if (lies_in_desk(block.bytes)) {
    std::memcpy(desk, block.start, block.bytes);
    return;
  }
  auto* const notice = reinterpret_cast<Notice*>(desk);
  notice->address = block.start;
  notice->first = lanes_.reserve((block.bytes + lanes_.chunk() - 1) / lanes_.chunk());
  notice->answer.store(none, std::memory_order_relaxed);
  if (may_go_ahead(block.bytes, notice->first)) {
    lanes_.write(notice->first, reader, block.start, block.bytes);
    return;
  }
  out_.push_back({distance(slots_.me(), reader), reader, block, block.bytes, notice->first,
                  once(block.bytes, borders_) ? notice : nullptr});
}

/// A block of one chunk is on its lane before it is announced, if nobody has to be waited for and no chunk before it
/// is still to come: then whoever has seen that all have posted waits no more.
bool Exchange::may_go_ahead(std::size_t bytes, Lanes::Number number) const {
  return out_.empty() && bytes <= lanes_.chunk() && !once(bytes, borders_) && lanes_.writable(number);
}

void Exchange::post(int reader) {
  if (mine_ != nullptr) slots_.post(turn_, reader);
}

void Exchange::take(int writer, Block block) {
  if (block.bytes == 0) return;
  std::byte* desk = const_cast<std::byte*>(slots_.await(writer, turn_)) + place(writer, slots_.me());
  std::size_t sent = block.bytes;
  if (desks_.sized) {
    std::memcpy(&sent, desk, sizeof sent);
    desk += sizeof sent;
    if (sent > block.bytes) all_fitted_ = false;
    block.bytes = std::min(block.bytes, sent);
  }
  if (lies_in_desk(sent)) {
    std::memcpy(block.start, desk, block.bytes);
    return;
  }
  auto* const notice = reinterpret_cast<Notice*>(desk);
  const Row row{distance(writer, slots_.me()), writer, block, sent, notice->first, nullptr};
  if (once(sent, borders_)) {
    const bool done = single_copy_.read(writer, notice->address, block.start, block.bytes);
    notice->answer.store(done ? copied : refused, std::memory_order_release);
    slots_.ring();
    if (done) return;
  }
  in_.push_back(row);
}

void Exchange::close(bool met) {
  if (met)
    slots_.met(turn_);
  else
    slots_.leave(turn_);
  if (out_.empty() && in_.empty()) return;
  collect_answers();
  carry();
}

/// Rows that have been copied go.
void Exchange::collect_answers() {
  std::erase_if(out_, [&](const Row& row) {
    if (row.notice == nullptr) return false;
    slots_.until(row.notice->answer, copied, row.member);
    return row.notice->answer.load(std::memory_order_acquire) == copied;
  });
}

void Exchange::carry() {
  Cursor out(out_, lanes_.chunk()), in(in_, lanes_.chunk());
  const auto write = [&] {
    lanes_.write(out.number(), out.member(), out.at(), out.bytes());
    out.advance();
  };
  while (!out.done() || !in.done()) {
    if (out.behind(in)) {
      write();
      continue;
    }
    while (!out.done() && lanes_.writable(out.number())) write();  // ahead, as far as nobody has to be waited for
    lanes_.read(in.member(), in.number(), in.at(), in.bytes());
    in.advance();
  }
}

}  // namespace tutti::node
