#pragma once
/// Whether steps of one rank touch the same memory, in calls whose blocks are all equal.
#include <cstdint>

#include "core/layout.hpp"
#include "core/step.hpp"

namespace tutti::simulation {

/// Elements of payloads, and overlaps of runs, for one rank.
class Memory {
 public:
  Memory(std::int64_t block, std::uint64_t floating) : block_(block), floating_(floating) {}

  /// Areas of slots below 64 that hold one run at a time; those beyond are taken for such.
  static std::uint64_t floats(std::uint64_t before, const Area& area) {
    return area.floating && area.slot < 64 ? before | std::uint64_t{1} << area.slot : before;
  }
  std::int64_t length(const Blocks& run) const {
    if (run.buffer == Buffer::token) return 0;
    return run.of == 1 ? run.count * block_ : balanced(block_, run.part, run.parts, run.of).length;
  }
  std::int64_t length(const BlockList& list) const {
    std::int64_t all = 0;
    for (const Blocks& run : list) all += length(run);
    return all;
  }
  bool overlap(const Blocks& a, const Blocks& b) const {
    if (a.buffer != b.buffer) return false;
    if (a.buffer == Buffer::scratch) {
      if (a.slot != b.slot) return false;
      if (a.slot >= 64 || (floating_ >> a.slot & 1)) return true;
    }
    if (a.of == 1 && b.of == 1) return a.first < b.first + b.count && b.first < a.first + a.count;
    if (a.of == b.of) return a.first == b.first && a.part < b.part + b.parts && b.part < a.part + a.parts;
    return begin(a) < end(b) && begin(b) < end(a);
  }
  bool overlap(const BlockList& a, const BlockList& b) const {
    for (const Blocks& x : a)
      for (const Blocks& y : b)
        if (overlap(x, y)) return true;
    return false;
  }
  bool overlap(const BlockList& a, const Blocks& y) const {
    for (const Blocks& x : a)
      if (overlap(x, y)) return true;
    return false;
  }

 private:
  std::int64_t begin(const Blocks& run) const {
    return run.first * block_ + (run.of == 1 ? 0 : balanced(block_, run.part, run.parts, run.of).offset);
  }
  std::int64_t end(const Blocks& run) const { return begin(run) + length(run); }

  std::int64_t block_;
  std::uint64_t floating_;
};

/// What a sized message begins with: 64 bits an owner.
inline std::int64_t sized_header(const BlockList& list) {
  std::int64_t owners = 0;
  for (const Blocks& run : list) owners += run.count;
  return 8 * owners;
}

/// `step` may not begin before memory is free that an unfinished step reads or writes (`list`).
inline bool waits_for(const Memory& memory, const Step& step, const BlockList& list, bool written) {
  if (const auto* send = std::get_if<Send>(&step)) return written && memory.overlap(list, send->what);
  if (const BlockList* into = received(step)) return memory.overlap(list, *into);
  if (const auto* reduce = std::get_if<Reduce>(&step))
    return (written && memory.overlap(list, reduce->from)) || memory.overlap(list, reduce->into);
  if (const auto* copy = std::get_if<Copy>(&step))
    return (written && memory.overlap(list, copy->from)) || memory.overlap(list, copy->into);
  return false;
}

/// The same for an unfinished step that has not begun.
inline bool waits_for(const Memory& memory, const Step& step, const Step& earlier) {
  if (const auto* send = std::get_if<Send>(&earlier)) {
    const auto* mine = std::get_if<Send>(&step);
    return (mine && mine->to == send->to) || waits_for(memory, step, send->what, false);
  }
  if (const BlockList* into = received(earlier)) {
    const auto *mine = std::get_if<Receive>(&step), *other = std::get_if<Receive>(&earlier);
    if (mine && other && mine->from == other->from) return true;
    return waits_for(memory, step, *into, true);
  }
  if (const auto* reduce = std::get_if<Reduce>(&earlier))
    return waits_for(memory, step, reduce->from, false) || waits_for(memory, step, reduce->into, true);
  if (const auto* copy = std::get_if<Copy>(&earlier))
    return waits_for(memory, step, copy->from, false) || waits_for(memory, step, copy->into, true);
  return false;
}

}  // namespace tutti::simulation
