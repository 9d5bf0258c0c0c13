/// The MPI library's own collectives between nodes, straight from and into the frame that a schedule would work on.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <vector>

#include "runtime/errors.hpp"
#include "runtime/hierarchy/inter_node_phase.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

/// A leader has the sizes of its own node's blocks alone, or the root's: what others find too long it cannot know.
constexpr bool leader_knows_its_own(Collective which) {
  using enum Collective;
  return which == gatherv || which == scatterv || which == alltoall || which == alltoallv || which == alltoallw;
}

/// As an int count; `fits_natively` has checked that it fits.
int narrow(std::int64_t count) {
  if (count > INT_MAX) throw MpiError(MPI_ERR_COUNT, "more than the MPI library counts between nodes");
  return static_cast<int>(count);
}

/// Counts and displacements of a row of blocks, in elements of the frame.
template <class Count, class Place>
struct Blocks {
  std::vector<Count> counts;
  std::vector<Place> displacements;

  explicit Blocks(const Layout& layout) {
    for (int owner = 0; owner < layout.owners(); ++owner) {
      counts.push_back(static_cast<Count>(layout.size(owner)));
      displacements.push_back(static_cast<Place>(layout.offset(owner)));
    }
  }
};
using Row = Blocks<int, int>;
using WideRow = Blocks<MPI_Count, MPI_Aint>;

class Native {
 public:
  Native(const Operation& call, MPI_Comm lane, const Frame& frame, int root)
      : call_(call),
        lane_(lane),
        frame_(frame),
        root_(root),
        in_(frame.layouts.input),
        out_(frame.layouts.output),
        wide_(leader_knows_its_own(call.collective) && wide.Gatherv) {
    require(pmpi.Comm_rank(lane, &me_), "PMPI_Comm_rank");
  }

  /// Status of a collective that moves bytes.
  int move(Collective which) const {
    using enum Collective;
    switch (which) {
      case barrier:
        return pmpi.Barrier(lane_);
      case bcast:
        return pmpi.Bcast(frame_.output, each(out_), MPI_BYTE, root_, lane_);
      case gather:
      case gatherv:
        return gathered();
      case scatter:
      case scatterv:
        return scattered();
      case allgather:
      case allgatherv:
        return gathered_by_all();
      default:
        return exchanged();
    }
  }

  /// Status of one that reduces; elements are of the call's type, in memory as they are packed.
  int reduce(Collective which, const void* input, void* output) const {
    using enum Collective;
    const MPI_Datatype type = call_.receive.type;
    switch (which) {
      case Collective::reduce: {
        const bool root = me_ == root_;
        return pmpi.Reduce(root ? MPI_IN_PLACE : output, root ? output : nullptr, each(out_), type, call_.op, root_,
                           lane_);
      }
      case allreduce:
        return pmpi.Allreduce(MPI_IN_PLACE, output, each(out_), type, call_.op, lane_);
      case reduce_scatter:
      case reduce_scatter_block:
        if (in_.is_regular()) return pmpi.Reduce_scatter_block(input, output, each(in_), type, call_.op, lane_);
        return pmpi.Reduce_scatter(input, output, Row(in_).counts.data(), type, call_.op, lane_);
      default:
        return pmpi.Exscan(input, output, each(out_), type, call_.op, lane_);
    }
  }

 private:
  static int each(const Layout& layout) { return narrow(layout.size(0)); }

  int gathered() const {
    const bool root = me_ == root_;
    const void* const own = root ? MPI_IN_PLACE : at(frame_.input, in_.offset(me_));
    if (in_.is_regular())
      return pmpi.Gather(own, each(in_), MPI_BYTE, frame_.output, each(out_), MPI_BYTE, root_, lane_);
    const Layout& all = root ? out_ : none_;
    if (wide_) {
      const WideRow row(all);
      return wide.Gatherv(own, in_.size(me_), MPI_BYTE, frame_.output, row.counts.data(), row.displacements.data(),
                          MPI_BYTE, root_, lane_);
    }
    const Row row(all);
    return pmpi.Gatherv(own, narrow(in_.size(me_)), MPI_BYTE, frame_.output, row.counts.data(),
                        row.displacements.data(), MPI_BYTE, root_, lane_);
  }

  int scattered() const {
    const bool root = me_ == root_;
    void* const own = root ? MPI_IN_PLACE : at(frame_.output, out_.offset(me_));
    if (out_.is_regular())
      return pmpi.Scatter(frame_.input, each(in_), MPI_BYTE, own, each(out_), MPI_BYTE, root_, lane_);
    const Layout& all = root ? in_ : none_;
    if (wide_) {
      const WideRow row(all);
      return wide.Scatterv(frame_.input, row.counts.data(), row.displacements.data(), MPI_BYTE, own, out_.size(me_),
                           MPI_BYTE, root_, lane_);
    }
    const Row row(all);
    return pmpi.Scatterv(frame_.input, row.counts.data(), row.displacements.data(), MPI_BYTE, own,
                         narrow(out_.size(me_)), MPI_BYTE, root_, lane_);
  }

