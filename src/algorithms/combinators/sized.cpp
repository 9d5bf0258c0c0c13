/// The v-form of a gather or scatter: sizes travel with the blocks.
#include <algorithm>
#include <map>

#include "algorithms/combinators/combinators.hpp"

namespace tutti {
namespace {

/// Whose blocks are named: scratch positions stand for owners as their areas say.
class Owners {
 public:
  explicit Owners(int ranks) : ranks_(ranks) {}
  void declare(const Area& area) { rotations_[area.slot] = area.rotate; }
  bool any_but(Rank rank, const BlockList& blocks) const {
    return std::any_of(blocks.begin(), blocks.end(), [&](const Blocks& run) {
      const int rotate = run.buffer == Buffer::scratch ? rotations_.at(run.slot) : 0;
      return run.count > 1 || (run.count == 1 && (run.first + rotate) % ranks_ != rank);
    });
  }

 private:
  int ranks_;
  std::map<int, int> rotations_;
};

}  // namespace

Schedule sized(Context context, Schedule inner) {
  Owners owners(context.size);
  const auto tells = [&](Rank receiver, const BlockList& blocks) {
    return receiver != context.root && owners.any_but(receiver, blocks);
  };
  while (const Step* next = inner.next()) {
    Step step = *next;
    if (auto* area = std::get_if<Area>(&step)) owners.declare(*area), area->learned = context.me != context.root;
    if (auto* send = std::get_if<Send>(&step)) send->sized = tells(send->to, send->what);
    if (auto* receive = std::get_if<Receive>(&step)) receive->sized = tells(context.me, receive->into);
    co_yield step;
  }
}

}  // namespace tutti
