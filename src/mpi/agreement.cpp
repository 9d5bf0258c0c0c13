#include "mpi/agreement.hpp"

#include <sched.h>
#include <time.h>

#include <chrono>
#include <cstdlib>

#include "mpi/errors.hpp"
#include "mpi/journal.hpp"
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

/// Seconds of waiting before the user is told.  Each rank's own affair: it changes nothing but the message.
double patience() {
  const char* text = std::getenv("TUTTI_PATIENCE");
  const double seconds = text ? std::strtod(text, nullptr) : 0;
  return seconds > 0 ? seconds : 30;
}

}  // namespace

void Agreement::complete(MPI_Request request) {
  const Clock::time_point start = Clock::now();
  for (int done = 0;;) {
    require(pmpi.Test(&request, &done, MPI_STATUS_IGNORE), "PMPI_Test");
    if (done) return;
    const double waited = seconds_since(start);
    if (!complained_ && waited > 1 && waited > patience()) complain(waited);
    step_aside(waited);
  }
}

void Agreement::complain(double seconds) const {
  if (rank_ >= speakers) return;
  constexpr const char* message =
      "rank %d of %s (%d ranks) has waited %.0f s for the other ranks to %s. Likely cause: a rank that does not "
      "preload "
      "libtutti.so, has TUTTI=off, or runs another version; or a rank that is late. Still waiting";
  journal::say(journal::text(message, rank_, name_of(comm_).c_str(), size_, seconds, purpose_));
}

void Agreement::maximum(std::span<std::int64_t> values) {
  MPI_Request request;
  require(pmpi.Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, comm_,
                          &request),
          "PMPI_Iallreduce");
  complete(request);
}

void Agreement::unite(std::span<std::uint64_t> bits) {
  MPI_Request request;
  require(
      pmpi.Iallreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_BOR, comm_, &request),
      "PMPI_Iallreduce");
  complete(request);
}

void Agreement::broadcast(void* data, std::size_t bytes) {
  MPI_Request request;
  require(pmpi.Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, comm_, &request), "PMPI_Ibcast");
  complete(request);
}

void Agreement::broadcast(std::string& text) {
  std::uint64_t length = text.size() <= longest_text ? text.size() : 0;
  broadcast(&length, sizeof length);
  text.resize(length);
  broadcast(text.data(), length);
}

void Agreement::gather(std::uint64_t mine, std::span<std::uint64_t> all) {
  MPI_Request request;
  require(pmpi.Iallgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm_, &request), "PMPI_Iallgather");
  complete(request);
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
