#include "capi/shared/shared.hpp"

#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "capi/shared/filling.hpp"
#include "capi/shared/finalizing.hpp"
#include "capi/shared/memory.hpp"
#include "capi/shared/request.hpp"
#include "capi/shared/results.hpp"
#include "preload/wrappers/wrappers.hpp"
#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/journal.hpp"

namespace tutti::capi {
namespace {

using runtime::pmpi;
using shared::Memory;
using shared::Request;

constexpr unsigned copy_on_write = 1;  // as in tutti/shared.h

int raised(MPI_Comm comm, int code) {
  pmpi.Comm_call_errhandler(comm, code);
  return code;
}

template <class Handle>
Handle handle_at(const void* address, Handle none) {
  if (address) std::memcpy(&none, address, sizeof none);
  return none;
}

runtime::Operation operation_of(const tutti_shared_call& given, Collective which) {
  runtime::Operation call;
  call.collective = which;
  call.comm = handle_at(given.comm, MPI_COMM_NULL), call.op = handle_at(given.op, MPI_OP_NULL);
  call.root = given.root;
  call.send = {
      .buffer = given.send_buffer, .count = given.send_count, .type = handle_at(given.send_type, MPI_DATATYPE_NULL)};
  call.receive = {.count = given.receive_count, .type = handle_at(given.receive_type, MPI_DATATYPE_NULL)};
  if (given.receive_counts) call.receive.counts = CountView::wide(given.receive_counts);
  return call;
}

/// What ranks tell one another first: what MPI leaves undefined where they differ is an error on all of them here,
/// since one would otherwise write beyond another's memory.
struct Comparison {
  std::array<std::int64_t, 5> values{};
  Comparison(const Request& request, bool off)
      : values{off, request.data, -request.data, request.bytes, -request.bytes} {}
  bool off() const { return values[0] != 0; }
  int wrong() const {
    if (values[1] != -values[2]) return MPI_ERR_TRUNCATE;
    return values[3] != -values[4] ? MPI_ERR_TYPE : MPI_SUCCESS;
  }
};

/// Keeps what has come about; the address for the user.
void* hand_over(Memory& memory, const Request& request, bool writable) {
  std::byte* start = start_of(*memory.group, request, memory.segment->data());
  if (!start) return nullptr;
  tutti_result kind = writable ? TUTTI_RESULT_COPY_ON_WRITE : TUTTI_RESULT_SHARED;
  if (!memory.segment->settle(writable ? shm::Access::copy_on_write : shm::Access::read, memory.why_private)) {
    shm::Segment& shared = *memory.segment;
    auto own = shm::Segment::alone(shared.size(), memory.why_private);
    if (!own) throw std::bad_alloc();
    std::memcpy(own->data(), shared.data(), shared.size());
    memory.segment = std::move(own), memory.part = 0;
    if (!memory.segment->settle(writable ? shm::Access::copy_on_write : shm::Access::read, memory.why_private))
      throw std::bad_alloc();
  }
  if (!memory.segment->shared()) kind = TUTTI_RESULT_PRIVATE;
  start = start_of(*memory.group, request, memory.segment->data());
  memory.segment->publish();
  shared::keep(start, std::move(*memory.segment), kind, std::move(memory.why_private), memory.part);
  return start;
}

int make(const runtime::Operation& call, unsigned flags, void** result) {
  runtime::State* const state = runtime::acquire_state(call.comm);
  int inter = 0;
  runtime::require(pmpi.Comm_test_inter(call.comm, &inter), "MPI_Comm_test_inter");
  if (inter) return raised(call.comm, MPI_ERR_COMM);
  if (!state) return raised(call.comm, MPI_ERR_OTHER);
  if (!result || flags > copy_on_write) return raised(call.comm, MPI_ERR_ARG);
  *result = nullptr;
  int rank = 0;
  Request request;
  runtime::require(pmpi.Comm_rank(call.comm, &rank), "MPI_Comm_rank");
  if (const int wrong = understand(call, rank, state->size, request)) return raised(call.comm, wrong);
  shared::retire_at_finalize();
  Comparison comparison(request, !runtime::read_here().settings.on);
  runtime::Agreement(call.comm, rank, state->size, nullptr).maximum(comparison.values);
  if (const int wrong = comparison.wrong()) return raised(call.comm, wrong);
  if (request.data == 0) return MPI_SUCCESS;
  std::optional<Memory> memory = memory_for(*state, request, comparison.off());
  if (!memory) return raised(call.comm, MPI_ERR_NO_MEM);
  const int code = fill(*memory->group, request, memory->segment ? memory->segment->data() : nullptr);
  if (code == MPI_SUCCESS && memory->segment) *result = hand_over(*memory, request, flags & copy_on_write);
  return code;
}

bool mpi_is_there() {
  int begun = 0, ended = 0;
  return pmpi.Initialized(&begun) == MPI_SUCCESS && pmpi.Finalized(&ended) == MPI_SUCCESS && !ended;
}

/// The door: what was thrown becomes an MPI error code.
int call_shared(const tutti_shared_call* given, void** result) noexcept {
  const auto which = collective_named(given->collective);
  if (given->bytes != sizeof *given || given->handle_bytes != sizeof(MPI_Comm) || !which) {
    runtime::journal::say_once("tutti/shared.h was compiled for another MPI, or for another version of libtutti.so");
    return MPI_ERR_OTHER;
  }
  if (!mpi_is_there()) return MPI_ERR_OTHER;
  const runtime::Operation call = operation_of(*given, *which);
  if (call.comm == MPI_COMM_NULL) return raised(MPI_COMM_SELF, MPI_ERR_COMM);
  try {
    return make(call, given->flags, result);
  } catch (const runtime::MpiError& error) {  // raised where it happened
    return error.code;
  } catch (const std::bad_alloc&) {
    return raised(call.comm, MPI_ERR_NO_MEM);
  } catch (const std::exception&) {
    return raised(call.comm, MPI_ERR_INTERN);
  }
}

int free_result(void* result) noexcept { return !result || shared::free_result(result) ? MPI_SUCCESS : MPI_ERR_ARG; }

}  // namespace

void list_shared(std::vector<tutti_entry>& entries) {
  preload::list(entries, "tutti_shared", call_shared);
  preload::list(entries, "tutti_free", free_result);
  preload::list(entries, "tutti_result_kind", shared::kind_of);
}

}  // namespace tutti::capi
