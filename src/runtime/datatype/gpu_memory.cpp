#include "runtime/datatype/gpu_memory.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

/// Libraries that programs of CUDA, HIP and Level Zero load.  A CUDA runtime that is linked statically loads libcuda
/// too.
constexpr std::array<std::string_view, 4> runtimes = {"libcuda.so", "libcudart.so", "libamdhip64.so",
                                                      "libze_loader.so"};
/// Open MPI's, MPICH's, Intel MPI's.
constexpr std::array queries = {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support", "MPIX_Query_hip_support",
                                "MPIX_Query_ze_support"};
constexpr std::array variables = {
    "I_MPI_OFFLOAD", "MPICH_GPU_SUPPORT_ENABLED", "MV2_USE_CUDA", "MV2_USE_ROCM", "MVP_USE_CUDA", "MVP_USE_ROCM"};

/// What has been found, and how many objects had been loaded by then.
struct Loaded {
  unsigned long long times = 0;
  bool begun = false;
  std::string runtime;
};

int look(dl_phdr_info* object, std::size_t size, void* context) {
  Loaded& loaded = *static_cast<Loaded*>(context);
  if (size >= sizeof *object && !std::exchange(loaded.begun, true)) {
    const bool same = object->dlpi_adds == loaded.times;
    loaded.times = object->dlpi_adds;
    if (same) return 1;  // what was found before holds
    loaded.runtime.clear();
  }
  const std::string_view path = object->dlpi_name ? object->dlpi_name : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool found = std::ranges::any_of(runtimes, [&](std::string_view one) { return name.starts_with(one); });
  if (found) loaded.runtime = name;
  return found;
}

bool is_on(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

}  // namespace

bool takes_device_buffers(void* handle) {
  for (const char* const name : queries)
    if (auto* const query = reinterpret_cast<int (*)()>(dlsym(handle, name)); query && query() == 1) return true;
  return std::ranges::any_of(variables, is_on);
}

std::string gpu_runtime() {
  static std::mutex mutex;  // nothing of MPI is called under it
  static auto& loaded = *new Loaded;
  const std::lock_guard lock(mutex);
  loaded.begun = false;
  dl_iterate_phdr(look, &loaded);
  return loaded.runtime;
}

bool device_buffers_possible() { return !gpu_runtime().empty() && takes_device_buffers(mpi_handle()); }

}  // namespace tutti::runtime