  int gathered_by_all() const {
    if (out_.is_regular()) return pmpi.Allgather(MPI_IN_PLACE, 0, MPI_BYTE, frame_.output, each(out_), MPI_BYTE, lane_);
    const Row row(out_);
    return pmpi.Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, frame_.output, row.counts.data(), row.displacements.data(),
                           MPI_BYTE, lane_);
  }

  int exchanged() const {
    if (in_.is_regular() && out_.is_regular())
      return pmpi.Alltoall(frame_.input, each(in_), MPI_BYTE, frame_.output, each(out_), MPI_BYTE, lane_);
    if (wide_) {
      const WideRow in(in_), out(out_);
      return wide.Alltoallv(frame_.input, in.counts.data(), in.displacements.data(), MPI_BYTE, frame_.output,
                            out.counts.data(), out.displacements.data(), MPI_BYTE, lane_);
    }
    const Row in(in_), out(out_);
    return pmpi.Alltoallv(frame_.input, in.counts.data(), in.displacements.data(), MPI_BYTE, frame_.output,
                          out.counts.data(), out.displacements.data(), MPI_BYTE, lane_);
  }

  const Operation& call_;
  MPI_Comm lane_;
  const Frame& frame_;
  int root_, me_ = 0;
  const Layout &in_, &out_;
  const bool wide_;  ///< on all leaders of the lane
  const Layout none_ = Layout::regular(0, 0);
};

/// Elements of a type that does not lie in memory as it is packed, laid out as the type says.
class Unpacked {
 public:
  Unpacked(const Typed& elements, std::byte* packed, std::int64_t count)
      : elements_(elements), packed_(packed), count_(count) {
    if (count == 0) return;
    const std::int64_t others = elements.info.extent * (count - 1);
    memory_.resize(static_cast<std::size_t>(std::abs(others) + elements.info.true_extent));
    start_ = at(memory_.data(), std::max<std::int64_t>(-others, 0) - elements.info.true_lower);
    unpack(elements_, packed, count, start_);
  }
  std::byte* start() const { return start_; }
  void pack_again() const {
    if (count_ > 0) pack(elements_, start_, count_, packed_);
  }

 private:
  Typed elements_;
  std::byte* packed_;
  std::int64_t count_;
  std::vector<std::byte> memory_;
  std::byte* start_ = nullptr;
};

/// Elements [first, first + count) of a row of packed ones.
struct Piece {
  std::byte* start = nullptr;
  std::int64_t count = 0;
};

}  // namespace

namespace {

/// Elements of the row, or to its last block's end, whichever are more.
std::int64_t end_of(const Layout& layout) {
  std::int64_t end = layout.total();
  for (int owner = 0; owner < layout.owners(); ++owner)
    if (layout.size(owner) > 0) end = std::max(end, layout.offset(owner) + layout.size(owner));
  return end;
}

}  // namespace

bool fits_natively(const Operation& call, const Frame& frame, MPI_Comm lane, int ranks) {
  const auto short_enough = [](const Layout& layout) {
    return layout.is_regular() ? layout.size(0) <= INT_MAX : end_of(layout) <= INT_MAX;
  };
  const Layout &in = frame.layouts.input, &out = frame.layouts.output;
  if (reduces(call.collective)) return in.total() <= INT_MAX && out.total() <= INT_MAX;
  if (call.collective == Collective::barrier) return true;
  const bool fits = short_enough(in) && short_enough(out);
  if (!leader_knows_its_own(call.collective) || in.is_regular()) return fits;
  if (wide.Gatherv) return true;
  if (call.collective == Collective::alltoall) {  // no leader has more than all ranks' blocks for all
    const std::int64_t block = call.receive.count * size_of(call.receive.type);
    if (block <= INT_MAX / ranks / ranks) return true;
  }
  int mine = fits, all = 0;
  require(pmpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, lane), "MPI_Allreduce of a lane");
  return all != 0;
}

void run_natively(Collective which, const Operation& call, MPI_Comm lane, const Frame& frame, int root_node) {
  const Native native(call, lane, frame, root_node);
  if (!reduces(which)) return require(native.move(which), "MPI collective between nodes");
  const MPI_Datatype type = call.receive.type;
  const Typed elements{type, describe(call.receive, call.comm), call.comm};
  int me = 0;
  require(pmpi.Comm_rank(lane, &me), "PMPI_Comm_rank");
  const Layout &in = frame.layouts.input, &out = frame.layouts.output;
  Piece result{frame.output, out.total()}, operand{frame.input, frame.input ? in.total() : 0};
  if (which == Collective::reduce_scatter || which == Collective::reduce_scatter_block)
    result = {at(frame.output, out.offset(me) * frame.unit), out.size(me)};
  if (elements.info.flat)
    return require(native.reduce(which, operand.start, result.start), "MPI reduction between nodes");
  const Unpacked from(elements, operand.start, operand.count), into(elements, result.start, result.count);
  require(native.reduce(which, from.start(), into.start()), "MPI reduction between nodes");
  into.pack_again();
}

}  // namespace tutti::runtime
