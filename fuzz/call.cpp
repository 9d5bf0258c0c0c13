#include "call.hpp"

#include <numeric>
#include <utility>

#include "variants.hpp"
#include "watch.hpp"

namespace tutti::fuzz {
namespace {

using enum Collective;

std::vector<int> back_to_back(const std::vector<int>& counts) {
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  return places;
}

bool in_place_here(const Case& which, int me) {
  return which.in_place && among(contract(which.collective).in_place_on, me, which.root);
}

/// The arguments of one rank, and the types that were made for them.
class Call {
 public:
  Call(const Case& which, MPI_Comm comm, int me, Buffers& buffers);
  ~Call() {
    for (MPI_Datatype& type : made_) PMPI_Type_free(&type);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Arguments& arguments() const { return arguments_; }

 private:
  void amounts(const Case& which, int me);
  void finish(const Case& which, Side& side, const Variant& variant, void* buffer);

  Arguments arguments_;
  std::vector<MPI_Datatype> made_;
};

Call::Call(const Case& which, MPI_Comm comm, int me, Buffers& buffers) {
  arguments_.collective = which.collective;
  arguments_.comm = comm;
  arguments_.root = which.root;
  if (which.op >= 0) arguments_.op = operators()[static_cast<std::size_t>(which.op)].handle;
  amounts(which, me);
  const bool receive_side = which.collective == scatter || which.collective == scatterv;
  const bool in_place = in_place_here(which, me);
  finish(which, arguments_.send, send_variant(which, me),
         in_place && !receive_side ? MPI_IN_PLACE : buffers.send.data());
  finish(which, arguments_.receive, receive_variant(which, me),
         in_place && receive_side ? MPI_IN_PLACE : buffers.receive.data());
}

/// Counts and displacements in the case's elements.
void Call::amounts(const Case& which, int me) {
  Side &send = arguments_.send, &receive = arguments_.receive;
  const auto rank = static_cast<std::size_t>(me);
  send.count = receive.count = which.counts.empty() ? which.count : which.counts[rank];
  send.counts = receive.counts = which.counts;
  send.places = receive.places = which.displacements;
  if (which.matrix.empty()) return;
  send.counts = which.matrix[rank];
  for (const auto& row : which.matrix) receive.counts.push_back(row[rank]);
  send.places = back_to_back(send.counts);
  receive.places = back_to_back(receive.counts);
}

/// In the elements of the rank's own datatype.
void Call::finish(const Case& which, Side& side, const Variant& variant, void* buffer) {
  side.buffer = buffer;
  side.type = variant.type->handle;
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(side.type, &lower, &extent);
  side.count *= variant.factor;
  for (int& count : side.counts) count *= variant.factor;
  const int scale = variant.factor * (which.collective == alltoallw ? static_cast<int>(extent) : 1);
  for (int& place : side.places) place *= scale;
  if (variant.absolute && buffer != MPI_IN_PLACE) {
    made_.push_back(at_address(buffer, side.type));
    side.type = made_.back();
    side.buffer = MPI_BOTTOM;
  }
  if (which.collective == alltoallw) side.types.assign(side.counts.size(), side.type);
}

std::pair<std::int64_t, std::int64_t> elements(const Case& which, int ranks, int me) {
  const std::int64_t n = which.count, all = n * ranks;
  const bool root = me == which.root;
  const std::int64_t mine = which.counts.empty() ? 0 : which.counts[static_cast<std::size_t>(me)];
  switch (which.collective) {
    case barrier:
      return {0, 0};
    case bcast:
      return {0, n};
    case gather:
      return {n, root ? all : 0};
    case gatherv:
      return {mine, root ? which.span : 0};
    case scatter:
      return {root ? all : 0, n};
    case scatterv:
      return {root ? which.span : 0, mine};
    case allgather:
      return {n, all};
    case allgatherv:
      return {mine, which.span};
    case alltoall:
      return {all, all};
    case alltoallv:
    case alltoallw: {
      std::int64_t out = 0, in = 0;
      for (int i = 0; i < ranks; ++i) {
        out += which.matrix[static_cast<std::size_t>(me)][static_cast<std::size_t>(i)];
        in += which.matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(me)];
      }
      return {out, in};
    }
    case reduce_scatter: {
      const std::int64_t total = std::accumulate(which.counts.begin(), which.counts.end(), std::int64_t{0});
      return {total, which.in_place ? total : mine};
    }
    case reduce_scatter_block:
      return {all, which.in_place ? all : n};
    default:
      return {n, n};
  }
}

/// Of the receive buffer's elements.
std::int64_t results(const Case& which, int me, std::int64_t receive) {
  // Another rank's receive buffer does not matter; Intel MPI 2021.18 writes into it all the same.
  if (which.collective == reduce) return me == which.root ? receive : 0;
  if (!which.in_place) return receive;
  if (which.collective == reduce_scatter) return which.counts[static_cast<std::size_t>(me)];
  return which.collective == reduce_scatter_block ? which.count : receive;
}

int handled;
void count_error(MPI_Comm* /*comm*/, int* /*code*/, ...) { ++handled; }

/// The user's error handler.
MPI_Errhandler counting() {
  static const MPI_Errhandler made = [] {
    MPI_Errhandler handler;
    PMPI_Comm_create_errhandler(count_error, &handler);
    return handler;
  }();
  return made;
}

/// A null buffer is MPI_BOTTOM in C; Fortran has no way to say it.
Spelling for_mistake(Spelling spelling, Mistake mistake) {
  const bool fortran = spelling == Spelling::fortran || spelling == Spelling::fortran_pmpi;
  return fortran && mistake == Mistake::null_buffer ? Spelling::c : spelling;
}

int error_class(int code) {
  int found = MPI_SUCCESS;
  PMPI_Error_class(code, &found);
  return found;
}

}  // namespace

Shape shape(const Case& which, int ranks, int me) {
  const Variant send = send_variant(which, me), receive = receive_variant(which, me);
  const auto [sent, received] = elements(which, ranks, me);
  return {send.type, receive.type, sent * send.factor, received * receive.factor,
          results(which, me, received) * receive.factor};
}

Buffers filled(const Case& which, MPI_Comm comm) {
  int me, ranks;
  PMPI_Comm_rank(comm, &me);
  PMPI_Comm_size(comm, &ranks);
  const Shape elements = shape(which, ranks, me);
  Buffers buffers{TypedBuffer(*elements.send_type, elements.send),
                  TypedBuffer(*elements.receive_type, elements.receive)};
  const auto stream = static_cast<std::uint64_t>(which.number) * 4096 + static_cast<std::uint64_t>(me) * 2;
  const std::uint64_t seed = which.seed ^ 0x5EED ^ static_cast<std::uint64_t>(which.turn) << 32;
  buffers.send.fill(Random(seed, stream));
  buffers.receive.fill(Random(seed, stream + 1));
  return buffers;
}

std::shared_ptr<const Arguments> arguments_of(const Case& which, MPI_Comm comm, Buffers& buffers) {
  int me;
  PMPI_Comm_rank(comm, &me);
  const auto call = std::make_shared<const Call>(which, comm, me, buffers);
  return {call, &call->arguments()};
}

Reply carry_out(const Case& which, MPI_Comm comm, Buffers& buffers, bool by_library) {
  int me;
  PMPI_Comm_rank(comm, &me);
  const Call right(which, comm, me, buffers);
  const Spelling spelling = by_library ? Spelling::library : spelling_of(which, me);
  Reply reply;
  handled = 0;
  const bool errs = which.blunder && (which.blunder->culprit < 0 || which.blunder->culprit == me);
  if (errs) {
    if (which.blunder->handler) PMPI_Comm_set_errhandler(comm, counting());
    Arguments wrong = right.arguments();
    spoil(wrong, *which.blunder);
    stage(by_library ? "the wrong call, the library's own" : "the wrong call");
    reply.wrong = make(wrong, for_mistake(spelling, which.blunder->mistake));
  }
  stage(by_library ? "the library's own call" : "the call");
  reply.status = make(right.arguments(), spelling);
  if (errs) PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  reply.handled = handled;
  return reply;
}

std::string error_text(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return std::string(text, static_cast<std::size_t>(length));
}

std::string difference(const Reply& got, const Reply& expected) {
  if (got.status != MPI_SUCCESS && expected.status == MPI_SUCCESS) return "error: " + error_text(got.status);
  if (error_class(got.wrong) != error_class(expected.wrong))
    return "the wrong call's error: got " + (got.wrong == MPI_SUCCESS ? "none" : error_text(got.wrong)) +
           ", expected " + (expected.wrong == MPI_SUCCESS ? "none" : error_text(expected.wrong));
  if (got.handled != expected.handled)
    return "the error handler ran " + std::to_string(got.handled) + " times, expected " +
           std::to_string(expected.handled);
  return {};
}

}  // namespace tutti::fuzz
