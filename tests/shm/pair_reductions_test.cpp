/// Reductions of two members, by one copy, by two, and where the kernel refuses in between.
#include "shm/collectives/pair_reductions.hpp"

#include <array>
#include <limits>

#include "crew.hpp"

namespace tutti::shm::test {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr Borders always_once{1, never}, by_clock{never, 1};
/// Elements of 8 bytes: one, some, the longest that is read at once, and several pieces.
constexpr std::array<std::size_t, 6> counts{1, 7, 1000, 32 * 1024, 32 * 1024 + 1, 150'001};

ShmGroupOptions pair() {
  ShmGroupOptions options;
  options.size = 2, options.cpus = 2, options.stripe_from = 1;
  return options;
}

using Row = std::vector<Affine>;

Row row_of(int member, std::size_t count, int call) {
  Row row(count + 1, Affine{7, 7});
  for (std::size_t i = 0; i < count; ++i) row[i] = element(member, i, call);
  return row;
}

/// Elements [first, first + count) of the combination, and untouched behind them.
bool right(const Row& row, std::size_t first, std::size_t count, int call) {
  for (std::size_t i = 0; i < count; ++i)
    if (row[i] != expected(2, first + i, call)) return false;
  return row[count] == Affine{7, 7};
}

/// Every kind of reduction once; how many results are wrong.
int all_kinds(ShmGroup& group, std::size_t count, int call, const Borders& borders) {
  const Row mine = row_of(group.me(), count, call);
  Row in = mine, out(count + 1, Affine{7, 7});
  int bad = group.allreduce(in.data(), out.data(), count, affine(), borders) != Ending::whole;
  bad += !right(out, 0, count, call) + (in != mine);
  for (const int root : {0, 1}) {
    const bool reads = group.me() == root;
    out.assign(count + 1, Affine{7, 7});
    bad += group.reduce(in.data(), reads ? out.data() : nullptr, count, affine(), root, borders) != Ending::whole;
    bad += reads && !right(out, 0, count, call);
    Row in_place = mine;
    group.reduce(in_place.data(), reads ? in_place.data() : nullptr, count, affine(), root, borders);
    bad += reads ? !right(in_place, 0, count, call) : in_place != mine;
  }
  const std::array<std::int64_t, 2> shares{static_cast<std::int64_t>(count / 3),
                                           static_cast<std::int64_t>(count - count / 3)};
  const std::size_t first = group.me() == 0 ? 0 : count / 3, share = static_cast<std::size_t>(shares[group.me()]);
  Row block(share + 1, Affine{7, 7});
  bad += group.reduce_scatter(in.data(), block.data(), {0, shares.data()}, affine(), borders) != Ending::whole;
  bad += !right(block, first, share, call) + (in != mine);
  bad += group.allreduce(in.data(), in.data(), count, affine(), borders) != Ending::whole;
  return bad + !right(in, 0, count, call);
}

std::atomic<int> reads{0};
std::ptrdiff_t counted(std::int64_t, const void* from, void* into, std::size_t bytes) {
  reads += bytes > sizeof(std::uint64_t);
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}

TEST_CASE("two members' reductions are right by one copy and as the clock says") {
  for (const Borders& borders : {always_once, by_clock}) {
    ShmGroupOptions options = pair();
    options.read_memory = counted;
    reads = 0;
    std::atomic<int> bad = 0;
    crew(options, [&](ShmGroup& group) {
      group.agree_on_single_copy();
      int call = 0;
      for (const std::size_t count : counts)
        for (int turn = 0; turn < 10; ++turn) bad += all_kinds(group, count, ++call, borders);
    });
    CHECK(bad == 0);
    CHECK(reads > 0);
  }
}

TEST_CASE("by the clock some calls of a kind are copied once, and some are not") {
  ShmGroupOptions options = pair();
  options.read_memory = counted;
  reads = 0;
  std::atomic<int> bad = 0;
  constexpr int calls = 12;
  crew(options, [&](ShmGroup& group) {
    group.agree_on_single_copy();
    Row in = row_of(group.me(), 10'000, 1), out(in.size(), Affine{7, 7});
    for (int call = 0; call < calls; ++call) {
      group.allreduce(in.data(), out.data(), 10'000, affine(), by_clock);
      bad += !right(out, 0, 10'000, 1);
    }
  });
  CHECK(bad == 0);
  CHECK(reads >= 2 * static_cast<int>(CopyChoice::run));
  CHECK(reads < 2 * calls);
}

thread_local int left_to_read = 0;

/// In place too: what has been read by then is not yet overwritten.
TEST_CASE("what the kernel refuses at any read goes through the slots") {
  for (int served = 0; served < 24; ++served) {
    ShmGroupOptions options = pair();
    options.read_memory = [](std::int64_t, const void* from, void* into, std::size_t bytes) -> std::ptrdiff_t {
      if (left_to_read-- <= 0) return -1;
      std::memcpy(into, from, bytes);
      return static_cast<std::ptrdiff_t>(bytes);
    };
    std::atomic<int> bad = 0;
    crew(options, [&](ShmGroup& group) {
      left_to_read = 1;  // the trial's
      bad += !group.agree_on_single_copy();
      left_to_read = group.me() == 0 ? served : 2 * served;
      for (int call = 1; call < 4; ++call) bad += all_kinds(group, 150'001, call, always_once);
    });
    CHECK_MESSAGE(bad == 0, "refused after " << served << " reads");
  }
}

TEST_CASE("a contribution of several pieces that nobody may read is combined all the same") {
  ShmGroupOptions options = pair();
  options.read_memory = [](std::int64_t, const void*, void*, std::size_t) -> std::ptrdiff_t { return -1; };
  std::atomic<int> bad = 0;
  crew(options, [&](ShmGroup& group) {
    bad += group.agree_on_single_copy();
    bad += all_kinds(group, 150'001, 1, always_once);
  });
  CHECK(bad == 0);
}

}  // namespace
}  // namespace tutti::shm::test
