#pragma once
/// Brings an MPI library into this process and finds the module of tutti-bench that was compiled for its backend.
#include <string>
#include <string_view>

namespace tutti::bench {

struct Library {
  void* handle = nullptr;  ///< of dlopen; PMPI_X looked up here is the library's own
  std::string path;
};

/// dlopen with global visibility, so that the module's undefined MPI symbols find it.  Throws std::runtime_error.
Library load_mpi(const std::string& path);

/// "mpich", "openmpi" or "abi".  The standard ABI is told by its own query, which MPICH's other library answers with
/// -1: both give the same version text.
std::string_view backend_of(const Library& mpi);

/// MPI_Get_library_version of that library (it may be asked before MPI_Init).  Throws std::runtime_error where it has
/// none.
std::string version_of(const Library& mpi);

using ModuleMain = int (*)(void* mpi, const char* mpi_path, const char* backend, int argc, char** argv);

/// `tutti_bench_main` of libtutti-bench-<backend>.so, beside the executable or in ../lib.  Throws std::runtime_error.
ModuleMain load_module(std::string_view backend);

}  // namespace tutti::bench
