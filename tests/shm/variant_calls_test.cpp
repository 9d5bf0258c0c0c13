/// Every variant of every collective, asked for by name: right results, or another variant where it is not possible.
#include <array>

#include "blocks.hpp"
#include "each_variant.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::shm::test {
namespace {

using enum Collective;
using Row = std::vector<Affine>;

ShmGroupOptions small(int size, int row) {
  ShmGroupOptions options;
  options.size = size, options.cpus = 2, options.chunk = 512, options.ring_chunk = 64;
  if (row > 0) options.domains = domains_in_rows(size, row);
  return options;
}

Row row_of(int member, std::size_t count, int call) {
  Row row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = element(member, i, call);
  return row;
}

/// Elements of `row` that are not the combination of members 0 .. last, from element `first` on.
int wrong(const Row& row, int last, std::size_t first, int call) {
  int bad = 0;
  for (std::size_t i = 0; i < row.size(); ++i) bad += row[i] != expected(last + 1, first + i, call);
  return bad;
}

/// A call of `count` elements, in place and not where a collective has both; what came out wrong on this member.
struct Call {
  ShmGroup& group;
  const Borders& borders;
  std::size_t count;
  int number;

  int reduce(int root) const {
    const bool reads = group.me() == root;
    const Row mine = row_of(group.me(), count, number);
    Row in = mine, out(count);
    group.reduce(in.data(), reads ? out.data() : nullptr, count, affine(), root, borders);
    const int bad = (in != mine) + (reads ? wrong(out, group.size() - 1, 0, number) : 0);
    group.reduce(in.data(), reads ? in.data() : nullptr, count, affine(), root, borders);
    return bad + (reads ? wrong(in, group.size() - 1, 0, number) : in != mine);
  }

  int allreduce() const {
    const Row mine = row_of(group.me(), count, number);
    Row in = mine, out(count);
    group.allreduce(in.data(), out.data(), count, affine(), borders);
    const int bad = (in != mine) + wrong(out, group.size() - 1, 0, number);
    group.allreduce(in.data(), in.data(), count, affine(), borders);
    return bad + wrong(in, group.size() - 1, 0, number);
  }

  /// Member i gets `count` elements, or, of unequal blocks, i times as many.
  int reduce_scatter(bool equal) const {
    const auto share = [&](int member) { return equal ? count : count * static_cast<std::size_t>(member); };
    std::vector<std::int64_t> counts;
    std::size_t first = 0, total = 0;
    for (int member = 0; member < group.size(); ++member) {
      if (member == group.me()) first = total;
      total += share(member), counts.push_back(static_cast<std::int64_t>(share(member)));
    }
    const Row in = row_of(group.me(), total, number);
    Row out(share(group.me()));
    const Shares shares{equal ? count : 0, equal ? nullptr : counts.data()};
    group.reduce_scatter(in.data(), out.data(), shares, affine(), borders);
    return wrong(out, group.size() - 1, first, number) + (in != row_of(group.me(), total, number));
  }

  int scan(bool inclusive) const {
    const int last = inclusive ? group.me() : group.me() - 1;
    Row in = row_of(group.me(), count, number), out(count);
    inclusive ? group.scan(in.data(), out.data(), count, affine(), borders)
              : group.exscan(in.data(), out.data(), count, affine(), borders);
    const int bad = last < 0 ? 0 : wrong(out, last, 0, number);
    inclusive ? group.scan(in.data(), in.data(), count, affine(), borders)
              : group.exscan(in.data(), in.data(), count, affine(), borders);
    return bad + (last < 0 ? 0 : wrong(in, last, 0, number));
  }

