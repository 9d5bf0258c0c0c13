#include "runtime/platform/pmpi.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

namespace tutti::runtime {

Pmpi pmpi;
WideCollectives wide;
NonblockingCollectives nonblocking;

namespace {

void* library = nullptr;                         ///< dlopen handle
const bool* open_mpi_fault_tolerance = nullptr;  ///< Open MPI's own flag, where it is one

struct Entry {
  const char* name;
  void* function;  ///< where its address goes
};

constexpr std::array entries = {
#define TUTTI_ENTRY(name) Entry{"PMPI_" #name, &pmpi.name},
    TUTTI_PMPI_FUNCTIONS(TUTTI_ENTRY)
#undef TUTTI_ENTRY
#define TUTTI_ENTRY(name, function) Entry{"PMPI_" #function, &nonblocking.name},
        TUTTI_PMPI_NONBLOCKING(TUTTI_ENTRY)
#undef TUTTI_ENTRY
};

void load_wide(void* handle) {
  void *const gatherv = dlsym(handle, "PMPI_Gatherv_c"), *const scatterv = dlsym(handle, "PMPI_Scatterv_c"),
              *const alltoallv = dlsym(handle, "PMPI_Alltoallv_c");
  if (!gatherv || !scatterv || !alltoallv) return;
  wide.Gatherv = reinterpret_cast<decltype(wide.Gatherv)>(gatherv);
  wide.Scatterv = reinterpret_cast<decltype(wide.Scatterv)>(scatterv);
  wide.Alltoallv = reinterpret_cast<decltype(wide.Alltoallv)>(alltoallv);
}

}  // namespace

const char* load_pmpi(void* handle) {
  for (const Entry& entry : entries) {
    void* const found = dlsym(handle, entry.name);
    if (!found) return entry.name;
    std::memcpy(entry.function, &found, sizeof found);
  }
  library = handle;
  load_wide(handle);
  open_mpi_fault_tolerance = static_cast<const bool*>(dlsym(handle, "ompi_ftmpi_enabled"));
  return nullptr;
}

void* mpi_handle() { return library; }

const std::string& library_version() {
  static const std::string version = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    if (pmpi.Get_library_version) pmpi.Get_library_version(text.data(), &length);
    return std::string(text.data());
  }();
  return version;
}

bool fault_tolerance_on() {
  const char* const mpich = std::getenv("MPIR_CVAR_ENABLE_FT");
  return (open_mpi_fault_tolerance && *open_mpi_fault_tolerance) || (mpich && std::strcmp(mpich, "0") != 0);
}

}  // namespace tutti::runtime
