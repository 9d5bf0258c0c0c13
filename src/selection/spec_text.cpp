/// Specs as text, and as values.
#include <algorithm>

#include "selection/number.hpp"
#include "selection/spec.hpp"

namespace tutti {
namespace {

std::string sentence_of(const std::string& cause, const std::string& column, const std::string& hint) {
  return cause + column + (hint.empty() ? "" : "; " + hint);
}

std::string value_text(const Spec::Option& option) {
  if (!option.nested.empty()) return to_text(option.nested[0]);
  if (!option.word.empty()) return option.word;
  return option.bytes ? size_text(option.number) : std::to_string(option.number);
}

}  // namespace

SpecError::SpecError(const std::string& cause, std::size_t column, const std::string& hint)
    : std::runtime_error(sentence_of(cause, " (column " + std::to_string(column) + ")", hint)),
      column(column),
      sentence(sentence_of(cause, "", hint)) {}

const Spec::Option* Spec::option(std::string_view wanted) const {
  for (const Option& option : options)
    if (option.name == wanted) return &option;
  return nullptr;
}

bool Spec::operator==(const Spec& other) const {
  const auto same = [](const Option& a, const Option& b) {
    return a.name == b.name && a.number == b.number && a.bytes == b.bytes && a.word == b.word && a.nested == b.nested;
  };
  return name == other.name && arguments == other.arguments &&
         std::equal(options.begin(), options.end(), other.options.begin(), other.options.end(), same);
}

std::string to_text(const Spec& spec) {
  std::vector<std::string> items;
  const Spec::Option* count = spec.name == "groups" ? spec.option("groups") : nullptr;
  if (count) items.push_back(value_text(*count));
  for (const Spec& argument : spec.arguments) items.push_back(to_text(argument));
  for (const Spec::Option& option : spec.options)
    if (&option != count) items.push_back(option.name + "=" + value_text(option));
  if (items.empty()) return spec.name;
  std::string text = spec.name + "(" + items[0];
  for (std::size_t i = 1; i < items.size(); ++i) text += ", " + items[i];
  return text + ")";
}

}  // namespace tutti
