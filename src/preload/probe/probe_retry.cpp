#include "preload/probe/probe_retry.hpp"

#include <mpi.h>

#include <atomic>

#include "preload/wrappers/wrappers.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/wire/mpi_progress.hpp"

namespace tutti::preload {
namespace {

decltype(&MPI_Iprobe) next_iprobe = nullptr;
decltype(&MPI_Improbe) next_improbe = nullptr;
decltype(&MPI_Win_test) next_win_test = nullptr;

using runtime::maybe_unmoved;

template <class Look>
int look(const int* found, Look once) {
  runtime::motion::move_if_any();
  int code = once();
  if (code != MPI_SUCCESS || *found != 0 || !maybe_unmoved.load(std::memory_order_relaxed)) return code;
  maybe_unmoved.store(false, std::memory_order_relaxed);
  code = once();
  if (code == MPI_SUCCESS && *found != 0) maybe_unmoved.store(true, std::memory_order_relaxed);  // there may be more
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

void find_looks(const tutti_loader& loader) {
  find(loader, "MPI_Iprobe", next_iprobe, nullptr);
  find(loader, "MPI_Improbe", next_improbe, nullptr);
  find(loader, "MPI_Win_test", next_win_test, nullptr);
}

void list_looks(std::vector<tutti_entry>& entries) {
  list(entries, "MPI_Iprobe", iprobe);
  list(entries, "MPI_Improbe", improbe);
  list(entries, "MPI_Win_test", win_test);
}

}  // namespace tutti::preload
