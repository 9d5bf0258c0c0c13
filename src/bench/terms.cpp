#include "bench/terms.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "bench/words.hpp"

namespace tutti::bench {

namespace {

constexpr std::string_view in_place_word = "in_place", root_word = "root=";

template <typename Value>
void set_once(std::optional<Value>& place, Value value, const std::string& word) {
  if (place) throw std::invalid_argument("'" + word + "' is one too many of its kind");
  place = value;
}

void parse_term(Terms& terms, const std::string& word) {
  if (const auto element = element_named(word)) return set_once(terms.element, *element, word);
  if (const auto op = operator_named(word)) return set_once(terms.op, *op, word);
  if (word.starts_with(root_word))
    return set_once(terms.root, parse_count(word.substr(root_word.size()), "'" + word + "'", 0), word);
  if (word != in_place_word)
    throw std::invalid_argument("'" + word + "' is no datatype (such as double), no operator (such as max), and " +
                                "neither in_place nor root=RANK");
  terms.in_place = true;
}

}  // namespace

Terms parse_terms(const std::string& text) {
  Terms terms;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parse_term(terms, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return terms;
}

std::string text_of(const Terms& terms) {
  std::string text;
  const auto add = [&](std::string_view word) { text.append(text.empty() ? "(" : ",").append(word); };
  if (terms.element) add(name(*terms.element));
  if (terms.op) add(name(*terms.op));
  if (terms.in_place) add(in_place_word);
  if (terms.root) add(std::string(root_word) + std::to_string(*terms.root));
  return text.empty() ? text : text + ")";
}

void check_defined(Operator op, Element element) {
  if (defined(op, element)) return;
  std::string able;
  for (std::size_t i = 0; i < element_names.size(); ++i)
    if (defined(op, static_cast<Element>(i))) able += (able.empty() ? "" : ", ") + std::string(element_names[i]);
  throw std::invalid_argument("operator " + std::string(name(op)) + " cannot be had with datatype " +
                              std::string(name(element)) + ": it takes " + able);
}

}  // namespace tutti::bench
