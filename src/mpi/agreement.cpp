#include "mpi/agreement.hpp"

#include <sched.h>
#include <time.h>

#include <chrono>

#include "mpi/errors.hpp"
#include "mpi/journal.hpp"
#include "mpi/patience.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

using Clock = std::chrono::steady_clock;

/// Enough ranks speak that one of them is preloaded and waits; not so many that they drown the terminal.
constexpr int speakers = 4;
/// An MPI message's count is an int.
constexpr std::size_t longest_text = std::size_t{1} << 30;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Lets other ranks have the CPU: first by a yield, in a long wait by sleeping up to a millisecond.
void step_aside(double waited) {
  if (waited < 1e-3) {
    sched_yield();
    return;
  }
  const timespec nap{0, waited < 0.1 ? 100'000 : 1'000'000};
  nanosleep(&nap, nullptr);
}

/// Open MPI numbers its nonblocking collectives apart from the blocking ones, and MPIX_Comm_iagree is one of the former
/// though ranks need not call it in the same order as a barrier: there an agreement must be as blocking as the call
/// that it stands in.  Open MPI's blocking calls give the CPU away where ranks share it; the others' spin.
bool in_blocking_calls() {
  static const bool open_mpi = library_version().starts_with("Open MPI");
  return open_mpi;
}

}  // namespace

Agreement::Agreement(MPI_Comm comm, int rank, int size, const char* purpose)
    : comm_(comm), rank_(rank), size_(size), purpose_(purpose), name_(rank < speakers ? name_of(comm) : "") {}

void Agreement::complete(MPI_Request request) {
  const Clock::time_point start = Clock::now();
  for (int done = 0;;) {
    require(pmpi.Test(&request, &done, MPI_STATUS_IGNORE), "PMPI_Test");
    if (done) return;
    const double waited = seconds_since(start);
    if (!complained_ && waited > 1 && waited > patience()) {
      complained_ = true;
      if (rank_ < speakers) journal::say(complaint(waited));
    }
    step_aside(waited);
  }
}

std::string Agreement::complaint(double seconds) const {
  constexpr const char* message =
      "rank %d of %s (%d ranks) has waited %.0f s for the other ranks to %s. Likely cause: a rank that does not "
      "preload "
      "libtutti.so, has TUTTI=off, or runs another version; or a rank that is late. Still waiting";
  return journal::text(message, rank_, name_.c_str(), size_, seconds, purpose_);
}

template <class Blocking, class Begin>
void Agreement::carry_out(const char* name, const Blocking& blocking, const Begin& begin) {
  if (!in_blocking_calls()) {
    MPI_Request request;
    require(begin(&request), name);
    return complete(request);
  }
  if (rank_ >= speakers) return require(blocking(), name);
  const Watch watch([this](double seconds) { return complaint(seconds); });
  require(blocking(), name);
}

void Agreement::maximum(std::span<std::int64_t> values) {
  const auto count = static_cast<int>(values.size());
  const auto blocking = [&] { return pmpi.Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm_); };
  carry_out("PMPI_Allreduce", blocking, [&](MPI_Request* request) {
    return pmpi.Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm_, request);
  });
}

void Agreement::unite(std::span<std::uint64_t> bits) {
  const auto count = static_cast<int>(bits.size());
  const auto blocking = [&] { return pmpi.Allreduce(MPI_IN_PLACE, bits.data(), count, MPI_UINT64_T, MPI_BOR, comm_); };
  carry_out("PMPI_Allreduce", blocking, [&](MPI_Request* request) {
    return pmpi.Iallreduce(MPI_IN_PLACE, bits.data(), count, MPI_UINT64_T, MPI_BOR, comm_, request);
  });
}

void Agreement::broadcast(void* data, std::size_t bytes) {
  const auto count = static_cast<int>(bytes);
  const auto blocking = [&] { return pmpi.Bcast(data, count, MPI_BYTE, 0, comm_); };
  carry_out("PMPI_Bcast", blocking,
            [&](MPI_Request* request) { return pmpi.Ibcast(data, count, MPI_BYTE, 0, comm_, request); });
}

void Agreement::broadcast(std::string& text) {
  std::uint64_t length = text.size() <= longest_text ? text.size() : 0;
  broadcast(&length, sizeof length);
  text.resize(length);
  broadcast(text.data(), length);
}

void Agreement::gather(std::uint64_t mine, std::span<std::uint64_t> all) {
  const auto blocking = [&] { return pmpi.Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm_); };
  carry_out("PMPI_Allgather", blocking, [&](MPI_Request* request) {
    return pmpi.Iallgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm_, request);
  });
}

bool Agreement::all(bool yes) {
  std::int64_t trouble = yes ? 0 : 1;
  maximum({&trouble, 1});
  return trouble == 0;
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  const bool named = pmpi.Comm_get_name(comm, name, &length) == MPI_SUCCESS && length > 0;
  return named ? std::string(name, static_cast<std::size_t>(length)) : "an unnamed communicator";
}

}  // namespace tutti::mpi
