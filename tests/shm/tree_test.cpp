/// Collectives along domains: the same results as without, wherever the members are.
#include <numeric>

#include "crew.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::shm::test {
namespace {

/// Ways to divide a group: in rows, in turn, by chance, one large domain and some members alone.
std::vector<std::vector<int>> divisions(int size) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::vector<int> in_turn, by_chance, alone;
  for (int member = 0; member < size; ++member) {
    in_turn.push_back(member % 2);
    by_chance.push_back(static_cast<int>(random() % 4));
    alone.push_back(member % 3 == 1 ? member : -1);
  }
  return {domains_in_rows(size, 2), domains_in_rows(size, size - 1), in_turn, by_chance, alone};
}

ShmGroupOptions divided(int size, const std::vector<int>& domains) {
  ShmGroupOptions options;
  options.size = size, options.cpus = size, options.chunk = 512, options.domains = domains;
  return options;
}

/// Runs `work` on groups of 4 to 33 members, divided in each way; it counts what is wrong.
void everywhere(const std::function<int(ShmGroup&)>& work) {
  for (const int size : {4, 5, 8, 16, 33}) {
    int number = 0;
    for (const auto& domains : divisions(size)) {
      std::atomic<int> bad = 0;
      crew(divided(size, domains), [&](ShmGroup& group) { bad += work(group); });
      CHECK_MESSAGE(bad == 0, size << " members, division " << number);
      ++number;
    }
  }
}

std::vector<Affine> contribution(int member, std::size_t count, int call) {
  std::vector<Affine> row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = element(member, i, call);
  return row;
}

int wrong(const std::vector<Affine>& row, int size, int call) {
  int bad = 0;
  for (std::size_t i = 0; i < row.size(); ++i) bad += row[i] != expected(size, i, call);
  return bad;
}

TEST_CASE("domains: reductions keep the order, in place and not, at every root") {
  everywhere([](ShmGroup& group) {
    int bad = 0, call = 0;
    for (const std::size_t count : {1, 2, 7, 16, 100}) {  // along trees, and beyond what fits
      auto in = contribution(group.me(), count, ++call);
      std::vector<Affine> out(count);
      group.allreduce(in.data(), out.data(), count, affine());
      bad += wrong(out, group.size(), call) + (in != contribution(group.me(), count, call));
      group.allreduce(in.data(), in.data(), count, affine());
      bad += wrong(in, group.size(), call);
      for (int root = 0; root < group.size(); root += 1 + group.size() / 5) {
        in = contribution(group.me(), count, ++call);
        group.reduce(in.data(), group.me() == root ? in.data() : nullptr, count, affine(), root);
        bad += group.me() == root ? wrong(in, group.size(), call) : in != contribution(group.me(), count, call);
      }
    }
    return bad;
  });
}

TEST_CASE("domains: bcast from every root, short and of many chunks") {
  everywhere([](ShmGroup& group) {
    int bad = 0, call = 0;
    for (const std::size_t bytes : {0, 1, 48, 512, 513, 20000})
      for (int root = 0; root < group.size(); root += 1 + group.size() / 5) {
        const auto value = static_cast<unsigned char>(++call);
        std::vector<unsigned char> data(bytes + 1, group.me() == root ? value : 0);
        data[bytes] = 255;
        group.bcast(data.data(), bytes, root);
        for (std::size_t i = 0; i < bytes; ++i) bad += data[i] != value;
        bad += data[bytes] != 255;
      }
    return bad;
  });
}

TEST_CASE("domains: allgather leaves my own block alone") {
  everywhere([](ShmGroup& group) {
    int bad = 0, call = 0;
    const auto size = static_cast<std::size_t>(group.size()), me = static_cast<std::size_t>(group.me());
    for (const std::size_t block : {1, 3, 15, 64, 600}) {
      ++call;
      std::vector<unsigned char> all(size * block + 1, 0);
      const auto sent = [&](std::size_t member, std::size_t i) {
        return static_cast<unsigned char>(member * 7 + i + static_cast<std::size_t>(call));
      };
      for (std::size_t i = 0; i < block; ++i) all[me * block + i] = sent(me, i);
      group.allgather({reinterpret_cast<std::byte*>(all.data()), block, nullptr, nullptr});
      for (std::size_t member = 0; member < size; ++member)
        for (std::size_t i = 0; i < block; ++i) bad += all[member * block + i] != sent(member, i);
      bad += all.back() != 0;
    }
    return bad;
  });
}

TEST_CASE("domains: no member leaves a barrier before all have come") {
  for (const auto& domains : divisions(9)) {
    std::atomic<int> bad = 0, arrived = 0;
    crew(divided(9, domains), [&](ShmGroup& group) {
      for (int round = 1; round <= 50; ++round) {
        ++arrived;
        group.barrier();
        bad += arrived < round * 9;
        group.barrier();
      }
    });
    CHECK(bad == 0);
  }
}

TEST_CASE("domains: the same bits as without") {
  std::vector<std::vector<double>> results;
  auto ways = divisions(13);
  ways.push_back({});
  for (const auto& domains : ways) {
    std::vector<std::vector<double>> out(14, std::vector<double>(4));
    crew(divided(13, domains), [&](ShmGroup& group) {
      const auto me = static_cast<std::size_t>(group.me());
      std::vector<double> in(4);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1.0 / static_cast<double>(3 + i * 7 + me * 1001);
      const Reducer sum = kernel(Operator::sum, Element::f64);
      group.allreduce(in.data(), out[me].data(), in.size(), sum);
      group.reduce(in.data(), out[13].data(), in.size(), sum, 3);
    });
    results.insert(results.end(), out.begin(), out.end());
  }
  for (const auto& result : results) CHECK(result == results.front());
}

TEST_CASE("domains: mixed with collectives that ignore them, and late members") {
  everywhere([](ShmGroup& group) {
    int bad = 0;
    std::mt19937 own(static_cast<unsigned>(group.me()));
    for (int call = 0; call < 60; ++call) {
      dawdle(own, 200);
      const int root = call % group.size();
      auto row = contribution(group.me(), 1 + static_cast<std::size_t>(call) % 5 * 20, call);
      switch (call % 4) {
        case 0:
          group.scan(row.data(), row.data(), row.size(), affine());
          bad += wrong(row, group.me() + 1, call);
          break;
        case 1:
          group.allreduce(row.data(), row.data(), row.size(), affine());
          bad += wrong(row, group.size(), call);
          break;
        case 2:
          group.bcast(row.data(), row.size() * sizeof(Affine), root);
          bad += row != contribution(root, row.size(), call);
          break;
        default:
          group.barrier();
      }
    }
    return bad;
  });
}

}  // namespace
}  // namespace tutti::shm::test
