#include "forms.hpp"

#include <dlfcn.h>

#include <array>
#include <cctype>
#include <string_view>

#include "make_by.hpp"
#include "native.hpp"
#include "served.hpp"

namespace tutti::fuzz {
namespace {

using Nonblocking = Functions<int, int, MPI_Request*>;
using Persistent = Functions<int, int, MPI_Info, MPI_Request*>;

void* bound(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()); }

/// "MPI_Bcast" is MPI_Ibcast.
std::string nonblocking_name(std::string blocking) {
  const std::size_t at = blocking.find("MPI_") + 4;
  blocking[at] = static_cast<char>(std::tolower(static_cast<unsigned char>(blocking[at])));
  return blocking.insert(at, "I");
}

const Nonblocking& nonblocking() {
  static const auto table = functions<int, int, MPI_Request*>(
      "MPI_", "", [](const std::string& name) { return bound(nonblocking_name(name)); });
  return table;
}

const Nonblocking& of_the_library() {
  static const auto table = functions<int, int, MPI_Request*>(
      "PMPI_", "", [](const std::string& name) { return native_symbol(nonblocking_name(name)); });
  return table;
}

const Persistent& persistent() {
  static const auto table = functions<int, int, MPI_Info, MPI_Request*>(
      "MPI_", "", [](const std::string& name) { return bound(name + "_init"); });
  return table;
}

}  // namespace

std::string_view name(Form form) {
  static constexpr std::array<std::string_view, 5> names = {"blocking", "nonblocking", "persistent",
                                                            "the library's nonblocking", "message"};
  return names[static_cast<std::size_t>(form)];
}

bool has_persistent() { return persistent().complete(); }

int begin(const Arguments& call, Form form, MPI_Request* request) {
  if (form == Form::persistent) return make_by(persistent(), call, MPI_INFO_NULL, request);
  return make_by(form == Form::library ? of_the_library() : nonblocking(), call, request);
}

FormsServed forms_served() {
  FormsServed total;
  for (const std::string_view collective : collective_names)
    for (const std::string& form : {"i" + std::string(collective), std::string(collective) + "_init"}) {
      const tutti_counters seen = counters(form.c_str());
      total.eligible += seen.eligible;
      total.served += seen.node + seen.flat + seen.hierarchy;
    }
  return total;
}

}  // namespace tutti::fuzz
