#include "runtime/communicator/engine.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/communicator/agreement.hpp"
#include "runtime/communicator/create_segment.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/native_requests.hpp"
#include "runtime/wire/mpi_progress.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::runtime {
namespace {

/// Default cap of shared memory on a node: 256 MiB at 64 ranks.  A program that keeps a communicator for each of
/// fifteen parts (IMB does) finds room for the engines of all; what no call touches takes no memory.
constexpr std::int64_t memory_per_rank = std::int64_t{4} << 20, least_memory = std::int64_t{64} << 20;
/// Share of the memory that the machine and the control group have left: the program may allocate its own later.  Eight
/// ranks' smallest engine is 2.1 MiB, so it needs 16 MiB left.
constexpr std::int64_t part_of_free = 5;
constexpr std::size_t most_idle = 16;

std::atomic<int> most_ranks{0};
/// This rank's part of all its segments: a segment's bytes by its ranks.  So the parts of a node's ranks add up to what
/// the node has, whichever of its ranks the segments belong to.
std::atomic<std::int64_t> held{0};
/// This rank's long rings in all its segments.
std::atomic<std::int64_t> held_in_rings{0};
/// And its deposits: pages are taken only while ranks are late.
std::atomic<std::int64_t> held_in_deposits{0};
/// Deposits of a rank in one engine, and in all.  8 MiB hold what a root of 8 ranks scatters in blocks of 1 MiB.
constexpr std::int64_t most_deposits = std::int64_t{8} << 20, most_deposits_of_all = 2 * most_deposits;
/// So many of them have their pages from the start, which costs a millisecond each: the communicator of all ranks, and
/// the one on which a library or a benchmark does its work.  Those of further ones come with their traffic.
constexpr std::int64_t at_once = 2;

std::int64_t part(std::size_t bytes, int ranks) { return static_cast<std::int64_t>(bytes) / ranks; }

struct Idle {
  std::mutex mutex;
  std::vector<std::unique_ptr<Engine>> engines;
};

Idle& idle() {
  static auto& idle = *new Idle;  // outlives every static object: delete callbacks may run late
  return idle;
}

bool progress(void* engine) {
  look_for_messages(static_cast<const Engine*>(engine)->comm);
  motion::move_if_any();
  return native_requests::any();
}

/// Ranks on this node, as far as this rank has seen.
int ranks_here(const Mates& mates) {
  int seen = most_ranks.load();
  const int now = std::max(mates.size, ranks_by_launcher());
  while (seen < now && !most_ranks.compare_exchange_weak(seen, now)) {
  }
  return std::max(seen, now);
}

/// Most bytes that all segments of the node may have.
std::int64_t memory_cap(const Mates& mates, int ranks) {
  const std::int64_t asked = mates.settings.node_memory;
  const std::int64_t cap = asked > 0 ? asked : std::max(least_memory, memory_per_rank * ranks);
  if (mates.rank != 0) return cap;  // /proc and the control groups are read once: it takes 100 us and more
  const auto free = static_cast<std::int64_t>(std::min<std::size_t>(shm::memory_headroom(), INT64_MAX / 2));
  return std::min(cap, (free + held.load() * ranks) / part_of_free);
}

}  // namespace

std::int64_t memory_left(const Mates& mates) {
  const int ranks = ranks_here(mates);
  return memory_cap(mates, ranks) / ranks - held.load();
}

void hold_memory(std::int64_t more) { held += more; }

/// Twice what a core's own cache holds, since it keeps lines of other members and of the program too.  Where ranks
/// share CPUs, writer and reader share their caches, and gain nothing.  Nor where the caches that cores share have no
/// room for all rings: then lines would come from memory.  Half of what is left at most, as slots.
std::size_t long_ring_for(const Mates& mates, const shm::ShmGroupOptions& options) {
  constexpr std::int64_t unit = 128;
  const std::int64_t asked = mates.settings.node_long_ring;
  std::int64_t wanted = asked;
  if (asked < 0) {
    static const std::int64_t own = static_cast<std::int64_t>(shm::bytes_of_own_cache()), all = shm::bytes_of_caches();
    wanted = mates.size > options.cpus || 2 * 2 * own * mates.size > all ? 0 : 2 * own;
  }
  const std::int64_t left =
      memory_left(mates) - part(shm::ShmGroup::used_bytes(options), mates.size) - held_in_rings.load();
  return 2 * wanted <= left ? static_cast<std::size_t>(wanted / unit * unit) : 0;
}

