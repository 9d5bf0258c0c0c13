#pragma once
/// Every way in which the members of a group can be interleaved, for one program.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sample_calls.hpp"

namespace tutti::shm::interleaving {

using test::SampleCall;

struct Outcome {
  std::uint64_t states = 0, steps = 0;
  std::optional<std::string> fault;  ///< what went wrong, and in which order the members ran
};

class Explorer {
 public:
  /// `domains`: of each member, or nothing.  `long_ring`, `deposits`: bytes of each member's.
  Explorer(int size, std::vector<int> domains, std::size_t long_ring, std::size_t deposits);
  ~Explorer();
  Outcome explore(const std::vector<const SampleCall*>& program);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tutti::shm::interleaving