  int run(Collective which) const {
    const Movement move(group, number, borders);
    const std::size_t bytes = count * sizeof(Affine);
    const int root = number % group.size();
    const auto block = [&](int) { return bytes; };
    const auto own = [&](int member) { return bytes * static_cast<std::size_t>(member % 3); };
    switch (which) {
      case barrier:
        return group.barrier(borders), 0;
      case bcast:
        return move.bcast(root, bytes);
      case gather:
        return move.gather(root, block, Sizes::equal);
      case gatherv:
        return move.gather(root, own);
      case scatter:
        return move.scatter(root, block, Sizes::equal);
      case scatterv:
        return move.scatter(root, own, Sizes::own);
      case allgather:
        return move.allgather(block, true);
      case allgatherv:
        return move.allgather(own, false);
      case alltoall:
        return move.alltoall([&](int, int) { return bytes; }, Sizes::equal);
      case alltoallv:
      case alltoallw:
        return move.alltoall([&](int from, int to) { return own(from + to); }, Sizes::own);
      case Collective::reduce:
        return reduce(root);
      case Collective::allreduce:
        return allreduce();
      case Collective::reduce_scatter:
      case reduce_scatter_block:
        return reduce_scatter(which == reduce_scatter_block);
      case Collective::scan:
      case exscan:
        return scan(which == Collective::scan);
    }
    return 1;
  }
};

/// Elements: none, one, a line's, some, more than a slot, many chunks.
constexpr std::size_t counts[] = {0, 1, 6, 7, 40, 65, 700};

TEST_CASE("variants: each that is asked for gives right results, with 1 to 8 members, in domains and without") {
  for (int size = 1; size <= 8; ++size)
    for (const int row : {0, 2}) {
      std::atomic<int> bad = 0;
      crew(small(size, row), [&](ShmGroup& group) {
        group.agree_on_single_copy();
        int number = 0;
        each_variant([&](Collective which, const VariantRow& variant) {
          const Borders borders = asking(variant.variant);
          for (const std::size_t count : counts) {
            const int wrong = Call{group, borders, count, ++number}.run(which);
            if (wrong != 0) MESSAGE(name(which) << " " << variant.name << " of " << count);
            bad += wrong;
          }
        });
      });
      CHECK_MESSAGE(bad == 0, size << " members, rows of " << row);
    }
}

TEST_CASE("variants: asked for variants do not hinder one another") {
  std::atomic<int> bad = 0;
  crew(small(5, 2), [&](ShmGroup& group) {
    group.agree_on_single_copy();
    std::vector<std::pair<Collective, Variant>> all;
    each_variant([&](Collective which, const VariantRow& row) { all.emplace_back(which, row.variant); });
    std::mt19937 random(7);  // the same on all members
    for (int number = 1; number <= 3000; ++number) {
      const auto& [which, variant] = all[random() % all.size()];
      const std::size_t count = counts[random() % std::size(counts)];
      const Borders borders = asking(variant);
      bad += Call{group, borders, count, number}.run(which);
    }
  });
  CHECK(bad == 0);
}

/// Elements of this length fit no slot of 512 bytes.
struct Long {
  std::array<std::uint64_t, 80> words;
};

TEST_CASE("variants: elements longer than a slot go one by one, whatever is asked for") {
  const Reducer sum{[](void*, const void* in, const void* inout, void* out, std::size_t count) {
                      for (std::size_t i = 0; i < count * 80; ++i)
                        static_cast<std::uint64_t*>(out)[i] =
                            static_cast<const std::uint64_t*>(in)[i] + static_cast<const std::uint64_t*>(inout)[i];
                    },
                    nullptr, sizeof(Long), true};
  std::atomic<int> bad = 0;
  crew(small(3, 0), [&](ShmGroup& group) {
    for (const VariantRow& row : variants()) {
      if (!row.serves(Collective::allreduce)) continue;
      const std::uint64_t mine = static_cast<std::uint64_t>(group.me()) + 1;
      std::vector<Long> in(2), out(2);
      for (Long& each : in) each.words.fill(mine);
      group.allreduce(in.data(), out.data(), 2, sum, asking(row.variant));
      for (const Long& each : out) bad += each.words.front() != 6 || each.words.back() != 6;
      group.scan(in.data(), out.data(), 2, sum, asking(row.variant));
      for (const Long& each : out) bad += each.words.back() != mine * (mine + 1) / 2;
    }
  });
  CHECK(bad == 0);
}

TEST_CASE("variants: a member that expects less follows the root's variant") {
  for (const Variant variant : {Variant::slots, Variant::tree, Variant::rings, Variant::one_copy}) {
    std::atomic<int> bad = 0;
    crew(small(4, 2), [&](ShmGroup& group) {
      group.agree_on_single_copy();
      Borders borders = asking(variant);
      for (int root = 0; root < 4; ++root) {
        Bytes data(3000, group.me() == root ? 9 : 0);
        const std::size_t bytes = group.me() == (root + 1) % 4 ? 10 : 3000;
        borders.settled = group.settle({bcast, bytes}, borders);
        const Ending ending = group.bcast(data.data(), bytes, root, borders);
        bad += ending != (bytes == 10 ? Ending::cut : Ending::whole);
        for (std::size_t i = 0; i < data.size(); ++i) bad += data[i] != (i < bytes || group.me() == root ? 9 : 0);
      }
    });
    CHECK_MESSAGE(bad == 0, name_of(variant));
  }
}

}  // namespace
}  // namespace tutti::shm::test
