#include "spellings.hpp"

#include <dlfcn.h>

#include <array>

#include "fortran.hpp"
#include "native.hpp"

namespace tutti::fuzz {
namespace {

/// As the loader binds a program's own references: what is preloaded comes first.
void* bound(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()); }

template <class Count, class Place>
int make_by(const Functions<Count, Place>& f, const Arguments& a) {  // NOLINT(readability-function-size)
  using enum Collective;
  const Side &s = a.send, &r = a.receive;
  const std::vector<Count> sc(s.counts.begin(), s.counts.end()), rc(r.counts.begin(), r.counts.end());
  const std::vector<Place> sd(s.places.begin(), s.places.end()), rd(r.places.begin(), r.places.end());
  switch (a.collective) {
    case barrier:
      return f.Barrier(a.comm);
    case bcast:
      return f.Bcast(r.buffer, r.count, r.type, a.root, a.comm);
    case gather:
      return f.Gather(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.root, a.comm);
    case gatherv:
      return f.Gatherv(s.buffer, s.count, s.type, r.buffer, rc.data(), rd.data(), r.type, a.root, a.comm);
    case scatter:
      return f.Scatter(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.root, a.comm);
    case scatterv:
      return f.Scatterv(s.buffer, sc.data(), sd.data(), s.type, r.buffer, r.count, r.type, a.root, a.comm);
    case allgather:
      return f.Allgather(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.comm);
    case allgatherv:
      return f.Allgatherv(s.buffer, s.count, s.type, r.buffer, rc.data(), rd.data(), r.type, a.comm);
    case alltoall:
      return f.Alltoall(s.buffer, s.count, s.type, r.buffer, r.count, r.type, a.comm);
    case alltoallv:
      return f.Alltoallv(s.buffer, sc.data(), sd.data(), s.type, r.buffer, rc.data(), rd.data(), r.type, a.comm);
    case alltoallw:
      return f.Alltoallw(s.buffer, sc.data(), sd.data(), s.types.data(), r.buffer, rc.data(), rd.data(), r.types.data(),
                         a.comm);
    case reduce:
      return f.Reduce(s.buffer, r.buffer, r.count, r.type, a.op, a.root, a.comm);
    case allreduce:
      return f.Allreduce(s.buffer, r.buffer, r.count, r.type, a.op, a.comm);
    case reduce_scatter:
      return f.Reduce_scatter(s.buffer, r.buffer, rc.data(), r.type, a.op, a.comm);
    case reduce_scatter_block:
      return f.Reduce_scatter_block(s.buffer, r.buffer, r.count, r.type, a.op, a.comm);
    case scan:
      return f.Scan(s.buffer, r.buffer, r.count, r.type, a.op, a.comm);
    case exscan:
      return f.Exscan(s.buffer, r.buffer, r.count, r.type, a.op, a.comm);
  }
  return MPI_ERR_OTHER;
}

int make_c(const Arguments& call) {
  static const auto table = functions<int, int>("MPI_", "", bound);
  return make_by(table, call);
}

int make_wide(const Arguments& call, bool profiling) {
  static const auto plain = functions<MPI_Count, MPI_Aint>("MPI_", "_c", bound);
  static const auto beneath = functions<MPI_Count, MPI_Aint>("PMPI_", "_c", bound);
  const auto& table = profiling && beneath.complete() ? beneath : plain;
  return table.complete() ? make_by(table, call) : make_c(call);
}

}  // namespace

std::string_view name(Spelling spelling) {
  static constexpr std::array<std::string_view, 7> names = {
      "MPI_X", "PMPI_X", "MPI_X_c", "PMPI_X_c", "mpi_x_", "pmpi_x_", "the library's PMPI_X"};
  return names[static_cast<std::size_t>(spelling)];
}

int make(const Arguments& call, Spelling spelling) {
  static const auto profiling = functions<int, int>("PMPI_", "", bound);
  switch (spelling) {
    case Spelling::c:
      return make_c(call);
    case Spelling::pmpi:
      return make_by(profiling, call);
    case Spelling::wide:
    case Spelling::wide_pmpi:
      return make_wide(call, spelling == Spelling::wide_pmpi);
    case Spelling::fortran:
    case Spelling::fortran_pmpi:
      return has_fortran() ? make_fortran(call, spelling == Spelling::fortran_pmpi) : make_c(call);
    case Spelling::library:
      return make_by(native(), call);
  }
  return MPI_ERR_OTHER;
}

}  // namespace tutti::fuzz
