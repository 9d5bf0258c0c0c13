#pragma once
/// What may serve a collective at one placement, in the order in which it is asked.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/constraints.hpp"
#include "selection/choice.hpp"
#include "selection/profile.hpp"

namespace tutti {

struct Candidate {
  Choice choice;              ///< as it would be, were this candidate taken
  std::optional<Range> size;  ///< serves these sizes alone
  Constraints needs;          ///< of a call, where the placement is right
  std::string excluded;       ///< why it cannot serve any call at this placement; empty where it can

  bool asked(const CallSignature& signature) const {
    return !size || (signature.bytes >= 0 && size->contains(signature.bytes));
  }
};

/// What the spec asks for at that placement, whether or not it can be served.
Choice choice_of(const Spec& spec, Collective collective, const Placement& placement);

/// Of that spec, whatever the rules say.  Throws SpecError.
Candidate make_candidate(const Settings& settings, const Placement& placement, Collective collective,
                         const std::string& spec);

/// For each collective; the last candidate of each serves every call.
using Candidates = std::array<std::vector<Candidate>, collective_names.size()>;

/// `requests`: of nonblocking and persistent calls.
Candidates make_candidates(const Settings& settings, const Placement& placement, std::string_view library,
                           std::vector<Warning>& warnings, bool requests);

}  // namespace tutti