namespace {

/// The longest slots whose segment takes half of what is left at most, so that more communicators find room; else the
/// shortest that are of use, if all that is left is enough.  With the shortest backlog: without one a root would wait
/// for readers that messages let it run ahead of.  Idle engines make room for these.  0: nothing fits.
std::size_t affordable_chunk(Agreement& ranks, const Mates& mates, shm::ShmGroupOptions options) {
  const auto takes = [&](std::size_t chunk) {
    options.chunk = chunk, options.backlog = shm::backlogs.back();
    return part(shm::ShmGroup::bytes(options), mates.size);
  };
  const std::int64_t left = memory_left(mates);
  for (const std::size_t chunk : shm::chunks)
    if (ranks.all(2 * takes(chunk) <= left)) return chunk;
  const std::size_t last = shm::chunks.back();
  if (takes(last) > left) drop_idle_engines();
  return ranks.all(takes(last) <= memory_left(mates)) ? last : 0;
}

/// The longest backlog with which the segment still takes half of what is left; else the shortest, if that fits.
std::size_t affordable_backlog(Agreement& ranks, const Mates& mates, shm::ShmGroupOptions options) {
  const auto takes = [&](std::size_t backlog) {
    options.backlog = backlog;
    return part(shm::ShmGroup::bytes(options), mates.size);
  };
  const std::int64_t left = memory_left(mates);
  for (const std::size_t backlog : shm::backlogs)
    if (ranks.all(2 * takes(backlog) <= left)) return backlog;
  const std::size_t last = shm::backlogs.back();
  return ranks.all(takes(last) <= left) ? last : 0;
}

/// The same on all ranks.
std::size_t affordable_long_ring(Agreement& ranks, const Mates& mates, const shm::ShmGroupOptions& options) {
  std::int64_t least = -static_cast<std::int64_t>(long_ring_for(mates, options));
  ranks.maximum({&least, 1});
  return static_cast<std::size_t>(-least);
}

/// Half of what is left at most, so that further engines have some; at most a tenth of the memory that is free, all
/// ranks of the node together.  None of less than a few long payloads.  The same on all ranks.
std::size_t affordable_deposits(Agreement& ranks, const Mates& mates) {
  constexpr std::int64_t least_of_use = 256 * 1024, unit = 128, part_of_free_for_deposits = 10;
  std::int64_t most = mates.settings.node_deposits;
  if (most < 0) {
    most = std::min(most_deposits, (most_deposits_of_all - held_in_deposits.load()) / 2);
    if (mates.rank == 0) {
      const auto free = static_cast<std::int64_t>(std::min<std::size_t>(shm::memory_headroom(), INT64_MAX / 2));
      most = std::min(most, free / part_of_free_for_deposits / ranks_here(mates));
    }
    if (most < least_of_use) most = 0;
  }
  std::int64_t less = -most;
  ranks.maximum({&less, 1});
  return static_cast<std::size_t>(-less / unit * unit);
}

/// CPUs that the ranks may use together: equal on all, though their control groups may grant different shares.
int shared_cpus(Agreement& ranks) {
  CpuMask mask = cpus_here();
  ranks.unite(mask);
  std::int64_t less = -cpus_in(mask);
  ranks.maximum({&less, 1});
  return static_cast<int>(-less);
}

/// The domain of each rank; nothing where the ranks are too few, or run anywhere.
std::vector<int> shared_domains(Agreement& ranks, const Mates& mates, int cpus) {
  const int asked = mates.settings.node_domains;
  if (asked > 0) return shm::domains_in_rows(mates.size, asked);
  if (asked == 0 || !shm::worth_domains(mates.size, cpus)) return {};
  std::vector<std::uint64_t> words(static_cast<std::size_t>(mates.size));
  ranks.gather(shm::to_word(shm::home_of(cpus_here())), words);
  std::vector<shm::Home> homes;
  for (const std::uint64_t word : words) homes.push_back(shm::home_from(word));
  return shm::domains_of(homes);
}

/// Whether this rank has its part of the engine.
bool assemble(Engine& engine, std::optional<CreatedSegment> created, const shm::ShmGroupOptions& options,
              std::string& why) try {
  if (!created) return false;
  engine.group = std::make_unique<shm::ShmGroup>(std::move(created->segment), options);
  engine.bytes = shm::ShmGroup::used_bytes(options);
  engine.long_ring = options.long_ring, engine.deposits = options.deposits;
  held += part(engine.bytes, engine.size), held_in_rings += static_cast<std::int64_t>(options.long_ring);
  held_in_deposits += static_cast<std::int64_t>(options.deposits);
  return true;
} catch (const std::exception& error) {
  why = error.what();
  return false;
}

}  // namespace

