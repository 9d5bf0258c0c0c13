#include "bench/messages.hpp"

#include <sstream>

#include "bench/options.hpp"
#include "bench/words.hpp"
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
  module.def(
      "check_case", [](const std::string& text) { check_operator(bench::parse_case(text), bench::Options{}); },
      "text"_a, "A case as tutti-bench reads it, such as allreduce(double,max):8.  Raises ValueError: what is wrong.");
  module.def("parse_ranks", bench::parse_ranks, "text"_a, "option"_a,
             "Ranks in the order given, each once: 0,4-7,2.  Raises ValueError, a sentence that names the option.");
}

}  // namespace tutti::bindings
