#include "bench/flavour/functions.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace tutti::bench {

namespace {

void* find(Source source, void* mpi, const char* mpi_name, const char* pmpi_name) {
  const bool preloaded = source == Source::preloaded;
  const char* name = preloaded ? mpi_name : pmpi_name;
  if (void* function = dlsym(preloaded ? RTLD_DEFAULT : mpi, name)) return function;
  throw std::runtime_error(std::string("this MPI library has no ") + name);
}

std::string text_of(const char* function) {
  const auto ask = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, function));
  const char* text = ask ? ask() : nullptr;
  return text ? text : "";
}

}  // namespace

Functions load_functions(Source source, void* mpi) {
  Functions functions;
#define TUTTI_BENCH_LOAD(name) \
  functions.name = reinterpret_cast<decltype(functions.name)>(find(source, mpi, "MPI_" #name, "PMPI_" #name));
  TUTTI_BENCH_FUNCTIONS(TUTTI_BENCH_LOAD)
#undef TUTTI_BENCH_LOAD
  return functions;
}

std::string preloaded_version() { return text_of("tutti_version"); }
std::string last_choice() { return text_of("tutti_last_choice"); }

}  // namespace tutti::bench
