#pragma once
/// Programs as text that anyone can read, compare or write: a step a line.
///
///   area scratch1[0]{2:4/8} like output       scratch slot 1 holds parts 2 and 3 of 8 of position 0
///   area scratch0[2:5] rotate 3 like output   positions 2 to 4, position i standing for owner i + 3
///   area any scratch0[0] like output          floating: any one owner
///   area learned scratch0[2:4] like output    sizes come with sized messages
///   send output[6:8], output[0:2] to 3        a payload of two runs
///   receive scratch1[0]{2/8} from 1
///   receive sized scratch0[2:4] from 3        a message that begins with the sizes of its blocks; so with send
///   peers set0 1, 4:7                         ranks 1, 4, 5 and 6 each send a message in this rank's set 0
///   send output[0] to 3 in set0               a message in rank 3's set 0
///   receive scratch0[0] from any of set0      the message of whichever comes
///   reduce output[0] = scratch0[0] (+) output[0]
///   copy scratch0[4] to output[1]
///   round
///
/// `[first]` or `[first:end]` names owners or positions, `{part/of}` or `{part:end/of}` parts.  An empty payload is
/// `nothing`.  Blank lines and what follows `#` mean nothing.
#include <stdexcept>
#include <string>
#include <string_view>

#include "analysis/program.hpp"

namespace tutti {

std::string to_text(const Blocks& blocks);
std::string to_text(const BlockList& list);
std::string to_text(const Step& step);
/// A line a step, each ended by a newline.
std::string to_text(const Program& steps);

/// Why a text is not a program; `what()` names the line.
class TextError : public std::runtime_error {
 public:
  TextError(const std::string& message, int line)
      : std::runtime_error("line " + std::to_string(line) + ": " + message), line(line) {}
  int line;  ///< from 1
};

/// parse_program(to_text(steps)) == steps.  Throws TextError.
Program parse_program(std::string_view text);

}  // namespace tutti
