/// The one symbol that a backend exports, and the functions that the loader requests.
#include "preload/loader/backend.h"

#include <string>
#include <vector>

#include "capi/capi.hpp"
#include "capi/shared/shared.hpp"
#include "hang/entered.hpp"
#include "hang/watch.hpp"
#include "preload/backend/creating.hpp"
#include "preload/backend/freeing.hpp"
#include "preload/backend/report.hpp"
#include "preload/next.hpp"
#include "preload/probe/probe_retry.hpp"
#include "preload/requests/requests.hpp"
#include "preload/wrappers/recorders.hpp"
#include "preload/wrappers/wrappers.hpp"
#include "record/backend/record.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/carrier.hpp"
#include "runtime/requests/motion.hpp"

namespace tutti::preload {

namespace {

decltype(&MPI_Finalize) next_finalize = nullptr;

int finalize() {
  const hang::Entered entered(static_cast<std::uint8_t>(hang::Other::finalize),
                              {__builtin_return_address(0), __builtin_dwarf_cfa()});
  hang::stop_watching();
  record::conclude();
  runtime::motion::stop();
  finalize_begin();
  runtime::carrier::drop();
  const int code = next_finalize();
  finalize_end();
  return code;
}

const tutti_entry* entries(const tutti_loader& loader, const char** reason) {
  *reason = "it was built for another version of libtutti.so";
  if (loader.contract != TUTTI_BACKEND_CONTRACT) return nullptr;
  if (const char* missing = runtime::load_pmpi(loader.mpi)) {
    static const std::string text = std::string("this MPI has no ") + missing;
    *reason = text.c_str();
    return nullptr;
  }
  find_next(loader);
  find_next_requests(loader);
  find_completions(loader);
  find(loader, "MPI_Finalize", next_finalize, nullptr);
  find_looks(loader);
  find_freeing(loader);
  find_creating(loader);
  if (record::serving()) hang::watch();
  static std::vector<tutti_entry> list_of_all;
  list_wrappers(list_of_all);
  if (record::wanted()) {
    record::begin();
    list_recorders(list_of_all, record::serving());
  }
  list_request_wrappers(list_of_all);
  list_completions(list_of_all);
  list(list_of_all, "MPI_Finalize", finalize);
  list_looks(list_of_all);
  list_freeing(list_of_all);
  list_creating(list_of_all);
  list(list_of_all, "tutti_get_counters", capi::get_counters);
  list(list_of_all, "tutti_last_choice", capi::last_choice);
  capi::list_shared(list_of_all);
  list_of_all.push_back({nullptr, nullptr});
  return list_of_all.data();
}

}  // namespace
}  // namespace tutti::preload

extern "C" __attribute__((visibility("default"))) const tutti_entry* tutti_backend(const tutti_loader* loader,
                                                                                   const char** reason) {
  try {
    return tutti::preload::entries(*loader, reason);
  } catch (...) {  // memory, at most
    *reason = "not enough memory";
    return nullptr;
  }
}
