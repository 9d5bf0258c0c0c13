#include "sample_movements.hpp"

#include "sample_values.hpp"

namespace tutti::shm::test {
namespace {

/// What `from` sends to `to`.
Value sent(int from, int to, std::size_t i, int index) {
  return value(from, i, index) + (static_cast<Value>(to + 1) << 32);
}

/// A member's blocks back to back, `each` values long, or less where they are uneven.
class Side {
 public:
  Side(int members, std::size_t each, bool uneven)
      : each_(each), uneven_(uneven), row_(static_cast<std::size_t>(members) * each) {
    for (int member = 0; member < members; ++member)
      offsets_.push_back(static_cast<std::int64_t>(first(member) * sizeof(Value))), sizes_.push_back(0);
  }
  void has(int member, std::size_t count) {
    sizes_[static_cast<std::size_t>(member)] = static_cast<std::int64_t>(count * sizeof(Value));
  }
  void fill(int member, int from, int to, int index) {
    for (std::size_t i = 0; i < count(member); ++i) row_[first(member) + i] = sent(from, to, i, index);
  }
  bool right(int member, int from, int to, int index) const {
    for (std::size_t i = 0; i < count(member); ++i)
      if (row_[first(member) + i] != sent(from, to, i, index)) return false;
    return true;
  }
  Blocks blocks() {
    auto* const start = reinterpret_cast<std::byte*>(row_.data());
    if (!uneven_) return {start, each_ * sizeof(Value), nullptr, nullptr};
    return {start, 0, offsets_.data(), sizes_.data()};
  }

 private:
  std::size_t first(int member) const { return static_cast<std::size_t>(member) * each_; }
  std::size_t count(int member) const {
    return static_cast<std::size_t>(sizes_[static_cast<std::size_t>(member)]) / sizeof(Value);
  }

  std::size_t each_;
  bool uneven_;
  std::vector<Value> row_;
  std::vector<std::int64_t> offsets_, sizes_;
};

/// How blocks move in a call: values a block, whether some are shorter or empty, whether they are copied once.
struct Movement {
  std::size_t each;
  bool uneven = false, once = false;
  bool operator==(const Movement&) const = default;

