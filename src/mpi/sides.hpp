#pragma once
/// Which sides of a call that moves data a rank has, and how many blocks each.
#include "mpi/operation.hpp"

namespace tutti::mpi {

struct Sides {
  int send = 0, receive = 0;

  Sides(const Operation& call, Rank me, int size) {
    using enum Collective;
    const bool root = me == call.root;
    switch (call.collective) {
      case barrier:
        break;
      case gather:
      case gatherv:
        send = !root || !call.in_place, receive = root ? size : 0;
        break;
      case scatter:
      case scatterv:
        send = root ? size : 0, receive = !root || !call.in_place;
        break;
      case allgather:
      case allgatherv:
        send = !call.in_place, receive = size;
        break;
      case bcast:
        receive = 1;
        break;
      default:
        send = receive = size;
    }
  }
};

}  // namespace tutti::mpi
