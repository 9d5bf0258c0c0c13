#include "core/cells.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace tutti {
namespace {

bool irregular_at_root_only(Collective which) { return which == Collective::gatherv || which == Collective::scatterv; }

}  // namespace

Cells::Cells(const Problem& problem, Rank me)
    : collective_(problem.collective),
      ranks_(problem.size),
      owners_(one_vector(problem.collective) ? 1 : problem.size),
      me_(me),
      root_(problem.root) {
  input_.push_back(0), output_.push_back(0);
  for (int owner = 0; owner < owners_; ++owner) {
    input_.push_back(input_.back() + problem.input_elements(me, owner));
    output_.push_back(output_.back() + problem.output_elements(me, owner));
  }
  input_end_ = input_.back();
  output_end_ = input_end_ + output_.back();
  tokens_end_ = output_end_ + 2 * ranks_ + 64;
  size_ = tokens_end_;
}

bool Cells::exists(Buffer buffer, int owner) const {
  using enum Collective;
  const bool here = me_ == root_, mine = owner == me_, in = buffer == Buffer::input;
  switch (collective_) {
    case barrier:
      return false;
    case bcast:
    case reduce:
    case allreduce:
    case scan:
    case allgather:
    case allgatherv:
      return !in;
    case exscan:
      return in || me_ > 0;
    case gather:
    case gatherv:
      return in ? !here && mine : here;
    case scatter:
    case scatterv:
      return in ? here : !here && mine;
    case alltoall:
    case alltoallv:
    case alltoallw:
      return true;
    case reduce_scatter:
    case reduce_scatter_block:
      return in || mine;
  }
  return false;
}

bool Cells::known_sizes(int owner) const {
  return !irregular_at_root_only(collective_) || me_ == root_ || owner == me_;
}

Cells::Row Cells::row_of(Buffer like, int rotate) const {
  const Row& row = like == Buffer::input ? input_ : output_;
  Row result{0};
  for (int position = 0; position < owners_; ++position) {
    const auto owner = static_cast<std::size_t>((position + rotate) % owners_);
    result.push_back(result.back() + row[owner + 1] - row[owner]);
  }
  return result;
}

Run Cells::within(const Row& row, const Blocks& what) {
  const int owners = static_cast<int>(row.size()) - 1;
  if (what.first < 0 || what.count < 0 || what.first + what.count > owners)
    throw Misuse{to_text(what) + " is outside the " + std::to_string(owners) + " owners"};
  if (what.of < 1 || what.part < 0 || what.parts < 0 || what.part + what.parts > what.of ||
      (what.of > 1 && what.count != 1))
    throw Misuse{to_text(what) + " names no parts of one owner"};
  const auto first = static_cast<std::size_t>(what.first), count = static_cast<std::size_t>(what.count);
  const std::int64_t begin = row[first], end = row[first + count];
  if (what.of == 1) return what.parts == 1 ? Run{begin, end} : Run{begin, begin};
  const Extent extent = balanced(end - begin, what.part, what.parts, what.of);
  return {begin + extent.offset, begin + extent.offset + extent.length};
}

void Cells::declare(const Area& area) {
  const Blocks whole{Buffer::scratch, area.slot, area.first, area.count, area.part, area.parts, area.of};
  if (slots_.contains(area.slot)) throw Misuse{"slot " + std::to_string(area.slot) + " is declared twice"};
  if (area.learned && (area.floating || area.of > 1)) throw Misuse{"a learned area has whole positions"};
  for (int i = area.first; i < area.first + area.count && !area.learned; ++i)
    if (!known_sizes(area.floating ? -1 : (i + area.rotate) % owners_))
      throw Misuse{"the size of the area is not known on this rank"};
  Slot slot{area, size_, size_, 0, 0, row_of(area.like, area.rotate)};
  const Run declared = within(slot.row, whole);
  if (area.learned) slot.base = size_ += area.count;
  slot.begins = declared.begin, slot.length = declared.length();
  if (area.floating) {
    Blocks run = whole;
    if (area.of > 1) {
      for (run.part = 0; run.part + run.parts <= run.of; ++run.part)
        slot.length = std::max(slot.length, within(slot.row, run).length());
    } else {
      for (run.first = 0; run.first + run.count <= owners_; ++run.first)
        slot.length = std::max(slot.length, within(slot.row, run).length());
    }
  }
  size_ += slot.length;
  slots_.emplace(area.slot, std::move(slot));
}

Run Cells::sizes(const Blocks& what) const {
  const auto found = what.buffer == Buffer::scratch ? slots_.find(what.slot) : slots_.end();
  if (found == slots_.end() || !found->second.area.learned) return {};
  const Slot& slot = found->second;
  if (what.of > 1 || what.first < slot.area.first || what.first + what.count > slot.area.first + slot.area.count)
    throw Misuse{to_text(what) + " names no whole positions of its area"};
  const std::int64_t begin = slot.sizes + what.first - slot.area.first;
  return {begin, begin + what.count};
}

std::vector<int> Cells::owners(const Blocks& what) const {
  const auto found = what.buffer == Buffer::scratch ? slots_.find(what.slot) : slots_.end();
  if (what.of > 1 || what.buffer == Buffer::token || (found != slots_.end() && found->second.area.floating))
    throw Misuse{to_text(what) + " is no block whose size could be told"};
  const int rotate = found != slots_.end() ? found->second.area.rotate : 0;
  std::vector<int> result;
  for (int i = what.first; i < what.first + what.count; ++i) result.push_back((i + rotate) % owners_);
  return result;
}

Run Cells::find_scratch(const Blocks& what) const {
  const auto found = slots_.find(what.slot);
  if (found == slots_.end()) throw Misuse{"slot " + std::to_string(what.slot) + " is not declared"};
  const Slot& slot = found->second;
  Run run = within(slot.row, what);
  const std::int64_t origin = slot.area.floating ? run.begin : slot.begins;
  run.begin -= origin, run.end -= origin;
  if (run.length() > 0 && (run.begin < 0 || run.end > slot.length))
    throw Misuse{to_text(what) + " lies outside its area of " + std::to_string(slot.length) + " elements"};
  return {slot.base + run.begin, slot.base + run.end};
}

Run Cells::find(const Blocks& what) const {
  if (what.buffer == Buffer::scratch) return find_scratch(what);
  if (what.buffer == Buffer::token) {
    if (what.first < 0 || what.count < 0 || output_end_ + what.first + what.count > tokens_end_)
      throw Misuse{to_text(what) + ": there are 2p + 64 tokens"};
    return {output_end_ + what.first, output_end_ + what.first + what.count};
  }
  Run run = within(what.buffer == Buffer::input ? input_ : output_, what);
  for (int owner = what.first; owner < what.first + what.count; ++owner)
    if (!exists(what.buffer, owner)) throw Misuse{to_text(what) + " does not exist on this rank"};
  if (what.buffer == Buffer::output) run.begin += input_end_, run.end += input_end_;
  return run;
}

}  // namespace tutti
