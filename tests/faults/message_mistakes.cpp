/// Messages that go astray.
#include "mistake.hpp"

namespace tutti::faults {
namespace {

void erase(const Site& site, const Place& place) {
  Program& program = site.programs[static_cast<std::size_t>(place.rank)];
  program.erase(program.begin() + static_cast<std::ptrdiff_t>(place.step));
}

void repeat(const Site& site) {
  site.program().insert(site.program().begin() + static_cast<std::ptrdiff_t>(site.place.step), Step(site.step()));
}

bool wrong_peer(const Site& site) {
  Rank* const other = peer(site.step());
  const int size = site.subject.size;
  if (other == nullptr || size < 3) return false;
  do *other = (*other + 1 + static_cast<Rank>(site.draw(static_cast<std::size_t>(size) - 1))) % size;
  while (*other == site.place.rank);
  return true;
}

/// The peers of this message and of the next one in that direction, which has another payload.  Operands may come in
/// any order where the operator commutes.
bool exchanged_peers(const Site& site) {
  Rank* const mine = peer(site.step());
  if (site.as<Receive>() != nullptr && site.subject.algorithm->constraints.commutative) return false;
  const int next = mine != nullptr ? next_like_it(site.program(), site.place.step) : -1;
  if (next < 0 || site.subject.algorithm->collective == Collective::barrier) return false;
  Step& other = site.program()[static_cast<std::size_t>(next)];
  if (*mine == *peer(other) || *payload(site.step()) == *payload(other)) return false;
  std::swap(*mine, *peer(other));
  return true;
}

bool turned_round(const Site& site) {
  if (const auto* one = site.as<Send>())
    site.step() = one->set == no_set ? Step(Receive{one->to, one->what, one->sized}) : receive_any(one->set, one->what);
  else if (const auto* other = site.as<Receive>())
    site.step() = Step(Send{other->from, other->into, other->sized});
  else
    return false;
  return true;
}

template <class Kind>
bool dropped(const Site& site) {
  if (site.as<Kind>() == nullptr) return false;
  erase(site, site.place);
  return true;
}

bool dropped_at_both_ends(const Site& site) {
  if (site.as<Send>() == nullptr) return false;
  const Place other = other_end(site.programs, site.place);
  erase(site, site.place);
  erase(site, other);
  return true;
}

template <class Kind>
bool repeated(const Site& site) {
  if (site.as<Kind>() == nullptr) return false;
  repeat(site);
  return true;
}

/// Two messages to (or from) one peer, their payloads exchanged.
template <class Kind>
bool out_of_turn(const Site& site) {
  if (site.as<Kind>() == nullptr) return false;
  for (std::size_t i = site.place.step + 1; i < site.program().size(); ++i) {
    Step& later = site.program()[i];
    if (!std::holds_alternative<Kind>(later) || *peer(later) != *peer(site.step())) continue;
    if (*payload(later) == *payload(site.step())) return false;
    std::swap(*payload(later), *payload(site.step()));
    return true;
  }
  return false;
}

constexpr Mistake all[] = {
    {"wrong peer", wrong_peer},
    {"peers of two messages exchanged", exchanged_peers},
    {"sends what it should receive, or the reverse", turned_round},
    {"send dropped", dropped<Send>},
    {"receive dropped", dropped<Receive>},
    {"receive from any dropped", dropped<ReceiveAny>},
    {"message dropped at both ends", dropped_at_both_ends},
    {"sent twice", repeated<Send>},
    {"received twice", repeated<Receive>},
    {"received from any twice", repeated<ReceiveAny>},
    {"two sends to one peer exchanged", out_of_turn<Send>},
    {"two receives from one peer exchanged", out_of_turn<Receive>},
};

}  // namespace

std::span<const Mistake> message_mistakes() { return all; }

}  // namespace tutti::faults
