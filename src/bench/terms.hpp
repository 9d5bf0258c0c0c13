#pragma once
/// What is special about one case's call: allreduce(double,max,in_place):64K, reduce(root=3):8.
#include <optional>
#include <string>

#include "bench/contents.hpp"

namespace tutti::bench {

/// What is not said here is as the options of the whole measurement say.
struct Terms {
  std::optional<Element> element;
  std::optional<Operator> op;
  std::optional<int> root;
  bool in_place = false;
  bool operator==(const Terms&) const = default;
};

/// "double,max,in_place,root=3", in any order, each once.  Throws std::invalid_argument with a sentence that names the
/// word.
Terms parse_terms(const std::string& text);
/// In the order above, and in parentheses; nothing where nothing is special.
std::string text_of(const Terms& terms);

/// Throws std::invalid_argument that says which datatypes the operator takes, where this is none of them.
void check_defined(Operator op, Element element);

}  // namespace tutti::bench
