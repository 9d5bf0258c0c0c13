/// Differential fuzzer: random collectives through MPI_X (served by a preloaded tutti) and PMPI_X (the MPI library's
/// own) on the same data; every byte of both buffers is compared.
///
///   mpiexec -n 5 -genv LD_PRELOAD libtutti.so tutti_fuzz --seed 7 --cases 1000
///   mpiexec -n 5 -genv LD_PRELOAD libtutti.so tutti_fuzz --seed 7 --case 412    one case again
///
/// --among bcast,gather draws from these collectives alone; one case again then needs the same --among.
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "second_opinion.hpp"
#include "tutti/tutti.h"

namespace tutti::fuzz {
namespace {

struct Options {
  Range range;
  int cases = 1000, only = -1;
  int patience = 60;  ///< seconds that one case may take
  std::string report;
};

/// "bcast,gather", or all.
std::vector<Collective> collectives(std::string_view names) {
  std::vector<Collective> found;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const std::string listed = "," + std::string(names) + ",";
    if (names.empty() || listed.find("," + std::string(collective_names[i]) + ",") != std::string::npos)
      found.push_back(static_cast<Collective>(i));
  }
  if (!found.empty()) return found;
  std::fprintf(stderr, "tutti_fuzz: --among names no collective: %s\n", std::string(names).c_str());
  std::exit(2);
}

Options parse(int argc, char** argv) {
  Options options;
  std::string_view among;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* value = argv[i + 1];
    if (name == "--seed")
      options.range.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--cases")
      options.cases = std::atoi(value);
    else if (name == "--case")
      options.only = std::atoi(value);
    else if (name == "--limit")
      options.range.limit = std::atoll(value);
    else if (name == "--among")
      among = value;
    else if (name == "--patience")
      options.patience = std::atoi(value);
    else if (name == "--report")
      options.report = value;
    else {
      std::fprintf(stderr, "tutti_fuzz: unknown option %s\n", argv[i]);
      std::exit(2);
    }
  }
  options.range.collectives = collectives(among);
  return options;
}

/// Looked up, since the program also runs without tutti (then it compares the MPI library with itself).
const auto last_choice = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "tutti_last_choice"));
const auto get_counters =
    reinterpret_cast<int (*)(const char*, tutti_counters*)>(dlsym(RTLD_DEFAULT, "tutti_get_counters"));

char current[400];  ///< the case that is under way, empty between cases

/// An MPI library that aborts on its own ends the program by exit().
void ended() {
  if (current[0]) std::fprintf(stderr, "the MPI library ended the program in %s", current);
}

/// A case without an end, or one that died: say which, since the launcher tells the signal alone.
void died(int signal) {
  const char* what = signal == SIGALRM ? "no end of " : "died in ";
  if (write(2, what, std::strlen(what)) < 0 || write(2, current, std::strlen(current)) < 0) _exit(4);
  _exit(3);
}

Team split(const char* name, int size, int color, int key) {
  Team made{MPI_COMM_NULL, name, size};
  PMPI_Comm_split(MPI_COMM_WORLD, color, key, &made.comm);
  if (made.comm == MPI_COMM_NULL) return made;
  PMPI_Comm_set_errhandler(made.comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 4; ++i) MPI_Barrier(made.comm);  // tutti begins to serve at the fourth call
  return made;
}

/// All ranks draw the same cases, so a team has the same size on all, also on those outside.
std::vector<Team> make_teams(int me, int ranks) {
  const int half = std::max(1, ranks / 2), most = std::max(1, ranks - 1);
  return {split("world", ranks, 0, me), split("reversed", ranks, 0, ranks - me),
          split("parity", half, me < 2 * half ? me % 2 : MPI_UNDEFINED, me),
          split("all but the last", most, me < most ? 0 : MPI_UNDEFINED, me),
          split("rotated", ranks, 0, (me + ranks / 2) % ranks)};
}

void free_teams(std::vector<Team>& teams) {
  for (Team& team : teams)
    if (team.comm != MPI_COMM_NULL) MPI_Comm_free(&team.comm);
  teams.clear();
}

std::string error_text(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return std::string(text, static_cast<std::size_t>(length));
}

/// What differs.
struct Verdict {
  std::string text;     ///< empty: nothing
  bool result = false;  ///< in the result, for which the library may be asked again
  bool left = false;    ///< tutti left the call to the library
};

