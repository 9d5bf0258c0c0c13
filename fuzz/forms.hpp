#pragma once
/// The nonblocking and persistent forms of the collectives, by name.
#include <string>
#include <string_view>

#include "arguments.hpp"

namespace tutti::fuzz {

enum class Form {
  blocking,
  nonblocking,
  persistent,
  library,  ///< nonblocking, the MPI library's own
  message,  ///< none of a collective: a message to the next rank and one from the last
};
std::string_view name(Form form);

/// This process's MPI has persistent collectives.
bool has_persistent();
/// Begins a call that is not blocking, or makes its persistent request.  The arguments last until it is complete.
int begin(const Arguments& call, Form form, MPI_Request* request);

struct FormsServed {
  unsigned long long eligible = 0, served = 0;
};
/// Of nonblocking and persistent calls in this process so far.
FormsServed forms_served();

}  // namespace tutti::fuzz
