#pragma once
/// The generated wrappers, as the backend's entry uses them.
#include <type_traits>
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

/// Looks up what each wrapper passes on to.  A large-count form that this MPI lacks is made of its int form.
void find_next(const tutti_loader& loader);

/// Adds every wrapper under its MPI name, and the large-count forms without tutti as "native:MPI_X_c".
void list_wrappers(std::vector<tutti_entry>& entries);

template <class Function>
void find(const tutti_loader& loader, const char* name, Function& function, std::type_identity_t<Function> otherwise) {
  void* const found = loader.next(name);
  function = found ? reinterpret_cast<Function>(found) : otherwise;
}

template <class Function>
void list(std::vector<tutti_entry>& entries, const char* name, Function* function) {
  entries.push_back({name, reinterpret_cast<void*>(function)});
}

}  // namespace tutti::preload
