#include "bench/backend/functions.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace tutti::bench {

namespace {

/// Null where there is none.
void* look(Source source, void* mpi, const std::string& name) {
  return source == Source::preloaded ? dlsym(RTLD_DEFAULT, ("MPI_" + name).c_str())
                                     : dlsym(mpi, ("PMPI_" + name).c_str());
}

template <typename Function>
void may_have(Function& function, Source source, void* mpi, const std::string& name) {
  function = reinterpret_cast<Function>(look(source, mpi, name));
}

template <typename Function>
void must_have(Function& function, Source source, void* mpi, const std::string& name) {
  may_have(function, source, mpi, name);
  if (!function) throw std::runtime_error("this MPI library has no MPI_" + name);
}

std::string text_of(const char* function) {
  const auto ask = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, function));
  const char* text = ask ? ask() : nullptr;
  return text ? text : "";
}

}  // namespace

Functions load_functions(Source source, void* mpi) {
  Functions functions;
#define TUTTI_BENCH_LOAD(name, lower)                            \
  must_have(functions.name.blocking, source, mpi, #name);        \
  may_have(functions.name.nonblocking, source, mpi, "I" #lower); \
  may_have(functions.name.persistent, source, mpi, #name "_init");
  TUTTI_BENCH_COLLECTIVES(TUTTI_BENCH_LOAD)
#undef TUTTI_BENCH_LOAD
#define TUTTI_BENCH_LOAD(name) must_have(functions.name, source, mpi, #name);
  TUTTI_BENCH_MESSAGES(TUTTI_BENCH_LOAD)
#undef TUTTI_BENCH_LOAD
  return functions;
}

std::string preloaded_version() { return text_of("tutti_version"); }
std::string last_choice() { return text_of("tutti_last_choice"); }

}  // namespace tutti::bench
