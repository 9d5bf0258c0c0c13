#include "simulation/goal/text.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <unordered_map>

namespace tutti::simulation {
namespace {

constexpr std::uint64_t most_ranks = std::uint64_t{1} << 24;
constexpr std::size_t shortest_rank = 8;  // rank 0{} and a line's end

/// Words, numbers and marks of a file, line by line.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw GoalError("line " + std::to_string(line_) + ": " + why);
  }
  std::size_t left() const { return text_.size() - at_; }
  bool done() {
    skip(true);
    return at_ == text_.size();
  }
  /// A word at this place, on this line; empty where there is none.
  std::string_view word() {
    skip(false);
    const std::size_t begin = at_;
    if (at_ < text_.size() && std::isalpha(now()))
      while (at_ < text_.size() && (std::isalnum(now()) || now() == '_')) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool mark(char one) {
    skip(false);
    if (at_ == text_.size() || text_[at_] != one) return false;
    ++at_;
    return true;
  }
  std::uint64_t number(const char* what, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    skip(false);
    const std::size_t begin = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(now()); ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (digit > most || value > (most - digit) / 10)
        fail(std::string(what) + " is larger than " + std::to_string(most));
      value = 10 * value + digit;
    }
    if (at_ == begin) fail(std::string(what) + " is missing" + found());
    return value;
  }
  void end_of_line() {
    skip(false);
    if (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '}') fail("the line should end here" + found());
  }
  /// What stands here instead.
  std::string found() const {
    if (at_ == text_.size()) return ", the file ends";
    if (text_[at_] == '\n') return ", the line ends";
    const auto byte = static_cast<unsigned char>(text_[at_]);
    return std::isprint(byte) ? std::string(", there is '") + text_[at_] + "'"
                              : ", there is a byte " + std::to_string(byte);
  }

