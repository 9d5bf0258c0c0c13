#include "runtime/requests/messages/wires.hpp"

#include "runtime/requests/messages/progress_hook.hpp"

namespace tutti::runtime {

Wires::~Wires() {
  hierarchy.reset();
  free_private_comm(messages);
}

std::unique_ptr<Wires> make_wires(const Wired& wired, std::string& why) {
  auto wires = std::make_unique<Wires>();
  if (!make_private_comm(wired.mates, wired.ranks, wires->messages, why)) return nullptr;
  if (wired.several_nodes) {
    wires->hierarchy = make_hierarchy(wired.mates, wires->messages, why);
    if (!wires->hierarchy) return nullptr;
    for (const int senders : wired.wiring.lanes) wires->hierarchy->lane_communicator(wires->messages.comm, senders);
  }
  progress_hook::install();
  return wires;
}

}  // namespace tutti::runtime
