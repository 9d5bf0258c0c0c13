#include "runtime/communicator/make_private_comm.hpp"

#include <algorithm>
#include <atomic>

#include "runtime/communicator/agreement.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/platform/quiet_errors.hpp"

namespace tutti::runtime {
namespace {

/// Communicators are finite (MPICH: 2048): most must be left to the program.
constexpr int most_wires = 256;
std::atomic<int> wires{0};

int tag_limit(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  return pmpi.Comm_get_attr(comm, MPI_TAG_UB, &value, &found) == MPI_SUCCESS && found ? *static_cast<int*>(value)
                                                                                      : 32767;
}

}  // namespace

/// By a split, never a duplicate: that would run the user's attribute callbacks and, on some, inherit assertions.
bool make_private_comm(const Mates& mates, const Ranks& of, PrivateComm& made, std::string& why) {
  Agreement ranks(mates.comm, mates.rank, mates.size, "make a private communicator");
  if (!ranks.all(wires.load() < most_wires)) {
    why = "private communicators are used up";
    return false;
  }
  MPI_Comm comm = MPI_COMM_NULL;
  {
    const QuietErrors quiet(mates.comm);
    if (pmpi.Comm_split(mates.comm, 0, mates.rank, &comm) != MPI_SUCCESS) comm = MPI_COMM_NULL;
  }
  if (comm != MPI_COMM_NULL) pmpi.Comm_set_errhandler(comm, MPI_ERRORS_RETURN), ++wires;
  made.comm = comm, made.me = mates.rank, made.size = mates.size, made.instructions = of.instructions;
  if (!ranks.all(comm != MPI_COMM_NULL)) {
    why = "the MPI library has no communicator left";
    return false;
  }
  made.tag_limit = tag_limit(comm);
  made.window = std::clamp(mates.settings.window, 1, 64);
  made.suspend = mates.suspend;
  if (of.most_per_node > cpus_of_node()) made.polls = 4;
  return true;
}

void free_private_comm(PrivateComm& made) {
  if (made.comm == MPI_COMM_NULL) return;
  if (!finalizing()) pmpi.Comm_free(&made.comm);
  made.comm = MPI_COMM_NULL;
  --wires;
}

}  // namespace tutti::runtime
