/// The MPI library's own collectives between nodes, straight from and into the frame that a schedule would work on.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <deque>
#include <vector>

#include "runtime/errors.hpp"
#include "runtime/hierarchy/inter_node_phase.hpp"
#include "runtime/mpi_collective.hpp"
#include "runtime/wire/pending_requests.hpp"

namespace tutti::runtime {
namespace {

using enum Collective;

/// A leader has the sizes of its own node's blocks alone, or the root's: what others find too long it cannot know.
constexpr bool leader_knows_its_own(Collective which) {
  return which == gatherv || which == scatterv || which == alltoall || which == alltoallv || which == alltoallw;
}

/// Whether the library's functions of wide counts serve.  Those that suspend have none.
bool counts_wide(const LaneComm& lane) { return wide.Gatherv && !lane.suspend; }

/// As an int count; `fits_natively` has checked that it fits.
int narrow(std::int64_t count) {
  if (count > INT_MAX) throw MpiError(MPI_ERR_COUNT, "more than the MPI library counts between nodes");
  return static_cast<int>(count);
}

/// Counts and displacements of a row of blocks, in elements of the frame.
struct Row {
  std::vector<int> counts, displacements;
  std::vector<MPI_Count> wide_counts;
  std::vector<MPI_Aint> wide_displacements;

  const bool wide;

  Row(const Layout& layout, bool wide) : wide(wide) {
    for (int owner = 0; owner < layout.owners(); ++owner) {
      const std::int64_t size = layout.size(owner), offset = layout.offset(owner);
      if (wide)
        wide_counts.push_back(size), wide_displacements.push_back(static_cast<MPI_Aint>(offset));
      else
        counts.push_back(static_cast<int>(size)), displacements.push_back(static_cast<int>(offset));
    }
  }
  void give(Side& side) const {
    side.counts = wide ? CountView::wide(wide_counts.data()) : CountView(counts.data());
    side.displacements = wide ? CountView::wide(wide_displacements.data()) : CountView(displacements.data());
  }
};

/// The call among the leaders of a lane, for the MPI.
class LaneCall {
 public:
  LaneCall(const Operation& call, const LaneComm& lane, const Frame& frame, int root)
      : frame_(frame),
        suspend_(lane.suspend),
        in_(frame.layouts.input),
        out_(frame.layouts.output),
        wide_(leader_knows_its_own(call.collective) && counts_wide(lane)) {
    require(pmpi.Comm_rank(lane.comm, &me_), "PMPI_Comm_rank");
    made_.comm = lane.comm, made_.root = root, made_.op = call.op, type_ = call.receive.type;
  }

  /// Status of a collective that moves bytes.
  int move(Collective which) {
    const Contract& rules = contract(which);
    const bool even_in = in_.is_regular(), even_out = out_.is_regular(), root = me_ == made_.root;
    Side &send = made_.send, &receive = made_.receive;
    send.type = receive.type = MPI_BYTE;
    made_.collective = which;
    if (rules.receive.shape == Shape::vector) {  // bcast
      receive.buffer = frame_.output, receive.count = narrow(out_.size(0));
    } else if (rules.receive.ranks == Ranks::root) {
      made_.collective = even_in ? gather : gatherv, made_.in_place = root;
      block(send, in_, frame_.input), row(receive, root || even_in ? out_ : none_, frame_.output, even_in);
    } else if (rules.send.ranks == Ranks::root) {
      made_.collective = even_out ? scatter : scatterv, made_.in_place = root;
      row(send, root || even_out ? in_ : none_, frame_.input, even_out), block(receive, out_, frame_.output);
    } else if (rules.send.shape == Shape::block) {
      made_.collective = even_out ? allgather : allgatherv, made_.in_place = true;
      row(receive, out_, frame_.output, even_out);
    } else if (rules.send.shape == Shape::row) {
      const bool even = even_in && even_out;
      made_.collective = even ? alltoall : alltoallv;
      row(send, in_, frame_.input, even), row(receive, out_, frame_.output, even);
    }
    return make();
  }