Engine::~Engine() {
  held -= part(bytes, size), held_in_rings -= static_cast<std::int64_t>(long_ring);
  held_in_deposits -= static_cast<std::int64_t>(deposits);
}

std::unique_ptr<Engine> make_engine(const Mates& mates, std::string& why) {
  Agreement ranks(mates.comm, mates.rank, mates.size, "set up shared memory");
  shm::ShmGroupOptions options;
  options.me = mates.rank, options.size = mates.size, options.cpus = shared_cpus(ranks);
  options.learners = mates.settings.learners;
  options.suspend = mates.suspend;
  const bool spreads = mates.settings.node_spread && options.learners.has(Learner::spread) && !mates.suspend;
  options.spread = spreads && mates.size >= ranks_here(mates);
  options.domains = shared_domains(ranks, mates, options.cpus);
  options.chunk = affordable_chunk(ranks, mates, options);
  if (options.chunk != 0) options.backlog = affordable_backlog(ranks, mates, options);
  if (options.chunk == 0 || options.backlog == 0) {
    why = "the cap of shared memory is reached (TUTTI_NODE_MEMORY, or a fifth of what is free)";
    return nullptr;
  }
  options.long_ring = affordable_long_ring(ranks, mates, options);
  if (!mates.suspend) options.deposits = affordable_deposits(ranks, mates);
  options.long_ring_now = held_in_rings.load() < at_once * static_cast<std::int64_t>(options.long_ring);
  for (const shm::Offer::Kind kind : {shm::Offer::Kind::memfd, shm::Offer::Kind::shm_open}) {
    // What is not reserved must be there when it is written to: /dev/shm may be smaller than the machine's memory.
    if (kind == shm::Offer::Kind::shm_open) options.long_ring = options.deposits = 0;
    auto engine = std::make_unique<Engine>(mates.rank, mates.size);
    engine->comm = mates.comm;
    engine->throttle = ProgressThrottle((mates.size + options.cpus - 1) / options.cpus);
    engine->in_tasks = static_cast<bool>(mates.suspend);
    if (!engine->in_tasks) options.progress = {progress, engine.get()};
    // Free memory has been checked already (memory_cap).
    std::optional<CreatedSegment> created =
        create_segment(ranks, mates.rank, shm::ShmGroup::bytes(options), kind, SIZE_MAX, shm::Pages::creators, why,
                       shm::ShmGroup::used_bytes(options));
    if (created) engine->identity = created->identity, created->segment.publish();
    const bool mine = assemble(*engine, std::move(created), options, why);
    if (!ranks.all(mine)) continue;
    if (engine->in_tasks)
      engine->group->allow_single_copy(ranks.all(engine->group->can_read_all()));
    else
      engine->group->agree_on_single_copy();
    return engine;
  }
  if (why.empty()) why = "another rank could not";
  return nullptr;
}

std::unique_ptr<Engine> idle_engine(int rank, int size) {
  const std::lock_guard lock(idle().mutex);
  auto& engines = idle().engines;
  auto best = engines.end();
  for (auto it = engines.begin(); it != engines.end(); ++it)
    if ((*it)->rank == rank && (*it)->size == size && (best == engines.end() || (*it)->identity < (*best)->identity))
      best = it;
  if (best == engines.end()) return nullptr;
  auto engine = std::move(*best);
  engines.erase(best);
  return engine;
}

void put_idle(std::unique_ptr<Engine> engine) noexcept try {
  if (!engine || !engine->sound || engine->in_tasks) return;
  engine->comm = MPI_COMM_NULL;
  std::unique_ptr<Engine> dropped;  // after the lock is gone
  const std::lock_guard lock(idle().mutex);
  if (idle().engines.size() >= most_idle) {
    dropped = std::move(idle().engines.front());
    idle().engines.erase(idle().engines.begin());
  }
  idle().engines.push_back(std::move(engine));
} catch (...) {  // no memory to keep it: it is dropped
}

void drop_idle_engines() noexcept {
  std::vector<std::unique_ptr<Engine>> dropped;
  const std::lock_guard lock(idle().mutex);
  dropped.swap(idle().engines);
}

}  // namespace tutti::runtime
