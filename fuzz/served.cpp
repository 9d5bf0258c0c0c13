#include "served.hpp"

#include <dlfcn.h>

namespace tutti::fuzz {
namespace {

const auto last_choice = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "tutti_last_choice"));
const auto get_counters =
    reinterpret_cast<int (*)(const char*, tutti_counters*)>(dlsym(RTLD_DEFAULT, "tutti_get_counters"));

}  // namespace

tutti_counters counters(const char* call) {
  tutti_counters found{};
  if (get_counters) get_counters(call, &found);
  return found;
}

Observed::Observed() : calls_(counters().calls) {}

std::string Observed::choice() const {
  return last_choice && counters().calls != calls_ ? std::string(last_choice()) : std::string();
}

}  // namespace tutti::fuzz
