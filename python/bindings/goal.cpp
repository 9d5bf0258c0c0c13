#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "simulated.hpp"
#include "simulation/goal/from_schedule.hpp"
#include "simulation/goal/run.hpp"
#include "simulation/replay_trace.hpp"

namespace tutti::bindings {
namespace {

namespace sim = simulation;

/// Programs of all ranks: those of a file, or made of schedules one after the other.
struct Goal {
  std::vector<sim::Program> read;
  sim::ProgramSource source;

  explicit Goal(std::vector<sim::Program> programs) : read(std::move(programs)) {
    source = {static_cast<int>(read.size()), [this](Rank rank) { return read[static_cast<std::size_t>(rank)]; }};
  }
  explicit Goal(sim::ProgramSource made) : source(std::move(made)) {}
  Goal(const Goal&) = delete;
  Goal& operator=(const Goal&) = delete;

  std::vector<sim::Program> all() const {
    std::vector<sim::Program> programs;
    for (Rank rank = 0; rank < source.ranks; ++rank) programs.push_back(source.program(rank));
    return programs;
  }
};

/// A call and what it is made on; both are referred to.
struct Made {
  Made(const nb::dict& described, std::string_view which, std::string_view spec, Rank root, std::int64_t bytes)
      : machine(machine_of(described)), call(call_of(collective(which), spec, machine, root, bytes)), costs(machine) {
    if (call.senders > 0)
      throw std::invalid_argument(
          std::string(spec) +
          " has phases in shared memory, which such files cannot say; name an algorithm over messages");
    if (root < 0 || root >= machine.ranks()) throw std::invalid_argument("there is no rank " + std::to_string(root));
  }
  sim::Program program(Rank me) const {
    return sim::program_of(machine, costs, call.schedule({me, machine.ranks(), call.root, call.parameters}),
                           {me, machine.ranks(), 1, call.bytes});
  }

  std::string trace(Rank me) const {
    return sim::replay_trace(machine, costs, call.schedule({me, machine.ranks(), call.root, call.parameters}),
                             {me, machine.ranks(), 1, call.bytes});
  }

  sim::Machine machine;
  sim::Call call;
  sim::Costs costs;
};

std::unique_ptr<Goal> goal_of(std::string_view which, std::string_view spec, const nb::dict& machine, Rank root,
                              std::int64_t bytes) {
  const auto made = std::make_shared<Made>(machine, which, spec, root, bytes);
  return std::make_unique<Goal>(
      sim::ProgramSource{made->machine.ranks(), [made](Rank me) { return made->program(me); }});
}

std::unique_ptr<Goal> read(const nb::object& file) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(file.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
  const std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> held(&buffer, PyBuffer_Release);
  const std::string_view bytes(static_cast<const char*>(buffer.buf), static_cast<std::size_t>(buffer.len));
  std::vector<sim::Program> programs;
  {
    const nb::gil_scoped_release working;
    programs = sim::read_goal(bytes);
  }
  return std::make_unique<Goal>(std::move(programs));
}

sim::GoalFormat format_named(bool binary) { return binary ? sim::GoalFormat::binary : sim::GoalFormat::text; }

/// Ctrl-C ends a long way through many ranks.
sim::ProgramSource interruptible(const sim::ProgramSource& source) {
  return {source.ranks, [&source](Rank rank) {
            if (rank % 64 == 0) tick(0);
            return source.program(rank);
          }};
}

void write(const Goal& goal, bool binary, std::uint64_t most, const nb::callable& announce, const nb::callable& put) {
  const sim::ProgramSource source = interruptible(goal.source);
  const sim::GoalSize size = sim::measure_goal(source, format_named(binary), most);
  announce(size.bytes);
  sim::write_goal(source, format_named(binary), size,
                  [&](std::string_view piece) { put(nb::bytes(piece.data(), piece.size())); });
}

nb::dict simulated(const Goal& goal, const nb::dict& described, bool trace) {
  const sim::Machine machine = machine_of(described);
  sim::Result result;
  {
    const nb::gil_scoped_release working;
    result = goal.read.empty() ? sim::run_goal(machine, goal.all(), trace, tick)
                               : sim::run_goal(machine, goal.read, trace, tick);
  }
  return row_of(result);
}

/// (kind, peer, tag, size) of each, and (of, on, start) of each dependency.
nb::tuple program_of_rank(const Goal& goal, Rank rank) {
  if (rank < 0 || rank >= goal.source.ranks) throw std::invalid_argument("there is no rank " + std::to_string(rank));
  constexpr const char* kinds[] = {"", "send", "recv", "calc"};
  const sim::Program program = goal.source.program(rank);
  nb::list operations, dependencies;
  for (std::uint32_t on = 0; on < program.operations.size(); ++on) {
    const sim::Operation& one = program.operations[on];
    operations.append(nb::make_tuple(kinds[static_cast<int>(one.kind)],
                                     one.peer == sim::any ? -1 : std::int64_t{one.peer},
                                     one.tag == sim::any ? -1 : std::int64_t{one.tag}, one.size));
    for (const std::uint32_t of : program.after_end(on)) dependencies.append(nb::make_tuple(of, on, false));
    for (const std::uint32_t of : program.after_start(on)) dependencies.append(nb::make_tuple(of, on, true));
  }
  return nb::make_tuple(operations, dependencies);
}

}  // namespace

void add_goal(nb::module_& module) {
  nb::class_<Goal>(module, "Goal", "Programs of all ranks in GOAL, the language of LogGOPSim and ATLAHS.")
      .def_prop_ro("ranks", [](const Goal& goal) { return goal.source.ranks; })
      .def("program", &program_of_rank, "rank"_a,
           "([(kind, peer, tag, size)], [(of, on, start)]) of one rank: `of` waits for the end, or the start, of `on`.")
      .def("write", &write, "binary"_a, "most"_a, "announce"_a, "put"_a,
           "Calls announce(bytes) once with the size of the file, then put(piece) for each piece.  Raises RuntimeError "
           "where the file would have more than `most` bytes.")
      .def("simulate", &simulated, "machine"_a, "trace"_a = false,
           "As simulate().  Raises ValueError on a machine that cannot be, RuntimeError on programs that do not fit "
           "together: one sentence, with rank and operation.");
  module.def("goal_of", &goal_of, "collective"_a, "spec"_a, "machine"_a, "root"_a = 0, "bytes"_a = 0,
             "A call's programs, made when asked for.  Raises ValueError where the spec has none there.");
  nb::class_<Made>(module, "Replay", "A call's traces for SimGrid (smpirun -replay), a text a rank.")
      .def(
          "__init__",
          [](Made* self, std::string_view which, std::string_view spec, const nb::dict& machine, Rank root,
             std::int64_t bytes) { new (self) Made(machine, which, spec, root, bytes); },
          "collective"_a, "spec"_a, "machine"_a, "root"_a = 0, "bytes"_a = 0)
      .def("trace", &Made::trace, "rank"_a, "Raises ValueError where the schedule receives from whoever comes first.");
  module.def(
      "read_goal", &read, "file"_a,
      "Programs of a file's contents (bytes, mmap), text or binary.  Raises RuntimeError, which names the line.");
}

}  // namespace tutti::bindings
