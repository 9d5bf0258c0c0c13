#pragma once
#include "core/collective.hpp"
#include "shm/variants/variants.hpp"

namespace tutti::shm::test {

/// visit(collective, row) for every variant of every collective.
template <typename Visit>
void each_variant(Visit visit) {
  for (const VariantRow& row : variants())
    for (std::size_t i = 0; i < collective_names.size(); ++i)
      if (const auto which = static_cast<Collective>(i); row.serves(which)) visit(which, row);
}

}  // namespace tutti::shm::test
