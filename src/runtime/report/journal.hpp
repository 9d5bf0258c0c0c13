#pragma once
/// Output to the user: lines on stderr, and TUTTI_LOG's file.
#include <string>

namespace tutti::runtime::journal {

/// printf's format as a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// "tutti: LINE" on stderr, in one write.
void say(const std::string& line);

/// As say, but once in this process for equal lines.
void say_once(const std::string& line);

/// Appends the line to the file of TUTTI_LOG (%h: this host, %p: this process).  The process keeps its first pattern. A
/// file that cannot be opened is reported once and then ignored.
void log(const std::string& pattern, const std::string& line);

}  // namespace tutti::runtime::journal
