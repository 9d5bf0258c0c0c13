/// Every algorithm of the catalogue, carried out by the executor, against the MPI library on the same data.  Bytes that
/// no type names must stay as they were.  Also the node engine, on a segment shared by all ranks.
///
///     mpiexec -n 5 executor_mpich [seed [every [verbose]]]     one case in `every`
#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "algorithms/catalogue.hpp"
#include "executor_cases.hpp"
#include "runtime/communicator/engine.hpp"
#include "runtime/plan/started_call.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/flat_call.hpp"

namespace tutti::test {
namespace {

struct World {
  int me = 0, size = 1;
  unsigned seed = 1;
  runtime::PrivateComm wire;
  std::unique_ptr<shm::ShmGroup> group;
  long number = 0, cases = 0, wrong = 0;
  long every = 1;
  bool verbose = false;
};

/// Our bytes must be the MPI library's, but for two liberties of its own, where ours must be what they were: padding of
/// a pair type, and what lies behind the result of a reduce_scatter in place.
bool same(const Case& one, const Memory& before, const Memory& ours, const Memory& theirs) {
  if (ours.bytes == theirs.bytes) return true;
  const bool pairs = reduces(one.which) && one.reduction.type == MPI_DOUBLE_INT;
  const bool scatters =
      one.in_place && (one.which == Collective::reduce_scatter || one.which == Collective::reduce_scatter_block);
  if (!pairs && !scatters) return false;
  MPI_Aint lower, extent;
  MPI_Type_get_extent(one.reduction.type, &lower, &extent);
  for (std::size_t i = 0; i < ours.bytes.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i) - ours.origin;
    const bool outside = place < 0 || (pairs && place % 16 >= 12) || (scatters && place >= one.received * extent);
    if (ours.bytes[i] != (outside ? before.bytes[i] : theirs.bytes[i])) return false;
  }
  return true;
}

template <class Ours>
void compare(World& world, Case& one, const std::string& what, Ours&& ours) {
  // By lot, the same on all ranks: every eighth of nested loops would be the innermost one's second turn for ever.
  const auto lot = static_cast<std::uint64_t>(++world.number) * 0x9E3779B97F4A7C15u;
  if (static_cast<long>(lot >> 40) % world.every != 0) return;
  const unsigned number = world.seed * 1000003u + static_cast<unsigned>(world.number);
  ++world.cases;
  std::mt19937 shared(number), own(number * 31u + static_cast<unsigned>(world.me));
  world.wire.window = std::array{1, 32, 64}[static_cast<std::size_t>(world.cases % 3)];
  make_arguments(one, world.me, world.size, shared, own);
  Memory mine = one.receive, theirs = one.receive;
  const Memory given = one.send;
  const runtime::Operation call = operation(one, mine, MPI_COMM_WORLD);
  const bool valid_arguments = runtime::valid_arguments(call, world.size, world.me);
  const int code = valid_arguments ? ours(call) : MPI_SUCCESS;
  reference(one, theirs, MPI_COMM_WORLD);
  if (valid_arguments && code == MPI_SUCCESS && same(one, one.receive, mine, theirs) && one.send.bytes == given.bytes)
    return;
  ++world.wrong;
  std::fprintf(stderr, "rank %d of %d, seed %u: %s, root %d, count %d%s%s%s: %s (code %d)\n", world.me, world.size,
               world.seed, what.c_str(), one.root, one.count, one.in_place ? ", in place" : "",
               reduces(one.which) ? ", " : "", one.reduction.text, valid_arguments ? "differs" : "refused", code);
}

/// All roots and operators (or several types by chance), few counts.
template <class Ours>
void sweep(World& world, Collective which, const Constraints& needs, const std::string& what, Ours&& ours) {
  if (world.me == 0 && world.verbose) std::fprintf(stderr, "%ld cases, %s\n", world.cases, what.c_str());
  static const std::vector<Reduction> all = reductions();
  const std::vector<Reduction> none{{}};
  for (const Reduction& reduction : reduces(which) ? all : none)
    for (int root = 0; root < (rooted(which) ? world.size : 1); ++root)
      for (const int count : {0, 1, 2, 7, 64, 1500})
        for (const bool in_place : {false, true}) {
          if (needs.commutative && !reduction.commutative) continue;
          if (in_place && (which == Collective::bcast || which == Collective::barrier)) continue;
          Case one;
          one.which = which, one.root = root, one.count = count, one.in_place = in_place, one.reduction = reduction;
          compare(world, one, what, ours);
        }
}

/// That value for all parameters, as far as their ranges allow; segments are counts of parts here.
Parameters parameters_of(const Algorithm& algorithm, int value) {
  Parameters parameters;
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i) {
    const ParameterInfo& info = algorithm.parameters[i];
    const bool bytes = info.kind == ParameterInfo::Kind::segment;
    parameters.values[i] = bytes ? value : static_cast<int>(std::clamp<long long>(value, info.least, info.most));
  }
  return parameters;
}

