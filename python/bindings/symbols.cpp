#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "bindings.hpp"

namespace tutti::bindings {

namespace {

/// The name that a C++ source has for it; the symbol itself where it is none of C++'s.
std::string demangled(const std::string& symbol) {
  int status = -1;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  // Without _Z it would be taken for a type: "i" is int.
  return symbol.starts_with("_Z") && status == 0 && name ? std::string(name.get()) : symbol;
}

}  // namespace

void add_symbols(nb::module_& module) {
  module.def("demangled", demangled, "symbol"_a, "A linker's symbol as C++ has it; other symbols as they are.");
}

}  // namespace tutti::bindings
