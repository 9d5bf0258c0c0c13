/// The runtime behind the wrappers replaced by one that counts and passes on: what the front and the wrappers do alone.
/// Linked with src/interpose's flavour.cpp, narrow*.cpp, the generated wrappers and src/mpi/pmpi.cpp.
#include <array>
#include <string>

#include "capi/shared/shared.hpp"
#include "interpose/counters.hpp"
#include "interpose/recorders.hpp"
#include "interpose/serve.hpp"
#include "mpi/pmpi.hpp"
#include "record/flavour/record.hpp"

namespace tutti {

namespace {
std::array<std::uint64_t, collective_names.size()> calls{};
}  // namespace

namespace mpi {

std::array<std::atomic<State*>, std::size_t{1} << table_bits> state_table{};
BeingFreed::BeingFreed(MPI_Comm comm) : comm_(comm), outer_(nullptr) {}
BeingFreed::~BeingFreed() = default;
void BeingFreed::refused() {}
constinit thread_local const char* last_choice [[gnu::tls_model("initial-exec")]] = "native";

}  // namespace mpi

namespace interpose {

const char* start(const tutti_front& front) { return mpi::load_pmpi(front.mpi); }

void finalize_begin() { mpi::last_choice = "finalized"; }
void finalize_end() {}

Outcome attend(mpi::State*, const mpi::Operation& call) noexcept {
  ++calls[static_cast<std::size_t>(call.collective)];
  return {};
}

void finish(mpi::State&, int) noexcept {}

std::optional<mpi::Totals> counters(std::string_view collective) {
  mpi::Totals totals;
  const auto which = collective_named(collective);
  if (!which && !collective.empty()) return std::nullopt;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (!which || static_cast<std::size_t>(*which) == i) totals.calls += calls[i];
  return totals;
}

const char* last_choice() { return mpi::last_choice; }

void list_recorders(std::vector<tutti_entry>&, bool) {}

}  // namespace interpose

namespace record {

bool wanted() { return false; }
bool serving() { return true; }
void begin() {}
void conclude() noexcept {}

}  // namespace record

namespace capi {

void list_shared(std::vector<tutti_entry>&) {}

}  // namespace capi
}  // namespace tutti
