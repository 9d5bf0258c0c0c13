#include "bench/messages.hpp"

#include <sstream>

#include "bindings.hpp"

namespace tutti::bindings {

void add_messages(nb::module_& module) {
  module.def("message_patterns", bench::pattern_names,
             "Names of the patterns of messages that tutti-bench knows; pairs-K stands for pairs-1, pairs-2, ...");
  module.def(
      "check_message_pattern",
      [](const std::string& text, const std::string& file, int ranks) {
        std::istringstream stream(text);
        return bench::read_pattern(stream, file, ranks).size();
      },
      "text"_a, "file"_a, "ranks"_a,
      "How many rounds a user's pattern of messages has.  Raises ValueError: the file, the line, what was expected.");
}

}  // namespace tutti::bindings
