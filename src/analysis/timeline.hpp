#pragma once
/// The timeline: the schedules of all ranks in time, a unit a message, reductions and copies taking none.  What
/// pictures are made from; its end is the number of rounds that the counter counts.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/problem.hpp"

namespace tutti {

/// One block of a message, by what it holds, whatever buffer it rests in.
struct MessagePiece {
  int owner = 0;                    ///< whose block
  int part = 0, parts = 1, of = 1;  ///< which parts of it
  std::vector<Rank> ranks;          ///< who contributed
  bool operator==(const MessagePiece&) const = default;
};

struct Timeline {
  struct Message {
    std::int64_t begin = 0;  ///< it ends one later
    Rank from = 0, to = 0;
    std::vector<MessagePiece> pieces;  ///< none in a message of tokens
    bool sized = false;                ///< it begins with the sizes of its blocks
    bool in_any_order = false;         ///< one of a set: another one may come in its place
    std::string sent, received;        ///< the blocks, as the two ranks name them
  };
  /// A reduction or a copy.
  struct Work {
    std::int64_t at = 0;
    Rank rank = 0;
    int step = 0;  ///< its number in the rank's program
    bool reduces = true;
    std::string text;  ///< the step
  };
  std::int64_t end = 0;
  std::vector<Message> messages;  ///< by begin, then by sender
  std::vector<Work> works;        ///< by time, then by rank and step
};

/// Every step as early as those it waits for allow (analysis/critical_path.hpp), ranks being one-ported.  The counts of
/// the problem do not matter: blocks are made large enough for every part to hold something. Throws std::logic_error
/// where the schedules are not right (see verify).
Timeline lay_out(Problem problem, const std::function<Schedule(Context)>& schedule);

}  // namespace tutti
