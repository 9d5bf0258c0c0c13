/// Scratch declared wrongly, or not where it is needed.
#include <algorithm>

#include "mistake.hpp"

namespace tutti::faults {
namespace {

bool in_slot(const Blocks& run, int slot) { return run.buffer == Buffer::scratch && run.slot == slot; }

bool uses(const Step& step, int slot) {
  if (declares(step)) return false;
  bool found = false;
  each_run(step, [&](const Blocks& run) { found = found || in_slot(run, slot); });
  return found;
}

/// The area declared here, if the rank comes to use it; null otherwise.
Area* used_area(const Site& site) {
  Area* const area = site.as<Area>();
  if (area == nullptr) return nullptr;
  return std::any_of(site.program().begin(), site.program().end(),
                     [&](const Step& step) { return uses(step, area->slot); })
             ? area
             : nullptr;
}

Program::iterator position(const Site& site) {
  return site.program().begin() + static_cast<std::ptrdiff_t>(site.place.step);
}

/// One block smaller than what is used of it.
bool too_small(const Site& site) {
  Area* const area = used_area(site);
  if (area == nullptr) return false;
  int most = 0;
  const bool parts = area->of > 1;
  for (const Step& step : site.program()) {
    if (std::holds_alternative<Area>(step)) continue;
    each_run(step, [&](const Blocks& run) {
      if (!in_slot(run, area->slot)) return;
      const int first = parts ? run.part : run.first, count = parts ? run.parts : run.count;
      most = std::max(most, area->floating ? count : first + count - (parts ? area->part : area->first));
    });
  }
  (parts ? area->parts : area->count) = most - 1;
  return most > 0;
}

bool shifted(const Site& site) {
  Area* const area = used_area(site);
  if (area == nullptr || area->floating) return false;
  ++(area->of > 1 ? area->part : area->first);
  return true;
}

bool missing(const Site& site) {
  if (used_area(site) == nullptr) return false;
  site.program().erase(position(site));
  return true;
}

bool twice(const Site& site) {
  if (site.as<Area>() == nullptr) return false;
  site.program().insert(position(site), Step(site.step()));
  return true;
}

bool too_late(const Site& site) {
  const Area* const area = used_area(site);
  if (area == nullptr) return false;
  const int slot = area->slot;
  const auto here = position(site);
  const auto user = std::find_if(here, site.program().end(), [&](const Step& step) { return uses(step, slot); });
  std::rotate(here, here + 1, user + 1);
  return true;
}

bool shared(const Site& site) {
  const Area* const area = used_area(site);
  if (area == nullptr) return false;
  for (const Step& step : site.program())
    if (const auto* other = std::get_if<Area>(&step); other != nullptr && other->slot < area->slot) {
      site.as<Area>()->slot = other->slot;
      return true;
    }
  return false;
}

constexpr Mistake all[] = {
    {"scratch too small", too_small},  {"scratch for other blocks", shifted},   {"scratch not declared", missing},
    {"scratch declared twice", twice}, {"scratch declared too late", too_late}, {"two areas in one slot", shared},
};

}  // namespace

std::span<const Mistake> scratch_mistakes() { return all; }

}  // namespace tutti::faults
