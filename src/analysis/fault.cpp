#include "analysis/fault.hpp"

#include <algorithm>

#include "analysis/text.hpp"

namespace tutti {
namespace {

constexpr int around = 3;  // steps shown before and after

}  // namespace

Fault fault_at(Rank rank, int step, const Program& steps, std::string expected) {
  const int length = static_cast<int>(steps.size());
  const int centre = step < 0 ? length : step;
  Fault fault{rank, step, {}, std::move(expected), {}};
  if (step >= 0) fault.text = to_text(steps[static_cast<std::size_t>(step)]);
  for (int i = std::max(0, centre - around); i < std::min(length, centre + around + 1); ++i)
    fault.neighbourhood +=
        (i == step ? "> " : "  ") + std::to_string(i) + "  " + to_text(steps[static_cast<std::size_t>(i)]) + "\n";
  return fault;
}

std::string to_text(const Fault& fault) {
  std::string text;
  if (fault.rank >= 0) text += "rank " + std::to_string(fault.rank) + ", ";
  text += fault.step >= 0 ? "step " + std::to_string(fault.step) + ": " + fault.text : "after the last step";
  text += ": " + fault.expected + "\n" + fault.neighbourhood;
  return text;
}

}  // namespace tutti
