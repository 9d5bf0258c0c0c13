#include "spellings.hpp"

#include <dlfcn.h>

#include <array>

#include "fortran.hpp"
#include "make_by.hpp"
#include "native.hpp"

namespace tutti::fuzz {
namespace {

/// As the loader binds a program's own references: what is preloaded comes first.
void* bound(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()); }

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