Verdict run(const Case& which, const Team& team, std::map<std::string, long>& tally, Buffers& tested) {
  int me;
  PMPI_Comm_rank(team.comm, &me);
  const Shape elements = shape(which, team.size, me);
  const Buffers before = tested;
  Buffers native = before;

  const bool tested_first = which.number % 2 == 0;
  int status = 0, expected = 0;
  if (!tested_first) expected = call(which, team, native, true);
  status = call(which, team, tested, false);
  if (last_choice) ++tally[std::string(name(which.collective)) + " " + last_choice()];
  if (tested_first) expected = call(which, team, native, true);

  if (status != MPI_SUCCESS && expected == MPI_SUCCESS) return {"error: " + error_text(status)};
  if (expected != MPI_SUCCESS) {  // a valid call that the MPI library itself refuses: nothing to compare with
    std::fprintf(stderr, "tutti_fuzz: the MPI library fails by itself in case %d: %s\n", which.number,
                 error_text(expected).c_str());
    ++tally["refused by the library"];
    return {};
  }
  // Where tutti left the call to the library, the library may write beyond its results here as there.
  const bool left = !last_choice || last_choice() == std::string_view("native");
  if (std::string text =
          tested.receive.difference(native.receive, left ? native.receive : before.receive, elements.results);
      !text.empty())
    return {"receive buffer: " + text, true, left};
  if (std::string text = tested.send.difference(before.send, before.send, elements.send); !text.empty())
    return {"send buffer: " + text};
  return {};
}

struct Outcome {
  long cases = 0, differences = 0;
  std::map<std::string, long> tally;
  SecondOpinion opinion;
};

void tell(Outcome& outcome, const std::string& told) {
  if (++outcome.differences <= 50) std::fprintf(stderr, "%s", told.c_str());
}

void one(const Options& options, int number, const std::vector<Team>& teams, int world_rank, Outcome& outcome) {
  const Case which = draw(options.range, number, teams);
  const Team& team = teams[static_cast<std::size_t>(which.team)];
  if (team.comm == MPI_COMM_NULL) return;
  const std::string what = describe(which, teams);
  std::snprintf(current, sizeof current, "%.300s (tutti_fuzz, rank %d)\n", what.c_str(), world_rank);
  alarm(static_cast<unsigned>(options.patience));
  Buffers tested = filled(which, team);
  const Verdict verdict = run(which, team, outcome.tally, tested);
  alarm(0);
  current[0] = 0;
  ++outcome.cases;
  if (verdict.text.empty()) return;
  int ranks;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string choice = last_choice ? last_choice() : "nothing";
  const std::string told = "tutti_fuzz: DIFFERENCE on rank " + std::to_string(world_rank) + " (tutti chose " + choice +
                           "): " + what + "\n  " + verdict.text + "\n  again: -n " + std::to_string(ranks) +
                           " tutti_fuzz --seed " + std::to_string(options.range.seed) + " --case " +
                           std::to_string(number) + "\n";
  if (verdict.result)
    outcome.opinion.add({which, std::move(tested), verdict.left, told});
  else
    tell(outcome, told);
}

/// Results that differed: the library is asked again.
void ask_again(const Options& options, int me, int ranks, Outcome& outcome) {
  std::vector<Team> teams = make_teams(me, ranks);
  const long excused = outcome.opinion.ask(teams, options.range, std::max(options.cases, options.only + 1));
  free_teams(teams);
  if (excused > 0)
    std::fprintf(stderr,
                 "tutti_fuzz: %ld times on rank %d the MPI library contradicts itself, and says what tutti said\n",
                 excused, me);
  if (excused > 0) outcome.tally["contradicted by the library itself"] += excused;
  for (const Suspect& suspect : outcome.opinion.standing()) tell(outcome, suspect.told);
}

void write_report(const Options& options, int ranks, const Outcome& outcome, long differences) {
  std::FILE* file = options.report.empty() ? stdout : std::fopen(options.report.c_str(), "w");
  if (!file) {
    std::perror(options.report.c_str());
    return;
  }
  tutti_counters counters{};
  if (get_counters) get_counters("", &counters);
  const std::uint64_t served = counters.node + counters.flat + counters.hierarchy;
  std::fprintf(file,
               "{\"ranks\": %d, \"seed\": %llu, \"cases\": %ld, \"differences\": %ld, \"calls\": %llu, \"eligible\": "
               "%llu, \"served\": %llu, \"choices\": {",
               ranks, static_cast<unsigned long long>(options.range.seed), outcome.cases, differences,
               static_cast<unsigned long long>(counters.calls), static_cast<unsigned long long>(counters.eligible),
               static_cast<unsigned long long>(served));
  const char* separator = "";
  for (const auto& [choice, times] : outcome.tally)
    std::fprintf(file, "%s\"%s\": %ld", std::exchange(separator, ", "), choice.c_str(), times);
  std::fprintf(file, "}}\n");
  if (file != stdout) std::fclose(file);
}

int fuzz(const Options& options) {
  int me, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, died);
  std::atexit(ended);
  Outcome outcome;
  const int first = options.only >= 0 ? options.only : 0;
  const int last = options.only >= 0 ? options.only + 1 : options.cases;
  std::vector<Team> teams;
  for (int number = first; number < last; ++number) {
    if (teams.empty() || number % 250 == 0) {  // communicators come and go, their handle values are reused
      free_teams(teams);
      teams = make_teams(me, ranks);
    }
    one(options, number, teams, me, outcome);
  }
  free_teams(teams);
  ask_again(options, me, ranks, outcome);
  long differences = 0;
  PMPI_Allreduce(&outcome.differences, &differences, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
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