void test_algorithms(World& world) {
  for (const Algorithm& algorithm : catalogue()) {
    if (!obstacle(algorithm.constraints, {.ranks = world.size}).empty()) continue;
    for (const int value : algorithm.parameters.empty() ? std::vector{1} : std::vector{1, 3, 100}) {
      const Parameters parameters = parameters_of(algorithm, value);
      const std::string what = std::string(name(algorithm.collective)) + " " + std::string(algorithm.name);
      sweep(world, algorithm.collective, algorithm.constraints, what,
            [&](const runtime::Operation& call) { return runtime::execute(call, world.wire, algorithm, parameters); });
    }
  }
}

/// Types of one size that come and go: what is known of one must end with it, since the next one gets its handle.
void test_reused_types(World& world) {
  const Algorithm& binomial = *find_algorithm(Collective::bcast, "binomial");
  constexpr std::array<int, 2> in_order{0, 1}, swapped{1, 0}, ones{1, 1};
  for (int round = 0; round < 20; ++round) {
    MPI_Datatype type;
    MPI_Type_indexed(2, ones.data(), (round % 2 ? swapped : in_order).data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int again = 0; again < 3; ++again) {
      std::array<int, 6> mine, sent{};
      for (std::size_t i = 0; i < mine.size(); ++i) sent[i] = round * 100 + static_cast<int>(i ^ (round % 2));
      mine.fill(-1);
      if (world.me == 0)
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = round * 100 + static_cast<int>(i);
      runtime::Operation call;
      call.collective = Collective::bcast, call.comm = MPI_COMM_WORLD;
      // The root sends in the type's order; the others take it as it comes.
      call.receive = {.buffer = mine.data(), .count = world.me == 0 ? 3 : 6, .type = world.me == 0 ? type : MPI_INT};
      ++world.cases;
      if (runtime::execute(call, world.wire, binomial, {}) != MPI_SUCCESS || (world.me != 0 && mine != sent)) {
        ++world.wrong;
        std::fprintf(stderr, "rank %d of %d: a type took over what was known of another\n", world.me, world.size);
      }
    }
    MPI_Type_free(&type);
  }
}

/// Over memory that all ranks share; null where there is none.  Collective.
std::unique_ptr<shm::ShmGroup> make_group(World& world, Suspend suspend = {}) {
  shm::ShmGroupOptions options;
  options.me = world.me, options.size = world.size, options.cpus = 2, options.suspend = suspend;
  shm::Offer offer;
  std::string reason;
  std::optional<shm::Segment> segment;
  if (world.me == 0)
    segment = shm::Segment::create(shm::ShmGroup::bytes(options), shm::Offer::Kind::memfd, offer, reason);
  MPI_Bcast(&offer, sizeof offer, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (world.me != 0) segment = shm::Segment::attach(offer, reason);
  int here = segment.has_value(), everywhere = 0;
  MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (world.me == 0 && segment) segment->publish();
  if (everywhere) return std::make_unique<shm::ShmGroup>(std::move(*segment), options);
  if (world.me == 0) std::printf("no shared segment here: the node engine was left out\n");
  return nullptr;
}

std::unique_ptr<runtime::Engine> make_engine(World& world, Suspend suspend = {}) {
  auto engine = std::make_unique<runtime::Engine>(world.me, world.size);
  engine->comm = world.wire.comm;
  engine->group = make_group(world, suspend);
  return engine->group ? std::move(engine) : nullptr;
}

/// Calls on the node engine, with and without single copies.
template <class Run>
void sweep_node(World& world, const std::string& what, Run&& run) {
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const auto which = static_cast<Collective>(i);
    for (const std::size_t single_copy : {Choice::never, std::size_t{64}}) {
      Choice choice;
      choice.kind = Choice::Kind::node, choice.single_copy = single_copy;
      runtime::CallPlan plan;
      sweep(world, which, {}, std::string(name(which)) + what, [&](const runtime::Operation& call) {
        plan.bind(call, choice, -1, {world.me, world.size});
        return run(plan, call);
      });
    }
  }
}

