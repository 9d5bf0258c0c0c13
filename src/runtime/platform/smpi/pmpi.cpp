/// SimGrid's SMPI is linked, not looked up: the table is there before the first call.
#include "runtime/platform/pmpi.hpp"

#include <array>
#include <string>

namespace tutti::runtime {

#define TUTTI_ENTRY(name) &::PMPI_##name,
constinit Pmpi pmpi = {{TUTTI_PMPI_COLLECTIVES(TUTTI_ENTRY)}, TUTTI_PMPI_SERVICES(TUTTI_ENTRY)};
#undef TUTTI_ENTRY

constinit WideCollectives wide;

#define TUTTI_ENTRY(name, function) &::PMPI_##function,
constinit NonblockingCollectives nonblocking = {TUTTI_PMPI_NONBLOCKING(TUTTI_ENTRY)};
#undef TUTTI_ENTRY

const char* load_pmpi(void*) { return nullptr; }

void* mpi_handle() { return nullptr; }

const std::string& library_version() {
  static const std::string version = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    pmpi.Get_library_version(text.data(), &length);
    return std::string(text.data());
  }();
  return version;
}

bool fault_tolerance_on() { return false; }

}  // namespace tutti::runtime
