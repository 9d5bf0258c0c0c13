#include "algorithms/combinators/on_runs.hpp"

#include <algorithm>
#include <map>

#include "algorithms/combinators/renamed.hpp"
#include "core/layout.hpp"

namespace tutti {
namespace {

class Runs {
 public:
  explicit Runs(std::vector<int> starts) : starts_(std::move(starts)) {}

  /// Blocks or an area: positions of a row that begins with the run `rotate`.
  template <class Row>
  Row spread(Row row, int rotate) const {
    const int first = place(row.first, rotate), count = place(row.first + row.count, rotate) - first;
    row.first = first, row.count = count;
    if (row.of == 1 || count == 1) return row;
    const Extent share = balanced(count, row.part, row.parts, row.of);
    row.first += static_cast<int>(share.offset), row.count = static_cast<int>(share.length);
    row.part = 0, row.parts = 1, row.of = 1;
    return row;
  }

  Area anchored(const Area& area) const {
    Area spread_out = spread(area, area.rotate);
    spread_out.rotate = start(area.rotate) - start(0);
    return spread_out;
  }

  /// Has room for the largest run of so many runs, or of so many shares of the first one.
  Area floating(Area area) const {
    if (area.of > 1 && start(1) - start(0) == 1) return area;
    if (area.of > 1) return spread(area, 0);  // the first shares are the largest
    int most = 0;
    for (int i = 0; i + area.count <= runs(); ++i) most = std::max(most, start(i + area.count) - start(i));
    area.count = most;
    return area;
  }

 private:
  int runs() const { return static_cast<int>(starts_.size()) - 1; }
  int start(int run) const { return starts_[static_cast<std::size_t>(run)]; }
  /// The position at which position i of a row of runs begins.
  int place(int i, int rotate) const {
    const int at = i + rotate;
    return start(0) +
           (at <= runs() ? start(at) - start(rotate) : start(runs()) - start(rotate) + start(at - runs()) - start(0));
  }
  std::vector<int> starts_;
};

}  // namespace

Schedule on_runs(Schedule inner, std::vector<int> starts) {
  const Runs runs(std::move(starts));
  std::map<int, int> rotations;  // of anchored slots
  const auto area = [&](const Area& area) {
    if (area.floating) return runs.floating(area);
    rotations[area.slot] = area.rotate;
    return runs.anchored(area);
  };
  const auto blocks = [&](const Blocks& run) {
    if (run.buffer == Buffer::token) return run;
    const auto slot = run.buffer == Buffer::scratch ? rotations.find(run.slot) : rotations.end();
    return runs.spread(run, slot == rotations.end() ? 0 : slot->second);
  };
  Schedule steps = renamed(std::move(inner), {.peer = {}, .blocks = blocks, .area = area});
  while (const Step* step = steps.next()) co_yield *step;
}

}  // namespace tutti
