#include "selection/spec_syntax.hpp"

#include <cctype>

#include "selection/number.hpp"
#include "selection/spec.hpp"

namespace tutti {
namespace {

constexpr int deepest = 4;  // node(groups(16, outer=ring)) needs three; a bound keeps hostile texts off the stack

/// Reads a text from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  SpecPhrase whole() {
    SpecPhrase phrase = this->phrase(1);
    if (at_ < text_.size()) fail("expected the end of the spec");
    return phrase;
  }

 private:
  SpecPhrase phrase(int depth) {
    if (depth > deepest) fail("too many brackets");
    SpecPhrase phrase;
    skip_blanks();
    phrase.column = at_ + 1;
    phrase.word = word();
    phrase.number = parse_number(phrase.word);
    if (std::isdigit(static_cast<unsigned char>(phrase.word[0])) && !phrase.number)
      throw SpecError("'" + phrase.word + "' is not a number", phrase.column, "write for example 64 or 64K");
    if (take('(')) items(phrase, depth);
    return phrase;
  }

  void items(SpecPhrase& phrase, int depth) {
    if (take(')')) return;
    do {
      SpecItem item;
      item.value = this->phrase(depth + 1);
      item.column = item.value.column;
      if (take('=')) {
        if (item.value.number || !item.value.items.empty()) fail("expected a name before '='");
        item.key = item.value.word;
        item.value = this->phrase(depth + 1);
      }
      phrase.items.push_back(std::move(item));
    } while (take(','));
    if (!take(')')) fail("expected ',' or ')'");
  }

  /// A run of letters, digits and what people put between them, so that an error names the word as it was meant.
  std::string word() {
    std::string found;
    while (at_ < text_.size()) {
      const auto letter = static_cast<unsigned char>(text_[at_]);
      if (!std::isalnum(letter) && letter != '_' && letter != '-' && letter != '.') break;
      found += static_cast<char>(std::tolower(letter));
      ++at_;
    }
    if (found.empty()) fail("expected a name or a number");
    skip_blanks();
    return found;
  }

  bool take(char wanted) {
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  [[noreturn]] void fail(const std::string& cause) const {
    const bool end = at_ == text_.size();
    throw SpecError(cause + (end ? " but the text ends" : std::string(" at '") + text_[at_] + "'"), at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

SpecPhrase read_phrase(std::string_view text) { return Reader(text).whole(); }

}  // namespace tutti
