#pragma once
/// What an algorithm costs by the formula of its catalogue row, without its schedule: for any number of ranks, at once.
#include <cstdint>

#include "algorithms/catalogue.hpp"
#include "models/formula.hpp"

namespace tutti {

/// Of the row's formula; of a composition in groups the sum over its phases (Hasanov et al., section 3).  `bytes` is
/// the vector, or a block (per peer); `segments` and the like come from the parameters, as schedules get them.
///
/// The formulas are those of the literature: exact where a row's papers say so, powers of two as a rule, and near
/// elsewhere (tests/models/closed_form_test.cpp compares them with the schedules).  Throws std::invalid_argument on a
/// number of ranks below 1.
Coefficients closed_form(const Algorithm& algorithm, int ranks, const Parameters& parameters, std::int64_t bytes);

/// The letters of the formula for that call.
Quantities quantities_of(const Algorithm& algorithm, int ranks, const Parameters& parameters, std::int64_t bytes);

}  // namespace tutti
