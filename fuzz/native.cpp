#include "native.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace tutti::fuzz {
namespace {

/// The object that defines PMPI_Init, as src/preload/loader/find_mpi.c looks for it.
Dl_info found() {
  Dl_info object{};
  void* symbol = dlsym(RTLD_DEFAULT, "PMPI_Init");
  if (symbol && dladdr(symbol, &object) && object.dli_fname) return object;
  std::fprintf(stderr, "tutti_fuzz: no MPI library in this process\n");
  std::exit(2);
}

void* handle() {
  static void* const opened = dlopen(found().dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return opened;
}

}  // namespace

void* native_symbol(const std::string& name) { return dlsym(handle(), name.c_str()); }

std::string native_folder() {
  const std::string path = found().dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

const Functions<int, int>& native() {
  static const Functions<int, int> table = [] {
    auto made = functions<int, int>("PMPI_", "", native_symbol);
    if (!made.complete()) {
      std::fprintf(stderr, "tutti_fuzz: %s lacks collectives\n", found().dli_fname);
      std::exit(2);
    }
    return made;
  }();
  return table;
}

}  // namespace tutti::fuzz
