/// A block travels to its destination in hops, each together with all other blocks that take the same hop.
///
/// Slot i starts in the input, at the rank i ahead, and ends in the output, from the rank i behind.  In between it
/// rests in one of two scratch areas by turns: what arrives must not overwrite what is still being sent, or all ranks
/// would wait for each other.  So nothing is rotated, before or after.
#include <algorithm>
#include <vector>

#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

/// Hops of one length, in the order in which they are made; `marked`: they end a round.
struct Hop {
  int length;
  bool marked;
};
/// The hops that the block for the rank `slot` ahead takes, in that order.
using Ways = std::vector<std::vector<int>>;

Schedule travel(Context context, std::vector<Hop> hops, Ways ways) {
  const Ring ring{context.size};
  const Rank me = context.me;
  std::size_t longest = 0;
  for (const std::vector<int>& way : ways) longest = std::max(longest, way.size());
  if (longest > 1) co_yield scratch_area(1, 0, context.size);
  if (longest > 2) co_yield scratch_area(0, 0, context.size);
  for (const Hop hop : hops) {
    BlockList leaving, arriving;
    for (int slot = hop.length; slot < context.size; ++slot) {
      const std::vector<int>& way = ways[static_cast<std::size_t>(slot)];
      const auto here = std::find(way.begin(), way.end(), hop.length);
      if (here == way.end()) continue;
      const int made = static_cast<int>(here - way.begin());
      leaving.add(made == 0 ? input(ring.ahead(me, slot)) : scratch(made % 2, slot));
      arriving.add(here + 1 == way.end() ? output(ring.behind(me, slot)) : scratch((made + 1) % 2, slot));
    }
    co_yield send(ring.ahead(me, hop.length), leaving);
    co_yield receive(ring.behind(me, hop.length), arriving);
    if (hop.marked) co_yield round_mark();
  }
}

/// The digits of a slot's number to that radix, least first.
Schedule by_digits(Context context, int radix) {
  const int size = context.size;
  std::vector<Hop> hops;
  Ways ways(static_cast<std::size_t>(size));
  for (int unit = 1; unit < size; unit *= radix) {
    for (int length = unit; length < size && length < radix * unit; length += unit)
      hops.push_back({length, length + unit >= std::min(size, radix * unit)});
    for (int slot = unit; slot < size; ++slot)
      if (const int digit = slot / unit % radix; digit != 0)
        ways[static_cast<std::size_t>(slot)].push_back(digit * unit);
  }
  return travel(context, std::move(hops), std::move(ways));
}

}  // namespace

/// T = lg p (alpha + m/2 beta), for any p.  Bruck et al. 1997.
Schedule alltoall_bruck(Context context) { return by_digits(context, 2); }

/// T = log_k p ((k-1) alpha + (k-1)/k m beta) through one port: more, but shorter hops than for k = 2; k-1 messages are
/// under way at a time.  Bruck et al. 1997, section 3.2.
Schedule alltoall_k_bruck(Context context) { return by_digits(context, context.parameter(0, 4)); }

/// Hops along the skips of the circulant graph, furthest first: lg p rounds, and never more data than Bruck's.
/// Träff 2024 (arXiv 2410.14234), the reduce-scatter's template with concatenation for the operator.
Schedule alltoall_circulant(Context context) {
  const int size = context.size;
  std::vector<Hop> hops;
  Ways ways(static_cast<std::size_t>(size));
  for (int further = size; further > 1; further = hops.back().length) hops.push_back({(further + 1) / 2, true});
  for (int slot = 1; slot < size; ++slot) {
    int left = slot;
    for (const Hop hop : hops) {
      if (left < hop.length) continue;
      ways[static_cast<std::size_t>(slot)].push_back(hop.length);
      left -= hop.length;
    }
  }
  return travel(context, std::move(hops), std::move(ways));
}

}  // namespace tutti
