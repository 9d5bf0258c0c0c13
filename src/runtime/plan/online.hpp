#pragma once
/// TUTTI_TUNE=online on one communicator: races between candidates, in the program's own calls.
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "runtime/communicator/state.hpp"
#include "selection/online.hpp"

namespace tutti::runtime {

/// Used at every call of the communicator, on all ranks in the same order.
class Online {
 public:
  /// Who serves the call.  At fixed call counts it exchanges times with the other ranks: one small reduction on the
  /// communicator itself, where a collective of it stands anyway.  Throws MpiError.
  const Choice& choose(State& state, const CallSignature& signature) {
    const std::size_t kind = kind_of(signature);
    running_ = nullptr;
    if (const Choice* winner = winners_[kind]) [[likely]]
      return *winner;
    return tried(state, signature, kind);
  }
  /// Whether the call just chosen is timed: then `finish` follows it.
  bool timing() const { return running_ != nullptr; }
  void finish();

 private:
  static constexpr std::size_t classes = 65;                                   ///< of sizes
  static constexpr std::size_t kinds = collective_names.size() * 4 * classes;  ///< of calls
  static std::size_t kind_of(const CallSignature& signature);

  const Choice& tried(State& state, const CallSignature& signature, std::size_t kind);
  std::unique_ptr<Race> make(State& state, const CallSignature& signature) const;
  void exchange(State& state, const CallSignature& signature, Race& race) const;

  std::array<const Choice*, kinds> winners_{};  ///< by kind of call; a served call costs one look-up
  std::map<std::size_t, std::unique_ptr<Race>> races_;
  Race* running_ = nullptr;
  std::chrono::steady_clock::time_point began_;
};

/// One kind for all sizes of a class, with or without a commutative operator, the MPI's or the user's.
inline std::size_t Online::kind_of(const CallSignature& signature) {
  const auto which = static_cast<std::size_t>(signature.collective);
  const std::size_t op = (signature.commutative ? 1 : 0) + (signature.predefined ? 0 : 2);
  return (which * 4 + op) * classes + static_cast<std::size_t>(size_class(signature.bytes));
}

/// What all communicators of this process have learned so far, as a profile; empty where nothing has settled.
std::string learned_profile();

}  // namespace tutti::runtime
