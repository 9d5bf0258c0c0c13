#pragma once
/// TUTTI_TUNE=online on one communicator: races between candidates, in the program's own calls.
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "mpi/state.hpp"
#include "selection/online.hpp"

namespace tutti::mpi {

/// Asked at every call of the communicator, on all ranks in the same order.
class Online {
 public:
  /// Who serves the call.  At fixed call counts it exchanges times with the other ranks: one small reduction on the
  /// communicator itself, where a collective of it stands anyway.  Throws MpiError.
  const Choice& choose(State& state, const Question& question);
  /// Whether the call just chosen is timed: then `finish` follows it.
  bool timing() const { return running_ != nullptr; }
  void finish();

 private:
  using Kind = std::pair<int, bool>;  ///< size class, commutative operator
  struct Track {
    std::unique_ptr<Race> race;
    const Choice* winner = nullptr;
  };

  Track make(State& state, const Question& question);
  void exchange(State& state, const Question& question, Track& track);

  std::array<std::map<Kind, Track>, collective_names.size()> tracks_;
  Race* running_ = nullptr;
  std::chrono::steady_clock::time_point began_;
};

/// What all communicators of this process have learned so far, as a profile; empty where nothing has settled.
std::string learned_profile();

}  // namespace tutti::mpi
