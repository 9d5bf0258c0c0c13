/// A direct-mapped table, and a map of those that found their place taken.
#include "runtime/requests/request_table.hpp"

#include <array>
#include <mutex>
#include <unordered_map>

namespace tutti::runtime::request_table {
namespace {

constexpr unsigned bits = 10;
std::array<std::atomic<Request*>, std::size_t{1} << bits> places{};

/// Those without a place.
struct Others {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, Request*> by_key;
  std::atomic<std::size_t> number{0};
};

Others& others() {
  static auto& others = *new Others;  // outlives every static object
  return others;
}

std::atomic<Request*>& place(std::uint64_t key) { return places[(key * 0x9E3779B97F4A7C15u) >> (64 - bits)]; }

}  // namespace

void add(Request& request) {
  const std::uint64_t key = request_key(request.carrier);
  Request* nobody = nullptr;
  if (place(key).compare_exchange_strong(nobody, &request, std::memory_order_acq_rel)) return;
  const std::lock_guard lock(others().mutex);
  others().by_key[key] = &request;
  others().number.store(others().by_key.size(), std::memory_order_release);
}

void remove(const Request& request) {
  const std::uint64_t key = request_key(request.carrier);
  if (place(key).load(std::memory_order_relaxed) == &request)
    return place(key).store(nullptr, std::memory_order_release);
  const std::lock_guard lock(others().mutex);
  others().by_key.erase(key);
  others().number.store(others().by_key.size(), std::memory_order_release);
}

Request* find(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  const std::uint64_t key = request_key(handle);
  Request* const here = place(key).load(std::memory_order_acquire);
  if (here != nullptr && request_key(here->carrier) == key) return here;
  if (others().number.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard lock(others().mutex);
  const auto found = others().by_key.find(key);
  return found != others().by_key.end() ? found->second : nullptr;
}

}  // namespace tutti::runtime::request_table
