#include "runtime/communicator/selector_pool.hpp"

#include <exception>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "runtime/platform/pmpi.hpp"
#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

using Shape = std::tuple<std::uint64_t, int, int, int, int, bool, bool>;

Shape shape_of(const AgreedSettings& agreed, const Placement& placement) {
  return {
      agreed.hash,           placement.ranks,      placement.nodes, placement.most_per_node, placement.least_per_node,
      placement.consecutive, placement.shares_cpus};
}

/// The selectors for communicators of one shape.  All hold the first one's rules.
struct Family {
  std::unique_ptr<const Selector> first;  ///< never lent
  std::vector<std::unique_ptr<Selector>> idle;
};

struct Pool {
  std::mutex mutex;
  std::map<Shape, Family> families;
};

Pool& pool() {
  static auto& pool = *new Pool;  // outlives every static object: delete callbacks may run late
  return pool;
}

std::unique_ptr<Selector> made(const AgreedSettings& agreed, const Placement& placement) {
  std::vector<Warning> warnings;
  auto selector = std::make_unique<Selector>(agreed.settings, placement, warnings, library_version());
  if (!warnings.empty() && speaks_for_job())
    for (const Warning& warning : warnings) journal::say_once(warning.text);
  return selector;
}

/// Null where none of that shape has been made.
std::unique_ptr<Selector> from_pool(const Shape& shape) {
  const std::lock_guard lock(pool().mutex);
  const auto found = pool().families.find(shape);
  if (found == pool().families.end()) return nullptr;
  Family& family = found->second;
  if (family.idle.empty()) return family.first ? std::make_unique<Selector>(*family.first) : nullptr;
  auto selector = std::move(family.idle.back());
  family.idle.pop_back();
  return selector;
}

/// Makes that selector's rules the ones of all to come of its shape.
void found_family(const Shape& shape, const Selector& selector) {
  const std::lock_guard lock(pool().mutex);
  Family& family = pool().families[shape];
  if (!family.first) family.first = std::make_unique<const Selector>(selector);
}

}  // namespace

SelectorLoan::SelectorLoan(const AgreedSettings& agreed, const Placement& placement)
    : agreed_(agreed), placement_(placement), selector_(from_pool(shape_of(agreed, placement))) {
  if (selector_) return;
  selector_ = made(agreed, placement);
  found_family(shape_of(agreed, placement), *selector_);
}

SelectorLoan::~SelectorLoan() {
  try {
    const std::lock_guard lock(pool().mutex);
    pool().families[shape_of(agreed_, placement_)].idle.push_back(std::move(selector_));
  } catch (const std::exception&) {
    static_cast<void>(selector_.release());  // no memory to keep it by; its texts may still be in use
  }
}

}  // namespace tutti::runtime
