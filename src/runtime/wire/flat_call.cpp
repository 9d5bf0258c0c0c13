#include "runtime/wire/flat_call.hpp"

#include <exception>
#include <new>
#include <utility>

#include "runtime/communicator/synchronising.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/run_schedule.hpp"
#include "runtime/wire/schedule_runner.hpp"

namespace tutti::runtime {

PrivateComm::PrivateComm() = default;
PrivateComm::~PrivateComm() = default;
PrivateComm::PrivateComm(PrivateComm&&) noexcept = default;
PrivateComm& PrivateComm::operator=(PrivateComm&&) noexcept = default;

namespace {

Workspace& workspace_of(PrivateComm& wire) {
  if (!wire.workspace) wire.workspace = std::make_unique<Workspace>();
  return *wire.workspace;
}

/// Returns when all ranks have entered.
void meet(PrivateComm& wire) {
  MPI_Request request = MPI_REQUEST_NULL;
  require(pmpi.Ibarrier(wire.comm, &request), "MPI_Ibarrier");
  end(request, Backoff(wire.polls, wire.suspend));
}

void run(const Operation& call, PrivateComm& wire, const Use& use) {
  const int tag = next_tag(wire, synchronises(call, wire.size));
  Workspace& work = workspace_of(wire);
  work.arena.reset();
  Staging staging(call, work.arena, wire.comm, wire.me, wire.size, wire.instructions);
  run_schedule(wire, staging.frame(), staging.combiner(), use, tag);
  staging.finish();
  work.arena.reset();
}

}  // namespace

int next_tag(PrivateComm& wire, bool together) {
  const unsigned calls = (static_cast<unsigned>(wire.tag_limit) + 1) / Tags::a_call;
  if (wire.sequence >= (together ? calls / 2 : calls)) {
    wire.sequence = 0;
    meet(wire);
  }
  return static_cast<int>(wire.sequence++) * Tags::a_call;
}

void run_schedule(PrivateComm& wire, const Frame& frame, Combiner* combiner, const Use& use, int tag) {
  Workspace& work = workspace_of(wire);
  const auto schedule = [&] { return use.algorithm.schedule({wire.me, wire.size, use.root, use.parameters}); };
  ScheduleRunner execution(wire, frame, combiner, tag);
  const SchedulePlan* plan = nullptr;
  if (worth_keeping(frame.layouts)) {
    const SchedulePlan::Key key = key_of(use.algorithm, use.root, use.parameters, frame.layouts);
    plan = &work.plans.get(key, frame.layouts, [&] { return make_schedule_plan(key, frame.layouts, schedule()); });
  }
  if (plan && !plan->too_long) return execution.run(*plan);
  StepStream stream(frame.layouts, schedule());
  execution.run(stream);
}

void run_schedule(PrivateComm& wire, const Frame& frame, Schedule schedule, int tag) {
  workspace_of(wire);
  ScheduleRunner execution(wire, frame, nullptr, tag);
  StepStream stream(frame.layouts, std::move(schedule));
  execution.run(stream);
  wire.workspace->arena.reset();
}

void put_aside_if_in_doubt(PrivateComm& wire) noexcept {
  if (!wire.workspace || !wire.workspace->in_doubt) return;
  wire.workspace->older = std::move(wire.put_aside);
  wire.put_aside = std::move(wire.workspace);
}

int execute(const Operation& call, PrivateComm& wire, const Algorithm& algorithm,
            const Parameters& parameters) noexcept {
  try {
    run(call, wire, {algorithm, call.root, parameters});
    return MPI_SUCCESS;
  } catch (...) {
    put_aside_if_in_doubt(wire);
    return code_of_failure();
  }
}

}  // namespace tutti::runtime
