#pragma once
/// The generated wrappers, as the flavour's entry uses them.
#include <type_traits>
#include <vector>

#include "front/flavour.h"

namespace tutti::interpose {

/// Looks up what each wrapper passes on to.  A large-count form that this MPI lacks is made of its int form.
void find_next(const tutti_front& front);

/// Adds every wrapper under its MPI name, and the large-count forms without tutti as "native:MPI_X_c".
void list_wrappers(std::vector<tutti_entry>& entries);

template <class Function>
void find(const tutti_front& front, const char* name, Function& function, std::type_identity_t<Function> otherwise) {
  void* const found = front.next(name);
  function = found ? reinterpret_cast<Function>(found) : otherwise;
}

template <class Function>
void list(std::vector<tutti_entry>& entries, const char* name, Function* function) {
  entries.push_back({name, reinterpret_cast<void*>(function)});
}

}  // namespace tutti::interpose
