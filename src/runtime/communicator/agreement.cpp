#include "runtime/communicator/agreement.hpp"

#include "runtime/communicator/absent.hpp"
#include "runtime/communicator/world.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/platform/watchdog.hpp"
#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

/// Number of ranks that report: enough that one of them is preloaded and waits, few enough for a readable terminal.
constexpr int speakers = 4;
/// An MPI message's count is an int.
constexpr std::size_t longest_text = std::size_t{1} << 30;

}  // namespace

Agreement::Agreement(MPI_Comm comm, int rank, int size, const char* purpose)
    : comm_(comm), rank_(rank), size_(size), purpose_(purpose), name_(purpose && rank < speakers ? name_of(comm) : "") {
  if (!purpose || rank >= speakers) return;
  worldly_ = ranks_in_world(comm);
  watch_.emplace([this](double seconds) { return finding(seconds); },
                 [this](double seconds) { return complaint(seconds); });
}

/// Reported by the lowest of the communicator's ranks that can join.
std::string Agreement::finding(double seconds) const {
  const std::map<int, std::string> absent = ranks_without_tutti(worldly_);
  for (int rank = 0; rank < rank_ && !worldly_.empty(); ++rank)
    if (!absent.contains(worldly_[static_cast<std::size_t>(rank)])) return "";
  std::string names;
  for (const auto& [rank, told] : absent) names += (names.empty() ? "" : ", ") + told;
  if (names.empty()) return "";
  return journal::text(
      "rank %d of %s (%d ranks) has waited %.0f s for the other ranks to %s, and would wait for ever: "
      "%s. Preload libtutti.so in all ranks, or in none (ranks of MPI_COMM_WORLD; seen on this node)",
      rank_, name_.c_str(), size_, seconds, purpose_, names.c_str());
}

std::string Agreement::complaint(double seconds) const {
  constexpr const char* message =
      "rank %d of %s (%d ranks) has waited %.0f s for the other ranks to %s. Likely cause: a rank that does not "
      "preload "
      "libtutti.so, has TUTTI=off, or runs another version; or a rank that is late. Still waiting";
  return journal::text(message, rank_, name_.c_str(), size_, seconds, purpose_);
}

void Agreement::carry_out(const char* name, const std::function<int()>& call) const { require(call(), name); }

void Agreement::maximum(std::span<std::int64_t> values) {
  carry_out("PMPI_Allreduce", [&] {
    return pmpi.Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, comm_);
  });
}

void Agreement::unite(std::span<std::uint64_t> bits) {
  carry_out("PMPI_Allreduce", [&] {
    return pmpi.Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_BOR, comm_);
  });
}

void Agreement::broadcast(void* data, std::size_t bytes) {
  carry_out("PMPI_Bcast", [&] { return pmpi.Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, comm_); });
}

void Agreement::broadcast(std::string& text) {
  std::uint64_t length = text.size() <= longest_text ? text.size() : 0;
  broadcast(&length, sizeof length);
  text.resize(length);
  broadcast(text.data(), length);
}

void Agreement::gather(std::uint64_t mine, std::span<std::uint64_t> all) {
  carry_out("PMPI_Allgather",
            [&] { return pmpi.Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm_); });
}

bool Agreement::all(bool yes) {
  std::int64_t trouble = yes ? 0 : 1;
  maximum({&trouble, 1});
  return trouble == 0;
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  const bool named = pmpi.Comm_get_name(comm, name, &length) == MPI_SUCCESS && length > 0;
  return named ? std::string(name, static_cast<std::size_t>(length)) : "an unnamed communicator";
}

}  // namespace tutti::runtime
