#include "runtime/plan/node_variant.hpp"

#include <algorithm>

#include "runtime/datatype/types.hpp"
#include "runtime/plan/sides.hpp"

namespace tutti::runtime {
namespace {

using enum Collective;

std::size_t bytes_of(const Side& side, std::int64_t count) {
  return count == 0 ? 0 : static_cast<std::size_t>(count * size_of(side.type));
}

std::int64_t longest(const CountView& counts, int size) {
  std::int64_t most = 0;
  for (int rank = 0; rank < size; ++rank) most = std::max(most, counts[rank]);
  return most;
}

/// A reduce_scatter's blocks lie on the receiving side.
shm::VariantCall blocks_of(const Operation& call, int size) {
  const Side& side = call.receive;
  std::int64_t total = side.counts ? 0 : side.count * size;
  for (int rank = 0; side.counts && rank < size; ++rank) total += side.counts[rank];
  return {.collective = call.collective,
          .bytes = bytes_of(side, total),
          .unit = bytes_of(side, 1),
          .longest = bytes_of(side, side.counts ? longest(side.counts, size) : side.count)};
}

}  // namespace

shm::VariantCall variant_call(const Operation& call, Rank me, int size) {
  const Contract& rules = contract(call.collective);
  const Side& side = side_of_size(call, me);
  if (rules.reduces && rules.send.shape == Shape::row) return blocks_of(call, size);
  if (rules.reduces)
    return {.collective = call.collective, .bytes = bytes_of(side, side.count), .unit = bytes_of(side, 1)};
  switch (rules.size) {
    case CommonSize::none:
      return {.collective = call.collective};
    case CommonSize::count:
      return {.collective = call.collective, .bytes = bytes_of(side, side.count)};
    case CommonSize::counts:
      return {.collective = call.collective, .bytes = bytes_of(side, longest(side.counts, size))};
    default:
      return {.collective = call.collective, .bytes = shm::VariantCall::unknown};
  }
}

std::string variant_text(const Operation& call, const Choice& choice, const shm::ShmGroup& group) {
  const shm::VariantCall asked = variant_call(call, group.me(), group.size());
  const shm::Borders borders = borders_of(choice);
  const shm::Variant variant = group.settle(asked, borders);
  std::string text = variant == shm::Variant::any ? ", variants by the length of each block"
                                                  : ", variant " + std::string(shm::name_of(variant));
  if (const std::string why(group.obstacle(asked, borders)); !why.empty())
    text += "; not variant " + std::string(shm::name_of(borders.asked)) + ": " + why;
  return text;
}

}  // namespace tutti::runtime
