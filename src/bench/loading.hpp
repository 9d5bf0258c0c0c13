#pragma once
/// Brings an MPI library into this process and finds the module of tutti-bench that was compiled for its flavour.
#include <string>
#include <string_view>

namespace tutti::bench {

struct Library {
  void* handle = nullptr;  ///< of dlopen; PMPI_X looked up here is the library's own
  std::string path;
};

/// dlopen with global visibility, so that the module's undefined MPI symbols find it.  Throws std::runtime_error.
Library load_mpi(const std::string& path);

/// "mpich", "openmpi" or "abi".  `version` is what MPI_Get_library_version says (it may be asked before MPI_Init);
/// the standard ABI is told by the file's name, since MPICH gives the same version in both of its libraries.
std::string_view flavour_of(std::string_view version, std::string_view file_name);

/// MPI_Get_library_version of that library.  Throws std::runtime_error where it has none.
std::string version_of(const Library& mpi);

using ModuleMain = int (*)(void* mpi, const char* mpi_path, const char* flavour, int argc, char** argv);

/// `tutti_bench_main` of libtutti-bench-<flavour>.so, beside the executable or in ../lib.  Throws std::runtime_error.
ModuleMain load_module(std::string_view flavour);

}  // namespace tutti::bench
