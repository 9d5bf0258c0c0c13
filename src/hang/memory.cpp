#include "hang/memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>
#include <new>
#include <span>

#include "shm/segment/file_limit.hpp"

namespace tutti::hang {

#ifdef TUTTI_RANKS_ARE_CONTEXTS
constinit Ring* ring_of_thread = nullptr;
#else
constinit thread_local Ring* ring_of_thread [[gnu::tls_model("initial-exec")]] = nullptr;
#endif

namespace {

std::mutex& lock() {
  static auto& mutex = *new std::mutex;  // threads may make calls until the process has ended
  return mutex;
}

template <std::size_t size>
void put(std::array<char, size>& place, std::string_view text) {
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, place.data());
  place[length] = 0;
}

/// Away from the low numbers, which programs count on (dup2, a descriptor they have closed).
int out_of_the_way(int descriptor) {
  constexpr int high = 500;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, high);
  if (moved < 0) return descriptor;
  close(descriptor);
  return moved;
}

/// Null where the kernel gives none.
void* shown_memory() {
  const shm::QuietFileLimit quiet;
  const int descriptor = memfd_create("tutti-calls", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  if (ftruncate(descriptor, sizeof(Block)) == 0) {
    const int shown = out_of_the_way(descriptor);
    void* const place = mmap(nullptr, sizeof(Block), PROT_READ | PROT_WRITE, MAP_SHARED, shown, 0);
    if (place != MAP_FAILED) return place;
    close(shown);
    return nullptr;
  }
  close(descriptor);
  return nullptr;
}

/// Read by its address instead (/proc/PID/maps has it as "/dev/zero"), which asks for more rights.
void* other_memory() {
  void* const place = mmap(nullptr, sizeof(Block), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place != MAP_FAILED) return place;
  static std::array<std::byte, sizeof(Block) + alignof(Block)> last_resort;
  void* aligned = last_resort.data();
  std::size_t room = last_resort.size();
  return std::align(alignof(Block), sizeof(Block), aligned, room);
}

std::string_view first_of(std::span<const char* const> variables) {
  for (const char* const variable : variables)
    if (const char* const value = std::getenv(variable)) return value;
  return "";
}

void describe_process(Head& head) {
  std::array<char, 256> text{};
  head.version = layout_version, head.bytes = sizeof(Block);
  head.pid = getpid();
  head.world_rank = head.world_size = -1;
  head.started = static_cast<std::uint64_t>(time(nullptr));
  if (gethostname(text.data(), text.size() - 1) == 0) put(head.host, text.data());
  static constexpr std::array job = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "PMIX_NAMESPACE"};
  put(head.job, first_of(job));
  const ssize_t length = readlink("/proc/self/exe", text.data(), text.size());
  if (length > 0) put(head.program, {text.data(), static_cast<std::size_t>(length)});
}

void name_other_calls(Block& made) {
  static constexpr std::array names = {"Comm_dup",        "Comm_dup_with_info", "Comm_split",     "Comm_split_type",
                                       "Comm_create",     "Comm_create_group",  "Cart_create",    "Cart_sub",
                                       "Graph_create",    "Dist_graph_create",  "Dist_graph_adj", "Intercomm_create",
                                       "Intercomm_merge", "Comm_spawn",         "Finalize"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    made.names[i] = {
        .value = static_cast<std::uint64_t>(Other::comm_dup) + i, .what = Name::call, .bytes = 0, .text = {}};
    put(made.names[i].text, names[i]);
  }
}

Block& make_block() {
  void* place = shown_memory();
  if (!place) place = other_memory();
  Block& made = *new (place) Block{};
  describe_process(made.head);
  name_other_calls(made);
  for (std::size_t i = 0; i < made.communicators.size(); ++i)
    made.communicators[i].index = static_cast<std::uint32_t>(i);
  constexpr std::array<char, 8> magic = {'t', 'u', 't', 't', 'i', 'c', 'a', 'l'};
  std::atomic_ref<std::uint32_t>(made.head.bytes).store(sizeof(Block), std::memory_order_release);
  made.head.magic = magic;
  return made;
}

bool is_free(const Ring& ring) {
  return ring.thread == 0 || syscall(SYS_tgkill, getpid(), ring.thread, 0) != 0;  // its thread has ended
}

}  // namespace

Block& block() {
  static Block& made = make_block();
  return made;
}

Ring& claim_ring() {
  static auto& nobodys = *new Ring{};
  Block& all = block();
  const std::lock_guard guard(lock());
  ring_of_thread = &nobodys;
  for (Ring& ring : all.rings) {
    if (!is_free(ring)) continue;
    ring.thread = static_cast<std::int32_t>(syscall(SYS_gettid));
    ring_of_thread = &ring;
    return ring;
  }
  ++all.head.unrecorded;
  return nobodys;
}

Communicator& nowhere() {
  static auto& entry = []() -> Communicator& {
    auto& made = *new Communicator;
    made.index = most_communicators;
    return made;
  }();
  return entry;
}

Communicator& claim_communicator() {
  Block& all = block();
  const std::lock_guard guard(lock());
  for (Communicator& entry : all.communicators) {
    if (entry.flags != 0) continue;
    const std::uint32_t index = entry.index;
    entry = {};
    entry.flags = Communicator::used, entry.index = index;
    return entry;
  }
  return nowhere();
}

void release(Communicator& entry) {
  if (&entry == &nowhere()) return;
  const std::lock_guard guard(lock());
  entry.flags = 0;
}

void add_name(Name::What what, std::uint64_t value, std::string_view text, std::size_t bytes) {
  const std::lock_guard guard(lock());
  for (Name& name : block().names) {
    if (name.what != Name::none) continue;
    name.value = value, name.bytes = static_cast<std::uint16_t>(bytes);
    put(name.text, text);
    std::atomic_ref<std::uint16_t>(name.what).store(what, std::memory_order_release);
    return;
  }
}

void set_world(int rank, int size) {
  block().head.world_rank = rank;
  block().head.world_size = size;
}

}  // namespace tutti::hang
