#include "models/formula.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

namespace tutti {
namespace {

/// A sum of a number and of multiples of α, β, γ.
struct Linear {
  double number = 0;
  Coefficients costs;

  bool plain() const { return costs == Coefficients{}; }
};

/// Rounded up, where floating point is not exact for powers.
double logarithm(double base, double value, bool whole) {
  const double found = std::log2(value) / std::log2(base), nearest = std::round(found);
  if (std::abs(found - nearest) < 1e-9) return nearest;
  return whole ? std::ceil(found) : found;
}

/// A parser by descent, which evaluates as it goes.
class Reading {
 public:
  Reading(std::string_view text, const Quantities& values) : text_(text), values_(values) {}

  Linear whole() {
    const Linear found = sum();
    if (!ended()) fail("what stands there is not part of a formula");
    return found;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument("formula '" + std::string(text_) + "', column " + std::to_string(at_ + 1) + ": " + why);
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool ended() {
    skip();
    return at_ == text_.size();
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Linear sum() {
    Linear all = product();
    for (;;) {
      const double sign = take("+") ? 1 : take("-") ? -1 : 0;
      if (sign == 0) return all;
      const Linear next = product();
      all.number += sign * next.number;
      all.costs = all.costs + next.costs * sign;
    }
  }

  Linear product() {
    std::optional<Linear> first = factor();
    if (!first) fail("a number, a letter or a parenthesis is missing");
    Linear all = *first;
    for (;;) {
      const bool divided = take("/");
      const std::optional<Linear> next = factor();
      if (!next && divided) fail("what to divide by is missing");
      if (!next) return all;
      all = divided ? quotient(all, *next) : multiple(all, *next);
    }
  }

  Linear quotient(const Linear& above, const Linear& below) const {
    if (!below.plain() || below.number == 0) fail("that cannot be divided by");
    return {above.number / below.number, above.costs * (1 / below.number)};
  }

  Linear multiple(const Linear& one, const Linear& other) const {
    if (!one.plain() && !other.plain()) fail("α, β and γ are not multiplied with one another");
    const Linear &costs = one.plain() ? other : one, &factor = one.plain() ? one : other;
    return {one.number * other.number, costs.costs * factor.number};
  }

  /// Nothing where none begins here.
  std::optional<Linear> factor() {
    if (ended()) return std::nullopt;
    if (take("(")) return parenthesis(")");
    if (take("⌈")) return Linear{std::ceil(parenthesis("⌉").number), {}};
    if (take("lg")) return Linear{logarithm(2, argument(), values_.whole_logs), {}};
    if (take("log_k")) return Linear{logarithm(known(values_.radix), argument(), values_.whole_logs), {}};
    if (take("sqrt")) return Linear{std::sqrt(argument()), {}};
    if (take("α")) return Linear{0, {1, 0, 0}};
    if (take("β")) return Linear{0, {0, 1, 0}};
    if (take("γ")) return Linear{0, {0, 0, 1}};
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return Linear{number(), {}};
    return letter();
  }

  Linear parenthesis(std::string_view end) {
    const Linear inside = sum();
    if (!take(end)) fail("a parenthesis is not closed");
    if (end != ")" && !inside.plain()) fail("α, β and γ are not rounded");
    return inside;
  }

  double argument() {
    const std::optional<Linear> found = factor();
    if (!found || !found->plain() || !(found->number > 0)) fail("a number above 0 is to follow");
    return found->number;
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("that number cannot be read");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::optional<Linear> letter() {
    if (take("p")) return Linear{known(values_.ranks), {}};
    if (take("m")) return Linear{values_.bytes, {}};
    if (take("X") || take("n")) return Linear{known(values_.segments), {}};
    if (take("k")) return Linear{known(values_.radix), {}};
    if (take("A")) return Linear{known(values_.aggregation), {}};
    if (take("G")) return Linear{known(values_.groups), {}};
    return std::nullopt;
  }

  double known(double value) const {
    if (!(value > 0)) fail("that letter has no value here");
    return value;
  }

  std::string_view text_;
  const Quantities& values_;
  std::size_t at_ = 0;
};

}  // namespace

Coefficients evaluate(std::string_view formula, const Quantities& values) {
  const Linear found = Reading(formula, values).whole();
  if (found.number != 0)
    throw std::invalid_argument("formula '" + std::string(formula) + "': a term has none of α, β and γ");
  return found.costs;
}

double evaluate_number(std::string_view formula, const Quantities& values) {
  const Linear found = Reading(formula, values).whole();
  if (!found.plain()) throw std::invalid_argument("formula '" + std::string(formula) + "': a number has no α, β or γ");
  return found.number;
}

}  // namespace tutti
