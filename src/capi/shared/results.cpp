#include "capi/shared/results.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace tutti::shared {
namespace {

struct Result {
  shm::Segment segment;
  tutti_result kind;
  std::string reason;
  std::int64_t part;
};

struct Registry {
  std::mutex mutex;
  std::map<const void*, Result> all;
  std::int64_t held = 0;
};

Registry& registry() {
  static auto& registry = *new Registry;  // outlives every static object: users' destructors may free late
  return registry;
}

}  // namespace

void keep(void* start, shm::Segment segment, tutti_result kind, std::string reason, std::int64_t part) {
  const std::lock_guard lock(registry().mutex);
  registry().all.try_emplace(start, Result{std::move(segment), kind, std::move(reason), part});
  registry().held += part;
}

std::int64_t held() {
  const std::lock_guard lock(registry().mutex);
  return registry().held;
}

bool free_result(void* start) noexcept {
  decltype(Registry::all)::node_type freed;  // unmapped after the lock is gone
  const std::lock_guard lock(registry().mutex);
  freed = registry().all.extract(start);
  if (freed) registry().held -= freed.mapped().part;
  return !freed.empty();
}

tutti_result kind_of(const void* start, const char** reason) noexcept {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().all.find(start);
  const bool is = found != registry().all.end();
  if (reason) *reason = is ? found->second.reason.c_str() : "";
  return is ? found->second.kind : TUTTI_RESULT_NONE;
}

}  // namespace tutti::shared
