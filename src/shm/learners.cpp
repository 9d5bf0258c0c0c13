#include "shm/learners.hpp"

#include <algorithm>
#include <stdexcept>

namespace tutti {

Learners parse_learners(std::string_view text) {
  if (text == "all") return Learners::all();
  Learners learners = Learners::none();
  if (text == "none") return learners;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find(',', begin);
    const std::string_view word = text.substr(begin, end - begin);
    const auto found = std::ranges::find(learner_names, word);
    if (found == learner_names.end()) throw std::invalid_argument(std::string(word));
    learners = learners.with(static_cast<Learner>(found - learner_names.begin()));
  }
  return learners;
}

std::string to_text(const Learners& learners) {
  if (learners == Learners::all()) return "all";
  std::string text;
  for (std::size_t i = 0; i < learner_names.size(); ++i) {
    if (!learners.has(static_cast<Learner>(i))) continue;
    if (!text.empty()) text += ',';
    text += learner_names[i];
  }
  return text.empty() ? "none" : text;
}

}  // namespace tutti
