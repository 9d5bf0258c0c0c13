#include "bench/loading.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

namespace tutti::bench {

namespace fs = std::filesystem;

Library load_mpi(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!handle) throw std::runtime_error("cannot load the MPI library: " + std::string(dlerror()));
  if (!dlsym(handle, "PMPI_Init")) throw std::runtime_error(path + " is not an MPI library: it has no PMPI_Init");
  return {handle, path};
}

std::string_view backend_of(const Library& mpi) {
  int major = -1, minor = -1;
  auto abi = reinterpret_cast<int (*)(int*, int*)>(dlsym(mpi.handle, "PMPI_Abi_get_version"));
  if (abi && abi(&major, &minor) == 0 && major >= 1) return "abi";
  return version_of(mpi).find("Open MPI") != std::string::npos ? "openmpi"
                                                               : "mpich";  // Intel's, Cray's, MVAPICH: one ABI
}

std::string version_of(const Library& mpi) {
  auto get = reinterpret_cast<int (*)(char*, int*)>(dlsym(mpi.handle, "MPI_Get_library_version"));
  if (!get) throw std::runtime_error(mpi.path + " has no MPI_Get_library_version (MPI 3 or later is needed)");
  std::vector<char> text(1 << 14);  // no MPI has a longer MPI_MAX_LIBRARY_VERSION_STRING (MPICH: 8192)
  int length = 0;
  get(text.data(), &length);
  return text.data();
}

ModuleMain load_module(std::string_view backend) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const std::string file = "libtutti-bench-" + std::string(backend) + ".so";
  for (const fs::path& path : {here / file, here.parent_path() / "lib" / file}) {
    if (!fs::exists(path)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) throw std::runtime_error("cannot load " + path.string() + ": " + dlerror());
    if (void* entry = dlsym(module, "tutti_bench_main")) return reinterpret_cast<ModuleMain>(entry);
    throw std::runtime_error(path.string() + " has no tutti_bench_main");
  }
  throw std::runtime_error(file + " is neither in " + here.string() + " nor in ../lib: this build has no backend " +
                           std::string(backend));
}

}  // namespace tutti::bench
