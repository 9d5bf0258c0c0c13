#include "preload/large_count/large_count.hpp"

#include <optional>
#include <vector>

#include "preload/large_count/large_count_reductions.hpp"
#include "preload/large_count/large_count_types.hpp"
#include "preload/next_collectives.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::Operation;
using runtime::pmpi;
using runtime::require;
using runtime::Side;

namespace {

/// The communicator as the call sees it.
struct Group {
  explicit Group(MPI_Comm comm) {
    int inter = 0;
    require(pmpi.Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    between_groups = inter != 0;
    require(pmpi.Comm_rank(comm, &rank), "MPI_Comm_rank");
    require(between_groups ? pmpi.Comm_remote_size(comm, &size) : pmpi.Comm_size(comm, &size), "MPI_Comm_size");
  }
  /// Whether this rank's arguments of that side count.  Between two groups the root names itself by MPI_ROOT, and in
  /// its group nobody else takes part.  What bcast has is one side for all.
  bool has(const SideContract& side, const Operation& call) const {
    const int root = call.root;
    if (side.ranks == Ranks::root) return between_groups ? root == MPI_ROOT : root == rank;
    const bool leaf = side.shape == Shape::block && rooted(call.collective);
    return !leaf || !between_groups || (root != MPI_ROOT && root != MPI_PROC_NULL);
  }
  bool between_groups = false;
  int rank = 0, size = 0;  ///< size: of the group that counts are given for
};

int cannot(const Operation& call) {
  pmpi.Comm_call_errhandler(call.comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}

std::byte* place(const Operation& call, std::int64_t elements, std::int64_t extent) {
  return static_cast<std::byte*>(const_cast<void*>(call.receive.buffer)) + elements * extent;
}

/// Every rank's block broadcast in turn, which takes a count beyond int for each.
int allgatherv_by_broadcasts(const Operation& call, const Group& group) {
  const Side& receive = call.receive;
  const std::int64_t extent = extent_of(receive.type);
  if (!call.in_place) {
    const Elements from(call.send.count, call.send.type), to(receive.counts[group.rank], receive.type);
    require(pmpi.Sendrecv(call.send.buffer, from.count(), from.type(), 0, 0,
                          place(call, receive.displacements[group.rank], extent), to.count(), to.type(), 0, 0,
                          MPI_COMM_SELF, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  }
  for (int owner = 0; owner < group.size; ++owner) {
    const Elements block(receive.counts[owner], receive.type);
    const int code = next.MPI_Bcast(place(call, receive.displacements[owner], extent), block.count(), block.type(),
                                    owner, call.comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

/// Whether every rank has the same reason to cut it: the standard makes all counts equal on all ranks.
bool cut_into_broadcasts(const Operation& call, const Group& group) {
  if (call.collective != Collective::allgatherv || !call.receive.counts || group.between_groups) return false;
  std::int64_t total = 0;
  for (int i = 0; i < group.size; ++i) total += call.receive.counts[i];
  return total > int_max;
}

/// alltoallw's displacements are bytes, and every peer has its own type, which can hold what does not fit.
struct Peers {
  Peers(const Side& side, int size) {
    for (int i = 0; i < size; ++i) {
      const bool fits = fits_int(side.counts[i]) && fits_int(side.displacements[i]);
      counts.push_back(fits ? static_cast<int>(side.counts[i]) : 1);
      displacements.push_back(fits ? static_cast<int>(side.displacements[i]) : 0);
      if (!fits) own.push_back(displaced(side.counts[i], side.types[i], side.displacements[i]));
      types.push_back(fits ? side.types[i] : own.back().get());
    }
  }
  std::vector<int> counts, displacements;
  std::vector<MPI_Datatype> types;
  std::vector<OwnType> own;
};

/// One side in int counts: the elements themselves, or other types that hold them.  What the rank does not contribute
/// to may be anything: it is passed on, but not looked at.
class IntSide {
 public:
  IntSide(const Side& side, const SideContract& rules, bool significant, int size) : side_(side) {
    const int owners = significant ? size : 0;
    if (side.types) {
      peers_.emplace(side, owners);
      put(peers_->counts.data(), peers_->displacements.data());
      side_.types = peers_->types.data();
    } else if (rules.irregular) {
      arrays_.emplace(side.counts, side.displacements, owners, side.type);
      put(arrays_->counts(), arrays_->displacements());
      side_.type = arrays_->type();
    } else {
      elements_.emplace(significant ? side.count : 0, side.type);
      side_.count = elements_->count(), side_.type = elements_->type();
    }
  }
  IntSide(const IntSide&) = delete;
  bool possible() const { return !arrays_ || arrays_->possible(); }
  const Side& side() const { return side_; }

 private:
  void put(const int* counts, const int* displacements) {
    side_.counts = CountView(counts), side_.displacements = CountView(displacements);
  }
  Side side_;
  std::optional<Elements> elements_;
  std::optional<IntArrays> arrays_;
  std::optional<Peers> peers_;
};

int carry_out(const Operation& call) {
  const Contract& rules = contract(call.collective);
  if (rules.reduces) return reduce_narrow(call);
  if (call.collective == Collective::barrier) return call_mpi(next_collectives(), call);
  const Group group(call.comm);
  if (cut_into_broadcasts(call, group)) return allgatherv_by_broadcasts(call, group);
  const bool receives_marked = call.in_place && rules.in_place == InPlace::block_in_send;
  const bool sends_marked = call.in_place && !receives_marked;
  const IntSide send(call.send, rules.send, !sends_marked && group.has(rules.send, call), group.size);
  const IntSide receive(call.receive, rules.receive, !receives_marked && group.has(rules.receive, call), group.size);
  if (!send.possible() || !receive.possible()) return cannot(call);
  Operation made = call;
  made.send = send.side(), made.receive = receive.side();
  return call_mpi(next_collectives(), made);
}

}  // namespace

int call_narrow(const Operation& call) noexcept {
  try {
    return carry_out(call);
  } catch (const runtime::MpiError& error) {  // its error handler has run, in the call that failed
    return error.code;
  } catch (...) {
    pmpi.Comm_call_errhandler(call.comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
}

}  // namespace tutti::preload
