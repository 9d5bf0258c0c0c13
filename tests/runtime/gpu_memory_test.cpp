/// What tells that buffers may lie on a GPU.
#include "runtime/datatype/gpu_memory.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

using namespace tutti::runtime;

TEST_CASE("a GPU runtime is found once it is loaded, by its file's name") {
  namespace fs = std::filesystem;
  REQUIRE(gpu_runtime().empty());
  Dl_info any;
  REQUIRE(dladdr(dlsym(RTLD_DEFAULT, "dlopen"), &any));
  std::string folder = (fs::temp_directory_path() / "tutti.XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  Dl_info math;
  void* const libm = dlopen("libm.so.6", RTLD_LAZY);
  REQUIRE(dladdr(dlsym(libm, "cos"), &math));
  for (const char* name : {"libcudart.so.12", "libcuda.so.1"}) {
    const fs::path copy = fs::path(folder) / name;
    fs::copy_file(math.dli_fname, copy);
    void* const loaded = dlopen(copy.c_str(), RTLD_LAZY);
    REQUIRE(loaded);
    CHECK(!gpu_runtime().empty());
    CHECK(!gpu_runtime().empty());  // what was found holds
  }
  fs::remove_all(folder);
}

TEST_CASE("an MPI takes device buffers by its word or by the variable that turns it on") {
  void* const without = dlopen("libm.so.6", RTLD_LAZY);
  CHECK(!takes_device_buffers(without));
  for (const char* value : {"0", ""}) {
    setenv("MPICH_GPU_SUPPORT_ENABLED", value, 1);
    CHECK(!takes_device_buffers(without));
  }
  setenv("MPICH_GPU_SUPPORT_ENABLED", "1", 1);
  CHECK(takes_device_buffers(without));
  unsetenv("MPICH_GPU_SUPPORT_ENABLED");
}
