#pragma once
/// Programs of GOAL, the schedule language of LogGOPSim (Hoefler, Schneider, Lumsdaine 2010) and ATLAHS: what each rank
/// sends, receives and computes, and what waits for what.  There is no order but the dependencies.
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/block.hpp"

namespace tutti::simulation {

/// A file that is none, or a limit: one sentence that names line or rank and operation.
class GoalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One operation of a rank.
struct Operation {
  enum class Kind : std::uint8_t { send = 1, receive = 2, calc = 3 } kind = Kind::calc;
  std::uint8_t cpu = 0, nic = 0;
  std::uint32_t peer = 0;  ///< of a message; `any`: a receive takes whatever comes
  std::uint32_t tag = 0;   ///< `any` likewise
  std::uint64_t size = 0;  ///< bytes of a message, nanoseconds of a calc
  bool operator==(const Operation&) const = default;
};
inline constexpr std::uint32_t any = UINT32_MAX;

/// Operation `of` begins after operation `on` has ended, or has begun.
struct Dependency {
  std::uint32_t of = 0, on = 0;
  bool start = false;
};

/// One rank's operations, with their dependents in order.
class Program {
 public:
  std::vector<Operation> operations;

  /// Those that wait for the end of an operation, and for its begin.
  std::span<const std::uint32_t> after_end(std::uint32_t of) const { return between(2 * std::size_t{of}); }
  std::span<const std::uint32_t> after_start(std::uint32_t of) const { return between(2 * std::size_t{of} + 1); }
  /// For how many each operation waits.
  std::vector<std::uint32_t> needed() const;
  std::size_t dependencies() const { return dependents_.size(); }
  /// Takes them; sorts them by `on`.  Operations are complete.
  void depend(std::vector<Dependency> all);
  bool operator==(const Program&) const = default;

 private:
  std::span<const std::uint32_t> between(std::size_t place) const {
    return std::span(dependents_).subspan(begin_[place], begin_[place + 1] - begin_[place]);
  }
  std::vector<std::uint32_t> begin_{0}, dependents_;
};

/// Programs of all ranks, made one after the other.
struct ProgramSource {
  int ranks = 0;
  std::function<Program(Rank)> program;
};

/// The whole of a file, text or binary.  Throws GoalError; a text's names its line.
std::vector<Program> read_goal(std::string_view file);

enum class GoalFormat : std::uint8_t { text, binary };

/// What a file will hold.
struct GoalSize {
  std::vector<std::uint64_t> ranks;  ///< bytes of each rank's part
  std::uint64_t bytes = 0;           ///< of the file
  std::uint8_t cpu = 0, nic = 0;     ///< the largest
};

/// Before a file is written.  Throws GoalError where it would be larger than `most`.
GoalSize measure_goal(const ProgramSource& source, GoalFormat format, std::uint64_t most);

/// Writes piece after piece; exactly as many bytes as were measured.
void write_goal(const ProgramSource& source, GoalFormat format, const GoalSize& size,
                const std::function<void(std::string_view)>& write);

}  // namespace tutti::simulation
