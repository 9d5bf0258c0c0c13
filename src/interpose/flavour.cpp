/// The one symbol that a flavour exports, and what the front asks it for.
#include "front/flavour.h"

#include <string>
#include <vector>

#include "capi/capi.hpp"
#include "capi/shared/shared.hpp"
#include "interpose/freeing.hpp"
#include "interpose/looks.hpp"
#include "interpose/next.hpp"
#include "interpose/recorders.hpp"
#include "interpose/serve.hpp"
#include "interpose/wrappers.hpp"
#include "record/flavour/record.hpp"

namespace tutti::interpose {

namespace {

decltype(&MPI_Finalize) next_finalize = nullptr;

int finalize() {
  record::conclude();
  finalize_begin();
  const int code = next_finalize();
  finalize_end();
  return code;
}

const tutti_entry* entries(const tutti_front& front, const char** reason) {
  *reason = "it was built for another version of libtutti.so";
  if (front.contract != TUTTI_FLAVOUR_CONTRACT) return nullptr;
  if (const char* missing = start(front)) {
    static const std::string text = std::string("this MPI has no ") + missing;
    *reason = text.c_str();
    return nullptr;
  }
  find_next(front);
  find(front, "MPI_Finalize", next_finalize, nullptr);
  find_looks(front);
  find_freeing(front);
  static std::vector<tutti_entry> list_of_all;
  list_wrappers(list_of_all);
  if (record::wanted()) {
    record::begin();
    list_recorders(list_of_all, record::serving());
  }
  list(list_of_all, "MPI_Finalize", finalize);
  list_looks(list_of_all);
  list_freeing(list_of_all);
  list(list_of_all, "tutti_get_counters", capi::get_counters);
  list(list_of_all, "tutti_last_choice", capi::last_choice);
  capi::list_shared(list_of_all);
  list_of_all.push_back({nullptr, nullptr});
  return list_of_all.data();
}

}  // namespace
}  // namespace tutti::interpose

extern "C" __attribute__((visibility("default"))) const tutti_entry* tutti_flavour(const tutti_front* front,
                                                                                   const char** reason) {
  try {
    return tutti::interpose::entries(*front, reason);
  } catch (...) {  // memory, at most
    *reason = "not enough memory";
    return nullptr;
  }
}