  Sizes sizes() const { return uneven ? Sizes::own : Sizes::equal; }
  Borders borders() const { return once ? Borders{1} : Borders{}; }
  /// Of the block from one member to another.
  std::size_t count(int from, int to) const {
    constexpr std::size_t a_row = 3;
    const std::size_t lengths[a_row * a_row] = {1, each, 1, 0, 1, each, each, 0, 1};
    return uneven ? lengths[static_cast<std::size_t>(from) % a_row * a_row + static_cast<std::size_t>(to) % a_row]
                  : each;
  }
};

/// Every other call has its own block moved by the group, from `apart`; else it is in place.
OwnBlock own_block(Side& side, Side& apart, int me, int index) {
  if (index % 2 == 0) return {};
  const Blocks to = side.blocks();
  return {to.at(me), apart.blocks().at(me), to.size(me)};
}

bool gather(ShmGroup& group, int index, int root, Movement movement) {
  Side side(group.size(), movement.each, movement.uneven);
  for (int member = 0; member < group.size(); ++member) {
    side.has(member, movement.count(member, root));
    if (group.me() != root && member == group.me()) side.fill(member, member, root, index);
  }
  Side apart = side;
  apart.fill(group.me(), group.me(), root, index);
  const OwnBlock own = group.me() == root ? own_block(side, apart, root, index) : OwnBlock{};
  group.gather(side.blocks(), root, movement.sizes(), movement.borders(), own);
  bool right = true;
  for (int member = 0; member < group.size() && group.me() == root; ++member)
    right = right && ((member == root && own.bytes == 0) || side.right(member, member, root, index));
  return right;
}

bool scatter(ShmGroup& group, int index, int root, Movement movement) {
  Side side(group.size(), movement.each, movement.uneven);
  for (int member = 0; member < group.size(); ++member) {
    side.has(member, movement.count(root, member));
    if (group.me() == root) side.fill(member, root, member, index);
  }
  Side kept = side;
  kept.fill(root, root, root, index + 1);
  const OwnBlock own = group.me() == root ? own_block(kept, side, root, index) : OwnBlock{};
  group.scatter(side.blocks(), root, movement.sizes(), movement.borders(), own);
  return side.right(group.me(), root, group.me(), index) && (own.bytes == 0 || kept.right(root, root, root, index));
}

bool allgather(ShmGroup& group, int index, Movement movement) {
  Side side(group.size(), movement.each, movement.uneven);
  for (int member = 0; member < group.size(); ++member) side.has(member, movement.count(member, 0));
  Side apart = side;
  apart.fill(group.me(), group.me(), 0, index);
  const OwnBlock own = own_block(side, apart, group.me(), index);
  if (own.bytes == 0) side.fill(group.me(), group.me(), 0, index);
  group.allgather(side.blocks(), movement.borders(), own);
  bool right = true;
  for (int member = 0; member < group.size(); ++member) right = right && side.right(member, member, 0, index);
  return right;
}

bool alltoall(ShmGroup& group, int index, Movement movement) {
  Side in(group.size(), movement.each, movement.uneven), out(group.size(), movement.each, movement.uneven);
  for (int member = 0; member < group.size(); ++member) {
    in.has(member, movement.count(group.me(), member)), out.has(member, movement.count(member, group.me()));
    in.fill(member, group.me(), member, index);
  }
  const OwnBlock own = own_block(out, in, group.me(), index);
  group.alltoall(in.blocks(), out.blocks(), movement.sizes(), movement.borders(), own);
  bool right = true;
  for (int member = 0; member < group.size(); ++member)
    right = right && ((member == group.me() && own.bytes == 0) || out.right(member, member, group.me(), index));
  return right;
}

bool bcast_once(ShmGroup& group, int index, int root, std::size_t count) {
  Row row = group.me() == root ? row_of(root, index) : Row{};
  group.bcast(row.data(), count * sizeof(Value), root, Borders{1});
  return holds(row, count, [&](std::size_t i) { return value(root, i, index); });
}

std::string of(const char* name, const Movement& movement) {
  return test::of(name, movement.each) + (movement.uneven ? " uneven" : "") + (movement.once ? " once" : "");
}

/// A slot holds 32 values, for all mailboxes together; a place of a ring 16, and a piece of a joint copy twice that.
constexpr Movement movements[] = {{1}, {40}, {3, true}, {40, true}, {20, false, true}, {refusable_values, false, true}};

}  // namespace

void add_movements(std::vector<SampleCall>& all, int size) {
  for (const Movement& movement : movements) {
    const bool brief = movement.each == 1;
    all.push_back({of("allgather", movement),
                   [=](ShmGroup& group, int index) { return allgather(group, index, movement); }, false});
    // PairwiseRings from 17 values on where a slot has two mailboxes; those of 40 would be hundreds of times as many
    // states.
    const Movement pairs = movement == Movement{40} && size > 2 ? Movement{24} : movement;
    all.push_back(
        {of("alltoall", pairs), [=](ShmGroup& group, int index) { return alltoall(group, index, pairs); }, brief});
    for (const int root : {0, size - 1}) {
      const std::string at = " root " + std::to_string(root);
      all.push_back({of("gather", movement) + at,
                     [=](ShmGroup& group, int index) { return gather(group, index, root, movement); },
                     brief && root == 0});
      if (movement == Movement{refusable_values, false, true}) {  // and the last one of two pieces
        const Movement pieces{32 + refusable_values, false, true};
        all.push_back({of("gather", pieces) + at,
                       [=](ShmGroup& group, int index) { return gather(group, index, root, pieces); }, false});
      }
      all.push_back({of("scatter", movement) + at,
                     [=](ShmGroup& group, int index) { return scatter(group, index, root, movement); }, false});
      if (movement.once)
        all.push_back({of("bcast", movement) + at,
                       [=](ShmGroup& group, int index) { return bcast_once(group, index, root, movement.each); },
                       false});
    }
  }
  // So short that the mailboxes of two readers lie close together in the backlog.
  if (size == 3)
    all.push_back({"scatter 1 uneven root 0",
                   [](ShmGroup& group, int index) {
                     return scatter(group, index, 0, Movement{1, true});
                   },
                   false});
}

}  // namespace tutti::shm::test
