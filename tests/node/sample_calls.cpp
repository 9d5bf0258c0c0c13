#include "sample_calls.hpp"

#include <array>
#include <cstring>

namespace tutti::node::test {
namespace {

using Value = std::uint64_t;
constexpr std::size_t longest = 128;
using Row = std::array<Value, longest>;
constexpr std::size_t refusable = refusable_bytes / sizeof(Value);

/// Left to right: associative, not commutative.
Value then(Value left, Value right) {
  const auto a = static_cast<std::uint32_t>(left), b = static_cast<std::uint32_t>(left >> 32);
  const auto c = static_cast<std::uint32_t>(right), d = static_cast<std::uint32_t>(right >> 32);
  return static_cast<Value>(b * c + d) << 32 | static_cast<std::uint32_t>(a * c);
}

const Reducer& affine() {
  static const Reducer op{[](void*, const void* in, const void* inout, void* out, std::size_t count) {
                            for (std::size_t i = 0; i < count; ++i) {
                              const Value right = static_cast<const Value*>(inout)[i];
                              static_cast<Value*>(out)[i] = then(static_cast<const Value*>(in)[i], right);
                            }
                          },
                          nullptr, sizeof(Value), false};
  return op;
}

/// Unlike any other member's, index's and call's.
Value value(int member, std::size_t i, int index) {
  return (static_cast<Value>(index + 1) << 44 | static_cast<Value>(member + 1) << 36 | i << 4) + 1;
}

Row row_of(int member, int index) {
  Row row;
  for (std::size_t i = 0; i < longest; ++i) row[i] = value(member, i, index);
  return row;
}

/// Members first to last combined.
Value combined(int first, int last, std::size_t i, int index) {
  Value all = value(first, i, index);
  for (int member = first + 1; member <= last; ++member) all = then(all, value(member, i, index));
  return all;
}

template <typename Right>
bool holds(const Row& row, std::size_t count, Right right) {
  for (std::size_t i = 0; i < count; ++i)
    if (row[i] != right(i)) return false;
  return true;
}

bool bcast(Team& team, int index, int root, std::size_t count) {
  Row row = team.me() == root ? row_of(root, index) : Row{};
  team.bcast(row.data(), count * sizeof(Value), root);
  return holds(row, count, [&](std::size_t i) { return value(root, i, index); });
}

bool reduce(Team& team, int index, int root, std::size_t count, const Borders& borders = {}) {
  Row row = row_of(team.me(), index);
  team.reduce(row.data(), row.data(), count, affine(), root, borders);
  return team.me() != root || holds(row, count, [&](std::size_t i) { return combined(0, team.size() - 1, i, index); });
}

bool allreduce(Team& team, int index, std::size_t count, const Borders& borders = {}) {
  Row row = row_of(team.me(), index);
  team.allreduce(row.data(), row.data(), count, affine(), borders);
  return holds(row, count, [&](std::size_t i) { return combined(0, team.size() - 1, i, index); });
}

bool scan(Team& team, int index, std::size_t count, bool inclusive) {
  Row row = row_of(team.me(), index);
  const int last = inclusive ? team.me() : team.me() - 1;
  inclusive ? team.scan(row.data(), row.data(), count, affine()) : team.exscan(row.data(), row.data(), count, affine());
  return last < 0 || holds(row, count, [&](std::size_t i) { return combined(0, last, i, index); });
}

bool reduce_scatter(Team& team, int index, std::size_t each, const Borders& borders = {}) {
  const Row row = row_of(team.me(), index);
  Row out{};
  team.reduce_scatter(row.data(), out.data(), {each}, affine(), borders);
  const std::size_t first = each * static_cast<std::size_t>(team.me());
  return holds(out, each, [&](std::size_t i) { return combined(0, team.size() - 1, first + i, index); });
}

/// One member alone gets anything.
bool reduce_scatter_to(Team& team, int index, int only, std::size_t count) {
  const Row row = row_of(team.me(), index);
  Row out{};
  std::vector<std::int64_t> counts(static_cast<std::size_t>(team.size()), 0);
  counts[static_cast<std::size_t>(only)] = static_cast<std::int64_t>(count);
  team.reduce_scatter(row.data(), out.data(), {0, counts.data()}, affine());
  return team.me() != only || holds(out, count, [&](std::size_t i) { return combined(0, team.size() - 1, i, index); });
}

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

/// Every other call has its own block moved by the team, from `apart`; else it is in place.
OwnBlock own_block(Side& side, Side& apart, int me, int index) {
  if (index % 2 == 0) return {};
  const Blocks to = side.blocks();
  return {to.at(me), apart.blocks().at(me), to.size(me)};
}

bool gather(Team& team, int index, int root, Movement movement) {
  Side side(team.size(), movement.each, movement.uneven);
  for (int member = 0; member < team.size(); ++member) {
    side.has(member, movement.count(member, root));
    if (team.me() != root && member == team.me()) side.fill(member, member, root, index);
  }
  Side apart = side;
  apart.fill(team.me(), team.me(), root, index);
  const OwnBlock own = team.me() == root ? own_block(side, apart, root, index) : OwnBlock{};
  team.gather(side.blocks(), root, movement.sizes(), movement.borders(), own);
  bool right = true;
  for (int member = 0; member < team.size() && team.me() == root; ++member)
    right = right && ((member == root && own.bytes == 0) || side.right(member, member, root, index));
  return right;
}

bool scatter(Team& team, int index, int root, Movement movement) {
  Side side(team.size(), movement.each, movement.uneven);
  for (int member = 0; member < team.size(); ++member) {
    side.has(member, movement.count(root, member));
    if (team.me() == root) side.fill(member, root, member, index);
  }
  Side kept = side;
  kept.fill(root, root, root, index + 1);
  const OwnBlock own = team.me() == root ? own_block(kept, side, root, index) : OwnBlock{};
  team.scatter(side.blocks(), root, movement.sizes(), movement.borders(), own);
  return side.right(team.me(), root, team.me(), index) && (own.bytes == 0 || kept.right(root, root, root, index));
}

bool allgather(Team& team, int index, Movement movement) {
  Side side(team.size(), movement.each, movement.uneven);
  for (int member = 0; member < team.size(); ++member) side.has(member, movement.count(member, 0));
  Side apart = side;
  apart.fill(team.me(), team.me(), 0, index);
  const OwnBlock own = own_block(side, apart, team.me(), index);
  if (own.bytes == 0) side.fill(team.me(), team.me(), 0, index);
  team.allgather(side.blocks(), movement.borders(), own);
  bool right = true;
  for (int member = 0; member < team.size(); ++member) right = right && side.right(member, member, 0, index);
  return right;
}

bool alltoall(Team& team, int index, Movement movement) {
  Side in(team.size(), movement.each, movement.uneven), out(team.size(), movement.each, movement.uneven);
  for (int member = 0; member < team.size(); ++member) {
    in.has(member, movement.count(team.me(), member)), out.has(member, movement.count(member, team.me()));
    in.fill(member, team.me(), member, index);
  }
  const OwnBlock own = own_block(out, in, team.me(), index);
  team.alltoall(in.blocks(), out.blocks(), movement.sizes(), movement.borders(), own);
  bool right = true;
  for (int member = 0; member < team.size(); ++member)
    right = right && ((member == team.me() && own.bytes == 0) || out.right(member, member, team.me(), index));
  return right;
}

bool bcast_once(Team& team, int index, int root, std::size_t count) {
  Row row = team.me() == root ? row_of(root, index) : Row{};
  team.bcast(row.data(), count * sizeof(Value), root, Borders{1});
  return holds(row, count, [&](std::size_t i) { return value(root, i, index); });
}

std::string of(const char* name, std::size_t count) { return std::string(name) + ' ' + std::to_string(count); }
std::string from(const char* name, int root, std::size_t count) {
  return of(name, count) + " root " + std::to_string(root);
}

// A slot holds 32 values, its first line 6.
void add_rooted(std::vector<SampleCall>& all, int size) {
  for (int root = 0; root < size; ++root) {
    for (const std::size_t count : {1, 70})
      all.push_back({from("bcast", root, count), [=](Team& team, int index) { return bcast(team, index, root, count); },
                     count == 1});
    for (const std::size_t count : {1, 10, 40, 71})
      all.push_back({from("reduce", root, count),
                     [=](Team& team, int index) { return reduce(team, index, root, count); }, count == 1});
  }
}

void add_unrooted(std::vector<SampleCall>& all, int size) {
  for (const std::size_t count : {1, 10, 40, 71})
    all.push_back(
        {of("allreduce", count), [=](Team& team, int index) { return allreduce(team, index, count); }, count == 10});
  for (const std::size_t count : {1, 40})
    for (const bool inclusive : {true, false})
      all.push_back({of(inclusive ? "scan" : "exscan", count),
                     [=](Team& team, int index) { return scan(team, index, count, inclusive); },
                     inclusive && count == 1});
  for (const std::size_t each : {1, 20})
    if (each * static_cast<std::size_t>(size) <= longest)
      all.push_back({of("reduce_scatter", each),
                     [=](Team& team, int index) { return reduce_scatter(team, index, each); }, false});
  for (const int only : {0, size - 1})
    all.push_back({"reduce_scatter to " + std::to_string(only),
                   [=](Team& team, int index) { return reduce_scatter_to(team, index, only, 3); }, false});
}

/// Read where they lie; the kernel may refuse it at any of them.
void add_pair_reductions(std::vector<SampleCall>& all) {
  const Borders once{1};
  const auto add = [&](const std::string& what, auto call) {
    all.push_back({what + " once", [=](Team& team, int index) { return call(team, index, once); }, false});
  };
  for (const std::size_t count : {std::size_t{20}, refusable}) {
    for (const int root : {0, 1})
      add(from("reduce", root, count),
          [=](Team& team, int index, const Borders& borders) { return reduce(team, index, root, count, borders); });
    add(of("allreduce", count),
        [=](Team& team, int index, const Borders& borders) { return allreduce(team, index, count, borders); });
    add(of("reduce_scatter", count),
        [=](Team& team, int index, const Borders& borders) { return reduce_scatter(team, index, count, borders); });
  }
}

void add_empty(std::vector<SampleCall>& all) {
  all.push_back({"bcast 0", [](Team& team, int index) { return bcast(team, index, 0, 0); }, true});
  all.push_back({"reduce 0", [](Team& team, int index) { return reduce(team, index, 1, 0); }, false});
  all.push_back({"allreduce 0", [](Team& team, int index) { return allreduce(team, index, 0); }, false});
  all.push_back({"scan 0", [](Team& team, int index) { return scan(team, index, 0, true); }, false});
}

std::string of(const char* name, const Movement& movement) {
  return of(name, movement.each) + (movement.uneven ? " uneven" : "") + (movement.once ? " once" : "");
}

/// A slot holds 32 values, for all desks together; a place of a lane 16, and a piece of a joint copy twice that.
constexpr Movement movements[] = {{1}, {40}, {3, true}, {40, true}, {20, false, true}, {refusable, false, true}};

void add_movements(std::vector<SampleCall>& all, int size) {
  for (const Movement& movement : movements) {
    const bool brief = movement.each == 1;
    all.push_back(
        {of("allgather", movement), [=](Team& team, int index) { return allgather(team, index, movement); }, false});
    // Lanes from 17 values on where a slot has two desks; those of 40 would be hundreds of times as many states.
    const Movement pairs = movement == Movement{40} && size > 2 ? Movement{24} : movement;
    all.push_back({of("alltoall", pairs), [=](Team& team, int index) { return alltoall(team, index, pairs); }, brief});
    for (const int root : {0, size - 1}) {
      const std::string at = " root " + std::to_string(root);
      all.push_back({of("gather", movement) + at,
                     [=](Team& team, int index) { return gather(team, index, root, movement); }, brief && root == 0});
      if (movement == Movement{refusable, false, true}) {  // and the last one of two pieces
        const Movement pieces{32 + refusable, false, true};
        all.push_back({of("gather", pieces) + at,
                       [=](Team& team, int index) { return gather(team, index, root, pieces); }, false});
      }
      all.push_back({of("scatter", movement) + at,
                     [=](Team& team, int index) { return scatter(team, index, root, movement); }, false});
      if (movement.once)
        all.push_back({of("bcast", movement) + at,
                       [=](Team& team, int index) { return bcast_once(team, index, root, movement.each); }, false});
    }
  }
  // So short that the desks of two readers lie close together in the backlog.
  if (size == 3)
    all.push_back({"scatter 1 uneven root 0",
                   [](Team& team, int index) {
                     return scatter(team, index, 0, Movement{1, true});
                   },
                   false});
}

}  // namespace

std::vector<SampleCall> sample_calls(int size) {
  std::vector<SampleCall> all{{"barrier", [](Team& team, int) { return team.barrier(), true; }, true}};
  add_rooted(all, size);
  add_unrooted(all, size);
  if (size == 2) add_pair_reductions(all);
  add_empty(all);
  add_movements(all, size);
  return all;
}

TeamOptions smallest(int size) {
  TeamOptions options;
  options.size = size, options.cpus = size, options.chunk = 256, options.stripe_from = 560;
  options.backlog = 96;
  options.chain_from = 40 * sizeof(Value);
  options.lane_chunk = 128;
  return options;
}

}  // namespace tutti::node::test
