/// A broadcast's tree backwards inside the groups tells the leaders that all are here; the leaders' barrier; then the
/// same tree forwards tells all of it: T = 2 T_inner(p/G) + T_outer(G), with T_inner that of a broadcast without data.
#include "algorithms/combinators/renamed.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {
namespace {

/// The messages of a broadcast, each of all tokens that have been heard.
Schedule of_tokens(Schedule bcast, int& heard) {
  while (const Step* step = bcast.next()) {
    if (const auto* sent = std::get_if<Send>(step)) co_yield send(sent->to, token(0, heard));
    if (const auto* received = std::get_if<Receive>(step)) co_yield receive(received->from, token(heard++));
    if (std::holds_alternative<Round>(*step)) co_yield *step;
  }
}

/// The same barrier among ranks that have heard of others already: its tokens follow those, and it tells of all.
Schedule after_tokens(Schedule barrier, int& heard) {
  const int base = heard;
  while (const Step* step = barrier.next()) {
    if (const auto* sent = std::get_if<Send>(step)) {
      BlockList known(token(0, base));
      for (Blocks run : sent->what) run.first += base, known.add(run);
      co_yield send(sent->to, std::move(known));
    } else if (const auto* received = std::get_if<Receive>(step)) {
      BlockList into;
      for (Blocks run : received->into)
        run.first += base, heard = std::max(heard, run.first + run.count), into.add(run);
      co_yield receive(received->from, std::move(into));
    } else {
      co_yield *step;
    }
  }
}

}  // namespace

Schedule barrier_in_groups(const Composition& composition, Context context) {
  const Grouping grouping(composition, context);
  int heard = 1;
  Schedule up = of_tokens(reversed(grouping.inside(before)), heard);
  while (const Step* step = up.next()) co_yield *step;
  if (grouping.leads()) {
    Schedule outer = after_tokens(grouping.among_leaders(), heard);
    while (const Step* step = outer.next()) co_yield *step;
  }
  Schedule down = of_tokens(grouping.inside(after), heard);
  while (const Step* step = down.next()) co_yield *step;
}

}  // namespace tutti
