/// Members that have nothing to wait for run ahead: by at least so many calls, and by any number in the end.
#include "shm/sync/backlog.hpp"

#include <atomic>
#include <numeric>

#include "crew.hpp"

namespace tutti::shm::test {
namespace {

using Row = std::vector<std::uint64_t>;

/// Unlike that of any other call and member.
Row row_of(int member, int call, std::size_t bytes) {
  Row row(bytes / sizeof(std::uint64_t));
  std::iota(row.begin(), row.end(), (static_cast<std::uint64_t>(call) << 24) + (static_cast<unsigned>(member) << 16));
  return row;
}

/// One rooted call; whether its result is right.
using Call = bool (*)(ShmGroup& group, int call, int root, std::size_t bytes);

bool bcast(ShmGroup& group, int call, int root, std::size_t bytes) {
  Row row = group.me() == root ? row_of(root, call, bytes) : Row(bytes / sizeof(std::uint64_t));
  group.bcast(row.data(), bytes, root);
  return row == row_of(root, call, bytes);
}

Row sum_of(int first, int last, int call, std::size_t bytes) {
  Row sum(bytes / sizeof(std::uint64_t));
  for (int member = first; member <= last; ++member)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row_of(member, call, bytes)[i];
  return sum;
}

bool reduce(ShmGroup& group, int call, int root, std::size_t bytes) {
  const Row row = row_of(group.me(), call, bytes);
  Row sum(row.size());
  group.reduce(row.data(), sum.data(), row.size(), kernel(Operator::sum, Element::u64), root);
  return group.me() != root || sum == sum_of(0, group.size() - 1, call, bytes);
}

/// Members before the last run ahead of it.
bool scan(ShmGroup& group, int call, int, std::size_t bytes) {
  const Row row = row_of(group.me(), call, bytes);
  Row sum(row.size());
  group.scan(row.data(), sum.data(), row.size(), kernel(Operator::sum, Element::u64));
  return sum == sum_of(0, group.me(), call, bytes);
}

/// One block a member; of unequal lengths, which only the root and the member know, or equal ones.
struct Sides {
  std::vector<std::int64_t> offsets, sizes;
  Row all;

