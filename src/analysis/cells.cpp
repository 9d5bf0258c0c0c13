#include "analysis/cells.hpp"

#include "analysis/text.hpp"

namespace tutti {
namespace {

/// Throws Misuse where blocks name no run of `owners`, or of one owner's parts.
void check_names(const Blocks& what, int owners) {
  if (what.first < 0 || what.count < 0 || what.first + what.count > owners)
    throw Misuse{to_text(what) + " is outside the " + std::to_string(owners) + " owners"};
  if (what.of < 1 || what.part < 0 || what.parts < 0 || what.part + what.parts > what.of ||
      (what.of == 1 && what.parts != 1) || (what.of > 1 && what.count != 1))
    throw Misuse{to_text(what) + " names no parts of one owner"};
}

}  // namespace

Layout Cells::Row::layout() const {
  const auto owners = static_cast<int>(sizes.size());
  return regular ? Layout::regular(owners, sizes.empty() ? 0 : sizes[0])
                 : Layout::irregular(owners, CountView::wide(sizes.data()), CountView::wide(starts.data()), 1);
}

template <class Elements>
Cells::Row Cells::row_of(const Problem& problem, int owners, Elements&& elements) {
  Row row;
  row.regular = problem.counts.size() == 1;
  const int gap = row.regular || reduces(problem.collective) ? 0 : 1;
  for (int owner = 0; owner < owners; ++owner) {
    row.sizes.push_back(elements(owner)), row.starts.push_back(row.total);
    row.total += row.sizes.back() + gap;
  }
  return row;
}

Cells::Cells(const Problem& problem, Rank me)
    : collective_(problem.collective),
      ranks_(problem.size),
      owners_(one_vector(problem.collective) ? 1 : problem.size),
      me_(me),
      root_(problem.root),
      input_(row_of(problem, owners_, [&](int owner) { return problem.input_elements(me, owner); })),
      output_(row_of(problem, owners_, [&](int owner) { return problem.output_elements(me, owner); })),
      binder_(Layouts{input_.layout(), output_.layout()}),
      input_end_(input_.total) {
  const std::int64_t output_end = input_end_ + output_.total;
  size_ = output_end + 2 * ranks_ + 64;
  homes_.resize(first_area_space);
  homes_[token_space] = {output_end, size_ - output_end};
  homes_[input_space] = {0, input_end_};
  homes_[output_space] = {input_end_, output_.total};
}

bool Cells::exists(Buffer buffer, int owner) const {
  const Held& held = buffer == Buffer::input ? contract(collective_).input : contract(collective_).output;
  return among(held.ranks, me_, root_) && (!held.own || owner == me_);
}

/// Counts that the root alone has.
bool Cells::known_sizes(int owner) const {
  return !rooted(collective_) || !irregular(collective_) || me_ == root_ || owner == me_;
}

void Cells::check(const Area& area) const {
  if (area.slot < 0 || areas_.contains(area.slot))
    throw Misuse{"slot " + std::to_string(area.slot) + " is declared twice"};
  if (area.learned && (area.floating || area.of > 1)) throw Misuse{"a learned area has whole positions"};
  check_names({Buffer::scratch, area.slot, area.first, area.count, area.part, area.parts, area.of}, owners_);
  for (int i = area.first; i < area.first + area.count && !area.learned; ++i)
    if (!known_sizes(area.floating ? -1 : (i + area.rotate) % owners_))
      throw Misuse{"the size of the area is not known on this rank"};
}

void Cells::check(const Blocks& what) const {
  if (what.buffer == Buffer::token) {
    if (what.first < 0 || what.count < 0 || what.first + what.count > homes_[token_space].length)
      throw Misuse{to_text(what) + ": there are 2p + 64 tokens"};
    return;
  }
  check_names(what, owners_);
  if (what.buffer != Buffer::scratch) {
    for (int owner = what.first; owner < what.first + what.count; ++owner)
      if (!exists(what.buffer, owner)) throw Misuse{to_text(what) + " does not exist on this rank"};
    return;
  }
  const Area* const area = area_of(what);
  if (!area) throw Misuse{"slot " + std::to_string(what.slot) + " is not declared"};
  if (area->learned && (what.of > 1 || what.first < area->first || what.first + what.count > area->first + area->count))
    throw Misuse{to_text(what) + " names no whole positions of its area"};
}

void Cells::bind(const Step& step, BoundStep& bound, std::vector<Range>& ranges) {
  binder_.bind(step, bound, ranges);
  if (const auto* area = std::get_if<Area>(&step)) settle(*area);
}

/// Cells for the spaces of an area: of a learned one, a size for each position first.
void Cells::settle(const Area& area) {
  areas_.emplace(area.slot, area);
  const std::vector<std::int64_t>& areas = binder_.spaces().areas();
  const Row& like = area.like == Buffer::input ? input_ : output_;
  std::int64_t size = size_;
  if (area.learned) size_ += area.count;
  for (int i = area.first; homes_.size() < first_area_space + areas.size(); ++i) {
    const std::int64_t elements = areas[homes_.size() - first_area_space];
    const auto owner = static_cast<std::size_t>((i + area.rotate) % owners_);
    homes_.push_back({size_, area.learned ? like.sizes[owner] : elements, area.learned ? size++ : -1});
    size_ += homes_.back().length;
  }
}

const Area* Cells::area_of(const Blocks& what) const {
  const auto found = what.buffer == Buffer::scratch ? areas_.find(what.slot) : areas_.end();
  return found != areas_.end() ? &found->second : nullptr;
}

bool Cells::learned(const Blocks& what) const {
  const Area* const area = area_of(what);
  return area && area->learned;
}

Run Cells::size_of(const Range& range) const {
  const Home& home = homes_[static_cast<std::size_t>(range.space)];
  return home.size < 0 ? Run{} : Run{home.size, home.size + 1};
}

Run Cells::cells_of(const Range& range) const {
  const Home& home = homes_[static_cast<std::size_t>(range.space)];
  if (home.size >= 0) return {home.base, home.base + home.length};
  if (range.count > 0 && (range.first < 0 || range.first + range.count > home.length))
    throw Misuse{"elements [" + std::to_string(range.first) + ", " + std::to_string(range.first + range.count) +
                 ") lie outside their area of " + std::to_string(home.length)};
  return {home.base + range.first, home.base + range.first + range.count};
}

std::vector<int> Cells::owners(const Blocks& what) const {
  const Area* const area = area_of(what);
  if (what.of > 1 || what.buffer == Buffer::token || (area && area->floating))
    throw Misuse{to_text(what) + " is no block whose size could be told"};
  const int rotate = area ? area->rotate : 0;
  std::vector<int> result;
  for (int i = what.first; i < what.first + what.count; ++i) result.push_back((i + rotate) % owners_);
  return result;
}

Run Cells::find(const Blocks& what) const {
  check(what);
  std::vector<Range> ranges;
  binder_.spaces().append(what, ranges);
  Run all;
  for (const Range& range : ranges) {
    const Run run = cells_of(range);
    all = {all.length() > 0 ? all.begin : run.begin, run.end};
  }
  return all;
}

}  // namespace tutti
