#include "sample_calls.hpp"

#include <array>

#include "sample_movements.hpp"
#include "sample_values.hpp"

namespace tutti::shm::test {
namespace {

/// Left to right: associative, not commutative.
Value then(Value left, Value right) {
  const auto a = static_cast<std::uint32_t>(left), b = static_cast<std::uint32_t>(left >> 32);
  const auto c = static_cast<std::uint32_t>(right), d = static_cast<std::uint32_t>(right >> 32);
  return static_cast<Value>(b * c + d) << 32 | static_cast<std::uint32_t>(a * c);
}

const Reducer& affine() {
  static const Reducer op{[](void*, const void* in, const void* inout, void* out, std::size_t count) {
                            for (std::size_t i = 0; i < count; ++i) {
                              const Value right = static_cast<const Value*>(inout)[i];
                              static_cast<Value*>(out)[i] = then(static_cast<const Value*>(in)[i], right);
                            }
                          },
                          nullptr, sizeof(Value), false};
  return op;
}

/// Members first to last combined.
Value combined(int first, int last, std::size_t i, int index) {
  Value all = value(first, i, index);
  for (int member = first + 1; member <= last; ++member) all = then(all, value(member, i, index));
  return all;
}

bool bcast(ShmGroup& group, int index, int root, std::size_t count, const Borders& borders = {}) {
  Row row = group.me() == root ? row_of(root, index) : Row{};
  group.bcast(row.data(), count * sizeof(Value), root, borders);
  return holds(row, count, [&](std::size_t i) { return value(root, i, index); });
}

bool reduce(ShmGroup& group, int index, int root, std::size_t count, const Borders& borders = {}) {
  Row row = row_of(group.me(), index);
  group.reduce(row.data(), row.data(), count, affine(), root, borders);
  return group.me() != root ||
         holds(row, count, [&](std::size_t i) { return combined(0, group.size() - 1, i, index); });
}

bool allreduce(ShmGroup& group, int index, std::size_t count, const Borders& borders = {}) {
  Row row = row_of(group.me(), index);
  group.allreduce(row.data(), row.data(), count, affine(), borders);
  return holds(row, count, [&](std::size_t i) { return combined(0, group.size() - 1, i, index); });
}

bool scan(ShmGroup& group, int index, std::size_t count, bool inclusive, const Borders& borders = {}) {
  Row row = row_of(group.me(), index);
  const int last = inclusive ? group.me() : group.me() - 1;
  inclusive ? group.scan(row.data(), row.data(), count, affine(), borders)
            : group.exscan(row.data(), row.data(), count, affine(), borders);
  return last < 0 || holds(row, count, [&](std::size_t i) { return combined(0, last, i, index); });
}

bool reduce_scatter(ShmGroup& group, int index, std::size_t each, const Borders& borders = {}) {
  const Row row = row_of(group.me(), index);
  Row out{};
  group.reduce_scatter(row.data(), out.data(), {each}, affine(), borders);
  const std::size_t first = each * static_cast<std::size_t>(group.me());
  return holds(out, each, [&](std::size_t i) { return combined(0, group.size() - 1, first + i, index); });
}

/// One member alone gets anything.
bool reduce_scatter_to(ShmGroup& group, int index, int only, std::size_t count) {
  const Row row = row_of(group.me(), index);
  Row out{};
  std::vector<std::int64_t> counts(static_cast<std::size_t>(group.size()), 0);
  counts[static_cast<std::size_t>(only)] = static_cast<std::int64_t>(count);
  group.reduce_scatter(row.data(), out.data(), {0, counts.data()}, affine());
  return group.me() != only ||
         holds(out, count, [&](std::size_t i) { return combined(0, group.size() - 1, i, index); });
}

// A slot holds 32 values, its first line 6.
void add_rooted(std::vector<SampleCall>& all, int size) {
  for (int root = 0; root < size; ++root) {
    for (const std::size_t count : {1, 70})
      all.push_back({from("bcast", root, count),
                     [=](ShmGroup& group, int index) { return bcast(group, index, root, count); }, count == 1});
    for (const std::size_t count : {1, 10, 40, 71})
      all.push_back({from("reduce", root, count),
                     [=](ShmGroup& group, int index) { return reduce(group, index, root, count); }, count == 1});
  }
}

void add_unrooted(std::vector<SampleCall>& all, int size) {
  for (const std::size_t count : {1, 10, 40, 71})
    all.push_back({of("allreduce", count), [=](ShmGroup& group, int index) { return allreduce(group, index, count); },
                   count == 10});
  for (const std::size_t count : {1, 40})
    for (const bool inclusive : {true, false})
      all.push_back({of(inclusive ? "scan" : "exscan", count),
                     [=](ShmGroup& group, int index) { return scan(group, index, count, inclusive); },
                     inclusive && count == 1});
  for (const std::size_t each : {1, 20})
    if (each * static_cast<std::size_t>(size) <= longest_row)
      all.push_back({of("reduce_scatter", each),
                     [=](ShmGroup& group, int index) { return reduce_scatter(group, index, each); }, false});
  for (const int only : {0, size - 1})
    all.push_back({"reduce_scatter to " + std::to_string(only),
                   [=](ShmGroup& group, int index) { return reduce_scatter_to(group, index, only, 3); }, false});
}

/// Read where they lie; the kernel may refuse it at any of them.
void add_pair_reductions(std::vector<SampleCall>& all) {
  const Borders once{1};
  const auto add = [&](const std::string& what, auto call) {
    all.push_back({what + " once", [=](ShmGroup& group, int index) { return call(group, index, once); }, false});
  };
  for (const std::size_t count : {std::size_t{20}, refusable_values}) {
    for (const int root : {0, 1})
      add(from("reduce", root, count), [=](ShmGroup& group, int index, const Borders& borders) {
        return reduce(group, index, root, count, borders);
      });
    add(of("allreduce", count),
        [=](ShmGroup& group, int index, const Borders& borders) { return allreduce(group, index, count, borders); });
    add(of("reduce_scatter", count), [=](ShmGroup& group, int index, const Borders& borders) {
      return reduce_scatter(group, index, count, borders);
    });
  }
}

/// Variants that are not taken unasked, of lengths at which they are possible.
void add_asked(std::vector<SampleCall>& all, int size) {
  const auto add = [&](const std::string& name, Variant variant, auto call) {
    const Borders borders = asking(variant);
    all.push_back({name, [=](ShmGroup& group, int index) { return call(group, index, borders); }, false});
  };
  add("bcast 70 by rings", Variant::rings,
      [=](ShmGroup& group, int index, const Borders& borders) { return bcast(group, index, size - 1, 70, borders); });
  add("allreduce 10 striped", Variant::striped,
      [](ShmGroup& group, int index, const Borders& borders) { return allreduce(group, index, 10, borders); });
  add("reduce_scatter 1 by slots", Variant::slots,
      [](ShmGroup& group, int index, const Borders& borders) { return reduce_scatter(group, index, 1, borders); });
  add("exscan 10 by chain", Variant::chain,
      [](ShmGroup& group, int index, const Borders& borders) { return scan(group, index, 10, false, borders); });
}

void add_empty(std::vector<SampleCall>& all) {
  all.push_back({"bcast 0", [](ShmGroup& group, int index) { return bcast(group, index, 0, 0); }, true});
  all.push_back({"reduce 0", [](ShmGroup& group, int index) { return reduce(group, index, 1, 0); }, false});
  all.push_back({"allreduce 0", [](ShmGroup& group, int index) { return allreduce(group, index, 0); }, false});
  all.push_back({"scan 0", [](ShmGroup& group, int index) { return scan(group, index, 0, true); }, false});
}

}  // namespace

std::vector<SampleCall> sample_calls(int size) {
  std::vector<SampleCall> all{{"barrier", [](ShmGroup& group, int) { return group.barrier(), true; }, true}};
  add_rooted(all, size);
  add_unrooted(all, size);
  if (size == 2) add_pair_reductions(all);
  add_asked(all, size);
  add_empty(all);
  add_movements(all, size);
  return all;
}

ShmGroupOptions smallest(int size) {
  ShmGroupOptions options;
  options.size = size, options.cpus = size, options.chunk = 256, options.stripe_from = 560;
  options.backlog = 96;
  options.chain_from = 40 * sizeof(Value);
  options.ring_chunk = 128;
  return options;
}

}  // namespace tutti::shm::test
