/// SimGrid's SMPI is linked, not looked up: the table is there before the first call.
#include "runtime/platform/pmpi.hpp"

#include <array>
#include <string>

namespace tutti::runtime {

constinit Pmpi pmpi = {
#define TUTTI_ENTRY(name) .name = &::PMPI_##name,
    TUTTI_PMPI_FUNCTIONS(TUTTI_ENTRY)
#undef TUTTI_ENTRY
};

constinit WideCollectives wide;

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
