/// Every round of the circulant graph brings every rank one new block, so n blocks take n - 1 + q rounds, as few as can
/// be: T = (n - 1 + lg p)(alpha + m/n beta), least at n = sqrt((lg p - 1) m beta / alpha), for any p.
/// Träff, arXiv 2407.18004.
#include "algorithms/bcast/bcast.hpp"

namespace tutti {

Schedule bcast_circulant(Context context, int blocks, CirculantGraph graph) {
  const Rank v = context.relative(context.me);
  const CirculantRounds rounds(graph, blocks);
  const CirculantGraph::Table sends = graph.sends(v), receives = graph.receives(v);
  for (int i = 0; i < rounds.count(); ++i) {
    const int k = rounds.graph_round(i), sent = rounds.block(sends, i), received = rounds.block(receives, i);
    const Rank to = graph.ahead(v, k), from = graph.behind(v, k);
    if (sent >= 0 && to != 0) co_yield send(context.absolute(to), part(output(0), sent, blocks));
    if (received >= 0 && v != 0) co_yield receive(context.absolute(from), part(output(0), received, blocks));
    co_yield round_mark();
  }
}

Schedule bcast_circulant_n_block(Context context) {
  return bcast_circulant(context, context.parameter(0, 8), CirculantGraph(context.size));
}

}  // namespace tutti
