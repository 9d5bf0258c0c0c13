#include "interpose/looks.hpp"

#include <mpi.h>

#include <atomic>

#include "interpose/wrappers.hpp"

namespace tutti::interpose {
namespace {

decltype(&MPI_Iprobe) next_iprobe = nullptr;
decltype(&MPI_Improbe) next_improbe = nullptr;
decltype(&MPI_Win_test) next_win_test = nullptr;

/// Whether something may have come that no call has moved.  Of all threads together: one look too many costs less
/// than one too few.
std::atomic<bool> unmoved{false};

template <class Look>
int look(const int* found, Look once) {
  int code = once();
  if (code != MPI_SUCCESS || *found != 0 || !unmoved.load(std::memory_order_relaxed)) return code;
  unmoved.store(false, std::memory_order_relaxed);
  code = once();
  if (code == MPI_SUCCESS && *found != 0) unmoved.store(true, std::memory_order_relaxed);  // there may be more
  return code;
}

int iprobe(int source, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  return look(found, [&] { return next_iprobe(source, tag, comm, found, status); });
}

int improbe(int source, int tag, MPI_Comm comm, int* found, MPI_Message* message, MPI_Status* status) {
  return look(found, [&] { return next_improbe(source, tag, comm, found, message, status); });
}

int win_test(MPI_Win win, int* ended) {
  return look(ended, [&] { return next_win_test(win, ended); });
}

}  // namespace

void note_unmoved() { unmoved.store(true, std::memory_order_relaxed); }

void find_looks(const tutti_front& front) {
  find(front, "MPI_Iprobe", next_iprobe, nullptr);
  find(front, "MPI_Improbe", next_improbe, nullptr);
  find(front, "MPI_Win_test", next_win_test, nullptr);
}

void list_looks(std::vector<tutti_entry>& entries) {
  list(entries, "MPI_Iprobe", iprobe);
  list(entries, "MPI_Improbe", improbe);
  list(entries, "MPI_Win_test", win_test);
}

}  // namespace tutti::interpose
