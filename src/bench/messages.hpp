#pragma once
/// Patterns of messages: who sends to whom, in rounds.  Named ones are generated as what a file gives.
///
/// In a round every rank takes part in all its messages at once, and goes on to its next round when they are complete;
/// ranks without a message in a round skip it.  Since a rank has posted all of a round's receives before it waits for
/// any of the round's messages, no pattern can deadlock.
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::bench {

struct Message {
  static constexpr std::int64_t usual = -1;  ///< the size that is asked for
  int from = 0, to = 0;
  std::int64_t bytes = usual;
  bool operator==(const Message&) const = default;
};

using Round = std::vector<Message>;
using Rounds = std::vector<Round>;

/// The pattern of that name for as many ranks as there are `leaders` (of each rank the least rank of its node), or
/// nothing where there is no such name.  Throws std::invalid_argument where so many ranks or nodes cannot make it.
std::optional<Rounds> named_pattern(std::string_view name, std::span<const int> leaders);
/// pairs-K stands for pairs-1, pairs-2 and so on.
std::vector<std::string> pattern_names();

/// A pattern from a file:
///
///     # of four ranks; what stands behind a # is left out
///     0 -> 1          a message from rank 0 to rank 1, of the size that is asked for
///     2 <-> 3 64K     one each way, of 64 KiB
///     round           what follows begins when a rank's messages above are complete
///     1 -> 2
///
/// Throws std::invalid_argument: "FILE, line 3: what was expected, what was found".
Rounds read_pattern(std::istream& text, const std::string& file, int ranks);

/// Bytes of all messages together, at that size.
std::int64_t volume(const Rounds& rounds, std::int64_t bytes);

/// Whether every rank receives as many messages as it sends.  Then each part of the pattern that hangs together has a
/// way back from every rank to every other, so that in one pass after another no rank runs ahead by more than a few.
bool returning(const Rounds& rounds, int ranks);

}  // namespace tutti::bench
