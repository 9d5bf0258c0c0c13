#pragma once
/// Formulas as they are printed in the papers that tutti began with, the losing ones too, each beside what the
/// schedules come to.
#include <span>
#include <string_view>

#include "core/collective.hpp"

namespace tutti {

struct Equation {
  enum class Kind {
    cost,        ///< T of the spec
    derivative,  ///< of a cost by G
    threshold    ///< bytes: what α/β is compared with
  };
  std::string_view source;  ///< "Hasanov et al., equation 12"
  Collective collective;
  std::string_view spec;  ///< what it is about, `G` and `X` standing for groups and segments
  std::string_view printed;
  /// The formula that agrees with the schedules of this catalogue; empty where the printed one does.
  std::string_view counted{};
  std::string_view remark{};
  Kind kind = Kind::cost;
};

std::span<const Equation> equations();

}  // namespace tutti
