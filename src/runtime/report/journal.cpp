#include "runtime/report/journal.hpp"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "shm/segment/file_limit.hpp"

namespace tutti::runtime::journal {
namespace {

/// One write, so that lines of many ranks do not mix.
void write_line(int descriptor, const std::string& line) {
  const std::string whole = "tutti: " + line + "\n";
  const shm::QuietFileLimit limit;
  if (write(descriptor, whole.data(), whole.size()) < 0) return;  // nobody is left to tell
}

std::string expanded(const std::string& pattern) {
  utsname host{};
  uname(&host);
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.compare(i, 2, "%h") == 0 || pattern.compare(i, 2, "%p") == 0) {
      path += pattern[++i] == 'h' ? std::string(host.nodename) : std::to_string(getpid());
    } else {
      path += pattern[i];
    }
  }
  return path;
}

int open_log(const std::string& pattern) {
  const std::string path = expanded(pattern);
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) say(text("TUTTI_LOG: cannot write %s: %s", path.c_str(), std::strerror(errno)));
  return descriptor;
}

}  // namespace

std::string text(const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

void say(const std::string& line) { write_line(STDERR_FILENO, line); }

void say_once(const std::string& line) {
  static std::mutex mutex;
  static std::set<std::string> said;
  {
    const std::lock_guard lock(mutex);
    if (!said.insert(line).second) return;
  }
  say(line);
}

void log(const std::string& pattern, const std::string& line) {
  static const int descriptor = open_log(pattern);
  if (descriptor >= 0) write_line(descriptor, line);
}

}  // namespace tutti::runtime::journal
