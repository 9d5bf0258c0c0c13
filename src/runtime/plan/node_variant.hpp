#pragma once
/// Which variant of the node engine carries a call out (shm/variants), as far as that is known before the call runs.
#include <string>

#include "runtime/plan/operation.hpp"
#include "selection/choice.hpp"
#include "shm/group.hpp"

namespace tutti::runtime {

/// How data moves on the node engine, as the choice says.
inline shm::Borders borders_of(const Choice& choice) {
  return {.single_copy = choice.single_copy, .by_clock = choice.by_clock, .asked = choice.variant};
}

/// What drives the variant of the call, on a rank of `size`.
shm::VariantCall variant_call(const Operation& call, Rank me, int size);

/// What explanations say: ", variant striped", and why not the one that was asked for.
std::string variant_text(const Operation& call, const Choice& choice, const shm::ShmGroup& group);

}  // namespace tutti::runtime
