/// The vector in X segments, each passed up the ranks as soon as it is there and combined with the own one:
/// T = (X + p-2)(alpha + m/X beta + m/X gamma); linear with X = 1: T = (p-1)(alpha + m beta + m gamma).  In rank order.
///
/// Segments arrive in one of two areas by turns, so that the next one comes in while this one is combined.
#include "core/schedule.hpp"

namespace tutti {
namespace {

/// Arrived segments are combined into the own ones, which are then passed on.
Schedule inclusive(Context context, int segments) {
  const Rank me = context.me;
  if (me > 0) co_yield floating_parts(0, segments);
  if (me > 0 && segments > 1) co_yield floating_parts(1, segments);
  for (int i = 0; i < segments; ++i) {
    const Blocks prefix = part(output(0), i, segments), arrived = part(scratch(i % 2, 0), i, segments);
    if (me > 0) {
      co_yield receive(me - 1, arrived);
      co_yield reduce_left(arrived, prefix);
    }
    if (me + 1 < context.size) co_yield send(me + 1, prefix);
    co_yield round_mark();
  }
}

/// Arrived segments are the result; they are passed on combined with the own ones.
Schedule exclusive(Context context, int segments) {
  const Rank me = context.me;
  const bool passes = me > 0 && me + 1 < context.size;
  if (passes) co_yield floating_parts(0, segments);
  if (passes && segments > 1) co_yield floating_parts(1, segments);
  for (int i = 0; i < segments; ++i) {
    const Blocks own = part(input(0), i, segments), prefix = part(output(0), i, segments);
    const Blocks longer = part(scratch(i % 2, 0), i, segments);
    if (me > 0) co_yield receive(me - 1, prefix);
    if (passes) {
      co_yield copy(own, longer);
      co_yield reduce_left(prefix, longer);
    }
    if (me + 1 < context.size) co_yield send(me + 1, me > 0 ? longer : own);
    co_yield round_mark();
  }
}

int segments(const Context& context) { return context.parameter(0, 8); }

}  // namespace

Schedule scan_linear(Context context) { return inclusive(context, 1); }
Schedule scan_pipelined_chain(Context context) { return inclusive(context, segments(context)); }
Schedule exscan_linear(Context context) { return exclusive(context, 1); }
Schedule exscan_pipelined_chain(Context context) { return exclusive(context, segments(context)); }

}  // namespace tutti
