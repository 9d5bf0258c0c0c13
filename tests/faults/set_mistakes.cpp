/// Messages that are received in any order, and sets of peers that are not those who send.
#include <algorithm>

#include "mistake.hpp"

namespace tutti::faults {
namespace {

/// A rank that is not in the set; one that is not there, where all are.
Rank stranger(const Site& site, const Peers& peers) {
  for (Rank rank = 0; rank < site.subject.size; ++rank)
    if (rank != site.place.rank && std::ranges::find(peers.ranks, rank) == peers.ranks.end()) return rank;
  return site.subject.size;
}

bool set_too_small(const Site& site) {
  auto* const peers = site.as<Peers>();
  if (peers == nullptr) return false;
  peers->ranks.erase(peers->ranks.begin() + static_cast<std::ptrdiff_t>(site.draw(peers->ranks.size())));
  return true;
}

bool set_too_large(const Site& site) {
  auto* const peers = site.as<Peers>();
  if (peers == nullptr) return false;
  peers->ranks.push_back(stranger(site, *peers));
  return true;
}

bool wrong_peer_in_set(const Site& site) {
  auto* const peers = site.as<Peers>();
  if (peers == nullptr) return false;
  peers->ranks[site.draw(peers->ranks.size())] = stranger(site, *peers);
  return true;
}

bool twice_in_set(const Site& site) {
  auto* const peers = site.as<Peers>();
  if (peers == nullptr) return false;
  peers->ranks.push_back(peers->ranks.front());
  return true;
}

bool set_forgotten(const Site& site) {
  if (site.as<Peers>() == nullptr) return false;
  site.program().erase(site.program().begin() + static_cast<std::ptrdiff_t>(site.place.step));
  return true;
}

bool sent_outside_its_set(const Site& site) {
  auto* const send = site.as<Send>();
  if (send == nullptr || send->set == no_set) return false;
  send->set = no_set;
  return true;
}

bool sent_in_another_set(const Site& site) {
  auto* const send = site.as<Send>();
  if (send == nullptr || send->set == no_set) return false;
  ++send->set;
  return true;
}

bool asks_another_set(const Site& site) {
  auto* const receive = site.as<ReceiveAny>();
  if (receive == nullptr) return false;
  ++receive->set;
  return true;
}

/// Names one of the peers, though any may come.
bool waits_for_one(const Site& site) {
  auto* const any = site.as<ReceiveAny>();
  if (any == nullptr) return false;
  for (const Step& step : site.program()) {
    const auto* const peers = std::get_if<Peers>(&step);
    if (peers == nullptr || peers->set != any->set) continue;
    const Rank one = peers->ranks[site.draw(peers->ranks.size())];
    site.step() = receive(one, BlockList(any->into));
    return true;
  }
  return false;
}

/// What one message brought is not combined.
bool one_is_lost(const Site& site) {
  if (site.as<ReceiveAny>() == nullptr) return false;
  Program& program = site.program();
  for (std::size_t i = site.place.step + 1; i < program.size(); ++i) {
    if (!std::holds_alternative<Reduce>(program[i])) continue;
    program.erase(program.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

constexpr Mistake all[] = {
    {"set too small", set_too_small},
    {"set too large", set_too_large},
    {"wrong peer in a set", wrong_peer_in_set},
    {"a peer twice in a set", twice_in_set},
    {"set not declared", set_forgotten},
    {"sent outside its set", sent_outside_its_set},
    {"sent in another set", sent_in_another_set},
    {"receives from another set", asks_another_set},
    {"receives from one, though any may come", waits_for_one},
    {"one that came is lost", one_is_lost},
};

}  // namespace

std::span<const Mistake> set_mistakes() { return all; }

}  // namespace tutti::faults
