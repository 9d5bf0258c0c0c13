#pragma once
/// State of the caches with regard to a call's buffers when it begins.
#include <string>
#include <string_view>

namespace tutti::bench {

enum class CacheMode {
  cold,    ///< nothing: other buffers each time, more of them than the caches hold, with other contents each time
  warm,    ///< what the same call on the same buffers with the same contents has left there
  fresh,   ///< the same buffers, whose contents have just been rewritten
  flushed  ///< the same ones, rewritten, and then flushed from all caches
};

/// "cold", "warm", "fresh", "flushed".
std::string_view name(CacheMode mode);
/// Also "rotating", as `cold` was called once.  Throws std::invalid_argument with a sentence that begins with `whole`.
CacheMode parse_cache_mode(const std::string& word, const std::string& whole);

}  // namespace tutti::bench
