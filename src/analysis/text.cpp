#include "analysis/text.hpp"

namespace tutti {
namespace {

constexpr std::string_view buffer_names[] = {"input", "output", "scratch", "token"};

std::string set_name(int set) { return "set" + std::to_string(set); }

std::string range(int first, int count) {
  std::string text = std::to_string(first);
  if (count != 1) text.append(":").append(std::to_string(first + count));
  return text;
}

/// Ranks in their order, rises of one as ranges: 1, 4:7.
std::string ranges(const std::vector<Rank>& ranks) {
  std::string text;
  for (std::size_t i = 0, end = 0; i < ranks.size(); i = end) {
    for (end = i + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;) ++end;
    text += (i == 0 ? " " : ", ") + range(ranks[i], static_cast<int>(end - i));
  }
  return text;
}

struct Print {
  std::string operator()(const Area& area) const {
    const Blocks extent{Buffer::scratch, area.slot, area.first, area.count, area.part, area.parts, area.of};
    std::string text =
        std::string("area ") + (area.floating ? "any " : "") + (area.learned ? "learned " : "") + to_text(extent);
    if (area.rotate != 0) text += " rotate " + std::to_string(area.rotate);
    return text + " like " + std::string(buffer_names[static_cast<std::size_t>(area.like)]);
  }
  std::string operator()(const Peers& step) const { return "peers " + set_name(step.set) + ranges(step.ranks); }
  std::string operator()(const Send& step) const {
    return std::string("send ") + (step.sized ? "sized " : "") + to_text(step.what) + " to " + std::to_string(step.to) +
           (step.set == no_set ? "" : " in " + set_name(step.set));
  }
  std::string operator()(const Receive& step) const {
    return std::string("receive ") + (step.sized ? "sized " : "") + to_text(step.into) + " from " +
           std::to_string(step.from);
  }
  std::string operator()(const ReceiveAny& step) const {
    return "receive " + to_text(step.into) + " from any of " + set_name(step.set);
  }
  std::string operator()(const Reduce& step) const {
    const std::string from = to_text(step.from), into = to_text(step.into);
    return "reduce " + into + " = " + (step.from_left ? from + " (+) " + into : into + " (+) " + from);
  }
  std::string operator()(const Copy& step) const { return "copy " + to_text(step.from) + " to " + to_text(step.into); }
  std::string operator()(const Round& mark) const { return mark.fence ? "fence" : "round"; }
};

}  // namespace

std::string to_text(const Blocks& blocks) {
  std::string text(buffer_names[static_cast<std::size_t>(blocks.buffer)]);
  if (blocks.buffer == Buffer::scratch) text += std::to_string(blocks.slot);
  text.append("[").append(range(blocks.first, blocks.count)).append("]");
  if (blocks.of != 1 || blocks.part != 0 || blocks.parts != 1)
    text.append("{").append(range(blocks.part, blocks.parts)).append("/").append(std::to_string(blocks.of)).append("}");
  return text;
}

std::string to_text(const BlockList& list) {
  if (list.size() == 0) return "nothing";
  std::string text;
  for (const Blocks& run : list) text += (text.empty() ? "" : ", ") + to_text(run);
  return text;
}

std::string to_text(const Step& step) { return std::visit(Print{}, step); }

std::string to_text(const Program& steps) {
  std::string text;
  for (const Step& step : steps) text += to_text(step) + "\n";
  return text;
}

}  // namespace tutti
