#include "sample_troubles.hpp"

#include <algorithm>

namespace tutti::shm::test {
namespace {

using Value = std::uint64_t;
constexpr std::size_t longest = 256, most_members = 8;
constexpr Value nothing = ~Value{0};

/// What `from` has for `to` in call `index`.
Value value(int from, int to, std::size_t i, int index) {
  return static_cast<Value>(index + 1) << 48 | static_cast<Value>(from) << 40 | static_cast<Value>(to) << 32 | i;
}

/// A member's memory for one side of a call: blocks back to back, for or from each other member.
class Row {
 public:
  explicit Row(std::size_t each = 0) : each_(each), values_(std::max(longest, each * most_members), nothing) {}
  std::byte* data() { return reinterpret_cast<std::byte*>(values_.data()); }
  Blocks blocks() { return {data(), each_ * sizeof(Value), nullptr, nullptr}; }
  void fill(int block, int from, int to, int index, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values_[first(block) + i] = value(from, to, i, index);
  }
  /// That `count` values of the block have come, and no more of it has been touched.
  bool holds(int block, int from, int to, int index, std::size_t count) const {
    for (std::size_t i = 0; i < each_; ++i)
      if (values_[first(block) + i] != (i < count ? value(from, to, i, index) : nothing)) return false;
    return true;
  }

 private:
  std::size_t first(int block) const { return static_cast<std::size_t>(block) * each_; }

  std::size_t each_;
  std::vector<Value> values_;
};

const Reducer& sum() {
  static const Reducer op{[](void*, const void* in, const void* inout, void* out, std::size_t count) {
                            for (std::size_t i = 0; i < count; ++i)
                              static_cast<Value*>(out)[i] =
                                  static_cast<const Value*>(in)[i] + static_cast<const Value*>(inout)[i];
                          },
                          nullptr, sizeof(Value), true};
  return op;
}

/// Of so many values each, and whether they are copied once where that is allowed.
struct Blocking {
  std::size_t each;
  bool once = false;

