#include "case.hpp"

#include <algorithm>

#include "library.hpp"

namespace tutti::fuzz {
namespace {

int draw_count(Random& random, int limit) {
  const int kind = random.below(100);
  int count = 0;
  if (kind < 8)
    count = 0;
  else if (kind < 25)
    count = 1;
  else if (kind < 60)
    count = 1 + random.below(40);
  else if (kind < 85)
    count = 1 + random.below(1500);
  else if (kind < 97)
    count = 1 + random.below(9000);
  else
    count = 1 + random.below(150000);
  return std::min(count, limit);
}

/// Blocks in random order with random gaps; returns the elements spanned.
int scatter_blocks(Random& random, const std::vector<int>& counts, std::vector<int>& displacements) {
  const int ranks = static_cast<int>(counts.size());
  std::vector<int> order(counts.size());
  for (int i = 0; i < ranks; ++i) order[static_cast<std::size_t>(i)] = i;
  if (random.chance(50))
    for (int i = ranks - 1; i > 0; --i)
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.below(i + 1))]);
  const bool gaps = random.chance(50);
  displacements.assign(counts.size(), 0);
  int at = gaps ? random.below(4) : 0;
  for (const int rank : order) {
    displacements[static_cast<std::size_t>(rank)] = at;
    at += counts[static_cast<std::size_t>(rank)] + (gaps ? random.below(3) : 0);
  }
  return at;
}

std::vector<int> uneven(Random& random, int ranks, int around) {
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  for (int& count : counts) count = random.chance(15) ? 0 : random.below(2 * around + 1);
  return counts;
}

bool is_v(Collective c) {
  using enum Collective;
  return c == gatherv || c == scatterv || c == allgatherv || c == reduce_scatter;
}

/// A type, and an operator where there is one, that go together.
void draw_type(Random& random, Case& drawn) {
  do {
    if (reduces(drawn.collective)) drawn.op = random.below(static_cast<int>(operators().size()));
    drawn.type = random.below(static_cast<int>(datatypes().size()));
  } while (drawn.op >= 0 &&
           !operators()[static_cast<std::size_t>(drawn.op)].takes(datatypes()[static_cast<std::size_t>(drawn.type)]));
}

int element_limit(const Case& drawn, int ranks, std::int64_t limit) {
  const Datatype& type = datatypes()[static_cast<std::size_t>(drawn.type)];
  const auto bytes = static_cast<std::int64_t>(basic_size(type.basic)) * type.basics * 4;
  const bool shared = drawn.collective == Collective::bcast || drawn.collective == Collective::reduce ||
                      drawn.collective == Collective::allreduce || drawn.collective == Collective::scan ||
                      drawn.collective == Collective::exscan;
  return static_cast<int>(std::max<std::int64_t>(1, limit / bytes / (shared ? 1 : ranks)));
}

Case draw_any(Random& random, const Range& range, const std::vector<Team>& teams) {
  Case drawn;
  const auto kinds = static_cast<int>(range.collectives.size());
  drawn.collective = range.collectives[static_cast<std::size_t>(random.below(kinds))];
  drawn.team = random.below(static_cast<int>(teams.size()));
  const int ranks = teams[static_cast<std::size_t>(drawn.team)].size;
  drawn.root = random.below(ranks);
  draw_type(random, drawn);
  drawn.count = draw_count(random, element_limit(drawn, ranks, range.limit));
  using enum Collective;
  drawn.in_place = drawn.collective != barrier && drawn.collective != bcast && random.chance(30);
  drawn.wide = random.chance(30);
  if (is_v(drawn.collective)) {
    drawn.counts = uneven(random, ranks, drawn.count);
    drawn.span = scatter_blocks(random, drawn.counts, drawn.displacements);
  }
  if (drawn.collective == alltoallv || drawn.collective == alltoallw) {
    for (int row = 0; row < ranks; ++row) drawn.matrix.push_back(uneven(random, ranks, drawn.count));
    if (drawn.in_place)  // pairs exchange equal amounts
      for (std::size_t i = 0; i < drawn.matrix.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) drawn.matrix[i][j] = drawn.matrix[j][i];
  }
  return drawn;
}

}  // namespace

Case draw(const Range& range, int number, const std::vector<Team>& teams) {
  Random random(range.seed, static_cast<std::uint64_t>(number));
  for (;;) {
    Case drawn = draw_any(random, range, teams);
    drawn.seed = range.seed, drawn.number = number;
    if (library_is_sound(drawn, teams[static_cast<std::size_t>(drawn.team)].size)) return drawn;
  }
}

std::string describe(const Case& which, const std::vector<Team>& teams) {
  const auto& team = teams[static_cast<std::size_t>(which.team)];
  std::string text = "case " + std::to_string(which.number) + ": " + std::string(name(which.collective)) +
                     (which.wide ? " (large-count form)" : "") + " on " + team.name + " of " +
                     std::to_string(team.size) + ", " + std::to_string(which.count) + " x " +
                     datatypes()[static_cast<std::size_t>(which.type)].name;
  if (which.op >= 0) text += ", " + operators()[static_cast<std::size_t>(which.op)].name;
  if (rooted(which.collective)) text += ", root " + std::to_string(which.root);
  if (which.in_place) text += ", in place";
  return text;
}

}  // namespace tutti::fuzz
