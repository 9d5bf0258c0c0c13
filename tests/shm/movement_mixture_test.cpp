/// All kinds of collectives, roots, sizes and variants in random order, with late members: turns and rings together.
#include "blocks.hpp"

namespace tutti::shm::test {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr std::size_t lengths[] = {0, 1, 4, 40, 48, 49, 64, 65, 256, 257, 600, 3000};

/// One call drawn from `shared`, which all members draw alike; what came out wrong.
int one_call(ShmGroup& group, int call, std::mt19937& shared) {
  const auto kind = static_cast<unsigned>(shared() % 11), mix = static_cast<unsigned>(shared());
  const int root = static_cast<int>(shared() % static_cast<unsigned>(group.size()));
  const std::size_t bytes = lengths[shared() % std::size(lengths)];
  const Borders borders = std::array{Borders{}, Borders{1}, Borders{100}, Borders{never, 1}}[shared() % 4];
  const Movement move(group, call, borders);
  const auto equal = [&](int) { return bytes; };
  const auto own = [&](int member) { return lengths[(static_cast<unsigned>(member) * 5 + mix) % std::size(lengths)]; };
  const auto pair = [&](int from, int to) { return own(from * 7 + to * 3); };
  switch (kind) {
    case 0:
      group.barrier();
      return 0;
    case 1: {
      Affine value = element(group.me(), 1, call);
      group.allreduce(&value, &value, 1, affine());
      return value != expected(group.size(), 1, call);
    }
    case 2: {
      Affine value = element(group.me(), 2, call);
      group.reduce(&value, &value, 1, affine(), root);
      return group.me() == root && value != expected(group.size(), 2, call);
    }
    case 3:
      return move.bcast(root, bytes);
    case 4:
      return move.gather(root, equal);
    case 5:
      return move.gather(root, own);
    case 6:
      return move.scatter(root, equal, Sizes::equal);
    case 7:
      return move.scatter(root, own, Sizes::own);
    case 8:
      return move.allgather(mix % 2 == 0 ? std::function<std::size_t(int)>(equal) : own, mix % 2 == 0);
    case 9:
      return move.alltoall([&](int, int) { return bytes; }, Sizes::equal);
    default:
      return move.alltoall(pair, Sizes::own);
  }
}

TEST_CASE("random kinds, roots, sizes, ways and delays") {
  for (const int size : {2, 3, 4, 5, 8, 13}) {
    std::atomic<int> bad = 0;
    ShmGroupOptions options;
    options.size = size, options.cpus = size % 4 == 0 ? 2 : size, options.chunk = 256, options.ring_chunk = 64;
    crew(options, [&](ShmGroup& group) {
      group.agree_on_single_copy();
      std::mt19937 shared(static_cast<unsigned>(size)), own(static_cast<unsigned>(100 + group.me()));
      for (int call = 0; call < 1000; ++call) {
        dawdle(own);
        bad += one_call(group, call, shared);
      }
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

/// Ways and kinds of a root that runs ahead, while one member sleeps: nothing it still reads may be overwritten.
TEST_CASE("roots that run ahead of a late reader") {
  std::atomic<int> bad = 0;
  ShmGroupOptions options;
  options.size = 3, options.cpus = 3, options.chunk = 256, options.ring_chunk = 64;
  crew(options, [&](ShmGroup& group) {
    for (int round = 0; round < 150; ++round) {
      const Movement move(group, round, {});
      if (group.me() == 1 && round % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      bad += move.scatter(
          0, [](int) { return std::size_t{40}; }, Sizes::equal);
      bad += move.gather(2, [](int member) { return static_cast<std::size_t>(100 * member); });
      bad += move.scatter(
          0, [](int member) { return static_cast<std::size_t>(300 * member); }, Sizes::own);
    }
  });
  CHECK(bad == 0);
}

}  // namespace
}  // namespace tutti::shm::test