 private:
  unsigned char now() const { return static_cast<unsigned char>(text_[at_]); }
  bool here(std::string_view mark) const { return text_.substr(at_, mark.size()) == mark; }
  /// Blanks and comments; ends of lines only if so asked.
  void skip(bool lines) {
    for (; at_ < text_.size(); ++at_) {
      if (here("//")) at_ = std::min(text_.find('\n', at_), text_.size());
      if (here("/*")) skip_comment();
      if (at_ == text_.size()) return;
      const char one = text_[at_];
      if (one == '\n' ? !lines : one != ' ' && one != '\t' && one != '\r') return;
      line_ += one == '\n';
    }
  }
  void skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail("the comment that begins here does not end");
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end + 2;
    skip_after_comment();
  }
  void skip_after_comment() {
    if (here("/*")) skip_comment();
    if (here("//")) at_ = std::min(text_.find('\n', at_), text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : words_(text) {}

  std::vector<Program> read() {
    if (words_.done() || words_.word() != "num_ranks") words_.fail("a program begins with num_ranks" + words_.found());
    const std::uint64_t ranks = words_.number("the number of ranks", most_ranks);
    if (ranks < 1) words_.fail("a program has one rank or more");
    if (ranks > words_.left() / shortest_rank + 1)
      words_.fail("the file is too short for " + std::to_string(ranks) + " ranks");
    programs_.resize(ranks), there_.resize(ranks);
    while (!words_.done()) rank();
    const auto missing = std::ranges::find(there_, false);
    if (missing != there_.end()) words_.fail("rank " + std::to_string(missing - there_.begin()) + " is missing");
    return std::move(programs_);
  }

 private:
  void rank() {
    if (words_.word() != "rank") words_.fail("`rank N {` should stand here" + words_.found());
    const std::uint64_t number = words_.number("the rank", programs_.size() - 1);
    if (there_[number]) words_.fail("rank " + std::to_string(number) + " is there already");
    there_[number] = true;
    if (!words_.mark('{')) words_.fail("{ is missing" + words_.found());
    program_ = {}, dependencies_.clear(), labels_.clear();
    for (;;) {
      if (words_.done()) words_.fail("the } of rank " + std::to_string(number) + " is missing");
      if (words_.mark('}')) break;
      line();
      words_.end_of_line();
    }
    program_.depend(std::move(dependencies_));
    programs_[number] = std::move(program_);
  }

  void line() {
    std::string_view first = words_.word();
    if (first.empty()) words_.fail("an operation, a label or } should stand here" + words_.found());
    if (is_operation(first)) return operation(first);
    if (words_.mark(':')) {
      if (!labels_.emplace(first, program_.operations.size()).second)
        words_.fail("the label " + std::string(first) + " is there already");
      const std::string_view kind = words_.word();
      if (!is_operation(kind)) words_.fail("send, recv or calc should stand here" + words_.found());
      return operation(kind);
    }
    const std::string_view how = words_.word();
    if (how != "requires" && how != "irequires")
      words_.fail(std::string(first) + ": neither an operation, nor `:`, requires or irequires after a label");
    const std::string_view on = words_.word();
    dependencies_.push_back({labelled(first), labelled(on), how == "irequires"});
  }

  static bool is_operation(std::string_view word) { return word == "send" || word == "recv" || word == "calc"; }

  std::uint32_t labelled(std::string_view label) {
    if (label.empty()) words_.fail("a label is missing" + words_.found());
    const auto found = labels_.find(label);
    if (found == labels_.end()) words_.fail("no operation before this line is called " + std::string(label));
    return found->second;
  }

  void operation(std::string_view kind) {
    Operation one;
    one.kind = kind == "send"   ? Operation::Kind::send
               : kind == "recv" ? Operation::Kind::receive
                                : Operation::Kind::calc;
    one.size = words_.number(kind == "calc" ? "the time" : "the size");
    if (one.kind != Operation::Kind::calc) peer(one);
    for (std::string_view name = words_.word(); !name.empty(); name = words_.word()) option(one, name);
    if (program_.operations.size() >= any - 1) words_.fail("a rank has too many operations");
    program_.operations.push_back(one);
  }

  void peer(Operation& one) {
    const bool sends = one.kind == Operation::Kind::send;
    if (words_.word() != "b") words_.fail("a size is a number and b, such as 8b" + words_.found());
    if (words_.word() != (sends ? "to" : "from")) words_.fail(sends ? "`to` is missing" : "`from` is missing");
    one.peer = number_or_any("the rank", !sends, programs_.size() - 1);
  }

  void option(Operation& one, std::string_view name) {
    const bool message = one.kind != Operation::Kind::calc;
    if (name == "tag" && message)
      one.tag = number_or_any("the tag", one.kind == Operation::Kind::receive, any - 1);
    else if (name == "cpu")
      one.cpu = static_cast<std::uint8_t>(words_.number("the cpu", 255));
    else if (name == "nic" && message)
      one.nic = static_cast<std::uint8_t>(words_.number("the nic", 255));
    else
      words_.fail("the line should end before " + std::string(name));
  }

  std::uint32_t number_or_any(const char* what, bool may_be_any, std::uint64_t most) {
    if (!words_.mark('-')) return static_cast<std::uint32_t>(words_.number(what, most));
    if (!may_be_any || words_.number(what) != 1) words_.fail(std::string(what) + " is negative");
    return any;
  }

  Words words_;
  std::vector<Program> programs_;
  std::vector<bool> there_;
  Program program_;
  std::vector<Dependency> dependencies_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
};

std::string label(std::uint32_t operation) { return "l" + std::to_string(std::uint64_t{operation} + 1); }

std::string number_or_any(std::uint32_t number) { return number == any ? "-1" : std::to_string(number); }

void print(std::string& to, const Operation& one) {
  if (one.kind == Operation::Kind::calc) {
    to += "calc " + std::to_string(one.size);
  } else {
    const bool sends = one.kind == Operation::Kind::send;
    to += (sends ? "send " : "recv ") + std::to_string(one.size) + (sends ? "b to " : "b from ");
    to += number_or_any(one.peer) + " tag " + number_or_any(one.tag);
  }
  if (one.cpu > 0 || one.nic > 0) to += " cpu " + std::to_string(one.cpu);
  if (one.nic > 0) to += " nic " + std::to_string(one.nic);
  to += '\n';
}

}  // namespace

std::vector<Program> read_text_goal(std::string_view file) { return Reader(file).read(); }

std::string text_heading(int ranks) { return "num_ranks " + std::to_string(ranks) + "\n"; }

std::string text_of(const Program& program, Rank rank) {
  std::string made = "rank " + std::to_string(rank) + " {\n";
  const auto count = static_cast<std::uint32_t>(program.operations.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    made += label(i) + ": ";
    print(made, program.operations[i]);
  }
  for (std::uint32_t on = 0; on < count; ++on) {
    for (const std::uint32_t of : program.after_end(on)) made += label(of) + " requires " + label(on) + "\n";
    for (const std::uint32_t of : program.after_start(on)) made += label(of) + " irequires " + label(on) + "\n";
  }
  return made + "}\n";
}

}  // namespace tutti::simulation
