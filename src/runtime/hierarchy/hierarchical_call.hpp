#pragma once
/// One call on several nodes: phases in the nodes, on the node engine, and one between them (Parsons & Pai's universal
/// scheme; several senders as in Träff & Hunold's full-lane recipes).
///
/// Where data moves, the leader of a crew collects or distributes the blocks of its members; where one vector is
/// common, each leader has a slice of it.  Everything works on the frame of a flat call (runtime/plan/staging.hpp), so
/// that datatypes, displacements and MPI_IN_PLACE are handled before.
#include "runtime/hierarchy/inter_node_phase.hpp"

namespace tutti::runtime {

class HierarchicalCall {
 public:
  HierarchicalCall(const Operation& call, Hierarchy& hierarchy, const Choice& choice, Staging& staging);
  /// The whole call.  Throws MpiError, std::bad_alloc.
  void run();

 private:
  class Exchange;    // all to all: exchange.cpp
  class Scattering;  // reduce_scatter: reduce_scatter.cpp
  /// Blocks of all ranks, in the order of lanes (Formation): one after the other, or where `places` says.
  struct Row {
    std::byte* start = nullptr;             ///< where position 0 lies, or would lie; of places: where all count from
    const std::int64_t* offsets = nullptr;  ///< bytes before it, by position; one more for the end
    bool staged = false;                    ///< apart from the call's own memory
    const std::int64_t* places = nullptr;   ///< bytes from the start; a node's blocks one after the other

    std::int64_t place(int position) const { return (places ? places : offsets)[position]; }
    std::byte* at(int position) const { return runtime::at(start, place(position)); }
    std::int64_t bytes(int from, int to) const { return offsets[to] - offsets[from]; }
  };

  /// A block for each of the node's members, none at first.
  struct Table {
    std::byte* start = nullptr;
    std::int64_t *offsets, *sizes;

    void set(int member, std::int64_t offset, std::int64_t bytes) { offsets[member] = offset, sizes[member] = bytes; }
    std::byte* at(int member) const { return runtime::at(start, offsets[member]); }
    operator shm::Blocks() const { return {start, 0, offsets, sizes}; }
  };

  void barrier();
  void bcast();
  void reduce();
  void allreduce();
  void scan();
  void gather();
  void scatter();
  void allgather();
  void alltoall();
  void exchange_in_node();
  bool goes_directly() const;
  void alltoall_directly();  // direct.cpp
  void reduce_scatter();

  // The common vector and its slices: vectors.cpp.
  template <class Work>
  void each_piece(Work&& work);
  void bcast_piece();
  void reduce_piece();
  void allreduce_piece();
  Extent slice(int crew) const;
  Table slices(std::byte* vector);
  std::byte* combine_in_node(std::byte* vector, std::byte* result);
  void share_in_node(std::byte* vector);
  Frame slice_frame(std::byte* input, std::byte* output) const;
  std::byte* piece_of(std::byte* vector) const { return at(vector, piece_.offset * frame_.unit); }
  std::size_t piece_bytes() const { return static_cast<std::size_t>(piece_.length * frame_.unit); }

  // Rows: rows.cpp.
  const std::int64_t* sizes_known_to(int node, const Layout& layout);
  const std::int64_t* sizes_known_to_all(const Layout& layout);
  const std::int64_t* offsets_of(const std::int64_t* sizes);
  Row row_in(const Layout& layout, std::byte* start, const std::int64_t* offsets);
  bool goes_by_nodes(const Layout& layout, const std::int64_t* offsets) const;
  Row row_by_nodes(const Layout& layout, std::byte* start, const std::int64_t* offsets);
  bool lies_in_order(const Layout& layout, const std::int64_t* offsets) const;
  bool nodes_lie_together(const Layout& layout) const;
  Row row_of(const std::int64_t* offsets, int from, int to);
  template <class Copy>
  void each_block(const Row& row, const Layout& layout, std::byte* start, Copy&& copy) const;
  Frame lane_frame(const Row& in, const Row& out);
  void stage(const Row& row, const Layout& layout, std::byte* start) const;

  // What the leader of a crew has in common with its members: crews.cpp.
  Table no_blocks(std::byte* start = nullptr);
  Table one_block(int member, std::byte* start, std::int64_t bytes);
  Table blocks_of_leaders(const Row& row);
  void set_blocks_of_node(Table& table, const Row& row, int node) const;
  Table blocks_of_crew(const Row& row);
  void collect(const Row& row, std::byte* own);
  void distribute(const Row& row, std::byte* own);
  void to_root(const Row& row);
  void from_root(const Row& row);
  void check(shm::Ending ending) const;

  std::byte* memory(std::int64_t bytes) { return arena_.take(static_cast<std::size_t>(bytes)); }
  std::int64_t* numbers(int count) { return arena_.take_array<std::int64_t>(static_cast<std::size_t>(count)); }
  const shm::Reducer& op() const { return combiner_->reducer(); }
  bool at_root_node() const { return node_ == root_node_; }
  bool am_root() const { return at_root_node() && me_ == root_member_; }
  /// The node has one leader, and that is the root: nothing passes between them.
  bool root_has_all() const { return senders_ == 1 && leader_ == root_member_; }
  int my_position() const { return formation_.begin(crew_, node_) + me_ - formation_.first_member(node_, crew_); }

  const Operation& call_;
  const Nodes& nodes_;
  InterNodePhase between_;
  const Formation& formation_;
  shm::ShmGroup& group_;
  Arena& arena_;
  const Frame& frame_;
  Combiner* combiner_;
  const Rank rank_;
  const int node_, me_, senders_;
  const int crew_, leader_;            ///< mine, and the member that leads it
  const int root_node_, root_member_;  ///< of a rooted call, else of rank 0
  const shm::Sizes sizes_;             ///< what members know of one another's blocks
  const std::int64_t overlap_;         ///< most bytes of a piece
  const std::int64_t direct_;          ///< least bytes of a block that goes directly from rank to rank; none: never
  Extent piece_{};                     ///< of the common vector: what the phases work on
};

}  // namespace tutti::runtime
