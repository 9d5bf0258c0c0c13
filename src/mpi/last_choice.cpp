#include "mpi/state.hpp"

namespace tutti::mpi {

constinit thread_local const char* last_choice [[gnu::tls_model("initial-exec")]] = "native";

}  // namespace tutti::mpi