  Sides(const ShmGroup& group, std::size_t bytes, bool equal) {
    std::int64_t total = 0;
    for (int member = 0; member < group.size(); ++member) {
      offsets.push_back(total), sizes.push_back(static_cast<std::int64_t>(bytes));
      if (!equal && member % 2 == 1) sizes.back() -= 8;
      total += sizes.back();
    }
    all.resize(static_cast<std::size_t>(total) / sizeof(std::uint64_t));
  }
  std::size_t size(int member) const { return static_cast<std::size_t>(sizes[static_cast<std::size_t>(member)]); }
  std::uint64_t* at(int member) {
    return all.data() + static_cast<std::size_t>(offsets[static_cast<std::size_t>(member)]) / sizeof(std::uint64_t);
  }
  void fill(int member, int call) {
    const Row row = row_of(member, call, size(member));
    std::copy(row.begin(), row.end(), at(member));
  }
  bool right(int member, int call) {
    const Row row = row_of(member, call, size(member));
    return std::equal(row.begin(), row.end(), at(member));
  }
  Blocks blocks(std::size_t bytes, bool equal) {
    auto* const start = reinterpret_cast<std::byte*>(all.data());
    return equal ? Blocks{start, bytes} : Blocks{start, 0, offsets.data(), sizes.data()};
  }
};

template <bool equal>
bool gather(ShmGroup& group, int call, int root, std::size_t bytes) {
  Sides sides(group, bytes, equal);
  sides.fill(group.me(), call);
  group.gather(sides.blocks(bytes, equal), root, equal ? Sizes::equal : Sizes::own);
  bool right = true;
  for (int member = 0; group.me() == root && member < group.size(); ++member)
    right = right && sides.right(member, call);
  return right;
}

template <bool equal>
bool scatter(ShmGroup& group, int call, int root, std::size_t bytes) {
  Sides sides(group, bytes, equal);
  for (int member = 0; group.me() == root && member < group.size(); ++member) sides.fill(member, call);
  group.scatter(sides.blocks(bytes, equal), root, equal ? Sizes::equal : Sizes::own);
  return sides.right(group.me(), call);
}

struct Kind {
  const char* name;
  Call call;
  bool roots_lead;  ///< the root runs ahead of the others; else they of it
};
const Kind kinds[] = {{"bcast", bcast, true},    {"scatter", scatter<true>, true}, {"scatterv", scatter<false>, true},
                      {"reduce", reduce, false}, {"gather", gather<true>, false},  {"gatherv", gather<false>, false}};

/// Makes `calls` calls, in which those who can run ahead do so before the others begin.
void run_ahead(const Kind& kind, ShmGroupOptions options, int calls, std::size_t bytes, int root) {
  CAPTURE(kind.name);
  CAPTURE(options.size);
  CAPTURE(bytes);
  std::atomic<int> wrong = 0, through = 0;
  crew(options, [&](ShmGroup& group) {
    group.barrier();
    const bool leads = (group.me() == root) == kind.roots_lead;
    const int leaders = kind.roots_lead ? 1 : group.size() - 1;
    while (!leads && through < leaders) std::this_thread::yield();
    for (int call = 0; call < calls; ++call) wrong += !kind.call(group, call, root, bytes);
    ++through;
  });
  CHECK(wrong == 0);
}

ShmGroupOptions of_size(int size) {
  ShmGroupOptions options;
  options.size = size, options.cpus = 2;
  return options;
}

TEST_CASE("members run ahead by thousands of short calls") {
  for (const Kind& kind : kinds)
    for (const int size : {2, 3, 5}) {
      run_ahead(kind, of_size(size), 1200, 8, size - 1);
      run_ahead(kind, of_size(size), 800, 64, 0);
      run_ahead(kind, of_size(size), size == 2 ? 230 : 55, 1024, size / 2);
    }
}

TEST_CASE("along the domains of a large node, too") {
  ShmGroupOptions options = of_size(6);
  options.domains = {0, 0, 0, 1, 1, 1};
  run_ahead(kinds[0], options, 1200, 8, 4);
  run_ahead({"reduce", reduce, false}, options, 1200, 8, 4);
}

TEST_CASE("earlier members of a scan run ahead of the last") {
  for (const std::size_t bytes : {8, 1024}) {
    const int calls = bytes == 8 ? 1200 : 230;
    std::atomic<int> wrong = 0, through = 0;
    crew(of_size(3), [&](ShmGroup& group) {
      while (group.me() == 2 && through < 2) std::this_thread::yield();
      for (int call = 0; call < calls; ++call) wrong += !scan(group, call, 0, bytes);
      ++through;
    });
    CHECK(wrong == 0);
  }
}

/// More than any backlog holds, and readers that come late again and again.
TEST_CASE("at the end of the backlog writers wait, and go on") {
  for (const std::size_t backlog : {0, 96, 4096, 256 * 1024})
    for (const Kind& kind : kinds) {
      CAPTURE(kind.name);
      CAPTURE(backlog);
      ShmGroupOptions options = of_size(3);
      options.backlog = backlog;
      std::atomic<int> wrong = 0;
      crew(options, [&](ShmGroup& group) {
        std::mt19937 random(static_cast<unsigned>(group.me()));
        for (int call = 0; call < 12'000; ++call) {
          if ((group.me() == 1) != kind.roots_lead && call % 4000 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          wrong += !kind.call(group, call, 1, 8 << call % 3);
        }
      });
      CHECK(wrong == 0);
    }
}

TEST_CASE("calls of all kinds, lengths and roots go through slots and backlog in turn") {
  for (const int size : {2, 3, 5})
    for (const std::size_t backlog : {96, 1024, 64 * 1024}) {
      CAPTURE(size);
      CAPTURE(backlog);
      ShmGroupOptions options = of_size(size);
      options.backlog = backlog;
      std::atomic<int> wrong = 0;
      crew(options, [&](ShmGroup& group) {
        std::mt19937 together(7), mine(static_cast<unsigned>(group.me()));
        for (int call = 0; call < 3000; ++call) {
          const auto draw = static_cast<int>(together() >> 8);
          const std::size_t bytes = 8 + 8 * static_cast<std::size_t>(together() % (draw % 16 == 0 ? 2048 : 40));
          const bool scans = draw % 7 == 6;
          wrong += !(scans ? scan : kinds[draw % 7].call)(group, call, draw / 7 % size, bytes);
          if (draw / 64 % 97 == 0) group.barrier();
          dawdle(mine, 300);
        }
      });
      CHECK(wrong == 0);
    }
}

TEST_CASE("the ring's places are taken again once their entries are freed") {
  constexpr std::size_t ring = 128;  // four of the shortest entries
  alignas(64) std::byte memory[Backlog::bytes(ring)] = {};
  Backlog backlog(memory, 0, 0, ring);
  const auto put = [&](Turn turn, std::size_t bytes) {
    std::byte* const payload = backlog.reserve(turn, bytes);
    if (payload != nullptr) backlog.keep(turn, Use::everybody, turn + 100);
    return payload;
  };
  std::byte* const first = put(1, 16);
  REQUIRE(first == memory + Backlog::payload_offset);
  CHECK(put(2, 17) == first + 32);  // two places long
  std::byte* const last = put(3, 8);
  CHECK(last == first + 96);
  CHECK(put(4, 8) == nullptr);
  backlog.free_oldest();
  CHECK(put(5, 8) == first);
  CHECK(put(6, 8) == nullptr);
  backlog.free_oldest();
  CHECK(put(7, 8) == nullptr);  // its place in the index is turn 3's
  backlog.free_oldest();
  CHECK(put(7, 8) == first + 32);
  CHECK(backlog.payload(0, 5) == first);
  CHECK(backlog.payload(0, 7) == first + 32);
  CHECK(backlog.note(0, 5) == 105);
  CHECK(backlog.oldest().turn == 5);
}

}  // namespace
}  // namespace tutti::shm::test
