#include "capi/shared/filling.hpp"

#include <exception>
#include <new>
#include <vector>

#include "capi/shared/between.hpp"
#include "capi/shared/placing.hpp"
#include "preload/large_count/large_count.hpp"
#include "runtime/datatype/combiner.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::shared {

using runtime::MpiError;

namespace {

/// Rows of an alltoall begin at cache lines.
std::int64_t row_bytes(const Request& request) { return (request.bytes + 63) / 64 * 64; }

/// One call at work.  Its steps are tried, and the first error is kept: ranks that wait for this one must not wait for
/// ever because it could not do its part.
class Filling {
 public:
  Filling(const Group& group, const Request& request, std::byte* memory)
      : group_(group), request_(request), memory_(memory) {}

  int run() {
    switch (request_.call.collective) {
      case Collective::bcast:
        bcast();
        break;
      case Collective::gather:
        gather();
        break;
      case Collective::alltoall:
        alltoall();
        break;
      case Collective::allreduce:
        allreduce();
        break;
      default:
        allgather();
    }
    return code_;
  }

 private:
  template <class Step>
  void attempt(const Step& step) noexcept {
    try {
      step();
    } catch (const MpiError& error) {  // raised where it happened
      if (code_ == MPI_SUCCESS) code_ = error.code;
    } catch (const std::bad_alloc&) {
      fail(MPI_ERR_NO_MEM);
    } catch (const std::exception&) {
      fail(MPI_ERR_INTERN);
    }
  }
  void fail(int code) {
    runtime::pmpi.Comm_call_errhandler(group_.comm, code);
    if (code_ == MPI_SUCCESS) code_ = code;
  }
  void meet() {
    attempt([&] { group_.meet(); });
  }
  bool several_nodes() const { return group_.nodes > 1; }
  std::byte* block(int r) const { return memory_ + request_.before(r) * request_.to.info.extent; }
  void place_at(std::byte* target) {
    attempt([&] { place(request_.from, request_.call.send.buffer, request_.call.send.count, request_.to, target); });
  }

  void bcast() {
    const int root = request_.call.root;
    if (group_.rank == root) place_at(memory_);
    if (group_.here(root)) meet();
    if (several_nodes() && group_.leads())
      attempt([&] { between::bcast(group_, request_, memory_, group_.node_of[static_cast<std::size_t>(root)]); });
    if (!group_.here(root)) meet();
  }

  void allgather() {
    place_at(block(group_.rank));
    meet();
    if (!several_nodes()) return;
    if (group_.leads()) attempt([&] { between::allgather(group_, request_, memory_); });
    meet();
  }

  void gather() {
    const bool here = group_.here(request_.call.root);
    if (here) place_at(block(group_.rank));
    if (several_nodes()) attempt([&] { between::gather(group_, request_, memory_); });
    if (here) meet();
  }

  void alltoall() {
    attempt([&] { alltoall_here(); });
    if (several_nodes()) attempt([&] { between::alltoall(group_, request_, start_of(group_, request_, memory_)); });
    meet();
  }

  void alltoall_here() {
    const runtime::Side& send = request_.call.send;
    std::byte* row = memory_;
    for (int to = 0; to < group_.size; ++to) {
      if (!group_.here(to)) continue;
      place(request_.from, runtime::at(send.buffer, to * send.count * request_.from.info.extent), send.count,
            request_.to, row + request_.before(group_.rank) * request_.to.info.extent);
      row += row_bytes(request_);
    }
  }

  void allreduce() {
    if (!group_.in_rows() && !runtime::commutative(request_.call.op)) {
      attempt([&] { between::reduce(group_, request_, memory_); });
      if (group_.leads()) attempt([&] { between::bcast(group_, request_, memory_, 0); });
    } else {
      attempt([&] { reduce_here(); });
      if (several_nodes() && group_.leads()) attempt([&] { between::allreduce(group_, request_, memory_); });
    }
    meet();
  }

  void reduce_here() {
    if (group_.node_size == 1) return place_at(memory_);
    if (runtime::Engine* const engine = group_.engine()) return reduce_by(*engine);
    runtime::Operation call = request_.call;
    call.collective = Collective::reduce, call.comm = group_.node, call.root = 0, call.receive.buffer = memory_;
    const int code = preload::call_narrow(call);
    if (code != MPI_SUCCESS && call.comm != group_.comm) return fail(code);
    if (code_ == MPI_SUCCESS) code_ = code;
  }

  /// By the node's engine, which combines packed elements; the leader's result is the node's.
  void reduce_by(runtime::Engine& engine) {
    const runtime::Typed& type = request_.from;
    const std::int64_t count = request_.call.send.count;
    const auto packed = type.info.flat ? 0 : static_cast<std::size_t>(count * type.info.size);
    std::vector<std::byte> own(packed), result(group_.leads() ? packed : 0);
    if (packed) pack(type, request_.call.send.buffer, count, own.data());
    runtime::Combiner combiner(request_.call.op, type, engine.instructions);
    engine.group->reduce(packed ? own.data() : request_.call.send.buffer, packed ? result.data() : memory_,
                         static_cast<std::size_t>(count), combiner.reducer(), 0);
    if (combiner.error() != MPI_SUCCESS) engine.sound = false, fail(combiner.error());
    if (packed && group_.leads()) unpack(type, result.data(), count, memory_);
  }

  const Group& group_;
  const Request& request_;
  std::byte* memory_;
  int code_ = MPI_SUCCESS;
};

}  // namespace

std::int64_t room(const Group& group, const Request& request) {
  if (request.call.collective == Collective::alltoall) return row_bytes(request) * group.node_size;
  if (request.call.collective == Collective::gather && !group.here(request.call.root)) return 0;
  return request.bytes;
}

std::byte* start_of(const Group& group, const Request& request, std::byte* memory) {
  if (request.call.collective == Collective::alltoall) return memory + row_bytes(request) * group.node_rank;
  if (request.call.collective == Collective::gather && group.rank != request.call.root) return nullptr;
  return memory;
}

int fill(const Group& group, const Request& request, std::byte* memory) noexcept {
  return Filling(group, request, memory).run();
}

}  // namespace tutti::shared
