/// Gather, scatter, allgather, alltoall and long broadcasts: at many group sizes, lengths and roots, by slots, by rings
/// and copied once.
#include <cerrno>
#include <utility>

#include "blocks.hpp"
#include "shm/copy/copy_choice.hpp"
#include "shm/copy/single_copy.hpp"

namespace tutti::shm::test {
namespace {

const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 13};
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// Small places, so that short blocks already take many of them.
ShmGroupOptions small(int size) {
  ShmGroupOptions options;
  options.size = size, options.cpus = 2, options.chunk = 256, options.ring_chunk = 64;
  return options;
}

/// Runs `work(movement, size)` with every border; `work` returns how much came out wrong.
void over_borders(const ShmGroupOptions& options, const std::function<int(const Movement&, int call)>& work) {
  std::atomic<int> bad = 0, without = 0;
  crew(options, [&](ShmGroup& group) {
    if (!group.agree_on_single_copy() && group.size() > 1) ++without;
    int call = 0;
    for (const Borders& borders : {Borders{}, Borders{1}, Borders{200}, Borders{never, 1}, Borders{1000, 65}}) {
      ++call;
      bad += work(Movement(group, call, borders), call);
    }
  });
  CHECK_MESSAGE(bad == 0, "size " << options.size);
  if (without != 0 && options.read_memory == nullptr) MESSAGE("no memory but one's own can be read here");
}

TEST_CASE("equal blocks: every root") {
  for (const int size : sizes) {
    over_borders(small(size), [&](const Movement& move, int) {
      int bad = 0;
      for (const std::size_t bytes : {0, 1, 4, 8, 24, 48, 49, 64, 100, 256, 257, 1000, 5000}) {
        const auto block = [&](int) { return bytes; };
        for (int root = 0; root < size; ++root) {
          bad += move.gather(root, block, Sizes::equal);
          bad += move.scatter(root, block, Sizes::equal);
          bad += move.bcast(root, bytes);
        }
        bad += move.allgather(block, true);
        bad += move.alltoall([&](int, int) { return bytes; }, Sizes::equal);
      }
      return bad;
    });
  }
}

TEST_CASE("blocks of their own size: empty, short and long ones side by side") {
  constexpr std::size_t lengths[] = {0, 3, 64, 65, 300, 0, 1100, 17};
  for (const int size : sizes) {
    over_borders(small(size), [&](const Movement& move, int call) {
      int bad = 0;
      for (int turn = 0; turn < 8; ++turn) {
        const auto block = [&](int member) { return lengths[static_cast<std::size_t>(member + turn + call) % 8]; };
        const auto pair = [&](int from, int to) { return lengths[static_cast<std::size_t>(from * 3 + to + turn) % 8]; };
        for (int root = 0; root < size; ++root) {
          bad += move.gather(root, block);
          bad += move.scatter(root, block, Sizes::own);
        }
        bad += move.allgather(block, false);
        bad += move.alltoall(pair, Sizes::own);
      }
      return bad;
    });
  }
}

TEST_CASE("few exchange much, most nothing") {
  over_borders(small(8), [&](const Movement& move, int) {
    int bad = 0;
    for (int turn = 0; turn < 40; ++turn)
      bad += move.alltoall(
          [&](int from, int to) -> std::size_t { return from == turn % 8 && to == (turn * 5 + 3) % 8 ? 3000 : 0; },
          Sizes::own);
    return bad;
  });
}

TEST_CASE("standard chunks, a mebibyte") {
  for (const int size : {2, 3, 8}) {
    ShmGroupOptions options;
    options.size = size, options.cpus = 2;
    over_borders(options, [&](const Movement& move, int) {
      const auto block = [](int) { return std::size_t{1} << 20; };
      return move.gather(1, block) + move.scatter(1, block, Sizes::equal) + move.bcast(1, block(0)) +
             move.allgather(block, true) + move.alltoall([](int, int) { return std::size_t{100'000}; }, Sizes::equal);
    });
  }
}

TEST_CASE("more members than have a mailbox") {
  ShmGroupOptions options = small(11);  // 4 mailboxes
  over_borders(options, [&](const Movement& move, int) {
    return move.alltoall([](int from, int to) { return static_cast<std::size_t>(from * 40 + to); }, Sizes::own) +
           move.scatter(
               7, [](int to) { return static_cast<std::size_t>(to * 50); }, Sizes::own) +
           move.alltoall([](int, int) { return std::size_t{90}; }, Sizes::equal);
  });
}

TEST_CASE("a reader that expects more gets what there is; one that expects less is told so") {
  for (const std::size_t sent : {10, 100, 1000, 4000}) {
    over_borders(small(4), [&](const Movement& move, int) {
      const auto from_1_to_2 = [&](int from, int to) { return from == 1 && to == 2 ? sent : std::size_t{1}; };
      return move.mismatch(from_1_to_2, sent + 150) + move.mismatch(from_1_to_2, sent - 7);
    });
  }
}

/// Copies as the kernel does, at most 100 bytes at a time, and refuses for good after so many calls on each thread.
template <int calls>
std::ptrdiff_t reluctant(std::int64_t, const void* from, void* into, std::size_t bytes) {
  thread_local int left = calls;
  if (left-- <= 0) return -EPERM;
  std::memcpy(into, from, std::min<std::size_t>(bytes, 100));
  return static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes, 100));
}

template <int calls>
std::ptrdiff_t reluctant_to_write(std::int64_t, void* into, const void* from, std::size_t bytes) {
  thread_local int left = calls / 3;
  if (left-- <= 0) return -EPERM;
  std::memcpy(into, from, std::min<std::size_t>(bytes, 100));
  return static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes, 100));
}

