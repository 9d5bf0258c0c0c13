/// The runtime behind the wrappers replaced by one that counts and passes on: what the loader and the wrappers do
/// alone. Linked with src/preload's backend.cpp, large_count/, the generated wrappers and
/// src/runtime/platform/native/pmpi.cpp.
#include <array>
#include <string>

#include "capi/shared/shared.hpp"
#include "preload/backend/counters.hpp"
#include "preload/backend/creating.hpp"
#include "preload/backend/report.hpp"
#include "preload/requests/requests.hpp"
#include "preload/wrappers/recorders.hpp"
#include "record/backend/record.hpp"
#include "runtime/dispatch.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/shown_communicator.hpp"
#include "runtime/requests/carrier.hpp"
#include "runtime/requests/motion.hpp"

namespace tutti {

namespace {
std::array<std::uint64_t, collective_names.size()> calls{};
}  // namespace

namespace runtime {

std::array<std::atomic<State*>, std::size_t{1} << table_bits> state_table{};
BeingFreed::BeingFreed(MPI_Comm comm) : comm_(comm), outer_(nullptr) {}
BeingFreed::~BeingFreed() = default;
void BeingFreed::refused() {}
constinit thread_local const char* last_choice [[gnu::tls_model("initial-exec")]] = "native";

Outcome attend(State*, const Operation& call) noexcept {
  ++calls[static_cast<std::size_t>(call.collective)];
  return {};
}

void finish(State&, int) noexcept {}
hang::Communicator& shown_at_first(MPI_Comm) noexcept { return hang::nowhere(); }
void forget_origin(MPI_Comm) {}
void motion::move() {}
void motion::stop() noexcept {}
void carrier::drop() noexcept {}

}  // namespace runtime

namespace preload {

void finalize_begin() { runtime::last_choice = "finalized"; }
void finalize_end() {}

std::optional<runtime::Totals> counters(std::string_view collective) {
  runtime::Totals totals;
  const auto which = collective_named(collective);
  if (!which && !collective.empty()) return std::nullopt;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (!which || static_cast<std::size_t>(*which) == i) totals.calls += calls[i];
  return totals;
}

const char* last_choice() { return runtime::last_choice; }

void list_recorders(std::vector<tutti_entry>&, bool) {}
void find_next_requests(const tutti_loader&) {}
void list_request_wrappers(std::vector<tutti_entry>&) {}
void find_completions(const tutti_loader&) {}
void list_completions(std::vector<tutti_entry>&) {}
void find_creating(const tutti_loader&) {}
void list_creating(std::vector<tutti_entry>&) {}

}  // namespace preload

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
