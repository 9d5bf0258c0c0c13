#pragma once
/// Nodes that are only pretended: ranks of one machine taken for those of several, to try and to test what serves them.
#include <optional>
#include <string_view>
#include <vector>

namespace tutti {

/// How ranks are dealt to pretended nodes:
///
///   block:4          ranks 0 to 3 on the first node, 4 to 7 on the second, ...
///   cyclic:3         three nodes, rank r on node r mod 3
///   sizes:1,3,2      one rank on the first node, three on the second, two on the third, and again from one on
///   random:3:7       three nodes, each rank on any of them, by the seed 7
class PretendedNodes {
 public:
  /// Nothing where the text is none of these.
  static std::optional<PretendedNodes> parse(std::string_view text);
  /// The node of that rank; the same on every machine.
  int node_of(int rank) const;

 private:
  enum class Deal { block, cyclic, sizes, random } deal_ = Deal::block;
  std::vector<int> numbers_;
};

}  // namespace tutti
