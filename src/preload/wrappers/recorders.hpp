#pragma once
/// The generated recording functions, as the backend's entry uses them.
#include <string_view>
#include <type_traits>
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

/// Puts a recording function in the place of every collective's in the list; it calls what stood there, or, without
/// `serving`, what the call reaches without tutti.
void list_recorders(std::vector<tutti_entry>& entries, bool serving);

template <class Function>
void take_over(std::vector<tutti_entry>& entries, std::string_view name, Function*& beneath,
               std::type_identity_t<Function>* native, std::type_identity_t<Function>* recorder) {
  for (tutti_entry& entry : entries) {
    if (name != entry.name) continue;
    beneath = native ? native : reinterpret_cast<Function*>(entry.function);
    entry.function = reinterpret_cast<void*>(recorder);
  }
}

}  // namespace tutti::preload
