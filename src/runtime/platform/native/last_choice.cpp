#include "runtime/communicator/state.hpp"

namespace tutti::runtime {

constinit thread_local const char* last_choice [[gnu::tls_model("initial-exec")]] = "native";

}  // namespace tutti::runtime
