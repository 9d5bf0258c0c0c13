/// Any kinds and roots in any order, with members that come late: what slot reuse must survive.
#include "crew.hpp"

namespace tutti::shm::test {
namespace {

/// As with a CPU each: so that reduce shares its work too.
ShmGroupOptions small_chunks(int size) {
  ShmGroupOptions options;
  options.size = size, options.cpus = size, options.chunk = 256, options.stripe_from = 1024;
  return options;
}

/// One call drawn from `shared`, which all members draw alike; how many elements came out wrong.
int one_call(ShmGroup& group, int call, std::mt19937& shared) {
  const int kind = static_cast<int>(shared() % 4), root = static_cast<int>(shared() % group.size());
  constexpr std::size_t lengths[] = {0, 1, 3, 6, 7, 32, 33, 200, 1000};
  const std::size_t count = lengths[shared() % std::size(lengths)];
  std::vector<Affine> row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = element(group.me(), i, call);
  int bad = 0;
  const auto check = [&](auto&& right) {
    for (std::size_t i = 0; i < count; ++i) bad += row[i] != right(i);
  };
  const auto all = [&](std::size_t i) { return expected(group.size(), i, call); };
  switch (kind) {
    case 0:
      group.barrier();
      break;
    case 1:
      group.bcast(row.data(), count * sizeof(Affine), root);
      check([&](std::size_t i) { return element(root, i, call); });
      break;
    case 2:
      group.reduce(row.data(), row.data(), count, affine(), root);
      if (group.me() == root) check(all);
      break;
    default:
      group.allreduce(row.data(), row.data(), count, affine());
      check(all);
  }
  return bad;
}

TEST_CASE("random kinds, roots, lengths and delays") {
  for (const int size : {2, 3, 4, 5, 8, 13}) {
    std::atomic<int> bad = 0;
    ShmGroupOptions options = small_chunks(size);
    if (size % 4 == 0) options.cpus = 2;
    if (size % 4 == 1) options.long_ring = 1024, options.long_payload = 100, options.long_ring_after = 2;
    crew(options, [&](ShmGroup& group) {
      std::mt19937 shared(static_cast<unsigned>(size)), own(static_cast<unsigned>(100 + group.me()));
      for (int call = 0; call < 1500; ++call) {
        dawdle(own, 2000);
        bad += one_call(group, call, shared);
      }
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

TEST_CASE("a root that runs ahead does not overwrite what a late member still reads") {
  std::atomic<int> bad = 0;
  crew(small_chunks(3), [&](ShmGroup& group) {
    for (int round = 0; round < 200; ++round) {
      if (group.me() == 1 && round % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const Affine first = element(0, 1, round), third = element(0, 3, round);
      Affine value = group.me() == 0 ? first : Affine{};
      group.bcast(&value, sizeof value, 0);
      bad += value != first;
      value = element(group.me(), 2, round);
      group.reduce(&value, &value, 1, affine(), 2);
      if (group.me() == 2) bad += value != expected(3, 2, round);
      value = group.me() == 0 ? third : Affine{};
      group.bcast(&value, sizeof value, 0);
      bad += value != third;
    }
  });
  CHECK(bad == 0);
}

TEST_CASE("the same bits however the data is cut, and in reduce as in allreduce") {
  constexpr std::size_t count = 3000;
  std::vector<std::vector<double>> results;
  for (const std::size_t chunk : {256U, 4096U, 65536U}) {
    for (const std::size_t stripe_from : {1U, 1U << 30}) {
      ShmGroupOptions options = small_chunks(5);
      options.chunk = chunk, options.stripe_from = stripe_from;
      std::vector<std::vector<double>> out(6, std::vector<double>(count));
      crew(options, [&](ShmGroup& group) {
        const auto me = static_cast<std::size_t>(group.me());
        std::vector<double> in(count);
        for (std::size_t i = 0; i < count; ++i) in[i] = 1.0 / static_cast<double>(3 + i * 7 + me * 1001);
        const Reducer sum = kernel(Operator::sum, Element::f64);
        group.allreduce(in.data(), out[me].data(), count, sum);
        group.reduce(in.data(), out[5].data(), count, sum, 3);
      });
      results.insert(results.end(), out.begin(), out.end());
    }
  }
  for (const auto& result : results) CHECK(result == results.front());
}

/// One element of 3000 bytes: bytes added modulo 256 from a place on that the left operand names; not commutative.
constexpr std::size_t large = 3000;

TEST_CASE("elements larger than a slot") {
  const Reducer op{[](void*, const void* in, const void* inout, void* out, std::size_t count) {
                     const auto* left = static_cast<const unsigned char*>(in);
                     const auto* right = static_cast<const unsigned char*>(inout);
                     for (std::size_t i = 0; i < count * large; ++i)
                       static_cast<unsigned char*>(out)[i] = static_cast<unsigned char>(2 * left[i] + right[i]);
                   },
                   nullptr, large, false};
  for (const int size : {1, 2, 3, 5}) {
    std::atomic<int> bad = 0;
    crew(small_chunks(size), [&](ShmGroup& group) {
      std::vector<unsigned char> row(2 * large), right(2 * large);
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = static_cast<unsigned char>(i + static_cast<std::size_t>(group.me()));
        right[i] = static_cast<unsigned char>(i + static_cast<std::size_t>(size - 1));
        for (int member = size - 2; member >= 0; --member)
          right[i] = static_cast<unsigned char>(2 * (i + static_cast<std::size_t>(member)) + right[i]);
      }
      std::vector<unsigned char> out(2 * large);
      group.reduce(row.data(), out.data(), 2, op, size - 1);
      if (group.me() == size - 1) bad += out != right;
      group.allreduce(row.data(), row.data(), 2, op);
      bad += row != right;
    });
    CHECK_MESSAGE(bad == 0, "size " << size);
  }
}

}  // namespace
}  // namespace tutti::shm::test
