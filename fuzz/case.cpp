#include "case.hpp"

#include <algorithm>

#include "library.hpp"
#include "variants.hpp"

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
    drawn.type = random.below(plain_datatypes);
  } while (drawn.op >= 0 &&
           !goes(operators()[static_cast<std::size_t>(drawn.op)], datatypes()[static_cast<std::size_t>(drawn.type)]));
}

int element_limit(const Case& drawn, int ranks, std::int64_t limit) {
  const Datatype& type = datatypes()[static_cast<std::size_t>(drawn.type)];
  const auto bytes = static_cast<std::int64_t>(basic_size(type.basic)) * std::max(1, type.basics) * 4;
  const bool shared = drawn.collective == Collective::bcast || drawn.collective == Collective::reduce ||
                      drawn.collective == Collective::allreduce || drawn.collective == Collective::scan ||
                      drawn.collective == Collective::exscan;
  return static_cast<int>(std::max<std::int64_t>(1, limit / bytes / (shared ? 1 : ranks)));
}

/// What a call is besides its collective, root and in-place: drawn where `random` stands.
void draw_amounts(Random& random, const Range& range, int ranks, Case& drawn) {
  using enum Collective;
  drawn.count = draw_count(random, element_limit(drawn, ranks, range.limit));
  drawn.in_place = contract(drawn.collective).in_place != InPlace::never && random.chance(30);
  drawn.wide = random.chance(30);
  if (is_v(drawn.collective)) {
    drawn.counts = uneven(random, ranks, drawn.count);
    drawn.span = scatter_blocks(random, drawn.counts, drawn.displacements);
  }
  if (drawn.collective != alltoallv && drawn.collective != alltoallw) return;
  for (int row = 0; row < ranks; ++row) drawn.matrix.push_back(uneven(random, ranks, drawn.count));
  if (!drawn.in_place) return;
  for (std::size_t i = 0; i < drawn.matrix.size(); ++i)  // pairs exchange equal amounts
    for (std::size_t j = 0; j < i; ++j) drawn.matrix[i][j] = drawn.matrix[j][i];
}

/// A wrong call needs data on every rank, or the library may not look at what is wrong.
void add_blunder(Random& random, Case& drawn, int ranks) {
  Blunder blunder;
  if (!draw_blunder(random, drawn.collective, ranks, drawn.root, blunder)) return;
  drawn.blunder = blunder;
  drawn.in_place = false;
  drawn.count = std::max(1, drawn.count);
  if (!drawn.counts.empty()) {
    for (int& count : drawn.counts) count = std::max(1, count);
    drawn.span = scatter_blocks(random, drawn.counts, drawn.displacements);
  }
  for (auto& row : drawn.matrix)
    for (int& count : row) count = std::max(1, count);
}

/// `main`: the part that the case belongs to; others may join.
Case draw_call(Random& random, const Range& range, int group, int ranks, std::optional<Part> main) {
  const auto joins = [&](Part part) { return range.parts.has(part) && (main == part || random.chance(25)); };
  Case drawn;
  const auto kinds = static_cast<int>(range.collectives.size());
  drawn.collective = range.collectives[static_cast<std::size_t>(random.below(kinds))];
  drawn.group = group;
  drawn.root = random.below(ranks);
  const bool plain = main == Part::moves;
  const bool mistaken = !plain && joins(Part::mistakes);
  const bool varied = !plain && !mistaken && joins(Part::types);
  if (varied)
    draw_rare_type(random, drawn);
  else
    draw_type(random, drawn);
  draw_amounts(random, range, ranks, drawn);
  if (mistaken) add_blunder(random, drawn, ranks);
  if (varied) vary_types(random, drawn, ranks);
  if (!plain && joins(Part::names)) drawn.spellings = draw_spellings(random, ranks);
  return drawn;
}

}  // namespace

std::vector<Spelling> draw_spellings(Random& random, int ranks) {
  const auto any = [&] { return static_cast<Spelling>(random.below(drawn_spellings)); };
  std::vector<Spelling> drawn(static_cast<std::size_t>(ranks), random.chance(50) ? Spelling::c : any());
  if (random.chance(30))
    drawn[static_cast<std::size_t>(random.below(ranks))] = any();  // one rank alone
  else if (random.chance(80))
    for (Spelling& each : drawn) each = any();
  return drawn;
}

Spelling spelling_of(const Case& which, int me) {
  if (!which.spellings.empty()) return which.spellings[static_cast<std::size_t>(me)];
  return which.wide ? Spelling::wide : Spelling::c;
}

Case draw(const Range& range, int number, const std::vector<ShmGroup>& groups) {
  Random random(range.seed, static_cast<std::uint64_t>(number));
  const Part part = part_of(range.parts, range.seed, number);
  for (;;) {
    const int group = random.below(static_cast<int>(groups.size()));
    const int ranks = groups[static_cast<std::size_t>(group)].size;
    Case drawn = draw_call(random, range, group, ranks, part);
    drawn.seed = range.seed, drawn.number = number;
    if (library_is_sound(drawn, ranks)) return drawn;
  }
}

Case draw_turn(const Range& range, int number, int turn, int ranks) {
  Random random(range.seed ^ 0x7042, static_cast<std::uint64_t>(number) * 256 + static_cast<std::uint64_t>(turn));
  for (;;) {
    Case drawn = draw_call(random, range, 0, ranks, std::nullopt);
    drawn.seed = range.seed, drawn.number = number, drawn.turn = turn;
    if (library_is_sound(drawn, ranks)) return drawn;
  }
}

namespace {

/// ", receives int | int32_t | ..."
std::string listed(const char* what, const std::vector<int>& types, const std::vector<char>& absolute) {
  if (types.empty() && absolute.empty()) return {};
  std::string text = std::string(", ") + what;
  const char* before = " ";
  for (std::size_t i = 0; i < std::max(types.size(), absolute.size()); ++i, before = " | ") {
    text += before;
    if (!types.empty()) text += datatypes()[static_cast<std::size_t>(types[i])].name;
    if (!absolute.empty() && absolute[i]) text += "@address";
  }
  return text;
}

}  // namespace

std::string describe(const Case& which, const ShmGroup& group) {
  std::string text = "case " + std::to_string(which.number);
  if (which.turn > 0) text += " call " + std::to_string(which.turn);
  text += ": " + std::string(name(which.collective)) + (which.wide ? " (large-count form)" : "") + " on " + group.name +
          " of " + std::to_string(group.size) + ", " + std::to_string(which.count) + " x " +
          datatypes()[static_cast<std::size_t>(which.type)].name;
  if (which.op >= 0) text += ", " + operators()[static_cast<std::size_t>(which.op)].name;
  if (rooted(which.collective)) text += ", root " + std::to_string(which.root);
  if (which.in_place) text += ", in place";
  if (which.blunder) text += ", first wrong: " + describe(*which.blunder);
  const char* before = ", spelled ";
  for (const Spelling spelling : which.spellings) {
    text += before + std::string(name(spelling));
    before = " | ";
  }
  return text + listed("sends", which.send_types, which.absolute_send) +
         listed("receives", which.receive_types, which.absolute_receive);
}

}  // namespace tutti::fuzz
