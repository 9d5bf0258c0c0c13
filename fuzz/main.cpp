/// Differential fuzzer: random collectives through MPI_X (served by a preloaded tutti) and PMPI_X (the MPI library's
/// own) on the same data; every byte of both buffers is compared.
///
///   mpiexec -n 5 -genv LD_PRELOAD libtutti.so tutti_fuzz --seed 7 --cases 1000
///   mpiexec -n 5 -genv LD_PRELOAD libtutti.so tutti_fuzz --seed 7 --case 412    one case again
///
/// --among bcast,gather draws from these collectives alone, --parts moves,types from these parts (parts.hpp); one case
/// again then needs the same.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "lives.hpp"
#include "mixes.hpp"
#include "native.hpp"
#include "options.hpp"
#include "second_opinion.hpp"
#include "served.hpp"
#include "watch.hpp"

namespace tutti::fuzz {
namespace {

ShmGroup split(const char* name, int size, int color, int key) {
  ShmGroup made{MPI_COMM_NULL, name, size};
  PMPI_Comm_split(MPI_COMM_WORLD, color, key, &made.comm);
  if (made.comm == MPI_COMM_NULL) return made;
  PMPI_Comm_set_errhandler(made.comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 4; ++i) MPI_Barrier(made.comm);  // at the fourth its ranks agree
  return made;
}

/// All ranks draw the same cases, so a group has the same size on all, also on those outside.
std::vector<ShmGroup> make_teams(int me, int ranks) {
  const int half = std::max(1, ranks / 2), most = std::max(1, ranks - 1);
  return {split("world", ranks, 0, me), split("reversed", ranks, 0, ranks - me),
          split("parity", half, me < 2 * half ? me % 2 : MPI_UNDEFINED, me),
          split("all but the last", most, me < most ? 0 : MPI_UNDEFINED, me),
          split("rotated", ranks, 0, (me + ranks / 2) % ranks)};
}

void free_teams(std::vector<ShmGroup>& groups) {
  for (ShmGroup& group : groups)
    if (group.comm != MPI_COMM_NULL) MPI_Comm_free(&group.comm);
  groups.clear();
}

/// What differs.
struct Verdict {
  std::string text;     ///< empty: nothing
  bool result = false;  ///< in the result, for which the library may be asked again
  bool left = false;    ///< tutti left the call to the library
};

Verdict run(const Case& which, const ShmGroup& group, std::map<std::string, long>& tally, Buffers& tested) {
  int me;
  PMPI_Comm_rank(group.comm, &me);
  const Shape elements = shape(which, group.size, me);
  const Buffers before = tested;
  Buffers theirs = before;

  const bool tested_first = which.number % 2 == 0;
  Reply expected;
  if (!tested_first) expected = carry_out(which, group.comm, theirs, true);
  const Observed observed;
  const Reply got = carry_out(which, group.comm, tested, false);
  const bool left = observed.left();
  if (!observed.choice().empty()) ++tally[std::string(name(which.collective)) + " " + observed.choice()];
  if (tested_first) expected = carry_out(which, group.comm, theirs, true);

  if (std::string text = difference(got, expected); !text.empty()) return {std::move(text)};
  if (expected.status != MPI_SUCCESS) {  // a valid call that the MPI library itself refuses: nothing to compare with
    std::fprintf(stderr, "tutti_fuzz: the MPI library fails by itself in case %d: %s\n", which.number,
                 error_text(expected.status).c_str());
    ++tally["refused by the library"];
    return {};
  }
  // Where tutti left the call to the library, the library may write beyond its results here as there.
  if (std::string text =
          tested.receive.difference(theirs.receive, left ? theirs.receive : before.receive, elements.results);
      !text.empty())
    return {"receive buffer: " + text, true, left};
  if (std::string text = tested.send.difference(before.send, before.send, elements.send); !text.empty())
    return {"send buffer: " + text};
  return {};
}

struct Outcome {
  long cases = 0, differences = 0;
  std::map<std::string, long> tally, parts;
  SecondOpinion opinion;
};

/// The case, and its seed: what makes it again.
std::string again(const Options& options, const std::string& what) {
  return "seed " + std::to_string(options.range.seed) + ", " + what;
}

void tell(Outcome& outcome, const std::string& told) {
  if (++outcome.differences <= 50) std::fprintf(stderr, "%s", told.c_str());
}

std::string told(const Options& options, int number, const std::string& what, const std::string& text) {
  int me, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return "tutti_fuzz: DIFFERENCE on rank " + std::to_string(me) + what + "\n  " + text + "\n  again: -n " +
         std::to_string(ranks) + " tutti_fuzz --seed " + std::to_string(options.range.seed) + " --case " +
         std::to_string(number) + "\n";
}

/// A case of one call, after a wrong one perhaps.
void one_call(const Options& options, int number, const std::vector<ShmGroup>& groups, Outcome& outcome) {
  const Case which = draw(options.range, number, groups);
  const ShmGroup& group = groups[static_cast<std::size_t>(which.group)];
  if (group.comm == MPI_COMM_NULL) return;
  if (which.blunder) ++outcome.parts["wrong calls"];
  const std::string what = describe(which, group);
  const Watched watched(again(options, what));
  Buffers tested = filled(which, group.comm);
  const Observed observed;
  const Verdict verdict = run(which, group, outcome.tally, tested);
  ++outcome.cases;
  if (verdict.text.empty()) return;
  const std::string choice = observed.choice().empty() ? "nothing" : observed.choice();
  const std::string text = told(options, number, " (tutti chose " + choice + "): " + what, verdict.text);
  if (verdict.result)
    outcome.opinion.add({which, std::move(tested), verdict.left, text});
  else
    tell(outcome, text);
}

/// A case of many calls on communicators of its own.
void one_life(const Options& options, int number, const ShmGroup& group, Outcome& outcome) {
  const Life life = draw_life(options.range, number);
  const std::string what = describe(life, group);
  const Watched watched(again(options, what));
  const std::string text = live(life, options.range, group);
  ++outcome.cases;
  if (!text.empty()) tell(outcome, told(options, number, ": " + what, text));
}

/// Rooted calls crossed with messages, on an old communicator or on a new one.
void one_crossing(const Options& options, int number, const ShmGroup& group, Outcome& outcome) {
  Random random(options.range.seed ^ 0xC055, static_cast<std::uint64_t>(number));
  const bool fresh = random.chance(50);
  const Crossing which = draw_crossing(random, options.range, group.size);
  const std::string what = "case " + std::to_string(number) + ": " + describe(which) + " on " +
                           (fresh ? "a duplicate of " : "") + group.name + " of " + std::to_string(group.size);
  const Watched watched(again(options, what));
  MPI_Comm comm = group.comm;
  if (fresh) PMPI_Comm_dup(group.comm, &comm);
  const std::string text = carry_out(which, comm, false), expected = carry_out(which, group.comm, true);
  if (fresh) MPI_Comm_free(&comm);
  ++outcome.cases;
  if (!text.empty() && expected.empty()) tell(outcome, told(options, number, ": " + what, text));
}

/// Requests on several communicators at once.
void one_mix(const Options& options, int number, const std::vector<ShmGroup>& groups, Outcome& outcome) {
  const Mix mix = draw_mix(options.range, number, groups);
  const std::string what = describe(mix);
  const Watched watched(again(options, what));
  const std::string text = carry_out(mix, groups);
  ++outcome.cases;
  if (!text.empty()) tell(outcome, told(options, number, ": " + what, text));
}

void one(const Options& options, int number, const std::vector<ShmGroup>& groups, Outcome& outcome) {
  const Part part = part_of(options.range.parts, options.range.seed, number);
  ++outcome.parts[std::string(name(part))];
  if (part == Part::requests) return one_mix(options, number, groups, outcome);
  if (part != Part::lives && part != Part::crossed) return one_call(options, number, groups, outcome);
  Random random(options.range.seed ^ 0x7EA3, static_cast<std::uint64_t>(number));
  const ShmGroup& group = groups[static_cast<std::size_t>(random.below(static_cast<int>(groups.size())))];
  if (group.comm == MPI_COMM_NULL) return;
  if (part == Part::lives)
    one_life(options, number, group, outcome);
  else
    one_crossing(options, number, group, outcome);
}

/// Results that differed: the library is asked again.
void ask_again(const Options& options, int me, int ranks, Outcome& outcome) {
  std::vector<ShmGroup> groups = make_teams(me, ranks);
  const long excused = outcome.opinion.ask(groups, options.range, std::max(options.cases, options.only + 1));
  free_teams(groups);
  if (excused > 0)
    std::fprintf(stderr,
                 "tutti_fuzz: %ld times on rank %d the MPI library contradicts itself, and says what tutti said\n",
                 excused, me);
  if (excused > 0) outcome.tally["contradicted by the library itself"] += excused;
  for (const Suspect& suspect : outcome.opinion.standing()) tell(outcome, suspect.told);
}

void write_tally(std::FILE* file, const std::map<std::string, long>& tally) {
  const char* separator = "{";
  for (const auto& [what, times] : tally)
    std::fprintf(file, "%s\"%s\": %ld", std::exchange(separator, ", "), what.c_str(), times);
  std::fprintf(file, "%s", tally.empty() ? "{}" : "}");
}

void write_report(const Options& options, int ranks, const Outcome& outcome, long differences) {
  std::FILE* file = options.report.empty() ? stdout : std::fopen(options.report.c_str(), "w");
  if (!file) {
    std::perror(options.report.c_str());
    return;
  }
  const tutti_counters seen = counters();
  const FormsServed requests = forms_served();
  const std::uint64_t served = seen.node + seen.flat + seen.hierarchy;
  std::fprintf(file,
               "{\"ranks\": %d, \"seed\": %llu, \"cases\": %ld, \"differences\": %ld, \"calls\": %llu, \"eligible\": "
               "%llu, \"served\": %llu, \"requests eligible\": %llu, \"requests served\": %llu, \"choices\": ",
               ranks, static_cast<unsigned long long>(options.range.seed), outcome.cases, differences,
               static_cast<unsigned long long>(seen.calls), static_cast<unsigned long long>(seen.eligible),
               static_cast<unsigned long long>(served), requests.eligible, requests.served);
  write_tally(file, outcome.tally);
  std::fprintf(file, ", \"parts\": ");
  write_tally(file, outcome.parts);
  std::fprintf(file, "}\n");
  if (file != stdout) std::fclose(file);
}

void meet(const std::vector<ShmGroup>& groups) {
  for (const ShmGroup& group : groups)
    if (group.comm != MPI_COMM_NULL) MPI_Barrier(group.comm);
}

constexpr int life = 250;  ///< cases with the same communicators

int fuzz(const Options& options) {
  int me, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  begin_watch(options.patience);
  if (options.range.parts.has(Part::mistakes)) learn_mistakes();
  Outcome outcome;
  const int first = options.only >= 0 ? options.only : 0;
  const int last = options.only >= 0 ? options.only + 1 : options.cases;
  std::vector<ShmGroup> groups;
  for (int number = first; number < last; ++number) {
    if (groups.empty() || number % life == 0) {  // communicators come and go, their handle values are reused
      free_teams(groups);
      groups = make_teams(me, ranks);
    }
    one(options, number, groups, outcome);
    // What a rooted call lacks tutti sets up at the next call in which all ranks wait for one another.
    if (number % 3 == 0 && number % life < life / 4) meet(groups);
  }
  free_teams(groups);
  ask_again(options, me, ranks, outcome);
  long differences = 0;
  native().Allreduce(&outcome.differences, &differences, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) write_report(options, ranks, outcome, differences);
  return differences ? 1 : 0;
}

}  // namespace
}  // namespace tutti::fuzz

int main(int argc, char** argv) {
  const auto options = tutti::fuzz::parse(argc, argv);
  MPI_Init(&argc, &argv);
  const int status = tutti::fuzz::fuzz(options);
  MPI_Finalize();
  return status;
}
