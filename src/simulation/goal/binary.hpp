#pragma once
/// GOAL's binary form.  All numbers little-endian, without padding:
///
///   u64 4223, u32 ranks, u8 largest cpu, u8 largest nic, per rank u64 begin and u64 end (counted after the first 8
///   bytes) per rank: u32 operations, u32 roots (operations that wait for nothing), u32 each root,
///     per operation 39 bytes: u32 for how many it waits, u8 kind, u32 peer, u64 size, u32 tag, u8 cpu, u8 nic,
///       u32 how many wait for its end, u32 place of the first, u32 how many wait for its begin, u32 place of the
///       first,
///     u32 each that waits
#include <string>

#include "simulation/goal/program.hpp"

namespace tutti::simulation {

bool is_binary_goal(std::string_view file);
/// Throws GoalError on a file that was cut short or contradicts itself.
std::vector<Program> read_binary_goal(std::string_view file);

std::uint64_t binary_heading(int ranks);
std::string binary_heading(const GoalSize& size);
std::uint64_t binary_size(const Program& program);
std::string binary_of(const Program& program);

}  // namespace tutti::simulation