  Borders borders() const { return once ? Borders{1} : Borders{}; }
  std::string text() const { return std::to_string(each) + (once ? " once" : ""); }
};

/// A call in which member `lost` forfeits its part: how it ended, and whether what came is right.
struct Result {
  Ending ending;
  bool right;
};
using Call = std::function<Result(ShmGroup&, int index)>;

Result bcast(ShmGroup& group, int index, int root, Blocking blocking) {
  Row row(blocking.each);
  if (group.me() == root) row.fill(0, root, 0, index, blocking.each);
  const Ending ending = group.bcast(row.data(), blocking.each * sizeof(Value), root, blocking.borders());
  return {ending, row.holds(0, root, 0, index, blocking.each)};
}

Result gather(ShmGroup& group, int index, int root, Blocking blocking) {
  Row row(blocking.each);
  row.fill(group.me(), group.me(), root, index, blocking.each);
  return {group.gather(row.blocks(), root, Sizes::equal, blocking.borders()), true};
}

Result scatter(ShmGroup& group, int index, int root, Blocking blocking) {
  Row row(blocking.each);
  for (int to = 0; group.me() == root && to < group.size(); ++to) row.fill(to, root, to, index, blocking.each);
  const Ending ending = group.scatter(row.blocks(), root, Sizes::equal, blocking.borders());
  return {ending, row.holds(group.me(), root, group.me(), index, blocking.each)};
}

Result allgather(ShmGroup& group, int index, Blocking blocking) {
  Row row(blocking.each);
  row.fill(group.me(), group.me(), 0, index, blocking.each);
  return {group.allgather(row.blocks(), blocking.borders()), true};
}

Result alltoall(ShmGroup& group, int index, Blocking blocking, Sizes sizes) {
  Row in(blocking.each), out(blocking.each);
  for (int to = 0; to < group.size(); ++to) in.fill(to, group.me(), to, index, blocking.each);
  return {group.alltoall(in.blocks(), out.blocks(), sizes, blocking.borders()), true};
}

template <typename Make>
Call reduction(Make make) {
  return [make](ShmGroup& group, int) {
    Row in, out;
    return Result{make(group, in.data(), out.data()), true};
  };
}

/// `depends(me)`: whether that member needs what the lost one has.
template <typename Depends>
SampleCall without(int lost, const std::string& name, Call call, Depends depends) {
  return {name + " without " + std::to_string(lost),
          [=](ShmGroup& group, int index) {
            if (group.me() == lost) {
              const Forfeit forfeited(group);
              return call(group, index), true;
            }
            const Result result = call(group, index);
            return depends(group.me()) ? result.ending == Ending::failed
                                       : result.ending == Ending::whole && result.right;
          },
          false};
}

void add_rooted(std::vector<SampleCall>& all, int lost, int root) {
  const std::string at = " root " + std::to_string(root);
  const auto add = [&](const std::string& name, Call call, bool all_depend, bool root_depends) {
    all.push_back(without(lost, name + at, std::move(call),
                          [=](int me) { return lost == root ? all_depend : me == root && root_depends; }));
  };
  for (const Blocking blocking : {Blocking{40}, Blocking{20, true}}) {
    const std::string text = ' ' + blocking.text();
    add(
        "bcast" + text, [=](ShmGroup& group, int index) { return bcast(group, index, root, blocking); }, true, false);
    add(
        "gather" + text, [=](ShmGroup& group, int index) { return gather(group, index, root, blocking); }, false, true);
    add(
        "scatter" + text, [=](ShmGroup& group, int index) { return scatter(group, index, root, blocking); }, true,
        false);
  }
  for (const std::size_t count : {1, 40, 71})
    add("reduce " + std::to_string(count), reduction([=](ShmGroup& group, std::byte* in, std::byte* out) {
          return group.reduce(in, out, count, sum(), root);
        }),
        false, true);
}

void add_unrooted(std::vector<SampleCall>& all, int lost) {
  const auto add = [&](const std::string& name, Call call) {
    all.push_back(without(lost, name, std::move(call), [](int) { return true; }));
  };
  for (const Blocking blocking : {Blocking{1}, Blocking{20}, Blocking{21, true}}) {
    add("allgather " + blocking.text(), [=](ShmGroup& group, int index) { return allgather(group, index, blocking); });
    add("alltoall " + blocking.text(),
        [=](ShmGroup& group, int index) { return alltoall(group, index, blocking, Sizes::equal); });
  }
  add("alltoall 3 own", [=](ShmGroup& group, int index) { return alltoall(group, index, {3}, Sizes::own); });
  for (const std::size_t count : {1, 40, 71})
    add("allreduce " + std::to_string(count), reduction([=](ShmGroup& group, std::byte* in, std::byte* out) {
          return group.allreduce(in, out, count, sum());
        }));
  for (const std::size_t each : {1, 20})
    add("reduce_scatter " + std::to_string(each), reduction([=](ShmGroup& group, std::byte* in, std::byte* out) {
          return group.reduce_scatter(in, out, {each}, sum());
        }));
  for (const std::size_t count : {1, 40})
    all.push_back(without(
        lost, "scan " + std::to_string(count),
        reduction([=](ShmGroup& group, std::byte* in, std::byte* out) { return group.scan(in, out, count, sum()); }),
        [=](int me) { return me > lost; }));
}

/// What came of `sent` values where there was room for `room`.
bool ends_right(Ending ending, std::size_t sent, std::size_t room) {
  return ending == (sent > room ? Ending::cut : sent < room ? Ending::less : Ending::whole);
}

/// The root sends `sent` values, the member behind it expects `most`, others what is between.
SampleCall bcast_of_another_length(int root, std::size_t sent, std::size_t most, Borders borders) {
  const bool once = borders.single_copy < longest * sizeof(Value);
  return {"bcast " + std::to_string(sent) + " for " + std::to_string(most) + " root " + std::to_string(root) +
              (once ? " once" : ""),
          [=](ShmGroup& group, int index) {
            const bool next = group.me() == (root + 1) % group.size();
            const std::size_t count = group.me() == root ? sent : next ? most : (sent + most) / 2;
            Row row(100);
            if (group.me() == root) row.fill(0, root, 0, index, sent);
            const Ending ending = group.bcast(row.data(), count * sizeof(Value), root, borders);
            return ends_right(ending, sent, count) && row.holds(0, root, 0, index, std::min(sent, count));
          },
          false};
}

/// Member 0 has blocks of `at_first` values in a call of equal blocks, all others have those of `elsewhere`.
struct Unequal {
  std::size_t at_first, elsewhere;
  Borders borders{};

