#include "core/spaces.hpp"

#include <algorithm>
#include <stdexcept>

namespace tutti {

Rows::Rows(const Layout& layout) : layout_(layout) {
  if (layout.is_regular()) return;
  sums_.resize(static_cast<std::size_t>(layout.owners()) + 1);
  for (int i = 0; i < layout.owners(); ++i)
    sums_[static_cast<std::size_t>(i) + 1] = sums_[static_cast<std::size_t>(i)] + layout.size(i);
}

std::int64_t Rows::before(int end, int rotate) const {
  if (sums_.empty()) return end * layout_.size(0);
  const int owners = layout_.owners();
  const auto sum = [&](int i) { return sums_[static_cast<std::size_t>(i)]; };
  rotate %= owners;
  if (rotate < 0) rotate += owners;
  return rotate + end <= owners ? sum(rotate + end) - sum(rotate)
                                : sum(owners) - sum(rotate) + sum(rotate + end - owners);
}

std::int64_t Rows::largest(int count) const {
  if (sums_.empty()) return count * layout_.size(0);
  std::int64_t most = 0;
  for (int i = 0; i + count <= layout_.owners(); ++i) most = std::max(most, before(i + count) - before(i));
  return most;
}

void Rows::append(const Blocks& what, std::int32_t space, std::vector<Range>& ranges) const {
  const std::size_t since = ranges.size();
  if (what.of > 1) {
    const Extent part = balanced(size(what.first), what.part, what.parts, what.of);
    append_range(ranges, since, {space, layout_.offset(what.first) + part.offset, part.length});
  } else if (sums_.empty()) {
    append_range(ranges, since, {space, layout_.offset(what.first), what.count * size(0)});
  } else {
    for (int i = what.first; i < what.first + what.count; ++i)
      append_range(ranges, since, {space, layout_.offset(i), size(i)});
  }
}

void Rows::append_each(const Blocks& what, std::int32_t space, std::vector<Range>& ranges) const {
  for (int i = what.first; i < what.first + what.count; ++i) ranges.push_back({space, layout_.offset(i), size(i)});
}

/// Elements of the area, after setting where it starts.
std::int64_t Spaces::elements(Declared& declared) const {
  const Area& area = declared.area;
  const Rows& rows = like(area);
  if (area.floating)
    return area.of == 1 ? rows.largest(area.count) : balanced(rows.size(0), 0, area.parts, area.of).length;
  declared.start = rows.before(area.first, area.rotate);
  if (area.of == 1) return rows.before(area.first + area.count, area.rotate) - declared.start;
  const std::int64_t block = rows.before(area.first + 1, area.rotate) - declared.start;
  const Extent part = balanced(block, area.part, area.parts, area.of);
  declared.start += part.offset;
  return part.length;
}

void Spaces::declare(const Area& area) {
  if (static_cast<std::size_t>(area.slot) >= declared_.size())
    declared_.resize(static_cast<std::size_t>(area.slot) + 1);
  Declared& declared = declared_[static_cast<std::size_t>(area.slot)];
  declared = {area, first_area_space + static_cast<std::int32_t>(areas_.size()), 0};
  if (area.learned)
    areas_.resize(areas_.size() + static_cast<std::size_t>(area.count), unknown);
  else
    areas_.push_back(elements(declared));
}

bool Spaces::learned(const Blocks& what) const {
  return what.buffer == Buffer::scratch && declared_.at(static_cast<std::size_t>(what.slot)).area.learned;
}

std::int64_t Spaces::append_scratch(const Blocks& what, std::vector<Range>& ranges) const {
  const Declared& declared = declared_.at(static_cast<std::size_t>(what.slot));
  const Area& area = declared.area;
  if (area.learned) {
    for (int i = 0; i < what.count; ++i) ranges.push_back({declared.space + what.first - area.first + i, 0, 1});
    return 0;
  }
  const Rows& rows = like(area);
  const int rotate = area.floating ? 0 : area.rotate;
  std::int64_t start = rows.before(what.first, rotate);
  std::int64_t length = rows.before(what.first + what.count, rotate) - start;
  if (what.of > 1) {
    const Extent part = balanced(length, what.part, what.parts, what.of);
    start += part.offset, length = part.length;
  }
  append_range(ranges, ranges.size(), {declared.space, area.floating ? 0 : start - declared.start, length});
  return length;
}

std::int64_t Spaces::append(const Blocks& what, std::vector<Range>& ranges) const {
  const std::size_t since = ranges.size();
  switch (what.buffer) {
    case Buffer::token:
      ranges.push_back({token_space, what.first, what.count});
      return 0;
    case Buffer::input:
      input_.append(what, input_space, ranges);
      break;
    case Buffer::output:
      output_.append(what, output_space, ranges);
      break;
    case Buffer::scratch:
      return append_scratch(what, ranges);
  }
  std::int64_t length = 0;
  for (std::size_t i = since; i < ranges.size(); ++i) length += ranges[i].count;
  return length;
}

std::int64_t Spaces::append_each(const Blocks& what, std::vector<Range>& ranges) const {
  if (what.buffer == Buffer::scratch) return append_scratch(what, ranges);
  const std::size_t since = ranges.size();
  if (what.buffer == Buffer::input)
    input_.append_each(what, input_space, ranges);
  else
    output_.append_each(what, output_space, ranges);
  std::int64_t length = 0;
  for (std::size_t i = since; i < ranges.size(); ++i) length += ranges[i].count;
  return length;
}

}  // namespace tutti
