#pragma once
/// Calls that were left to the MPI library, counted by the reason.
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"

namespace tutti::runtime {

using CallCounts = std::array<std::uint64_t, collective_names.size()>;

/// One reason, as users read it, and its calls by collective: of all threads.
struct Reason {
  explicit Reason(std::string words) : text(std::move(words)) {}
  const std::string text;
  std::array<std::atomic<std::uint64_t>, collective_names.size()> calls{};  ///< blocking ones
  std::atomic<std::uint64_t> requests{0};                                   ///< nonblocking and persistent calls

  void count(Collective which, std::uint64_t more = 1) {
    calls[static_cast<std::size_t>(which)].fetch_add(more, std::memory_order_relaxed);
  }
  void count_request() { requests.fetch_add(1, std::memory_order_relaxed); }
};

/// The reason with that text, made at its first use; never freed.
Reason& reason(std::string_view text);

// Those that do not come from a rule or a refusal.
Reason& one_rank();              ///< a communicator of one rank
Reason& two_groups();            ///< an intercommunicator
Reason& first_calls();           ///< fewer calls than `activation_call` so far
Reason& not_yet_synchronised();  ///< enough calls, but none that synchronises all ranks
Reason& invalid_arguments();
Reason& contested_request();   ///< native=clock, of a nonblocking call
Reason& native_by_clock();     ///< native=clock: tried, or found faster
Reason& not_set_up();          ///< its resources are made at the next call that synchronises
Reason& being_freed_reason();  ///< in the callbacks of a communicator that is being freed, or as MPI ends

/// All reasons that have counted a call, those with most calls first.
std::vector<const Reason*> reasons();

}  // namespace tutti::runtime
