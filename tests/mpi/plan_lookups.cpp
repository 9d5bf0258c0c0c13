/// What a plan knows is not found out again: type, operator, kernel, blocks, arguments and choice are looked up when a
/// call is made for the first time, and by no warm call.  The linker leads each of those functions through a counter
/// (--wrap, CMakeLists.txt); names are those of the MPICH ABI, whose handles are integers.
///
///     mpiexec -n 4 -genv TUTTI_ALLREDUCE node … plan_lookups_mpich
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/datatype/acceptance.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/dispatch.hpp"
#include "runtime/plan/call_plan.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/schedule_plan.hpp"
#include "selection/choice.hpp"

namespace {

using namespace tutti;           // NOLINT(google-build-using-namespace)
using namespace tutti::runtime;  // NOLINT(google-build-using-namespace)

long lookups;

}  // namespace

// A member function takes its object as the first argument.
#define COUNTED(result, name, mangled, parameters, arguments) \
  result real_##name parameters asm("__real_" mangled);       \
  result wrap_##name parameters asm("__wrap_" mangled);       \
  result wrap_##name parameters {                             \
    ++lookups;                                                \
    return real_##name arguments;                             \
  }

COUNTED(TypeInfo, describe, "_ZN5tutti7runtime8describeEii", (MPI_Datatype type, MPI_Comm comm), (type, comm))
COUNTED(std::optional<shm::Operator>, operator_of, "_ZN5tutti7runtime11operator_ofEi", (MPI_Op op), (op))
COUNTED(Acceptance, acceptance, "_ZN5tutti7runtime10acceptanceEiiRKNS0_8TypeInfoE",
        (MPI_Op op, MPI_Datatype type, const TypeInfo& info), (op, type, info))
COUNTED(shm::Reducer, kernel, "_ZN5tutti3shm6kernelENS0_8OperatorENS0_7ElementENS0_14InstructionSetE",
        (shm::Operator op, shm::Element element, shm::InstructionSet set), (op, element, set))
COUNTED(bool, valid_arguments, "_ZN5tutti7runtime15valid_argumentsERKNS0_9OperationEii",
        (const Operation& call, int size, Rank me), (call, size, me))
COUNTED(CallSignature, signature_of, "_ZN5tutti7runtime12signature_ofERKNS0_9OperationEii",
        (const Operation& call, int size, Rank me), (call, size, me))
COUNTED(const Choice&, choose, "_ZN5tutti8Selector6chooseERKNS_13CallSignatureE",
        (Selector * selector, const CallSignature& call), (selector, call))
COUNTED(Parameters, parameters_for, "_ZN5tutti14parameters_forERKNS_6ChoiceEl",
        (const Choice& choice, std::int64_t bytes), (choice, bytes))
COUNTED(void, bind, "_ZN5tutti7runtime8CallPlan4bindERKNS0_9OperationERKNS_6ChoiceElRKNS0_6MemberE",
        (CallPlan * plan, const Operation& call, const Choice& choice, std::int64_t bytes, const Member& me),
        (plan, call, choice, bytes, me))
COUNTED(SchedulePlan, make_schedule_plan,
        "_ZN5tutti7runtime18make_schedule_planERKNS0_12SchedulePlan3KeyERKNS_7LayoutsENS_8ScheduleE",
        (const SchedulePlan::Key& key, const Layouts& layouts, Schedule schedule), (key, layouts, std::move(schedule)))

namespace {

constexpr int count = 24, warm = 100;

/// Memory and arguments of every collective that is tried, the same at each call.
class Calls {
 public:
  explicit Calls(int size)
      : size_(size), send_(static_cast<std::size_t>(count * size), 1.0F), receive_(send_), counts_(ranks(), count) {
    for (int rank = 0; rank < size; ++rank) displacements_.push_back(rank * count);
  }
  Operation of(Collective which) {
    Operation call{.collective = which, .comm = MPI_COMM_WORLD};
    if (which == Collective::barrier) return call;
    call.send = {.buffer = send_.data(), .count = count, .type = MPI_FLOAT};
    call.receive = {.buffer = receive_.data(), .count = count, .type = MPI_FLOAT};
    if (which == Collective::bcast) call.send = {};
    if (reduces(which)) call.op = MPI_SUM;
    const Contract& rules = contract(which);
    if (rules.receive.irregular) irregular(call.receive);
    if (rules.send.irregular) irregular(call.send);
    if (which == Collective::reduce_scatter) call.receive.displacements = {}, call.send.count = count * size_;
    return call;
  }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(size_); }
  void irregular(Side& side) {
    side.count = 0, side.counts = CountView(counts_.data()), side.displacements = CountView(displacements_.data());
  }
  int size_;
  std::vector<float> send_, receive_;
  std::vector<int> counts_, displacements_;
};

/// Whether the collective is served, looked up at first and never again.
bool test(Collective which, Calls& calls, int me) {
  const Operation call = calls.of(which);
  const auto make = [&](int times) {
    lookups = 0;
    for (int i = 0; i < times; ++i) serve(call, [] { return MPI_Barrier(MPI_COMM_WORLD); });
    return std::exchange(lookups, 0);
  };
  const long first = make(4);
  const std::uint64_t before = totals(which).served();
  const long later = make(warm);
  const std::uint64_t served = totals(which).served() - before;
  std::array<long, 3> mine{first == 0, later, warm - static_cast<long>(served)}, all{};
  MPI_Allreduce(mine.data(), all.data(), 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0)
    std::printf("%s: %ld lookups by the first calls, %ld by %d warm ones on all ranks, %ld not served\n",
                name(which).data(), first, all[1], warm, all[2]);
  return all == std::array{0L, 0L, 0L};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (const char* missing = load_pmpi(RTLD_DEFAULT)) {
    std::fprintf(stderr, "this MPI library has no %s\n", missing);
    return 1;
  }
  int me = 0, size = 1, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Calls calls(size);
  for (int i = 0; i < activation_call; ++i)
    serve(calls.of(Collective::barrier), [] { return MPI_Barrier(MPI_COMM_WORLD); });
  using enum Collective;
  for (const Collective which : {bcast, gather, scatter, allgather, allgatherv, alltoall, alltoallv, reduce, allreduce,
                                 reduce_scatter, reduce_scatter_block, scan})
    wrong += !test(which, calls, me);
  if (me == 0) std::printf("%d collectives look something up again\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
