/// Long payloads whose readers are late: who needs nothing leaves, as far as memory allows, and results are right.
#include "shm/sync/deposits.hpp"

#include <atomic>
#include <numeric>

#include "crew.hpp"

namespace tutti::shm::test {
namespace {

using Row = std::vector<std::uint64_t>;
constexpr std::size_t word = sizeof(std::uint64_t);

Row row_of(int member, int call, std::size_t bytes) {
  Row row(bytes / word);
  std::iota(row.begin(), row.end(),
            (static_cast<std::uint64_t>(call) << 40) + (static_cast<std::uint64_t>(member) << 32));
  return row;
}

bool bcast(ShmGroup& group, int call, int root, std::size_t bytes, const Borders& borders) {
  Row row = group.me() == root ? row_of(root, call, bytes) : Row(bytes / word);
  group.bcast(row.data(), bytes, root, borders);
  return row == row_of(root, call, bytes);
}

bool reduce(ShmGroup& group, int call, int root, std::size_t bytes, const Borders& borders) {
  const Row row = row_of(group.me(), call, bytes);
  Row sum(row.size()), right(row.size());
  group.reduce(row.data(), sum.data(), row.size(), kernel(Operator::sum, Element::u64), root, borders);
  for (int member = 0; member < group.size(); ++member)
    for (std::size_t i = 0; i < right.size(); ++i) right[i] += row_of(member, call, word)[0] + i;
  return group.me() != root || sum == right;
}

/// All members' blocks, back to back.
Row rows_of(int size, int call, std::size_t bytes) {
  Row all;
  for (int member = 0; member < size; ++member) {
    const Row row = row_of(member, call, bytes);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

bool gather(ShmGroup& group, int call, int root, std::size_t bytes, const Borders& borders) {
  Row all(static_cast<std::size_t>(group.size()) * bytes / word);
  const Row mine = row_of(group.me(), call, bytes);
  std::copy(mine.begin(), mine.end(), all.begin() + group.me() * static_cast<std::ptrdiff_t>(mine.size()));
  group.gather({reinterpret_cast<std::byte*>(all.data()), bytes}, root, Sizes::equal, borders);
  return group.me() != root || all == rows_of(group.size(), call, bytes);
}

bool scatter(ShmGroup& group, int call, int root, std::size_t bytes, const Borders& borders) {
  Row all(static_cast<std::size_t>(group.size()) * bytes / word);
  if (group.me() == root) all = rows_of(group.size(), call, bytes);
  group.scatter({reinterpret_cast<std::byte*>(all.data()), bytes}, root, Sizes::equal, borders);
  const Row mine = row_of(group.me(), call, bytes);
  return std::equal(mine.begin(), mine.end(), all.begin() + group.me() * static_cast<std::ptrdiff_t>(mine.size()));
}

struct Kind {
  const char* name;
  bool (*call)(ShmGroup&, int call, int root, std::size_t bytes, const Borders&);
  bool roots_lead;
};
const Kind kinds[] = {
    {"bcast", bcast, true}, {"scatter", scatter, true}, {"reduce", reduce, false}, {"gather", gather, false}};
/// Through slots and rings; copied once; by the clock; with the work of combining shared.
const Borders ways[] = {{}, {1}, {Borders::never, 1}, asking(Variant::striped)};

ShmGroupOptions of_size(int size, std::size_t deposits) {
  ShmGroupOptions options;
  options.size = size, options.cpus = 2, options.chunk = 32 * 1024, options.deposits = deposits;
  return options;
}

TEST_CASE("members that need nothing leave before the others come, with long payloads too") {
  constexpr std::size_t bytes = 256 * 1024;
  for (const Kind& kind : kinds)
    for (const Borders& borders : ways)
      for (const int size : {2, 3, 5}) {
        CAPTURE(kind.name);
        CAPTURE(size);
        std::atomic<int> wrong = 0, through = 0;
        crew(of_size(size, std::size_t{4} << 20), [&](ShmGroup& group) {
          group.agree_on_single_copy();
          const int root = size - 1;
          const bool leads = (group.me() == root) == kind.roots_lead;
          const int leaders = kind.roots_lead ? 1 : size - 1;
          while (!leads && through < leaders) std::this_thread::yield();  // for ever, if they waited for this member
          for (int call = 0; call < 3; ++call) wrong += !kind.call(group, call, root, bytes, borders);
          ++through;
        });
        CHECK(wrong == 0);
      }
}

TEST_CASE("where there is no room writers wait, and go on") {
  for (const std::size_t deposits : {0, 64 * 1024, 300 * 1024})
    for (const Kind& kind : kinds)
      for (const Borders& borders : ways) {
        CAPTURE(kind.name);
        CAPTURE(deposits);
        std::atomic<int> wrong = 0;
        crew(of_size(3, deposits), [&](ShmGroup& group) {
          group.agree_on_single_copy();
          for (int call = 0; call < 60; ++call) {
            if ((group.me() == 1) != kind.roots_lead && call % 20 == 0)
              std::this_thread::sleep_for(std::chrono::milliseconds(2));
            wrong += !kind.call(group, call, 1, std::size_t{40} * 1024 << call % 3, borders);
          }
        });
        CHECK(wrong == 0);
      }
}

TEST_CASE("calls of all kinds, lengths and roots, with members that are late in turn") {
  for (const int size : {2, 3, 5}) {
    CAPTURE(size);
    std::atomic<int> wrong = 0;
    crew(of_size(size, std::size_t{1} << 20), [&](ShmGroup& group) {
      group.agree_on_single_copy();
      std::mt19937 together(11), mine(static_cast<unsigned>(group.me()));
      for (int call = 0; call < 600; ++call) {
        const auto draw = static_cast<int>(together() >> 8);
        const std::size_t bytes = word * (1 + together() % (20 * 1024));
        wrong += !kinds[draw % 4].call(group, call, draw / 4 % size, bytes, ways[draw / 64 % 4]);
        if (draw / 256 % 31 == 0) group.barrier();
        dawdle(mine, 800);
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("the ring's memory is taken again once its readers have left") {
  std::vector<std::byte> memory(640);
  ShmGroupOptions options;
  options.deposits = memory.size();
  Deposits deposits(memory.data(), options);
  Turn left = 0;
  const auto free = [&] { deposits.free([&](const Use& use) { return use.turn <= left; }); };
  CHECK_FALSE(deposits.hold(0));
  CHECK_FALSE(deposits.hold(641));
  CHECK(deposits.reserve({1, 0}, 641) == Deposits::none);
  CHECK(deposits.reserve({1, 0}, 320) == 0);
  CHECK(deposits.reserve({2, 0}, 300) == 320);
  CHECK(deposits.reserve({3, 0}, 64) == Deposits::none);
  left = 1, free();
  CHECK(deposits.oldest().turn == 2);
  CHECK(deposits.reserve({3, 0}, 300) == 0);
  CHECK(deposits.reserve({4, 0}, 1) == Deposits::none);  // full, where it has wrapped
  deposits.give_back();
  CHECK(deposits.reserve({4, 0}, 128) == 0);
  deposits.reads_newest(3);
  left = 4, free();
  CHECK(deposits.empty());
  CHECK(deposits.reserve({5, 0}, 640) == 0);  // from the start, whose pages are there
}

}  // namespace
}  // namespace tutti::shm::test
