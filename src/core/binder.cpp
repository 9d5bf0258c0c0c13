#include "core/binder.hpp"

#include <array>

namespace tutti {
namespace {

using Kind = BoundStep::Kind;

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace

/// One side's ranges.
template <class List>
void Binder::append(const List& blocks, BoundStep& bound, std::int32_t& count, std::vector<Range>& ranges) const {
  const std::size_t before = ranges.size();
  bound.length = 0;
  for (const Blocks& run : blocks) {
    bound.length += bound.sized ? spaces_.append_each(run, ranges) : spaces_.append(run, ranges);
    bound.token |= run.buffer == Buffer::token;
    bound.late |= spaces_.learned(run);
  }
  count = static_cast<std::int32_t>(ranges.size() - before);
}

bool Binder::bind(const Step& step, BoundStep& bound, std::vector<Range>& ranges) {
  ranges.clear();
  bound = {};
  const auto side = [&](const auto& blocks, std::int32_t& count) { append(blocks, bound, count, ranges); };
  std::visit(overloaded{
                 [&](const Area& area) { spaces_.declare(area); },
                 [&](const Peers&) {},  // told by the set
                 [&](const Round&) {},
                 [&](const Send& send) {
                   bound.kind = Kind::send, bound.peer = send.to, bound.sized = send.sized, bound.set = send.set;
                   side(send.what, bound.from);
                 },
                 [&](const Receive& receive) {
                   bound.kind = Kind::receive, bound.peer = receive.from, bound.sized = receive.sized;
                   side(receive.into, bound.into);
                 },
                 [&](const ReceiveAny& receive) {
                   bound.kind = Kind::receive, bound.peer = any_peer, bound.set = receive.set;
                   side(receive.into, bound.into);
                 },
                 [&](const Reduce& reduce) {
                   bound.kind = reduce.from_left ? Kind::reduce_left : Kind::reduce_right;
                   side(std::array{reduce.from}, bound.from);
                   side(std::array{reduce.into}, bound.into);
                 },
                 [&](const Copy& copy) {
                   bound.kind = Kind::copy;
                   side(copy.from, bound.from);
                   side(copy.into, bound.into);
                 },
             },
             step);
  const bool single = bound.from <= 1 && bound.into <= 1, only_orders = bound.token && bound.length == 0;
  bound.plain = only_orders || (single && !bound.late && !bound.sized);
  return bound.length > 0 || bound.token || bound.late || bound.sized;
}

}  // namespace tutti
