/// libFuzzer's entry for what reads a user's text: specs and profiles.  TUTTI_FUZZ_PROFILE makes it the profile's.
///
/// A parser may refuse a text with a SpecError or warnings, and nothing else; what it takes it must write and read
/// again as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "selection/choice.hpp"
#include "selection/profile.hpp"

namespace {

using namespace tutti;

[[maybe_unused]] void read_spec(std::string_view text) {
  if (text.empty()) return;
  const auto collective = static_cast<Collective>(static_cast<unsigned char>(text[0]) % collective_names.size());
  try {
    const Spec spec = parse_spec(text.substr(1), collective);
    if (!(parse_spec(to_text(spec), collective) == spec)) std::abort();
  } catch (const SpecError& error) {
    if (error.column == 0 || std::string_view(error.what()).empty()) std::abort();
  }
}

/// Sound rules are chosen from as well, at a placement with several nodes.
[[maybe_unused]] void read_profile(std::string_view text) {
  Settings settings;
  settings.profile = "fuzz.toml", settings.profile_text = std::string(text);
  std::vector<Warning> warnings;
  Selector selector(settings, {12, 3, 4, 4}, warnings, "Open MPI v5.0.11");
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    for (const std::int64_t bytes : {-1, 0, 8, 1 << 20})
      if (selector.choose({.collective = static_cast<Collective>(i), .bytes = bytes, .count = bytes}).text.empty())
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
#ifdef TUTTI_FUZZ_PROFILE
  read_profile(text);
#else
  read_spec(text);
#endif
  return 0;
}
