/// Every rank broadcasts its block in n parts over the circulant graph, all at the same time, and what goes over an
/// edge in a round goes in one message: n - 1 + lg p rounds.  Where one rank's block is much larger than the others', a
/// ring or Bruck carries it whole in round after round; here it is pipelined: for blocks of any sizes T = (n-1 + lg p)
/// alpha + (m + (lg p - 1) m/n) beta at most.  O(p lg p) to make the tables.  Träff, arXiv 2407.18004.
#include <vector>

#include "core/schedule.hpp"
#include "patterns/circulant.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule allgather_circulant_n_block(Context context) {
  const Rank me = context.me;
  const int parts = context.parameter(0, 8);
  const Ring ring{context.size};
  const CirculantGraph graph(context.size);
  const CirculantRounds rounds(graph, parts);
  std::vector<CirculantGraph::Table> tables;  // of the rank that far behind an owner
  for (int offset = 0; offset < context.size; ++offset) tables.push_back(graph.receives(offset));
  for (int i = 0; i < rounds.count(); ++i) {
    const auto arriving = [&](Rank at) {
      BlockList blocks;
      for (int offset = 1; offset < context.size; ++offset) {
        const int number = rounds.block(tables[static_cast<std::size_t>(offset)], i);
        if (number >= 0) blocks.add(part(output(ring.behind(at, offset)), number, parts));
      }
      return blocks;
    };
    const int k = rounds.graph_round(i);
    const Rank to = graph.ahead(me, k);
    co_yield send(to, arriving(to));
    co_yield receive(graph.behind(me, k), arriving(me));
    co_yield round_mark();
  }
}

}  // namespace tutti
