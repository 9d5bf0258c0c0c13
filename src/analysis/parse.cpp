/// The way back from text to programs: a scanner a line, one function a step.
#include <array>
#include <charconv>

#include "analysis/text.hpp"

namespace tutti {
namespace {

class Line {
 public:
  Line(std::string_view text, int number) : rest_(text), number_(number) { skip(); }

  [[noreturn]] void fail(const std::string& expected) const {
    throw TextError("expected " + expected + (rest_.empty() ? " before the end" : " at '" + std::string(rest_) + "'"),
                    number_);
  }
  bool done() const { return rest_.empty(); }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip();
    return true;
  }
  void need(std::string_view word) {
    if (!take(word)) fail("'" + std::string(word) + "'");
  }
  int number() {
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fail("a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip();
    return value;
  }

 private:
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
  int number_;
};

/// `first` or `first:end`, as {first, count}.
std::array<int, 2> parse_range(Line& line) {
  const int first = line.number();
  const int end = line.take(":") ? line.number() : first + 1;
  if (first < 0 || end < first) line.fail("a range that does not end before it begins");
  return {first, end - first};
}

int parse_set(Line& line) {
  line.need("set");
  return line.number();
}

Step parse_peers(Line& line) {
  Peers peers{parse_set(line), {}};
  if (line.done()) return peers;
  do {
    const auto ranks = parse_range(line);
    for (Rank rank = ranks[0]; rank < ranks[0] + ranks[1]; ++rank) peers.ranks.push_back(rank);
  } while (line.take(","));
  return peers;
}

Buffer parse_buffer(Line& line) {
  if (line.take("input")) return Buffer::input;
  if (line.take("output")) return Buffer::output;
  if (line.take("scratch")) return Buffer::scratch;
  if (line.take("token")) return Buffer::token;
  line.fail("input, output, scratch or token");
}

Blocks parse_blocks(Line& line) {
  Blocks blocks;
  blocks.buffer = parse_buffer(line);
  if (blocks.buffer == Buffer::scratch) blocks.slot = line.number();
  line.need("[");
  const auto owners = parse_range(line);
  blocks.first = owners[0], blocks.count = owners[1];
  line.need("]");
  if (line.take("{")) {
    const auto parts = parse_range(line);
    blocks.part = parts[0], blocks.parts = parts[1];
    line.need("/");
    blocks.of = line.number();
    line.need("}");
  }
  return blocks;
}

BlockList parse_list(Line& line) {
  BlockList list;
  if (line.take("nothing")) return list;
  do list.add(parse_blocks(line));
  while (line.take(","));
  return list;
}

Step parse_area(Line& line) {
  Area area;
  area.floating = line.take("any");
  area.learned = line.take("learned");
  const Blocks extent = parse_blocks(line);
  if (extent.buffer != Buffer::scratch) line.fail("an area of scratch");
  area.slot = extent.slot, area.first = extent.first, area.count = extent.count;
  area.part = extent.part, area.parts = extent.parts, area.of = extent.of;
  if (line.take("rotate")) area.rotate = line.number();
  line.need("like");
  area.like = parse_buffer(line);
  return area;
}

Step parse_reduce(Line& line) {
  const Blocks into = parse_blocks(line);
  line.need("=");
  const Blocks left = parse_blocks(line);
  line.need("(+)");
  const Blocks right = parse_blocks(line);
  if (right == into) return Reduce{left, into, true};
  if (left == into) return Reduce{right, into, false};
  line.fail("the result as one of the operands");
}

Step parse_send(Line& line) {
  const bool sized = line.take("sized");
  BlockList what = parse_list(line);
  line.need("to");
  const Rank to = line.number();
  return Send{to, std::move(what), sized, line.take("in") ? parse_set(line) : no_set};
}

Step parse_receive(Line& line) {
  const bool sized = line.take("sized");
  BlockList into = parse_list(line);
  line.need("from");
  if (sized || !line.take("any of")) return Receive{line.number(), std::move(into), sized};
  return ReceiveAny{parse_set(line), std::move(into)};
}

Step parse_step(Line& line) {
  if (line.take("area")) return parse_area(line);
  if (line.take("reduce")) return parse_reduce(line);
  if (line.take("round")) return Round{};
  if (line.take("fence")) return Round{true};
  if (line.take("peers")) return parse_peers(line);
  if (line.take("send")) return parse_send(line);
  if (line.take("receive")) return parse_receive(line);
  if (line.take("copy")) {
    BlockList from = parse_list(line);
    line.need("to");
    return Copy{std::move(from), parse_list(line)};
  }
  line.fail("area, peers, send, receive, reduce, copy, round or fence");
}

}  // namespace

Program parse_program(std::string_view text) {
  Program steps;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Line line(whole.substr(0, whole.find('#')), number);
    if (line.done()) continue;
    steps.push_back(parse_step(line));
    if (!line.done()) line.fail("nothing more on the line");
  }
  return steps;
}

}  // namespace tutti
