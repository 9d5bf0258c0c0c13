/// Reductions of which every member gets another result: reduce_scatter, scan, exscan.
#include "crew.hpp"

namespace tutti::shm::test {
namespace {

constexpr Affine untouched{7, 7};
const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 13};

ShmGroupOptions options_for(int size) {
  ShmGroupOptions options;
  options.size = size, options.cpus = 2;
  return options;
}

std::vector<Affine> contribution(int member, std::size_t count, int call) {
  std::vector<Affine> row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = element(member, i, call);
  return row;
}

/// Combination of the first `rows` members' element i.
Affine prefix(int rows, std::size_t i, int call) { return expected(rows, i, call); }

/// Blocks as the call number says: equal, uneven with empty ones, or one that has all.
std::vector<std::int64_t> blocks(int size, std::size_t around, int call) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size), static_cast<std::int64_t>(around));
  for (int i = 0; i < size; ++i) {
    auto& count = counts[static_cast<std::size_t>(i)];
    if (call % 3 == 1) count = count * ((i + call) % 3) / 2;
    if (call % 3 == 2) count = i == call % size ? count * size : 0;
  }
  return counts;
}

int wrong_blocks(ShmGroup& group, std::size_t around, int call) {
  const auto counts = blocks(group.size(), around, call);
  const Shares shares{around, call % 3 == 0 ? nullptr : counts.data()};
  const auto in = contribution(group.me(), shares.total(group.size()), call);
  const std::size_t mine = shares.count(group.me());
  std::vector<Affine> out(mine + 1, untouched);
  group.reduce_scatter(in.data(), out.data(), shares, affine());
  int bad = in != contribution(group.me(), in.size(), call) || out[mine] != untouched;
  for (std::size_t i = 0; i < mine; ++i) bad += out[i] != expected(group.size(), shares.first(group.me()) + i, call);
  return bad;
}

/// The blocks lie in the order of members backwards, with a gap before each.
int wrong_scattered_blocks(ShmGroup& group, std::size_t around, int call) {
  constexpr std::size_t gap = 3;
  const auto counts = blocks(group.size(), around, call);
  std::vector<std::int64_t> places(counts.size());
  std::size_t end = 0;
  for (std::size_t i = counts.size(); i-- > 0; end += static_cast<std::size_t>(counts[i]))
    places[i] = static_cast<std::int64_t>(end += gap);
  const Shares shares{0, counts.data(), places.data()};
  const auto in = contribution(group.me(), end, call);
  const std::size_t mine = shares.count(group.me());
  std::vector<Affine> out(mine + 1, untouched);
  group.reduce_scatter(in.data(), out.data(), shares, affine());
  int bad = in != contribution(group.me(), end, call) || out[mine] != untouched;
  for (std::size_t i = 0; i < mine; ++i) bad += out[i] != expected(group.size(), shares.place(group.me()) + i, call);
  return bad;
}

int wrong_prefixes(ShmGroup& group, std::size_t count, int call) {
  const bool inclusive = call % 2 == 0, in_place = call % 4 < 2;
  auto in = contribution(group.me(), count, call);
  std::vector<Affine> apart(count, untouched);
  auto& out = in_place ? in : apart;
  const auto before = out;
  inclusive ? group.scan(in.data(), out.data(), count, affine()) : group.exscan(in.data(), out.data(), count, affine());
  const int rows = inclusive ? group.me() + 1 : group.me();
  int bad = !in_place && in != contribution(group.me(), count, call);
  for (std::size_t i = 0; i < count; ++i) bad += out[i] != (rows > 0 ? prefix(rows, i, call) : before[i]);
  return bad;
}

void over(const std::vector<std::size_t>& counts, const std::function<int(ShmGroup&, std::size_t, int)>& wrong) {
  for (const int size : sizes) {
    std::atomic<int> bad = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      int call = 0;
      for (const std::size_t count : counts)
        for (int turn = 0; turn < 4; ++turn) bad += wrong(group, count, ++call);
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

TEST_CASE("reduce_scatter: equal, uneven and empty blocks of any length") {
  over({0, 1, 3, 100, 341, 1024, 5000}, wrong_blocks);
}

TEST_CASE("reduce_scatter: blocks anywhere in the contribution") {
  over({0, 1, 3, 100, 341, 1024, 5000}, wrong_scattered_blocks);
}

TEST_CASE("scan and exscan: any length, in place and not") { over({0, 1, 6, 7, 1024, 1025, 12500}, wrong_prefixes); }

/// 20 000 bytes an element: longer than a slot.
struct Long {
  std::array<Affine, 2500> values;
};
Reducer long_affine() {
  return {[](void*, const void* in, const void* inout, void* out, std::size_t count) {
            affine()(in, inout, out, count * std::tuple_size_v<decltype(Long::values)>);
          },
          nullptr, sizeof(Long), false};
}

TEST_CASE("elements longer than a slot") {
  for (const int size : {2, 3, 5}) {
    std::atomic<int> bad = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      constexpr std::size_t each = sizeof(Long) / sizeof(Affine);
      const auto in = contribution(group.me(), each * static_cast<std::size_t>(size), 1);
      std::vector<Affine> out(each, untouched);
      group.reduce_scatter(in.data(), out.data(), Shares{1}, long_affine());
      for (std::size_t i = 0; i < each; ++i)
        bad += out[i] != expected(size, each * static_cast<std::size_t>(group.me()) + i, 1);
      group.scan(in.data(), out.data(), 1, long_affine());
      for (std::size_t i = 0; i < each; ++i) bad += out[i] != prefix(group.me() + 1, i, 1);
      out.assign(each, untouched);
      group.exscan(in.data(), out.data(), 1, long_affine());
      for (std::size_t i = 0; i < each; ++i) bad += out[i] != (group.me() > 0 ? prefix(group.me(), i, 1) : untouched);
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

}  // namespace
}  // namespace tutti::shm::test
