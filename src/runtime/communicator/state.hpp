#pragma once
/// What tutti knows of one communicator, and how a call finds it.
///
/// The pointer to a state is kept in an attribute of the communicator, so it dies with it; in front of the attribute
/// stands a direct-mapped table from handle to state.  States are never given back to the system, only to a free
/// list: a stale pointer is safe to read, and a look-up that finds the wrong state sees that its key is another
/// communicator's.  Every MPI reuses handle values at once; the delete callback therefore erases the key first.
/// A look-up takes two loads and no lock.
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "core/collective.hpp"
#include "hang/memory.hpp"
#include "runtime/report/left_to_mpi.hpp"

namespace tutti::runtime {

/// The calls of one collective on the communicators that have had this state.  Written by one thread at a time (the
/// standard forbids two collectives at once on one communicator), read by any: relaxed loads and stores, no locked
/// instruction.
struct Tally {
  std::atomic<std::uint64_t> calls{0}, eligible{0}, node{0}, flat{0}, hierarchy{0};

  static void add(std::atomic<std::uint64_t>& counter) {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};

/// Of a collective's calls: blocking, or with a request that the program gets.
enum class Form : std::uint8_t { blocking, nonblocking, persistent };
inline constexpr std::size_t forms = 3;

/// What happens to the calls on a communicator.
enum class Mode : std::uint8_t {
  counting,    ///< the MPI's own until the ranks agree
  activating,  ///< agreeing; calls from within are the MPI's own
  active,      ///< the selector decides
  native,      ///< the MPI's own for ever
};

/// Calls 1, 2 and 3 are the MPI's own: programs that make a communicator for a few calls pay nothing.  From the 4th on,
/// its ranks agree at the first call that synchronises all of them (synchronising.hpp).
inline constexpr int activation_call = 4;

struct Active;  // what an active communicator owns: active.hpp

/// What another part of tutti keeps on a communicator.
struct Attachment {
  virtual ~Attachment() = default;
  /// At a blocking call that synchronises all ranks, before it is made: where the state says `meets`.
  virtual void meet() {}
};

struct State {
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};

  std::atomic<std::uint64_t> key{nobody};        ///< bits of the communicator's handle
  hang::Communicator* shown = &hang::nowhere();  ///< what others see of it (src/hang)
  std::uint32_t passing = 0;                     ///< one bit a collective whose calls are the MPI's own for ever
  Mode mode = Mode::counting;
  bool inter = false;       ///< an intercommunicator, whose `size` is that of this rank's group
  bool meets = false;       ///< the venue waits for a call that synchronises all ranks (await_meeting)
  int seen = 0;             ///< calls while counting that the MPI has made
  int recorded = -1;        ///< its number in a recording (src/record)
  int rank = -1, size = 1;  ///< the rank is looked up when the ranks agree
  MPI_Comm comm = MPI_COMM_NULL;
  std::array<std::array<Tally, collective_names.size()>, forms> tallies{};
  std::unique_ptr<Active> active;
  std::unique_ptr<Attachment> sharing;  ///< src/capi/shared: who shares results with whom
  std::unique_ptr<Attachment> venue;    ///< runtime/requests: what serves its nonblocking and persistent calls
  State* next_free = nullptr;
  std::array<Reason*, collective_names.size()> passing_why{};
  CallCounts passing_since{};   ///< calls before them, of all the communicators that have had this state
  std::uint64_t earlier = 0;    ///< blocking calls on the communicators before this one that have had this state
  std::uint64_t uncounted = 0;  ///< blocking calls that this rank alone may have made (wrong ones), or that pass

