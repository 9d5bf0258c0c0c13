#pragma once
/// Arrival patterns: the order and the delays in which ranks enter a collective; one definition for bench, simulator
/// and tuner.
#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

enum class ArrivalPattern {
  none,           ///< together
  ascending,      ///< rank after rank, evenly
  descending,     ///< the same, the last rank first
  random,         ///< each anywhere within the skew, anew in every repetition
  first_late,     ///< rank 0 after all others
  last_late,      ///< the last rank after all others
  half_late,      ///< the upper half of the ranks after the lower one
  one_node_late,  ///< the last rank's node after all others
  bell,           ///< the middle ranks last, as a bell curve over the ranks
  replay          ///< as recorded
};
inline constexpr std::array arrival_patterns = {
    ArrivalPattern::none,       ArrivalPattern::ascending, ArrivalPattern::descending, ArrivalPattern::random,
    ArrivalPattern::first_late, ArrivalPattern::last_late, ArrivalPattern::half_late,  ArrivalPattern::one_node_late,
    ArrivalPattern::bell,       ArrivalPattern::replay};

std::string_view name(ArrivalPattern pattern);
std::optional<ArrivalPattern> arrival_named(std::string_view word);

/// Of whom a pattern speaks.
struct Arriving {
  int rank = 0, size = 1;
  bool on_last_node = false;  ///< shares the last rank's node, and that is not rank 0's
};

/// The part of the skew by which that rank comes later than the first could: 0 to 1; equal everywhere.  Not of replay.
double lateness(ArrivalPattern pattern, const Arriving& who, std::int64_t repetition);

/// Delays of a recorded program: a line a repetition, in it each rank's delay in seconds, after blanks or commas.
/// Empty lines and what follows a # are left out.
class RecordedArrivals {
 public:
  /// Throws std::invalid_argument with file, line and what was expected.
  static RecordedArrivals read(std::istream& text, const std::string& file, int ranks);
  /// Repetitions beyond the last begin anew.
  double delay(int rank, std::int64_t repetition) const;
  double longest() const;

 private:
  std::vector<std::vector<double>> rows_;
};

}  // namespace tutti
