#include "simulation/goal/program.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "simulation/goal/binary.hpp"
#include "simulation/goal/text.hpp"

namespace tutti::simulation {

std::vector<std::uint32_t> Program::needed() const {
  std::vector<std::uint32_t> counts(operations.size());
  for (const std::uint32_t one : dependents_) ++counts[one];
  return counts;
}

void Program::depend(std::vector<Dependency> all) {
  const auto key = [](const Dependency& one) { return std::tuple(one.on, one.start, one.of); };
  std::ranges::sort(all, {}, key);
  begin_.assign(2 * operations.size() + 1, 0);
  dependents_.clear();
  dependents_.reserve(all.size());
  for (const Dependency& one : all) {
    ++begin_[2 * std::size_t{one.on} + one.start + 1];
    dependents_.push_back(one.of);
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

std::vector<Program> read_goal(std::string_view file) {
  return is_binary_goal(file) ? read_binary_goal(file) : read_text_goal(file);
}

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

std::uint64_t bytes_of(const Program& program, GoalFormat format, Rank rank) {
  return format == GoalFormat::binary ? binary_size(program) : text_of(program, rank).size();
}

/// Refused as soon as the ranks so far are too long.
void check_limit(const GoalSize& size, Rank done, int ranks, std::uint64_t most) {
  if (size.bytes <= most) return;
  const double about = static_cast<double>(size.bytes) / (done + 1) * ranks;
  throw GoalError("the file would have about " + std::to_string(static_cast<std::uint64_t>(about / 1e6)) +
                  " MB, more than the " + std::to_string(most / 1'000'000) + " MB that are allowed or free");
}

}  // namespace

GoalSize measure_goal(const ProgramSource& source, GoalFormat format, std::uint64_t most) {
  GoalSize size;
  size.bytes = format == GoalFormat::binary ? binary_heading(source.ranks) : text_heading(source.ranks).size();
  for (Rank rank = 0; rank < source.ranks; ++rank) {
    const Program program = source.program(rank);
    for (const Operation& one : program.operations)
      size.cpu = std::max(size.cpu, one.cpu), size.nic = std::max(size.nic, one.nic);
    size.ranks.push_back(bytes_of(program, format, rank));
    size.bytes += size.ranks.back();
    check_limit(size, rank, source.ranks, most);
  }
  return size;
}

void write_goal(const ProgramSource& source, GoalFormat format, const GoalSize& size,
                const std::function<void(std::string_view)>& write) {
  std::string buffer = format == GoalFormat::binary ? binary_heading(size) : text_heading(source.ranks);
  for (Rank rank = 0; rank < source.ranks; ++rank) {
    const Program program = source.program(rank);
    const std::size_t before = buffer.size();
    buffer += format == GoalFormat::binary ? binary_of(program) : text_of(program, rank);
    if (buffer.size() - before != size.ranks[static_cast<std::size_t>(rank)])
      throw std::logic_error("rank " + std::to_string(rank) + " has another program than before");
    if (buffer.size() < piece) continue;
    write(buffer);
    buffer.clear();
  }
  if (!buffer.empty()) write(buffer);
}

}  // namespace tutti::simulation
