#include "preload/large_count/int_sides.hpp"

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::Operation;
using runtime::pmpi;
using runtime::require;
using runtime::Side;

namespace {

/// Whether the side's buffer is MPI_IN_PLACE.
bool marked(const Operation& call, bool receiving) {
  return call.in_place && (contract(call.collective).in_place == InPlace::block_in_send) == receiving;
}

}  // namespace

CallGroup::CallGroup(MPI_Comm comm) {
  int inter = 0;
  require(pmpi.Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  between_groups = inter != 0;
  require(pmpi.Comm_rank(comm, &rank), "MPI_Comm_rank");
  require(between_groups ? pmpi.Comm_remote_size(comm, &size) : pmpi.Comm_size(comm, &size), "MPI_Comm_size");
}

bool CallGroup::has(const SideContract& side, const Operation& call) const {
  const int root = call.root;
  if (side.ranks == Ranks::root) return between_groups ? root == MPI_ROOT : root == rank;
  const bool leaf = side.shape == Shape::block && rooted(call.collective);
  return !leaf || !between_groups || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

int cannot(const Operation& call) {
  pmpi.Comm_call_errhandler(call.comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}

int failed(const Operation& call) noexcept {
  try {
    throw;
  } catch (const runtime::MpiError& error) {  // its error handler has run, in the call that failed
    return error.code;
  } catch (...) {
    pmpi.Comm_call_errhandler(call.comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
}

IntPeers::IntPeers(const Side& side, int size) {
  for (int i = 0; i < size; ++i) {
    const bool fits = fits_int(side.counts[i]) && fits_int(side.displacements[i]);
    counts.push_back(fits ? static_cast<int>(side.counts[i]) : 1);
    displacements.push_back(fits ? static_cast<int>(side.displacements[i]) : 0);
    if (!fits) own.push_back(displaced(side.counts[i], side.types[i], side.displacements[i]));
    types.push_back(fits ? side.types[i] : own.back().get());
  }
}

IntSide::IntSide(const Side& side, const SideContract& rules, bool significant, int size)
    : side_(side), owners_(significant ? size : 0) {
  if (side.types) {
    peers_.emplace(side, owners_);
    put(peers_->counts.data(), peers_->displacements.data());
    side_.types = peers_->types.data();
  } else if (rules.irregular) {
    arrays_.emplace(side.counts, side.displacements, owners_, side.type);
    put(arrays_->counts(), arrays_->displacements());
    side_.type = arrays_->type();
  } else {
    elements_.emplace(significant ? side.count : 0, side.type);
    side_.count = elements_->count(), side_.type = elements_->type();
  }
}

IntSides::IntSides(const Operation& call, const CallGroup& group)
    : send_(call.send, contract(call.collective).send,
            !marked(call, false) && group.has(contract(call.collective).send, call), group.size),
      receive_(call.receive, contract(call.collective).receive,
               !marked(call, true) && group.has(contract(call.collective).receive, call), group.size) {}

}  // namespace tutti::preload
