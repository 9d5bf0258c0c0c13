#pragma once
/// Learners: choices that the node engine measures at run time.  TUTTI_LEARN names the active ones; without its learner
/// a choice keeps its initial value (docs/node-engine.md, "Learners").
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti {

enum class Learner : std::uint8_t { stores, brief, landings, copies, joint, spread };
inline constexpr std::array<std::string_view, 6> learner_names{"stores", "brief", "landings",
                                                               "copies", "joint", "spread"};

/// A set of them.
class Learners {
 public:
  static constexpr Learners all() { return Learners((1U << learner_names.size()) - 1); }
  static constexpr Learners none() { return Learners(0); }

  constexpr bool has(Learner one) const { return (members_ & bit(one)) != 0; }
  constexpr Learners with(Learner one) const { return Learners(members_ | bit(one)); }
  constexpr Learners without(Learner one) const { return Learners(members_ & ~bit(one)); }
  bool operator==(const Learners&) const = default;

 private:
  explicit constexpr Learners(unsigned members) : members_(members) {}
  static constexpr unsigned bit(Learner one) { return 1U << static_cast<unsigned>(one); }

  unsigned members_;
};

/// all, none, or names separated by commas, in lower case.  Throws std::invalid_argument with the unknown word.
Learners parse_learners(std::string_view text);
/// The same text, names in the order of `learner_names`.
std::string to_text(const Learners& learners);

}  // namespace tutti
