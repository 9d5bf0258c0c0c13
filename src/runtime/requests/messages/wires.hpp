#pragma once
/// What the calls of one channel over messages run on: communicators of their own, and in each node an engine of their
/// own, whose waits suspend.
#include <memory>
#include <string>

#include "runtime/communicator/engine.hpp"
#include "runtime/communicator/make_private_comm.hpp"
#include "runtime/hierarchy/hierarchy.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

struct Wires {
  PrivateComm messages;
  std::unique_ptr<Hierarchy> hierarchy;  ///< on several nodes

  Wires() = default;
  ~Wires();
  Wires(const Wires&) = delete;

  /// Whether calls with that choice can run on them.
  bool carry(const Choice& choice) const {
    if (choice.kind != Choice::Kind::hierarchy) return true;
    return hierarchy && (choice.algorithm || hierarchy->has_lanes(choice.senders));
  }
};

/// Who is to get them.
struct Wired {
  Mates mates;  ///< all ranks, and how the channel's calls suspend
  Ranks ranks;
  bool several_nodes;
  const Wiring& wiring;
};

/// Collective over the communicator.  Null on all ranks where it is refused; then `why` is one sentence.
std::unique_ptr<Wires> make_wires(const Wired& wired, std::string& why);

}  // namespace tutti::runtime
