#pragma once
/// Which spec serves a call, and why.  A pure function of what all ranks of the communicator agree on.
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "algorithms/grouped/gain.hpp"
#include "selection/settings.hpp"
#include "selection/spec.hpp"
#include "shm/variants/variant.hpp"

namespace tutti {

/// Where a communicator's ranks are.
struct Placement {
  int ranks = 1;
  int nodes = 1;
  int most_per_node = 1;
  int least_per_node = 1;
  bool consecutive = true;   ///< every node's ranks are an interval of ranks
  bool shares_cpus = false;  ///< some node has more ranks than CPUs
  bool operator==(const Placement&) const = default;
};

/// What of a call may drive the choice: what the standard makes equal on all ranks (a table in docs/why.md).
struct CallSignature {
  Collective collective = Collective::barrier;
  /// Size as users know it: count x type size; per peer where blocks are per peer; -1 where nothing global is known
  /// (alltoallv of more than two ranks, gatherv).  Of a reduction with a user's operator all ranks know the count
  /// alone: count x `nominal_element`.
  std::int64_t bytes = -1;
  std::int64_t count = -1;  ///< elements, for reductions
  bool commutative = true;  ///< the operator; true where there is none
  bool predefined = true;   ///< the operator; true where there is none
  bool request = false;     ///< a nonblocking or persistent call
};

/// Bytes that an element of a user's operator counts for in rules, whatever it has on this rank or that: those of a
/// double.
inline constexpr std::int64_t nominal_element = 8;

struct Choice;
/// What calls of some choices run on, beside a node's shared memory.
struct Wiring {
  bool messages = false;
  std::set<int> lanes;  ///< senders of those that call the MPI library between nodes

  void add(const Choice& choice);
};

struct Choice {
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  /// hierarchy: the node engine inside each node, `algorithm` between nodes.
  enum class Kind { native, flat, node, hierarchy } kind = Kind::native;
  Spec spec;  ///< canonical
  /// flat: of all ranks.  hierarchy: between nodes, and null where that is the MPI library's own collective.
  const Algorithm* algorithm = nullptr;
  std::size_t single_copy = never;  ///< node: blocks from so many bytes on are copied once
  std::size_t by_clock = never;     ///< node: blocks from so many bytes on are copied as their writer finds cheaper
  shm::Variant variant = shm::Variant::any;  ///< node: the variant that the spec names
  bool contested = false;  ///< node: beside the MPI's own, by turns, and the faster stays (contest.hpp)
  int senders = 1;         ///< hierarchy: ranks of each node that send between nodes
  /// hierarchy: a vector passes in pieces of so many bytes, of which one is between nodes while the next is in the
  /// node. The standard was the fastest at 1 Gbit/s, where it takes 1 ms.
  std::int64_t overlap = 128 * 1024;
  std::int64_t direct = 0;     ///< hierarchy, all to all: blocks of so many bytes go from rank to rank; 0: none does
  int ranks = 1, members = 1;  ///< of the placement; whom `algorithm` is among: the ranks, or a node each
  Gain gain{};                 ///< of groups, where the spec leaves their number to the size of the call
  std::string text;            ///< to_text(spec)
  std::string reason;          ///< "TUTTI_ALLREDUCE", "cluster.toml line 12", "default.toml line 7", "nothing measured"
  std::string because;         ///< the rule's own words, if it has any
  std::vector<std::string> excluded;  ///< "ring: the operator is not commutative"
};

/// Rules and settings for one placement.  Asked in this order, the first that can serve the call does:
/// TUTTI_<COLLECTIVE>; the rules of TUTTI_PROFILE; the rules of default.toml; native.  A setting or rule that cannot
/// serve this call is named in Choice::excluded with the reason.
///
/// TUTTI_REPRODUCIBLE=1: reductions take flat schedules alone, and no rule on nodes or ppn serves them, so that the
/// order of operations follows from ranks, root, size and operator, whatever the placement.  Where no rule serves, the
/// collective's stand-in (stand_ins.hpp), which keeps the order of ranks, does.
///
/// Building parses once; choosing is a cached look-up without allocation or lock.  Not for two threads at once.
class Selector {
 public:
  /// Profile problems become warnings with file, line, column and cause; the sound rules still serve.
  /// `library`: the MPI's name, for rules that hold under one alone.
  Selector(const Settings& settings, const Placement& placement, std::vector<Warning>& warnings,
           std::string_view library = {});
  /// The same rules, held once, and a cache of its own: a fifth of the memory and no parsing.
  explicit Selector(const Selector& other);
  ~Selector();
  /// Never fails; `native` where nothing else may.  The reference lives as long as the selector.
  const Choice& choose(const CallSignature& signature);
  /// Whether some call of that collective may get another choice than native.
  bool ever_serves(Collective which) const;
  /// For all choices that nonblocking and persistent calls may get.
  Wiring wiring_of_requests() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::unique_ptr<State> for_requests_;  ///< null where nothing tells their calls from blocking ones
};

/// Parameters of the choice's algorithm, where it has one, for a vector of `bytes` (segment sizes become block counts;
/// one block where `bytes` is not known), by position as in the catalogue.  Other values are zero.
Parameters parameters_for(const Choice& choice, std::int64_t bytes);

/// The profile that ships with the library (src/selection/default.toml).
std::string_view default_profile();

}  // namespace tutti
