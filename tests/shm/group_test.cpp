/// Every collective at many group sizes, lengths and roots.
#include "crew.hpp"

namespace tutti::shm::test {
namespace {

constexpr std::size_t guard = 4;
const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 13};
/// Elements of 8 bytes: around a line, a chunk and several.
const std::vector<std::size_t> counts{0, 1, 6, 7, 8, 13, 512, 1024, 1025, 12500};

ShmGroupOptions options_for(int size) {
  ShmGroupOptions options;
  options.size = size, options.cpus = 2;
  return options;
}

std::vector<Affine> contribution(int member, std::size_t count, int call) {
  std::vector<Affine> row(count + guard, Affine{7, 7});
  for (std::size_t i = 0; i < count; ++i) row[i] = element(member, i, call);
  return row;
}

/// How many of the first `count` elements are not the combination of all, and of the guards not as they were.
int wrong(const std::vector<Affine>& row, std::size_t count, int size, int call) {
  int bad = 0;
  for (std::size_t i = 0; i < count; ++i) bad += row[i] != expected(size, i, call);
  for (std::size_t i = count; i < row.size(); ++i) bad += row[i] != Affine{7, 7};
  return bad;
}

TEST_CASE("allreduce: member order, any length, in place and not") {
  for (const int size : sizes) {
    std::atomic<int> bad = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      int call = 0;
      for (const std::size_t count : counts) {
        auto in = contribution(group.me(), count, ++call);
        std::vector<Affine> out(count + guard, Affine{7, 7});
        group.allreduce(in.data(), out.data(), count, affine());
        bad += wrong(out, count, size, call);
        bad += in != contribution(group.me(), count, call);
        group.allreduce(in.data(), in.data(), count, affine());
        bad += wrong(in, count, size, call);
      }
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

TEST_CASE("reduce: every root; the others' buffers stay") {
  for (const int size : sizes) {
    std::atomic<int> bad = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      int call = 0;
      for (const std::size_t count : counts) {
        for (int root = 0; root < size; ++root) {
          const bool in_place = ++call % 2 == 0;
          auto in = contribution(group.me(), count, call);
          std::vector<Affine> out(count + guard, Affine{7, 7});
          if (group.me() != root) {
            group.reduce(in.data(), nullptr, count, affine(), root);
            bad += in != contribution(group.me(), count, call);
          } else {
            group.reduce(in.data(), in_place ? in.data() : out.data(), count, affine(), root);
            bad += wrong(in_place ? in : out, count, size, call);
          }
        }
      }
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

TEST_CASE("bcast: every root") {
  for (const int size : sizes) {
    std::atomic<int> bad = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      int call = 0;
      for (const std::size_t bytes : {0, 1, 7, 48, 49, 56, 64, 100, 4096, 8192, 8193, 100000}) {
        for (int root = 0; root < size; ++root) {
          const auto value = static_cast<unsigned char>(++call);
          std::vector<unsigned char> data(bytes + 1, group.me() == root ? value : 0);
          data[bytes] = 255;
          group.bcast(data.data(), bytes, root);
          for (std::size_t i = 0; i < bytes; ++i) bad += data[i] != value;
          bad += data[bytes] != 255;
        }
      }
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

TEST_CASE("a mebibyte") {
  for (const int size : {2, 3, 8}) {
    std::atomic<int> bad = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      constexpr std::size_t count = (1 << 20) / sizeof(Affine);
      auto row = contribution(group.me(), count, 1);
      group.allreduce(row.data(), row.data(), count, affine());
      bad += wrong(row, count, size, 1);
      row = contribution(group.me(), count, 2);
      std::vector<Affine> out(count + guard, Affine{7, 7});
      group.reduce(row.data(), out.data(), count, affine(), 1);
      if (group.me() == 1) bad += wrong(out, count, size, 2);
      group.bcast(out.data(), (count + guard) * sizeof(Affine), 1);
      bad += wrong(out, count, size, 2);
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

TEST_CASE("no member leaves a barrier before all have come") {
  for (const int size : sizes) {
    std::atomic<int> bad = 0, arrived = 0;
    crew(options_for(size), [&](ShmGroup& group) {
      for (int round = 1; round <= 50; ++round) {
        ++arrived;
        group.barrier();
        bad += arrived < round * size;
        group.barrier();
      }
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

}  // namespace
}  // namespace tutti::shm::test
