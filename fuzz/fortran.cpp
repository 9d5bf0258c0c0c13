#include "fortran.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string>

#include "native.hpp"

namespace tutti::fuzz {
namespace {

/// Open MPI's; Debian's MPICH's; MPICH's and Intel MPI's.
constexpr std::array<const char*, 3> libraries = {"libmpi_mpifh.so.40", "libmpichfort.so.12", "libmpifort.so.12"};

void* bound(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()); }

struct Fortran {
  std::array<void*, collective_names.size()> plain{}, beneath{};
  void *in_place = nullptr, *bottom = nullptr;

  Fortran() {
    for (const char* name : libraries)
      if (!bound("mpi_barrier_")) dlopen((native_folder() + name).c_str(), RTLD_NOW | RTLD_GLOBAL);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      plain[i] = bound("mpi_" + std::string(collective_names[i]) + "_");
      beneath[i] = bound("pmpi_" + std::string(collective_names[i]) + "_");
    }
    in_place = bound("mpi_fortran_in_place_");
    bottom = bound("mpi_fortran_bottom_");
    // MPICH: common /mpipriv1/ mpi_bottom, mpi_in_place, mpi_status_ignore
    if (auto* common = static_cast<MPI_Fint*>(bound("mpipriv1_")); common && !in_place)
      bottom = common, in_place = common + 1;
  }
  bool complete() const {
    const auto there = [](void* function) { return function != nullptr; };
    return std::ranges::all_of(plain, there) && std::ranges::all_of(beneath, there) && in_place && bottom;
  }
};

const Fortran& fortran() {
  static const Fortran found;
  return found;
}

void* address(void* buffer) {
  if (buffer == MPI_IN_PLACE) return fortran().in_place;
  return buffer == MPI_BOTTOM ? fortran().bottom : buffer;
}

/// A buffer's arguments in Fortran's form.
struct Converted {
  explicit Converted(const Side& side)
      : buffer(address(side.buffer)),
        count(side.count),
        type(MPI_Type_c2f(side.type)),
        counts(side.counts.begin(), side.counts.end()),
        places(side.places.begin(), side.places.end()) {
    for (const MPI_Datatype each : side.types) types.push_back(MPI_Type_c2f(each));
  }
  void* buffer;
  MPI_Fint count, type;
  std::vector<MPI_Fint> counts, places, types;
};

template <class... Argument>
int call_fortran(void* function, Argument*... arguments) {
  MPI_Fint error = MPI_ERR_OTHER;
  reinterpret_cast<void (*)(Argument * ..., MPI_Fint*)>(function)(arguments..., &error);
  return error;
}

}  // namespace

bool has_fortran() { return fortran().complete(); }

int make_fortran(const Arguments& call, bool profiling) {  // NOLINT(readability-function-size)
  using enum Collective;
  void* f = (profiling ? fortran().beneath : fortran().plain)[static_cast<std::size_t>(call.collective)];
  Converted s(call.send), r(call.receive);
  MPI_Fint op = MPI_Op_c2f(call.op), root = call.root, comm = MPI_Comm_c2f(call.comm);
  switch (call.collective) {
    case barrier:
      return call_fortran(f, &comm);
    case bcast:
      return call_fortran(f, r.buffer, &r.count, &r.type, &root, &comm);
    case gather:
    case scatter:
      return call_fortran(f, s.buffer, &s.count, &s.type, r.buffer, &r.count, &r.type, &root, &comm);
    case gatherv:
      return call_fortran(f, s.buffer, &s.count, &s.type, r.buffer, r.counts.data(), r.places.data(), &r.type, &root,
                          &comm);
    case scatterv:
      return call_fortran(f, s.buffer, s.counts.data(), s.places.data(), &s.type, r.buffer, &r.count, &r.type, &root,
                          &comm);
    case allgather:
    case alltoall:
      return call_fortran(f, s.buffer, &s.count, &s.type, r.buffer, &r.count, &r.type, &comm);
    case allgatherv:
      return call_fortran(f, s.buffer, &s.count, &s.type, r.buffer, r.counts.data(), r.places.data(), &r.type, &comm);
    case alltoallv:
      return call_fortran(f, s.buffer, s.counts.data(), s.places.data(), &s.type, r.buffer, r.counts.data(),
                          r.places.data(), &r.type, &comm);
    case alltoallw:
      return call_fortran(f, s.buffer, s.counts.data(), s.places.data(), s.types.data(), r.buffer, r.counts.data(),
                          r.places.data(), r.types.data(), &comm);
    case reduce:
      return call_fortran(f, s.buffer, r.buffer, &r.count, &r.type, &op, &root, &comm);
    case reduce_scatter:
      return call_fortran(f, s.buffer, r.buffer, r.counts.data(), &r.type, &op, &comm);
    case allreduce:
    case reduce_scatter_block:
    case scan:
    case exscan:
      return call_fortran(f, s.buffer, r.buffer, &r.count, &r.type, &op, &comm);
  }
  return MPI_ERR_OTHER;
}

}  // namespace tutti::fuzz
