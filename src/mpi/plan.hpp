#pragma once
/// Plans: short programs bound once and kept.  A plan counts elements, so it serves every buffer and datatype.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "mpi/binding.hpp"

namespace tutti::mpi {

struct Plan {
  /// Everything that bound steps depend on: one communicator, regular layouts.
  struct Key {
    const Algorithm* algorithm = nullptr;
    Rank root = 0;
    Parameters parameters{};
    std::int64_t input = 0, output = 0;  ///< elements of a block
    bool operator==(const Key&) const = default;
  };
  static constexpr std::size_t longest = 256;  ///< steps; longer programs are pulled afresh at each call

  Key key;
  bool too_long = false;
  std::vector<BoundStep> steps;
  std::vector<Range> ranges;
  std::vector<std::int64_t> areas;
};

/// Binds the whole program, or as much as tells that it is too long.
Plan make_plan(const Plan::Key& key, const Layouts& layouts, Schedule schedule);

/// The plans of one communicator: a new one takes the place of the old one of the same hash.
class PlanCache {
 public:
  /// The plan of that key, made by `make` where there is none.
  template <class Make>
  const Plan& get(const Plan::Key& key, Make&& make) {
    std::unique_ptr<Plan>& slot = slots_[hash(key)];
    if (!slot || slot->key != key) slot = std::make_unique<Plan>(make());
    return *slot;
  }

 private:
  static std::size_t hash(const Plan::Key& key) {
    std::uint64_t bits = reinterpret_cast<std::uintptr_t>(key.algorithm) >> 4;
    const auto mix = [&](std::int64_t value) {
      bits = (bits ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15u;
      bits ^= bits >> 32;
    };
    mix(key.root), mix(key.input), mix(key.output);
    for (const int value : key.parameters.values) mix(value);
    return bits % 64;
  }
  std::array<std::unique_ptr<Plan>, 64> slots_;
};

}  // namespace tutti::mpi
