/// Suggestions for misspelt words.
#include <algorithm>
#include <vector>

#include "selection/spec.hpp"

namespace tutti {
namespace {

/// Edits that make `a` into `b`: insert, delete, replace, or swap two neighbours (optimal string alignment, three
/// rows of the usual table).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& words) {
  std::string_view best;
  std::size_t least = (word.size() + 2) / 3 + 1;  // farther than a third of the letters is another word
  for (std::string_view candidate : words) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) best = candidate, least = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words) {
  const std::string_view near = nearest(word, words);
  return near.empty() ? "" : "; did you mean " + quoted(near) + "?";
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& valid) {
  if (const auto near = nearest(word, valid); !near.empty()) return "did you mean " + quoted(near) + "?";
  std::string all;
  for (std::string_view each : valid) all += (all.empty() ? "" : ", ") + std::string(each);
  return all.empty() ? "there is none" : "valid: " + all;
}

std::string quoted(std::string_view word) {
  std::string text = "'";
  text += word;
  text += '\'';
  return text;
}

}  // namespace tutti