  std::size_t at(int member) const { return member == 0 ? at_first : elsewhere; }
  std::string text() const {
    return std::to_string(at_first) + " and " + std::to_string(elsewhere) + (borders.single_copy == 1 ? " once" : "");
  }
};

bool gather_of_unequal(ShmGroup& group, int index, Unequal blocks) {
  const int me = group.me();
  Row row(blocks.at(me));
  if (me != 0) row.fill(me, me, 0, index, blocks.at(me));
  const Ending ending = group.gather(row.blocks(), 0, Sizes::equal, blocks.borders);
  if (me != 0) return ending == Ending::whole;
  bool right = ends_right(ending, blocks.elsewhere, blocks.at_first);
  for (int member = 1; member < group.size(); ++member)
    right = right && row.holds(member, member, 0, index, std::min(blocks.elsewhere, blocks.at_first));
  return right;
}

bool scatter_of_unequal(ShmGroup& group, int index, Unequal blocks) {
  const int me = group.me();
  Row row(blocks.at(me));
  for (int to = 0; me == 0 && to < group.size(); ++to) row.fill(to, 0, to, index, blocks.at(me));
  const Ending ending = group.scatter(row.blocks(), 0, Sizes::equal, blocks.borders);
  if (me == 0) return ending == Ending::whole;
  return ends_right(ending, blocks.at_first, blocks.at(me)) &&
         row.holds(me, 0, me, index, std::min(blocks.at_first, blocks.at(me)));
}

bool alltoall_of_unequal(ShmGroup& group, int index, Unequal blocks) {
  const int me = group.me();
  const std::size_t each = blocks.at(me);
  Row in(each), out(each);
  for (int to = 0; to < group.size(); ++to) in.fill(to, me, to, index, each);
  const Ending ending = group.alltoall(in.blocks(), out.blocks(), Sizes::equal, blocks.borders);
  bool right = true;
  Ending expected = Ending::whole;
  for (int from = 0; from < group.size(); ++from) {
    if (from == me) continue;
    if (blocks.at(from) != each) expected = std::max(expected, blocks.at(from) > each ? Ending::cut : Ending::less);
    right = right && out.holds(from, from, me, index, std::min(blocks.at(from), each));
  }
  return right && ending == expected;
}

void add_mismatches(std::vector<SampleCall>& all, int size) {
  constexpr Borders from_20{20 * sizeof(Value)};
  for (const int root : {0, size - 1})
    for (const Borders& borders : {Borders{}, from_20}) {
      all.push_back(bcast_of_another_length(root, 1, 70, borders));
      all.push_back(bcast_of_another_length(root, 70, 10, borders));
    }
  for (const Unequal& blocks : {Unequal{1, 20}, Unequal{20, 1}, Unequal{20, 1, from_20}, Unequal{2, 21, Borders{1}}}) {
    all.push_back({"gather " + blocks.text(),
                   [=](ShmGroup& group, int index) { return gather_of_unequal(group, index, blocks); }, false});
    all.push_back({"scatter " + blocks.text(),
                   [=](ShmGroup& group, int index) { return scatter_of_unequal(group, index, blocks); }, false});
    // More members than a slot has mailboxes take turns by what each knows alone.
    constexpr int mailboxes = 4;
    if (size - 1 > mailboxes) continue;
    all.push_back({"alltoall " + blocks.text(),
                   [=](ShmGroup& group, int index) { return alltoall_of_unequal(group, index, blocks); }, false});
  }
}

}  // namespace

std::vector<SampleCall> troubled_calls(int size) {
  std::vector<SampleCall> all;
  for (const int lost : {0, size - 1}) {
    add_rooted(all, lost, 0);
    add_unrooted(all, lost);
  }
  add_rooted(all, 0, size - 1);
  add_mismatches(all, size);
  return all;
}

}  // namespace tutti::shm::test
