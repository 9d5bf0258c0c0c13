#pragma once
/// The spec language: one grammar for environment, profile, command and reports.
///
///   ring   pipelined_chain(segment=64K)   groups(16, chain)   groups(16, outer=ring, inner=binomial)
///   node   node(rabenseifner)   node(ring, senders=4)   node(native)   native
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"

namespace tutti {

struct Spec {
  struct Option {
    std::string name;          ///< lower case
    long long number = 0;      ///< value, where it is a number (64K = 65536)
    std::string word;          ///< value, where it is a word (copy=cma)
    std::vector<Spec> nested;  ///< value, where it is a spec (outer=ring): one element
  };
  std::string name;            ///< "ring", "node", "groups", "native"
  std::vector<Spec> arguments; ///< positional specs: node(ring) has one
  std::vector<Option> options; ///< by name; the leading number of groups(16, …) is the option "groups"

  const Option* option(std::string_view name) const;
};

/// Why a text is not a spec.  `what()` is one sentence that names the word and the nearest valid one.
class SpecError : public std::runtime_error {
 public:
  SpecError(const std::string& message, std::size_t column) : std::runtime_error(message), column(column) {}
  std::size_t column;
};

/// Parses and checks names, parameters and ranges for that collective against the catalogue.  Throws SpecError.
Spec parse_spec(std::string_view text, Collective collective);
/// Canonical text; parse_spec(to_text(s)) == s.
std::string to_text(const Spec& spec);
/// The nearest of `words` to `word` by edit distance, or empty where none is near.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& words);

}  // namespace tutti
