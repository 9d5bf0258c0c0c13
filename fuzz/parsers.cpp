/// libFuzzer's entry for what reads a user's files: specs, profiles, GOAL's programs.  TUTTI_FUZZ_PROFILE makes it the
/// profile's, TUTTI_FUZZ_GOAL that of programs, text or binary.
///
/// A parser may refuse a text with a SpecError or warnings, and nothing else; what it takes it must write and read
/// again as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "selection/choice.hpp"
#include "selection/profile.hpp"
#include "simulation/goal/run.hpp"

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

std::string written(const std::vector<simulation::Program>& programs, simulation::GoalFormat format) {
  const simulation::ProgramSource source{static_cast<int>(programs.size()),
                                         [&](Rank rank) { return programs[static_cast<std::size_t>(rank)]; }};
  const simulation::GoalSize size = simulation::measure_goal(source, format, UINT64_MAX);
  std::string file;
  simulation::write_goal(source, format, size, [&](std::string_view piece) { file += piece; });
  if (file.size() != size.bytes) std::abort();
  return file;
}

/// What is a program is run as well.
[[maybe_unused]] void read_goal(std::string_view file) {
  try {
    const std::vector<simulation::Program> programs = simulation::read_goal(file);
    for (const auto format : {simulation::GoalFormat::text, simulation::GoalFormat::binary})
      if (simulation::read_goal(written(programs, format)) != programs) std::abort();
    simulation::Machine machine;
    machine.nodes = static_cast<int>(programs.size());
    machine.between = {1e-6, 1e-7, 1e-7, 1e-7, 1e-10, 0, 100};
    simulation::run_goal(machine, programs, false);
  } catch (const simulation::GoalError& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  } catch (const simulation::SimulationError& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
#ifdef TUTTI_FUZZ_PROFILE
  read_profile(text);
#elif defined(TUTTI_FUZZ_GOAL)
  read_goal(text);
#else
  read_spec(text);
#endif
  return 0;
}
