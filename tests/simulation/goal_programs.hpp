#pragma once
/// Programs of GOAL that the tests make.
#include <random>
#include <string>

#include "machines.hpp"
#include "simulation/goal/from_schedule.hpp"
#include "simulation/goal/program.hpp"

namespace tutti::simulation {

/// As a file; `size` is what was measured before.
inline std::string written(const std::vector<Program>& programs, GoalFormat format) {
  const ProgramSource source{static_cast<int>(programs.size()),
                             [&](Rank rank) { return programs[static_cast<std::size_t>(rank)]; }};
  const GoalSize size = measure_goal(source, format, UINT64_MAX);
  std::string file;
  write_goal(source, format, size, [&](std::string_view piece) { file += piece; });
  if (file.size() != size.bytes) throw std::logic_error("another size than was measured");
  return file;
}

/// Any operations and dependencies, circles included.
inline std::vector<Program> random_programs(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t most) { return random() % most; };
  std::vector<Program> all(1 + below(5));
  for (Program& one : all) {
    const std::size_t count = below(12);
    for (std::size_t i = 0; i < count; ++i) {
      Operation next;
      next.kind = static_cast<Operation::Kind>(1 + below(3));
      next.size = random() >> below(64), next.cpu = static_cast<std::uint8_t>(below(3) * below(128));
      if (next.kind != Operation::Kind::calc) {
        const bool receives = next.kind == Operation::Kind::receive;
        next.peer = receives && below(4) == 0 ? any : static_cast<std::uint32_t>(below(all.size()));
        next.tag = receives && below(4) == 0 ? any : static_cast<std::uint32_t>(below(2) * below(any));
        next.nic = static_cast<std::uint8_t>(below(2) * below(256));
      }
      one.operations.push_back(next);
    }
    std::vector<Dependency> dependencies;
    for (std::uint64_t i = count == 0 ? 0 : below(20); i > 0; --i)
      dependencies.push_back(
          {static_cast<std::uint32_t>(below(count)), static_cast<std::uint32_t>(below(count)), below(2) == 1});
    one.depend(std::move(dependencies));
  }
  return all;
}

/// The programs of all ranks of one call.
inline std::vector<Program> programs_of(const Machine& machine, const Call& call) {
  const Costs costs(machine);
  std::vector<Program> all;
  for (Rank rank = 0; rank < machine.ranks(); ++rank)
    all.push_back(program_of(machine, costs, call.schedule({rank, machine.ranks(), call.root, call.parameters}),
                             {rank, machine.ranks(), 1, call.bytes}));
  return all;
}

}  // namespace tutti::simulation
