/// What the loader and a backend's entry do elsewhere, for programs that tutti is linked into.  The MPI names that they
/// call are generated (generate.py, linked).
#include <array>
#include <cstring>
#include <vector>

#include "capi/capi.hpp"
#include "capi/shared/shared.hpp"
#include "preload/backend/report.hpp"
#include "preload/loader/backend.h"
#include "preload/probe/probe_retry.hpp"
#include "preload/wrappers/wrappers.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

constinit const char* last_choice = "native";

}  // namespace tutti::runtime

namespace tutti::preload {
namespace {

/// PMPI_X by the name of MPI_X; null for what SMPI does not have, which is the large-count forms.
void* next_by_name(const char* name) {
  struct Entry {
    const char* name;
    void* function;
  };
  static const std::array entries = {
#define TUTTI_ENTRY(name) Entry{"MPI_" #name, reinterpret_cast<void*>(&::PMPI_##name)},
      TUTTI_PMPI_FUNCTIONS(TUTTI_ENTRY)
#undef TUTTI_ENTRY
  };
  for (const Entry& entry : entries)
    if (std::strcmp(entry.name, name) == 0) return entry.function;
  return nullptr;
}

/// What tutti/shared.h calls.
template <class Function>
Function* shared_entry(const char* name) {
  static const std::vector<tutti_entry> entries = [] {
    std::vector<tutti_entry> list;
    capi::list_shared(list);
    return list;
  }();
  for (const tutti_entry& entry : entries)
    if (std::strcmp(entry.name, name) == 0) return reinterpret_cast<Function*>(entry.function);
  return nullptr;
}

}  // namespace

}  // namespace tutti::preload

using tutti::preload::shared_entry;

/// Its name on the link line (-u tutti_linked) is what brings tutti into a program: SMPI declares the MPI names weak,
/// and for weak names no archive is searched.
extern "C" [[gnu::constructor]] void tutti_linked() {
  const tutti_loader loader{TUTTI_BACKEND_CONTRACT, nullptr, "", "", tutti::preload::next_by_name};
  tutti::preload::find_next(loader);
}

extern "C" int MPI_Finalize() {
  tutti::preload::finalize_begin();
  const int code = PMPI_Finalize();
  tutti::preload::finalize_end();
  return code;
}

extern "C" const char* tutti_version() { return TUTTI_VERSION; }

extern "C" int tutti_get_counters(const char* collective, tutti_counters* counters) {
  return tutti::capi::get_counters(collective, counters);
}

extern "C" const char* tutti_last_choice() { return tutti::capi::last_choice(); }

extern "C" int tutti_shared(const tutti_shared_call* call, void** result) {
  return shared_entry<int(const tutti_shared_call*, void**)>("tutti_shared")(call, result);
}

extern "C" int tutti_free(void* result) { return shared_entry<int(void*)>("tutti_free")(result); }

extern "C" tutti_result tutti_result_kind(const void* result, const char** reason) {
  return shared_entry<tutti_result(const void*, const char**)>("tutti_result_kind")(result, reason);
}
