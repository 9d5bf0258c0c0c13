#include "mpi/executor.hpp"

#include <exception>
#include <new>
#include <utility>

#include "mpi/errors.hpp"
#include "mpi/execution.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {

Wire::Wire() = default;
Wire::~Wire() = default;
Wire::Wire(Wire&&) noexcept = default;
Wire& Wire::operator=(Wire&&) noexcept = default;

namespace {

/// Returns when all ranks have come.
void meet(Wire& wire) {
  MPI_Request request = MPI_REQUEST_NULL;
  require(pmpi.Ibarrier(wire.comm, &request), "MPI_Ibarrier");
  Patience patience(wire.polls);
  for (int done = 0; !done; patience.fruitless()) require(pmpi.Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
}

/// The first of the call's tags.
int next_tag(Wire& wire) {
  const unsigned calls = (static_cast<unsigned>(wire.tag_limit) + 1) / Tags::a_call;
  if (wire.sequence >= calls) {
    wire.sequence = 0;
    meet(wire);
  }
  return static_cast<int>(wire.sequence++) * Tags::a_call;
}

void run(const Operation& call, Wire& wire, const Algorithm& algorithm, const Parameters& parameters) {
  const int tag = next_tag(wire);
  if (!wire.workspace) wire.workspace = std::make_unique<Workspace>();
  Workspace& work = *wire.workspace;
  work.arena.reset();
  Staging staging(call, work.arena, wire.comm, wire.me, wire.size, wire.instructions);
  const Frame& frame = staging.frame();
  const Context context{wire.me, wire.size, call.root, parameters};
  {
    Execution execution(wire, frame, staging.combiner(), tag);
    const Plan::Key key = key_of(algorithm, call.root, parameters, frame.layouts);
    const Plan* plan = nullptr;
    if (worth_keeping(frame.layouts))
      plan = &work.plans.get(key, frame.layouts,
                             [&] { return make_plan(key, frame.layouts, algorithm.schedule(context)); });
    if (plan && !plan->too_long) {
      execution.run(*plan);
    } else {
      Binding binding(frame.layouts, algorithm.schedule(context));
      execution.run(binding);
    }
  }
  staging.finish();
  work.arena.reset();
}

/// After a failure a message may still reach this call's memory: then it is put aside, not used again.
int failed(Wire& wire, int code) noexcept {
  if (!wire.workspace || !wire.workspace->in_doubt) return code;
  wire.workspace->older = std::move(wire.put_aside);
  wire.put_aside = std::move(wire.workspace);
  return code;
}

}  // namespace

int execute(const Operation& call, Wire& wire, const Algorithm& algorithm, const Parameters& parameters) noexcept {
  try {
    run(call, wire, algorithm, parameters);
    return MPI_SUCCESS;
  } catch (const MpiError& error) {
    return failed(wire, error.code);
  } catch (const std::bad_alloc&) {
    return failed(wire, MPI_ERR_NO_MEM);
  } catch (const std::exception&) {
    return failed(wire, MPI_ERR_INTERN);
  }
}

}  // namespace tutti::mpi
