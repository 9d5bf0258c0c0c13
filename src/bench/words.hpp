#pragma once
/// Numbers as options and files give them.
#include <cstdint>
#include <string>
#include <vector>

namespace tutti::bench {

/// Bytes: 8, 64K, 1M, 1G (powers of 1024).  Throws std::invalid_argument with a sentence that begins with `whole`.
std::int64_t parse_bytes(const std::string& text, const std::string& whole);
/// A finite number above 0.  Throws std::invalid_argument that names the option.
double parse_positive(const std::string& text, const std::string& option);
/// A whole number from `least` to an int's largest.  Throws std::invalid_argument that names the option.
int parse_count(const std::string& text, const std::string& option, int least);
/// Ranks, in that order, each once: 0,4-7,2.  Throws std::invalid_argument that names the option.
std::vector<int> parse_ranks(const std::string& text, const std::string& option);

}  // namespace tutti::bench
