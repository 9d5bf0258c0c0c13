#include "analysis/sets.hpp"

#include <algorithm>
#include <string>

#include "analysis/text.hpp"

namespace tutti {
namespace {

std::string name(int set, Rank of) { return "set " + std::to_string(set) + " of rank " + std::to_string(of); }

MatchedStep& bound(std::vector<BoundProgram>& all, Rank rank, int step) {
  return all[static_cast<std::size_t>(rank)].bound[static_cast<std::size_t>(step)];
}

[[noreturn]] void refute(const std::vector<BoundProgram>& all, Rank rank, int step, const std::string& expected) {
  throw Refuted{fault_at(rank, step, all[static_cast<std::size_t>(rank)].steps, expected)};
}

/// Notes the step with the set that it sends in.
void enlist(std::vector<BoundProgram>& all, Rank sender, int step) {
  const MatchedStep& send = bound(all, sender, step);
  std::vector<BoundSet>& sets = all[static_cast<std::size_t>(send.peer)].sets;
  const auto set = std::ranges::find(sets, send.set, &BoundSet::number);
  if (set == sets.end()) refute(all, sender, step, "there is no " + name(send.set, send.peer));
  const auto member = std::ranges::find(set->members, sender);
  if (member == set->members.end())
    refute(all, sender, step, "rank " + std::to_string(sender) + " does not belong to " + name(send.set, send.peer));
  int& known = set->sends[static_cast<std::size_t>(member - set->members.begin())];
  if (known >= 0) refute(all, sender, step, "sends a second message in " + name(send.set, send.peer));
  known = step;
}

/// Whichever message meets whichever step, both have the same size.
void compare(const std::vector<BoundProgram>& all, Rank at, int receive, Rank sender, const MatchedStep& message) {
  const BoundProgram& here = all[static_cast<std::size_t>(at)];
  const MatchedStep& room = here.bound[static_cast<std::size_t>(receive)];
  if (message.length != room.length || message.tokens != room.tokens)
    refute(all, at, receive,
           "makes room for " + std::to_string(room.length) + " elements, but rank " + std::to_string(sender) +
               ", which may come, sends " + std::to_string(message.length));
}

void match(std::vector<BoundProgram>& all, Rank at, const BoundSet& set) {
  const std::size_t members = set.members.size();
  if (set.receives.size() != members)
    refute(all, at, set.declared,
           "has " + std::to_string(members) + " members, but " + std::to_string(set.receives.size()) +
               " steps receive from any of them");
  for (std::size_t i = 0; i < members; ++i) {
    const Rank sender = set.members[i];
    const int sent = set.sends[i];
    if (sent < 0) refute(all, at, set.declared, "rank " + std::to_string(sender) + " sends nothing in this set");
    // Steps of one size: to compare each message with the first, and each step with the first message, is enough.
    compare(all, at, set.receives[0], sender, bound(all, sender, sent));
    compare(all, at, set.receives[i], set.members[0], bound(all, set.members[0], set.sends[0]));
    MatchedStep& receive = bound(all, at, set.receives[i]);
    receive.peer = sender, receive.match = sent;
    bound(all, sender, sent).match = set.receives[i];
  }
}

}  // namespace

void declare(const Peers& step, Rank me, int ranks, int number, std::vector<BoundSet>& sets) {
  if (step.set < 0 || step.set >= most_sets)
    throw Misuse{"sets are numbered from 0 to " + std::to_string(most_sets - 1)};
  if (std::ranges::find(sets, step.set, &BoundSet::number) != sets.end())
    throw Misuse{"set " + std::to_string(step.set) + " is declared twice"};
  std::vector<Rank> sorted = step.ranks;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) throw Misuse{"names a rank twice"};
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= ranks)) throw Misuse{"names a rank that is not there"};
  if (std::ranges::binary_search(sorted, me)) throw Misuse{"a rank sends nothing to itself"};
  sets.push_back({step.set, number, step.ranks, std::vector<int>(step.ranks.size(), -1), {}});
}

void match_sets(std::vector<BoundProgram>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t i = 0; i < all[rank].steps.size(); ++i)
      if (std::holds_alternative<Send>(all[rank].steps[i]) && all[rank].bound[i].set != no_set)
        enlist(all, static_cast<Rank>(rank), static_cast<int>(i));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (const BoundSet& set : all[rank].sets) match(all, static_cast<Rank>(rank), set);
}

}  // namespace tutti
