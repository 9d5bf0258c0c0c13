#include "runtime/communicator/agreed_settings.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/platform/pmpi.hpp"
#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

std::atomic<const AgreedSettings*> first{nullptr};

/// Names of all variables that begin with TUTTI.
std::vector<std::string> variables_here() {
  std::vector<std::string> names;
  for (char** entry = environ; entry && *entry; ++entry) {
    char* const end = std::strchr(*entry, '=');
    if (end && std::strncmp(*entry, "TUTTI", 5) == 0) names.emplace_back(*entry, end);
  }
  return names;
}

std::string environment_as_text() {
  std::vector<Warning> warnings;
  const Settings settings =
      read_settings([](const char* name) { return std::getenv(name); }, variables_here(), warnings);
  if (speaks_for_job())
    for (const Warning& warning : warnings) journal::say_once(warning.text);
  return to_text(settings);
}

}  // namespace

const AgreedSettings* agreed() { return first.load(std::memory_order_acquire); }

const AgreedSettings& intern(const std::string& text) {
  static std::mutex mutex;
  static auto& known =
      *new std::map<std::uint64_t, std::unique_ptr<const AgreedSettings>>;  // outlives every static object
  auto fresh = std::make_unique<const AgreedSettings>(AgreedSettings{fingerprint(text), text, parse_settings(text)});
  const std::lock_guard lock(mutex);
  const AgreedSettings& kept = *known.try_emplace(fresh->hash, std::move(fresh)).first->second;
  const AgreedSettings* none = nullptr;
  first.compare_exchange_strong(none, &kept, std::memory_order_acq_rel);
  return kept;
}

const AgreedSettings& read_here() {
  static const std::string here = environment_as_text();
  return intern(here);
}

bool speaks_for_job(bool without_world) {
  int initialized = 0, rank = 0;
  if (pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return without_world;
  return pmpi.Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank == 0;
}

std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash &= (std::uint64_t{1} << 62) - 1;
  return hash ? hash : 1;
}

}  // namespace tutti::runtime