  State();
  ~State();
  /// From now on calls of these collectives are the MPI's own; one bit each.
  void pass(std::uint32_t collectives, Reason& why);
  void leave_alone(Reason& why) { mode = Mode::native, pass(~std::uint32_t{0}, why); }
  /// Attributes the passed calls so far to their reasons: until then they are only counted as calls.
  void settle_passing();
  /// Blocking calls on the communicator, the one under way included: the same on all ranks, so without `uncounted`.
  std::uint64_t blocking_calls() const;
  bool passes(Collective which) const { return passing >> static_cast<unsigned>(which) & 1; }
  Tally& tally(Collective which, Form form = Form::blocking) {
    return tallies[static_cast<std::size_t>(form)][static_cast<std::size_t>(which)];
  }
};

/// The handle's value; handles are integers in MPICH and pointers elsewhere.
inline std::uint64_t key_of(MPI_Comm comm) {
  std::uint64_t key = 0;
  std::memcpy(&key, &comm, sizeof comm);
  return key;
}

inline constexpr unsigned table_bits = 8;
extern std::array<std::atomic<State*>, std::size_t{1} << table_bits> state_table;

inline std::atomic<State*>& table_slot(std::uint64_t key) {
  return state_table[(key * 0x9E3779B97F4A7C15u) >> (64 - table_bits)];
}

/// The state of the communicator if it is in the table, else null (then `acquire_state`).
inline State* find_state(MPI_Comm comm) {
  const std::uint64_t key = key_of(comm);
  State* state = table_slot(key).load(std::memory_order_acquire);
  return state && state->key.load(std::memory_order_relaxed) == key ? state : nullptr;
}

/// Text of the choice that the calling thread's last intercepted collective got.  Reached without a function call:
/// eight bytes of static TLS are what a library loaded late may still ask for.
#ifdef TUTTI_RANKS_ARE_CONTEXTS  // SMPI: contexts of one thread, each with a copy of plain variables
extern constinit const char* last_choice;
#else
extern constinit thread_local const char* last_choice [[gnu::tls_model("initial-exec")]];
#endif

/// The communicator's state, made at its first call.  Null where there can be none: no such communicator, or MPI is
/// being finalised.  Intercommunicators and single ranks get one that is native for ever.
State* acquire_state(MPI_Comm comm);

/// As above, where no state is in the table; never throws.  What others see of the communicator.
hang::Communicator& shown_at_first(MPI_Comm comm) noexcept;

inline hang::Communicator& shown(const State* state, MPI_Comm comm) {
  return state ? *state->shown : shown_at_first(comm);
}

/// Calls on a communicator that is being freed are the MPI's own while this lives, also those of users' delete
/// callbacks: whether ours has run by then differs from MPI to MPI, and from rank to rank.
class BeingFreed {
 public:
  explicit BeingFreed(MPI_Comm comm);
  ~BeingFreed();
  BeingFreed(const BeingFreed&) = delete;
  /// The communicator lives on: the MPI has refused.
  void refused();

 private:
  friend bool being_freed(MPI_Comm comm);
  const MPI_Comm comm_;
  const BeingFreed* const outer_;  ///< whose callback frees this one
  State* state_ = nullptr;
  Mode mode_ = Mode::counting;
  std::uint32_t passing_ = 0;
};
bool being_freed(MPI_Comm comm);

/// MPI_Finalize has begun.  Calls are served as before, in the delete callbacks of MPI_COMM_SELF, since on another rank
/// the same collective may come before MPI_Finalize.  But nothing is freed any more that belongs to the MPI.
void begin_finalizing();
bool finalizing();

/// After this every call is the MPI's own.  Unmaps all segments; frees nothing that another rank would have to free
/// too.
void retire_states();
bool states_retired();

/// The same on all communicators (left_to_mpi.hpp).
void settle_all_passing();

/// The same tallies over all communicators of the process, freed ones included.
struct Totals {
  std::uint64_t calls = 0, eligible = 0, node = 0, flat = 0, hierarchy = 0;
  std::uint64_t served() const { return node + flat + hierarchy; }
};
Totals totals(Collective which, Form form = Form::blocking);

}  // namespace tutti::runtime
