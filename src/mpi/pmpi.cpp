#include "mpi/pmpi.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace tutti::mpi {

Pmpi pmpi;

namespace {

const bool* open_mpi_fault_tolerance = nullptr;  ///< Open MPI's own flag, where it is one

template <class Function>
bool find(void* handle, const char* name, Function& function) {
  void* const found = dlsym(handle, name);
  function = reinterpret_cast<Function>(found);
  return found != nullptr;
}

}  // namespace

const char* load_pmpi(void* handle) {
#define TUTTI_LOAD(name) \
  if (!find(handle, "PMPI_" #name, pmpi.name)) return "PMPI_" #name;
  TUTTI_PMPI_FUNCTIONS(TUTTI_LOAD)
#undef TUTTI_LOAD
  find(handle, "ompi_ftmpi_enabled", open_mpi_fault_tolerance);
  return nullptr;
}

bool fault_tolerance_on() {
  const char* const mpich = std::getenv("MPIR_CVAR_ENABLE_FT");
  return (open_mpi_fault_tolerance && *open_mpi_fault_tolerance) || (mpich && std::strcmp(mpich, "0") != 0);
}

}  // namespace tutti::mpi
