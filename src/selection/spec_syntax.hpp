#pragma once
/// The grammar of specs alone: words, numbers and brackets with their columns; no names are checked here.
///
///   phrase := word [ "(" [ item { "," item } ] ")" ]
///   item   := [ word "=" ] phrase
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

struct SpecItem;

struct SpecPhrase {
  std::string word;                    ///< lower case
  std::optional<std::int64_t> number;  ///< where the word is one: "64K"
  std::size_t column = 1;              ///< from 1
  std::vector<SpecItem> items;         ///< what stands in the brackets
};

struct SpecItem {
  std::string key;  ///< empty where the item has none
  std::size_t column = 1;
  SpecPhrase value;
};

/// Throws SpecError on what the grammar does not allow.
SpecPhrase read_phrase(std::string_view text);

}  // namespace tutti
