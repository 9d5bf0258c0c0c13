#pragma once
/// The MPI library itself, past everything that is preloaded: what the fuzzer compares with.  PMPI_X of a program may
/// be served by tutti as well, so the reference is looked up on the library's own handle.
#include <string>

#include "functions.hpp"

namespace tutti::fuzz {

/// The library's functions, found once.  The program ends where there is no library.
const Functions<int, int>& native();
/// The folder that the library was loaded from.
std::string native_folder();
/// A symbol of the library or of what it depends on, or null.
void* native_symbol(const std::string& name);

}  // namespace tutti::fuzz
