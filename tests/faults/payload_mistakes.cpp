/// Messages that carry the wrong blocks.
#include "mistake.hpp"

namespace tutti::faults {
namespace {

/// The blocks beside these, of the same number: the next ones, or those before where there are none.
bool step_aside(Blocks& run, const Subject& subject) {
  const int owners = one_vector(subject.algorithm->collective) ? 1 : subject.size;
  if (run.of > 1) {
    if (run.part + run.parts < run.of)
      ++run.part;
    else if (run.part > 0)
      --run.part;
    else
      return false;
    return true;
  }
  if (run.buffer == Buffer::token) return false;  // what is told is that the sender is here, from whichever token
  if (run.first + run.count < owners)
    ++run.first;
  else if (run.first > 0)
    --run.first;
  else
    return false;
  return true;
}

/// One owner or part fewer; a token run still tells of itself without the last one.
bool cut_short(Blocks& run) {
  int& length = run.of > 1 ? run.parts : run.count;
  if (length < 1 || (length == 1 && run.buffer == Buffer::token)) return false;
  --length;
  return true;
}

bool go_on(Blocks& run, const Subject& subject) {
  const int owners = one_vector(subject.algorithm->collective) ? 1 : subject.size;
  if (run.buffer == Buffer::token) return false;  // telling what it may not know is no lie: it knows nothing of it
  if (run.of > 1 ? run.part + run.parts >= run.of : run.first + run.count >= owners) return false;
  ++(run.of > 1 ? run.parts : run.count);
  return true;
}

/// Changes one run of the payload, drawn by lot.
template <class Change>
bool change_run(const Site& site, Step& step, std::size_t which, const Change& change) {
  BlockList* const list = payload(step);
  if (list == nullptr || list->size() == 0) return false;
  BlockList changed;
  bool done = false;
  for (std::size_t i = 0; i < list->size(); ++i) {
    Blocks run = list->runs()[i];
    if (i == which % list->size()) done = change(run, site.subject);
    changed.add(run);
  }
  *list = changed;
  return done;
}

bool shorter(Blocks& run, const Subject&) { return cut_short(run); }

template <class Kind, bool (*change)(Blocks&, const Subject&)>
bool one_end(const Site& site) {
  if (site.as<Kind>() == nullptr) return false;
  // Where a token is received says nothing but where; what is sent from there is another matter.
  if (std::holds_alternative<Receive>(site.step()) && site.subject.algorithm->collective == Collective::barrier)
    return false;
  return change_run(site, site.step(), site.draw(64), change);
}

template <bool (*change)(Blocks&, const Subject&)>
bool both_ends(const Site& site) {
  if (site.as<Send>() == nullptr || site.subject.algorithm->collective == Collective::barrier) return false;
  const Place other = other_end(site.programs, site.place);
  const std::size_t which = site.draw(64);
  Step& theirs = site.programs[static_cast<std::size_t>(other.rank)][other.step];
  if (payload(theirs)->size() != payload(site.step())->size()) return false;
  return change_run(site, site.step(), which, change) && change_run(site, theirs, which, change);
}

bool exchanged_runs(const Site& site) {
  BlockList* const list = payload(site.step());
  if (list == nullptr || list->size() < 2 || list->begin()->buffer == Buffer::token) return false;
  const std::size_t one = site.draw(list->size()), other = (one + 1) % list->size();
  BlockList exchanged;
  for (std::size_t i = 0; i < list->size(); ++i) exchanged.add(list->runs()[i == one ? other : i == other ? one : i]);
  *list = exchanged;
  return true;
}

bool other_cut(Blocks& run, const Subject&) {
  if (run.of == 1 || run.buffer == Buffer::token) return false;
  ++run.of;
  return true;
}

bool other_buffer(Blocks& run, const Subject&) {
  if (run.buffer == Buffer::token) return false;
  run.buffer = run.buffer == Buffer::input ? Buffer::output : Buffer::input;
  return true;
}

bool other_slot(Blocks& run, const Subject&) {
  if (run.buffer != Buffer::scratch) return false;
  run.slot += run.slot == 0 ? 1 : -1;
  return true;
}

bool not_told(const Site& site) {
  if (auto* one = site.as<Send>(); one != nullptr && one->sized) return one->sized = false, true;
  if (auto* other = site.as<Receive>(); other != nullptr && other->sized) return other->sized = false, true;
  return false;
}

constexpr Mistake all[] = {
    {"sends the blocks beside", one_end<Send, step_aside>},
    {"receives into the blocks beside", one_end<Receive, step_aside>},
    {"the blocks beside at both ends", both_ends<step_aside>},
    {"sends one block too few", one_end<Send, shorter>},
    {"receives one block too few", one_end<Receive, shorter>},
    {"one block too few at both ends", both_ends<shorter>},
    {"sends one block too many", one_end<Send, go_on>},
    {"receives one block too many", one_end<Receive, go_on>},
    {"two runs of a payload exchanged", exchanged_runs},
    {"sends of another cut", one_end<Send, other_cut>},
    {"receives into another cut", one_end<Receive, other_cut>},
    {"sends from another buffer", one_end<Send, other_buffer>},
    {"receives into another buffer", one_end<Receive, other_buffer>},
    {"sends from another scratch area", one_end<Send, other_slot>},
    {"receives into another scratch area", one_end<Receive, other_slot>},
    {"sizes not told, or not expected", not_told},
};

}  // namespace

std::span<const Mistake> payload_mistakes() { return all; }

}  // namespace tutti::faults
