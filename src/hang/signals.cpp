#include "hang/signals.hpp"

#include <signal.h>

#include <charconv>
#include <utility>

namespace tutti::hang {

std::optional<int> signal_named(std::string_view name) {
  static constexpr std::pair<std::string_view, int> signals[] = {
      {"HUP", SIGHUP},   {"INT", SIGINT},     {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},
      {"USR2", SIGUSR2}, {"ALRM", SIGALRM},   {"TERM", SIGTERM}, {"CONT", SIGCONT},
      {"URG", SIGURG},   {"WINCH", SIGWINCH}, {"IO", SIGIO},     {"PWR", SIGPWR}};
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (const auto& [known, number] : signals)
    if (known == name) return number;
  int number = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = end.ec == std::errc() && end.ptr == name.data() + name.size();
  if (!whole || number < 1 || number > SIGRTMAX || number == SIGKILL || number == SIGSTOP) return std::nullopt;
  return number;
}

}  // namespace tutti::hang
