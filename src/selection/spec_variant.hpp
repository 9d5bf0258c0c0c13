#pragma once
/// A variant of the node engine in a spec: node(variant=striped).  By an option, never by its name alone: `tree` and
/// `chain` are algorithms between nodes as well.
#include "selection/spec.hpp"
#include "selection/spec_syntax.hpp"

namespace tutti {

/// The option.  Throws SpecError where the collective has no such variant.
Spec::Option variant_option(const SpecItem& item, Collective collective);
bool is_variant(Collective collective, std::string_view word);
/// A variant says how all data of ranks on one node moves.  Throws SpecError where another part of the spec does, too.
void refuse_beside_variant(const Spec& spec, std::size_t column);

}  // namespace tutti
