#pragma once
/// How the ranks of a communicator agree before tutti serves them: by small blocking collectives on that communicator,
/// like the call that they are made in.  Not by nonblocking ones, which libraries match among themselves: programs get
/// away with a barrier on one rank before and on another after MPI_Iallreduce or MPIX_Comm_iagree (mpi4py's own tests
/// do so).  A rank that never arrives is reported after a while (watchdog.hpp) instead of hanging silently.
///
/// On the communicator itself, because nothing else reaches exactly its ranks, and because two threads that activate
/// two communicators in different orders on two ranks then cannot deadlock.  For the same reason no lock may be held
/// here.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/platform/watchdog.hpp"

namespace tutti::runtime {

class Agreement {
 public:
  /// `purpose` ends the sentence "rank 3 of world has waited 30 s for the other ranks to ..."; null: late ranks are not
  /// reported.
  Agreement(MPI_Comm comm, int rank, int size, const char* purpose);
  Agreement(const Agreement&) = delete;

  /// Ends on no rank before all have entered; the first agreement on a communicator.  By the collective that programs
  /// use least: libraries distinguish collectives, so a rank without tutti, which is in another one, is waited for and
  /// reported.  In an allreduce it would take our numbers for its own.
  void meet();
  /// Element-wise maximum over all ranks.  Minimum: negate.
  void maximum(std::span<std::int64_t> values);
  /// Bitwise or over all ranks.
  void unite(std::span<std::uint64_t> bits);
  /// Rank 0's bytes to everybody.
  void broadcast(void* data, std::size_t bytes);
  /// A text of rank 0 to everybody.
  void broadcast(std::string& text);
  /// One value of each rank to everybody, in rank order.
  void gather(std::uint64_t mine, std::span<std::uint64_t> all);
  /// Whether all ranks say yes.
  bool all(bool yes);

 private:
  /// Runs that call of the MPI underneath.  Throws MpiError.
  void carry_out(const char* name, const std::function<int()>& call) const;
  std::string complaint(double seconds) const;
  /// The reason why ranks are absent, as far as this node shows it; empty if there is none.
  std::string finding(double seconds) const;

  MPI_Comm comm_;
  int rank_, size_;
  const char* purpose_;
  std::string name_;               ///< the communicator's, on ranks that report
  std::vector<int> worldly_;       ///< their ranks in MPI_COMM_WORLD; theirs as well
  std::optional<Watchdog> watch_;  ///< one for all calls: between them no rank does anything that takes long
};

/// "MPI_COMM_WORLD", or what the user called it, or "a communicator".
std::string name_of(MPI_Comm comm);

}  // namespace tutti::runtime