  /// Status of one that reduces; elements are of the call's type, in memory as they are packed.
  int reduce(Collective which, const void* input, void* output) {
    const Contract& rules = contract(which);
    const bool root = rules.receive.ranks == Ranks::root;
    made_.collective = which, made_.receive.type = type_;
    made_.send.buffer = input, made_.receive.buffer = output;
    if (rules.send.shape == Shape::row) {
      made_.collective = in_.is_regular() ? reduce_scatter_block : reduce_scatter;
      row(made_.receive, in_, output, in_.is_regular());
    } else {
      made_.receive.count = narrow(out_.size(0));
      made_.in_place = root ? me_ == made_.root : which == allreduce;
      if (root && !made_.in_place) made_.send.buffer = output, made_.receive.buffer = nullptr;
    }
    return make();
  }

 private:
  /// This rank's block of a row.
  void block(Side& side, const Layout& layout, std::byte* start) const {
    side.buffer = at(start, layout.offset(me_)), side.count = wide_ ? layout.size(me_) : narrow(layout.size(me_));
  }
  void row(Side& side, const Layout& layout, const void* start, bool even) {
    side.buffer = start;
    if (even)
      side.count = narrow(layout.size(0));
    else
      rows_.emplace_back(layout, wide_).give(side);
  }
  int make() const {
    if (!suspend_) return call_mpi(made_);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = start_mpi(made_, request);
    if (code == MPI_SUCCESS) end(request, Backoff(0, suspend_));
    return code;
  }

  const Frame& frame_;
  const Suspend suspend_;
  const Layout &in_, &out_;
  const bool wide_;  ///< on all leaders of the lane
  const Layout none_ = Layout::regular(0, 0);
  int me_ = 0;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  Operation made_;
  std::deque<Row> rows_;  ///< what the sides point to
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

bool fits_natively(const Operation& call, const Frame& frame, const LaneComm& lane, int ranks) {
  const auto short_enough = [](const Layout& layout) {
    return layout.is_regular() ? layout.size(0) <= INT_MAX : end_of(layout) <= INT_MAX;
  };
  const Layout &in = frame.layouts.input, &out = frame.layouts.output;
  if (reduces(call.collective)) return in.total() <= INT_MAX && out.total() <= INT_MAX;
  if (call.collective == Collective::barrier) return true;
  const bool fits = short_enough(in) && short_enough(out);
  if (!leader_knows_its_own(call.collective) || in.is_regular()) return fits;
  if (counts_wide(lane)) return true;
  if (call.collective == Collective::alltoall) {  // no leader has more than all ranks' blocks for all
    const std::int64_t block = call.receive.count * size_of(call.receive.type);
    if (block <= INT_MAX / ranks / ranks) return true;
  }
  int mine = fits, all = 0;
  if (!lane.suspend) {
    require(pmpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, lane.comm), "MPI_Allreduce of a lane");
    return all != 0;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  require(pmpi.Iallreduce(&mine, &all, 1, MPI_INT, MPI_MIN, lane.comm, &request), "MPI_Iallreduce of a lane");
  end(request, Backoff(0, lane.suspend));
  return all != 0;
}

void run_natively(Collective which, const Operation& call, const LaneComm& lane, const Frame& frame, int root_node) {
  LaneCall made(call, lane, frame, root_node);
  if (!reduces(which)) return require(made.move(which), "MPI collective between nodes");
  const MPI_Datatype type = call.receive.type;
  const Typed elements{type, describe(call.receive, call.comm), call.comm};
  int me = 0;
  require(pmpi.Comm_rank(lane.comm, &me), "PMPI_Comm_rank");
  const Layout &in = frame.layouts.input, &out = frame.layouts.output;
  Piece result{frame.output, out.total()}, operand{frame.input, frame.input ? in.total() : 0};
  if (which == Collective::reduce_scatter || which == Collective::reduce_scatter_block)
    result = {at(frame.output, out.offset(me) * frame.unit), out.size(me)};
  if (elements.info.flat)
    return require(made.reduce(which, operand.start, result.start), "MPI reduction between nodes");
  const Unpacked from(elements, operand.start, operand.count), into(elements, result.start, result.count);
  require(made.reduce(which, from.start(), into.start()), "MPI reduction between nodes");
  into.pack_again();
}

}  // namespace tutti::runtime
