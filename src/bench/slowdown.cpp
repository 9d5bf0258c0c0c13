#include "bench/slowdown.hpp"

#include <cstdlib>
#include <sstream>

#include "bench/words.hpp"

namespace tutti::bench {

double slowdown_of(const std::string& subject) {
  const char* const text = std::getenv("TUTTI_BENCH_SLOWER");
  double found = 0;
  std::istringstream list(text ? text : "");
  for (std::string item; std::getline(list, item, ',');) {
    const std::size_t colon = item.find(':');
    const double part = parse_positive(colon == std::string::npos ? "" : item.substr(colon + 1), "TUTTI_BENCH_SLOWER");
    if (item.substr(0, colon) == subject) found = part;
  }
  return found;
}

}  // namespace tutti::bench
