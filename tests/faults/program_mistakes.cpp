/// A rank takes itself, or the call, for another.
#include "mistake.hpp"

namespace tutti::faults {
namespace {

/// Gives the rank another program; false if it is the same.
bool replace(const Site& site, Program other) {
  if (other == site.program()) return false;
  site.program() = std::move(other);
  return true;
}

Program made(const Site& site, const Context& context) { return program(site.subject.algorithm->schedule(context)); }

bool another_rank(const Site& site) {
  const int size = site.subject.size;
  if (size < 2) return false;
  Context context = site.subject.problem().context(site.place.rank);
  context.me = (context.me + 1 + static_cast<Rank>(site.draw(static_cast<std::size_t>(size) - 1))) % size;
  return replace(site, made(site, context));
}

bool another_root(const Site& site) {
  const int size = site.subject.size;
  if (size < 2 || !rooted(site.subject.algorithm->collective)) return false;
  Context context = site.subject.problem().context(site.place.rank);
  context.root = (context.root + 1 + static_cast<Rank>(site.draw(static_cast<std::size_t>(size) - 1))) % size;
  return replace(site, made(site, context));
}

bool one_rank_more(const Site& site) {
  Context context = site.subject.problem().context(site.place.rank);
  ++context.size;
  if (!obstacle(site.subject.algorithm->constraints, {.ranks = context.size}).empty()) return false;
  return replace(site, made(site, context));
}

bool other_parameters(const Site& site) {
  const auto parameters = site.subject.algorithm->parameters;
  if (parameters.empty()) return false;
  const std::size_t which = site.draw(parameters.size());
  Context context = site.subject.problem().context(site.place.rank);
  int& value = context.parameters.values[which];
  value = value == 0 ? 3 : value + 1;
  return replace(site, made(site, context));
}

/// Ends before a step that does something.
bool ends_early(const Site& site) {
  const Step& step = site.step();
  if (std::holds_alternative<Round>(step) || declares(step)) return false;
  site.program().resize(site.place.step);
  return true;
}

bool idle(const Site& site) { return replace(site, {}); }

constexpr Mistake all[] = {
    {"program of another rank", another_rank},    {"program for another root", another_root},
    {"program for one rank more", one_rank_more}, {"program with other parameters", other_parameters},
    {"program ends early", ends_early},           {"no program", idle},
};

}  // namespace

std::span<const Mistake> program_mistakes() { return all; }

}  // namespace tutti::faults