void test_node(World& world) {
  const std::unique_ptr<runtime::Engine> engine = make_engine(world);
  if (!engine) return;
  engine->group->agree_on_single_copy();
  sweep_node(world, " node", [&](const runtime::CallPlan& plan, const runtime::Operation& call) {
    return plan.run(call, {.engine = engine.get()});
  });
}

/// Calls on the node engine and over messages, started and tested; two are under way at a time.
class Started {
 public:
  explicit Started(World& world) : engine_(make_engine(world, on_node_.suspension())) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, world.me, &wire_.comm);
    MPI_Comm_set_errhandler(wire_.comm, MPI_ERRORS_RETURN);
    wire_.me = world.me, wire_.size = world.size, wire_.suspend = by_messages_.suspension();
    barrier_choice_.kind = Choice::Kind::flat;
    barrier_choice_.algorithm = find_algorithm(Collective::barrier, "dissemination");
    meeting_.comm = MPI_COMM_WORLD;
    barrier_.bind(meeting_, barrier_choice_, -1, {world.me, world.size});
  }
  ~Started() { MPI_Comm_free(&wire_.comm); }
  Started(const Started&) = delete;

  void sweep(World& world) {
    if (engine_)
      sweep_node(world, " node, started", [&](const runtime::CallPlan& plan, const runtime::Operation& call) {
        return run(on_node_, plan, call, {.engine = engine_.get()}, true);
      });
    for (const Algorithm& algorithm : catalogue()) {
      if (!obstacle(algorithm.constraints, {.ranks = world.size}).empty()) continue;
      Choice choice;
      choice.kind = Choice::Kind::flat, choice.algorithm = &algorithm;
      choice.ranks = choice.members = world.size;
      choice.spec = parse_spec(algorithm.name, algorithm.collective);
      runtime::CallPlan plan;
      const std::string what = std::string(algorithm.name) + ", started";
      test::sweep(world, algorithm.collective, algorithm.constraints, what, [&](const runtime::Operation& call) {
        plan.bind(call, choice, -1, {world.me, world.size});
        return run(by_messages_, plan, call, {.messages = &wire_}, false);
      });
    }
  }

 private:
  /// With a barrier over messages beside it, or alone.
  int run(runtime::StartedCall& started, const runtime::CallPlan& plan, const runtime::Operation& call,
          const runtime::Venue& venue, bool beside) {
    bool met = !beside || by_messages_.start(barrier_, meeting_, {.messages = &wire_});
    bool done = started.start(plan, call, venue);
    while (!met || !done) {
      if (!met) met = by_messages_.test();
      if (!done) done = started.test();
      if (!met || !done) sched_yield();
    }
    return beside && by_messages_.code() != MPI_SUCCESS ? by_messages_.code() : started.code();
  }

  runtime::StartedCall on_node_, by_messages_;
  std::unique_ptr<runtime::Engine> engine_;
  runtime::PrivateComm wire_;
  Choice barrier_choice_;
  runtime::Operation meeting_;
  runtime::CallPlan barrier_;
};

int run(unsigned seed, long every, bool verbose) {
  World world;
  world.every = every, world.verbose = verbose;
  world.seed = seed;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.me);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, world.me, &world.wire.comm);
  MPI_Comm_set_errhandler(world.wire.comm, MPI_ERRORS_RETURN);
  world.wire.me = world.me, world.wire.size = world.size;
  world.wire.polls = 4;
  test_algorithms(world);
  test_reused_types(world);
  test_node(world);
  world.every *= 4;  // what blocks has tried them all
  Started(world).sweep(world);
  long wrong = 0;
  MPI_Allreduce(&world.wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world.me == 0) std::printf("%d ranks: %ld cases, %ld differences\n", world.size, world.cases, wrong);
  MPI_Comm_free(&world.wire.comm);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tutti::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (const char* missing = tutti::runtime::load_pmpi(RTLD_DEFAULT)) {
    std::fprintf(stderr, "this MPI library has no %s\n", missing);
    return 1;
  }
  const auto number = [&](int i) { return argc > i ? std::strtoul(argv[i], nullptr, 10) : 1; };
  const int status = tutti::test::run(static_cast<unsigned>(number(1)), static_cast<long>(number(2)), argc > 3);
  MPI_Finalize();
  return status;
}
