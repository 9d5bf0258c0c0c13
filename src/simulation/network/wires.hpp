#pragma once
/// Ports, network cards and links: what carries messages.
#include <vector>

#include "simulation/costs.hpp"
#include "simulation/network/reservations.hpp"
#include "simulation/network/routes.hpp"

namespace tutti::simulation {

/// One message on its way.
struct Journey {
  Rank from = 0, to = 0;
  bool within = false;  ///< a node
  std::int64_t bytes = 0;
  std::uint64_t number = 0;  ///< of the sender's step
  Time now = 0;              ///< nothing is sent before this any more
  int card = 0;              ///< counted from the rank's own
};

class Wires {
 public:
  Wires(const Machine& machine, const Costs& costs);
  /// Data that may leave at `ready`: when its last byte has come.  `left`: when the last byte has left.
  Stamp carry(const Journey& journey, Stamp ready, Stamp& left);
  /// A message of no bytes that passes by everything else, as requests and answers of a rendezvous do.
  Stamp signal(const Journey& journey, Stamp ready) const;
  /// Some message waited for a card that others use as well, so that times depend on who asked first.
  bool contended() const { return contended_; }

 private:
  std::size_t card(Rank rank, int more) const {
    return static_cast<std::size_t>(machine_.node_of(rank)) * static_cast<std::size_t>(machine_.cards) +
           static_cast<std::size_t>((machine_.place_of(rank) * machine_.cards / machine_.per_node + more) %
                                    machine_.cards);
  }
  Time reserve(std::vector<Reservations>& cards, std::vector<std::int64_t>& users, std::size_t number,
               std::int64_t user, Time ready, Time length, Time now);
  Stamp carry_within(const Journey& journey, Stamp ready, Stamp& left);
  Time pass_links(const Journey& journey, Stamp& head, Time transfer);

  const Machine& machine_;
  const Costs& costs_;
  Routes routes_;
  std::vector<Reservations> ports_;                ///< of ranks, within a node
  std::vector<Reservations> sending_, receiving_;  ///< of network cards
  std::vector<std::int64_t> senders_, receivers_;  ///< who uses a card: nobody yet, one, or several
  bool contended_ = false;
  std::vector<Reservations> links_;
  std::vector<Hop> hops_;
};

}  // namespace tutti::simulation
