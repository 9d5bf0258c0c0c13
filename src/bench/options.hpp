#pragma once
/// The command line of tutti-bench.
#include <cstdint>
#include <string>
#include <vector>

#include "core/collective.hpp"

namespace tutti::bench {

/// One cell of a table: a collective at one size.
struct Case {
  Collective collective = Collective::barrier;
  /// The call's count in bytes, per peer where the call's blocks are per peer; 0 for barrier.
  std::int64_t bytes = 0;
  bool operator==(const Case&) const = default;
};

/// Which functions a variant calls.
enum class Source {
  preloaded,  ///< MPI_X as any program finds it: tutti's, when it is preloaded
  library     ///< PMPI_X of the MPI library itself
};

struct VariantName {
  std::string name;  ///< "tutti", "native", "again"
  Source source = Source::library;
  bool operator==(const VariantName&) const = default;
};

struct Options {
  std::vector<Case> cases;
  std::vector<VariantName> variants = {{"tutti", Source::preloaded}, {"native", Source::library}};
  double seconds = 0.5;     ///< time limit of a case
  double precision = 0.01;  ///< stop when the interval of the median is within +- this part of it
  bool check = true;
  bool bound = false;  ///< measure what each case cannot be faster than
};

/// "allreduce:64K" -> {allreduce, 65536}.  Throws std::invalid_argument with a sentence that names the word.
Case parse_case(const std::string& text);
/// Throws std::invalid_argument with a sentence that says what to write instead.
Options parse_options(int argc, const char* const* argv);

}  // namespace tutti::bench
