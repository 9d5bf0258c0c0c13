#pragma once
/// Mistakes that a person who writes schedules makes, one kind each, to be planted into schedules that are right.
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/subjects.hpp"
#include "analysis/program.hpp"

namespace tutti::faults {

using Programs = std::vector<Program>;  ///< of all ranks

struct Place {
  Rank rank;
  std::size_t step;
};

/// Where a mistake may be planted: into the programs, which the subject's algorithm has made.
struct Site {
  Programs& programs;
  const Subject& subject;
  Place place;
  std::mt19937& random;

  Program& program() const { return programs[static_cast<std::size_t>(place.rank)]; }
  Step& step() const { return program()[place.step]; }
  /// The step here, if it is of that kind.
  template <class Kind>
  Kind* as() const {
    return std::get_if<Kind>(&step());
  }
  std::size_t draw(std::size_t end) const { return random() % end; }
};

struct Mistake {
  std::string_view name;
  /// Plants it, or returns false where it does not apply; then the programs may be in any state.
  bool (*plant)(const Site& site);
};

/// By what they get wrong.
std::span<const Mistake> message_mistakes();
std::span<const Mistake> set_mistakes();  ///< messages that are received in any order
std::span<const Mistake> payload_mistakes();
std::span<const Mistake> local_mistakes();  ///< reductions and copies
std::span<const Mistake> order_mistakes();
std::span<const Mistake> scratch_mistakes();
std::span<const Mistake> program_mistakes();  ///< a rank takes itself, or the call, for another

/// All of them.
std::vector<Mistake> mistakes();

/// The payload of a message, or null.
BlockList* payload(Step& step);
/// A message's peer, or null.
Rank* peer(Step& step);
/// The other end of the message that is sent or received there; in a set, the first step that may receive it.
Place other_end(const Programs& programs, const Place& place);
/// The next step of that rank, after `place`, that sends (or receives) as the step there does; -1 for none.
int next_like_it(const Program& program, std::size_t step);

}  // namespace tutti::faults
