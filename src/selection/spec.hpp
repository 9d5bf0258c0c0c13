#pragma once
/// The spec language: one grammar for environment, profile, command and reports.
///
///   ring   pipelined_chain(segment=64K)   groups(16, chain)   groups(16, outer=ring, inner=binomial)   groups(chain)
///   node   node(single_copy=16K)   node(copy=cma)   node(copy=clock)   node(native=clock)   node(variant=striped)
///   node(rabenseifner)   node(ring, senders=4)   node(native)   native
///
/// Numbers may end in K, M or G (1024 each).  Case and blanks do not matter.
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract.hpp"

namespace tutti {

struct Spec {
  struct Option {
    std::string name;          ///< lower case
    long long number = 0;      ///< value, where it is a number (64K = 65536)
    bool bytes = false;        ///< the number is a size: written as 64K
    std::string word;          ///< value, where it is a word
    std::vector<Spec> nested;  ///< value, where it is a spec (outer=ring): one element
  };
  std::string name;             ///< "ring", "node", "groups", "native"
  std::vector<Spec> arguments;  ///< positional specs: node(ring) has one
  std::vector<Option> options;  ///< by name; the leading number of groups(16, …) is "groups"

  /// The option of that name, or null.
  const Option* option(std::string_view name) const;
  bool operator==(const Spec& other) const;
};

/// Why a text is not a spec.  `what()` is one sentence that names the word, the column (from 1), and the nearest valid
/// one: "unknown algorithm 'rign' for allreduce (column 1); did you mean 'ring'?".
class SpecError : public std::runtime_error {
 public:
  SpecError(const std::string& cause, std::size_t column, const std::string& hint = {});
  std::size_t column;
  std::string sentence;  ///< what() without the column
};

/// Parses and checks names, parameters and ranges for that collective against the catalogue.  Throws SpecError.
Spec parse_spec(std::string_view text, Collective collective);
/// Canonical text: options in the catalogue's order, sizes with the largest suffix; parse_spec(to_text(s)) == s.
/// What the user left out stays out.
std::string to_text(const Spec& spec);
/// The nearest of `words` to `word` by edit distance (two neighbours swapped count as one edit), or empty where none
/// is near.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& words);
/// "; did you mean 'ring'?", or empty where none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words);
/// "did you mean 'ring'?", or all that is valid where nothing is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& valid);
std::string quoted(std::string_view word);

}  // namespace tutti
