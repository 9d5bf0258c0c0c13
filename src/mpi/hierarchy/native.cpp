/// The MPI library's own collectives between nodes, straight from and into the frame that a schedule would work on.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <vector>

#include "mpi/errors.hpp"
#include "mpi/hierarchy/between.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

/// As the collectives of int counts take it.
int narrow(std::int64_t count) {
  if (count > INT_MAX) throw MpiError(MPI_ERR_COUNT, "more than the MPI library counts between nodes");
  return static_cast<int>(count);
}

/// Counts and displacements of a row of blocks, in elements of the frame.
struct Row {
  std::vector<int> counts, displacements;

  explicit Row(const Layout& layout) {
    for (int owner = 0; owner < layout.owners(); ++owner) {
      counts.push_back(narrow(layout.size(owner)));
      displacements.push_back(narrow(layout.offset(owner)));
    }
  }
};

class Native {
 public:
  Native(const Operation& call, MPI_Comm lane, const Frame& frame, int root)
      : call_(call), lane_(lane), frame_(frame), root_(root), in_(frame.layouts.input), out_(frame.layouts.output) {
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
    const int mine = narrow(in_.size(me_));
    if (in_.is_regular()) return pmpi.Gather(own, mine, MPI_BYTE, frame_.output, each(out_), MPI_BYTE, root_, lane_);
    const Row row(root ? out_ : Layout::regular(0, 0));
    return pmpi.Gatherv(own, mine, MPI_BYTE, frame_.output, row.counts.data(), row.displacements.data(), MPI_BYTE,
                        root_, lane_);
  }

  int scattered() const {
    const bool root = me_ == root_;
    void* const own = root ? MPI_IN_PLACE : at(frame_.output, out_.offset(me_));
    const int mine = narrow(out_.size(me_));
    if (out_.is_regular()) return pmpi.Scatter(frame_.input, each(in_), MPI_BYTE, own, mine, MPI_BYTE, root_, lane_);
    const Row row(root ? in_ : Layout::regular(0, 0));
    return pmpi.Scatterv(frame_.input, row.counts.data(), row.displacements.data(), MPI_BYTE, own, mine, MPI_BYTE,
                         root_, lane_);
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
    const Row in(in_), out(out_);
    return pmpi.Alltoallv(frame_.input, in.counts.data(), in.displacements.data(), MPI_BYTE, frame_.output,
                          out.counts.data(), out.displacements.data(), MPI_BYTE, lane_);
  }

  const Operation& call_;
  MPI_Comm lane_;
  const Frame& frame_;
  int root_, me_ = 0;
  const Layout &in_, &out_;
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

bool fits_natively(const Operation& call, const Frame& frame) {
  if (!reduces(call.collective)) return true;
  return frame.layouts.input.total() <= INT_MAX && frame.layouts.output.total() <= INT_MAX;
}

void run_natively(Collective which, const Operation& call, MPI_Comm lane, const Frame& frame, int root_node) {
  const Native native(call, lane, frame, root_node);
  if (!reduces(which)) return require(native.move(which), "MPI collective between nodes");
  const MPI_Datatype type = call.receive.type;
  const Typed elements{type, describe(type, call.comm), call.comm};
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

}  // namespace tutti::mpi
