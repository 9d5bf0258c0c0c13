#include "mpi/selectors.hpp"

#include <exception>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "mpi/journal.hpp"

namespace tutti::mpi {
namespace {

using Shape = std::tuple<std::uint64_t, int, int, int, int>;

Shape shape_of(const Adopted& adopted, const Placement& placement) {
  return {adopted.hash, placement.ranks, placement.nodes, placement.most_per_node, placement.least_per_node};
}

struct Pool {
  std::mutex mutex;
  std::map<Shape, std::vector<std::unique_ptr<Selector>>> idle;
};

Pool& pool() {
  static auto& pool = *new Pool;  // outlives every static object: delete callbacks may run late
  return pool;
}

std::unique_ptr<Selector> made(const Adopted& adopted, const Placement& placement) {
  std::vector<Warning> warnings;
  auto selector = std::make_unique<Selector>(adopted.settings, placement, warnings);
  if (!warnings.empty() && speaks_for_job())
    for (const Warning& warning : warnings) journal::say_once(warning.text);
  return selector;
}

std::unique_ptr<Selector> from_pool(const Shape& shape) {
  const std::lock_guard lock(pool().mutex);
  const auto found = pool().idle.find(shape);
  if (found == pool().idle.end() || found->second.empty()) return nullptr;
  auto selector = std::move(found->second.back());
  found->second.pop_back();
  return selector;
}

}  // namespace

SelectorLoan::SelectorLoan(const Adopted& adopted, const Placement& placement)
    : adopted_(adopted), placement_(placement), selector_(from_pool(shape_of(adopted, placement))) {
  if (!selector_) selector_ = made(adopted, placement);
}

SelectorLoan::~SelectorLoan() {
  try {
    const std::lock_guard lock(pool().mutex);
    pool().idle[shape_of(adopted_, placement_)].push_back(std::move(selector_));
  } catch (const std::exception&) {
    static_cast<void>(selector_.release());  // no memory to keep it by; its texts may still be in use
  }
}

}  // namespace tutti::mpi