template <int calls>
void refused_in_the_middle() {
  for (const int size : {2, 3, 5, 8}) {
    ShmGroupOptions options = small(size);
    options.read_memory = reluctant<calls>;
    options.write_memory = reluctant_to_write<calls>;
    over_borders(options, [&](const Movement& move, int) {
      int bad = 0;
      for (int turn = 0; turn < 6; ++turn) {
        bad +=
            move.alltoall([&](int from, int to) { return static_cast<std::size_t>(100 * from + 37 * to); }, Sizes::own);
        bad += move.bcast(turn % size, 700);
        bad += move.allgather([](int member) { return static_cast<std::size_t>(member * 90); }, false);
        bad += move.gather(turn % size, [](int) { return std::size_t{333}; });
        bad += move.scatter(
            turn % size, [](int) { return std::size_t{450}; }, Sizes::equal);
      }
      return bad;
    });
  }
}

TEST_CASE("the kernel stops short, then refuses: on every member at another place") {
  refused_in_the_middle<8>();
  refused_in_the_middle<20>();
  refused_in_the_middle<51>();
  refused_in_the_middle<100'000>();
}

std::atomic<int> copied_once;

/// Of the same buffers again and again some calls copy once, whatever the clock says, and some twice.
TEST_CASE("results in the same buffers are copied once or twice, as measured") {
  for (const int size : {2, 3, 5}) {
    ShmGroupOptions options = small(size);
    options.ring_chunk = 4096;
    options.read_memory = [](std::int64_t, const void* from, void* into, std::size_t bytes) {
      copied_once += bytes > 4096;
      std::memcpy(into, from, bytes);
      return static_cast<std::ptrdiff_t>(bytes);
    };
    copied_once = 0;
    std::atomic<int> bad = 0;
    constexpr int calls = 40;
    crew(options, [&](ShmGroup& group) {
      group.agree_on_single_copy();
      const auto size_of = [&](int member) { return 80000U + 17U * static_cast<unsigned>(member == group.me()); };
      Rows in(size, size_of), out(size, size_of);
      for (int call = 0; call < calls; ++call) {
        for (int to = 0; to < size; ++to) in.fill(to, group.me(), to, call);
        const bool fitted = group.alltoall(in.blocks(), out.blocks(), Sizes::own, {never, 1}) == Ending::whole;
        for (int from = 0; from < size; ++from)
          if (from != group.me()) bad += out.wrong(from, from, group.me(), call);
        bad += !fitted;
      }
    });
    CHECK(bad == 0);
    CHECK(copied_once >= static_cast<int>(CopyChoice::run) * size * (size - 1) / 2);
    CHECK(copied_once < calls * size * (size - 1));
  }
}

TEST_CASE("single copy is agreed on by all, or not used") {
  ShmGroupOptions options = small(3);
  options.read_memory = [](std::int64_t, const void*, void*, std::size_t) -> std::ptrdiff_t {
    thread_local const int mine = static_cast<int>(std::hash<std::thread::id>()(std::this_thread::get_id()) % 2);
    return mine != 0 ? -EPERM : -ESRCH;
  };
  std::atomic<int> agreed = 0, bad = 0;
  crew(options, [&](ShmGroup& group) {
    agreed += group.agree_on_single_copy();
    bad += Movement(group, 1, {1}).alltoall([](int, int) { return std::size_t{5000}; }, Sizes::equal);
  });
  CHECK(agreed == 0);
  CHECK(bad == 0);
}

TEST_CASE("a number that leads to another process's memory is no peer") {
  ShmGroupOptions options = small(2);
  options.read_memory = [](std::int64_t, const void*, void* into, std::size_t bytes) -> std::ptrdiff_t {
    std::memset(into, 7, bytes);  // something readable lies there
    return static_cast<std::ptrdiff_t>(bytes);
  };
  std::atomic<int> agreed = 0;
  crew(options, [&](ShmGroup& group) { agreed += group.agree_on_single_copy(); });
  CHECK(agreed == 0);
}

}  // namespace
}  // namespace tutti::shm::test
