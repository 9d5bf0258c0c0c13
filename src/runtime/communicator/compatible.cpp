#include "runtime/communicator/compatible.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/communicator/world.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

std::uint64_t build_identity() {
  static const std::uint64_t identity = [] {
    std::string text = "agreement 1, version " TUTTI_VERSION " ";
    text += default_profile();
    for (const Algorithm& algorithm : catalogue()) {
      text += '|';
      text += name(algorithm.collective);
      text += ' ';
      text += algorithm.name;
    }
    return fingerprint(text);
  }();
  return identity;
}

bool goes_beyond_world(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return false;
  const std::vector<int> there = ranks_in_world(comm);
  return std::ranges::find(there, MPI_UNDEFINED) != there.end();
}

}  // namespace tutti::runtime
