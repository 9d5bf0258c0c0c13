#pragma once
/// Cost formulas as the catalogue and the papers write them, evaluated: `2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ`.
#include <string_view>

namespace tutti {

/// Numbers that letters of a formula stand for; 0 where there is none.
struct Quantities {
  double ranks = 1;        ///< p
  double bytes = 0;        ///< m
  double segments = 0;     ///< X, n
  double radix = 0;        ///< k
  double aggregation = 0;  ///< A
  double groups = 0;       ///< G
  /// Logarithms are rounded up, to the rounds of a tree on any number of ranks; else as papers write them, exact for
  /// powers.
  bool whole_logs = true;
};

/// What a formula comes to: T = rounds α + moved β + reduced γ.
struct Coefficients {
  double rounds = 0;   ///< of α: messages one after the other
  double moved = 0;    ///< of β: bytes in them
  double reduced = 0;  ///< of γ: bytes combined one after the other
  bool operator==(const Coefficients&) const = default;
  Coefficients operator+(const Coefficients& other) const {
    return {rounds + other.rounds, moved + other.moved, reduced + other.reduced};
  }
  Coefficients operator*(double factor) const { return {rounds * factor, moved * factor, reduced * factor}; }
};

/// Letters side by side are multiplied, from left to right as by division: `(p-1)/p mβ` is ((p-1)/p) m β, and `m/X β`
/// is (m/X) β.  `lg`, `log_k` and `sqrt` take the letter, the number or the parenthesis that follows: `lg p/p` is
/// (lg p)/p.  ⌈ ⌉ rounds up.
///
/// Throws std::invalid_argument, with the place, on a text that is no such formula: two of α, β, γ multiplied, a term
/// without any, a letter that has no value.
Coefficients evaluate(std::string_view formula, const Quantities& values);

/// The value of a formula without α, β, γ.  Throws as above, and where there is one.
double evaluate_number(std::string_view formula, const Quantities& values);

}  // namespace tutti
