/// The executable: not linked to any MPI, so that one file measures them all.
///
///     mpiexec -n 2 tutti-bench --mpi-library /usr/lib/libmpi.so.12 allreduce:8 bcast:1024
///
/// It loads the MPI it is given and the module compiled for that MPI's backend, which does the rest.  Like a Python
/// interpreter, it has its MPI by dlopen; a preloaded libtutti.so finds it there.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/loading.hpp"
#include "bench/orphan.hpp"

namespace {

constexpr const char* usage =
    "Usage: tutti-bench --mpi-library PATH [OPTIONS] SUBJECT[:BYTES][%CACHE][@ARRIVAL:SKEW]...   (started "
    "by an MPI launcher)\n"
    "A SUBJECT is a collective (bcast), a nonblocking one (ibcast), a persistent one (bcast_init), a pattern of\n"
    "messages (pingpong, pingping, sendrecv, exchange, ring, neighbour_pairs, far_pairs, bisection, all_to_one,\n"
    "one_to_all, pairs-K, or a NAME of --pattern), or memcpy.\n"
    "  --variants A,B   two of tutti, native, again (default tutti,native; again: native once more)\n"
    "  --seconds S      time limit for each case (default 0.5)\n"
    "  --precision R    stop when the median's 95 % interval is within +-R of it (default 0.01)\n"
    "  --bound          also measure what each case cannot be faster than (one node)\n"
    "  --no-check       do not check results\n"
    "  --cache MODE     of cases that do not say it: cold (other buffers each time, default), warm (the same ones),\n"
    "                   fresh or flushed (the same ones, written anew; and driven out of all caches)\n"
    "  --batch N        time at most N calls together\n"
    "  --pattern NAME=FILE  a pattern of messages: who sends to whom, in rounds\n"
    "  --root R         root of rooted collectives: a rank (default 0), or rotating\n"
    "  --in-place       with MPI_IN_PLACE\n"
    "  --datatype T     byte, int, long, float, double, strided (default byte, float where values are combined)\n"
    "  --operator O     sum (default), prod, max, min, band, bor, bxor, land, lor, lxor, user, ordered\n"
    "  --repetitions N  exactly so many of each case\n"
    "  --warm-ups N     calls before (default 10)\n"
    "  --samples FOLDER keep every sample in binary files there, one a rank\n"
    "  --sync WAY       how ranks begin together: auto, round, flags, messages, barrier (default auto)\n"
    "  --clock WAY      auto, or hca3: synchronise also where ranks read one machine's clock\n"
    "  --clock-source C raw, monotonic, cycles or wtime (default: the finest)\n"
    "  --clock-seconds S  length of a lesson of the synchronisation (default 0.5)\n"
    "  --imbalance S    only measure how far apart ranks come after S seconds of balanced work\n"
    "  --clock-check S  only check the global clock, now and S seconds later\n"
    "Prints one JSON object a line on rank 0.  `tutti bench` starts it, repeats it and makes the table.\n";

int run(int argc, char** argv) {
  using namespace tutti::bench;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "-h" || word == "--help") return std::fputs(usage, stdout) < 0 ? 1 : 0;
    if (word == "--mpi-library" && i + 1 < argc) path = argv[i + 1];
  }
  if (path.empty()) throw std::runtime_error("--mpi-library PATH is missing; see --help");
  end_with_parent();
  const Library mpi = load_mpi(path);
  const std::string backend(backend_of(mpi));
  return load_module(backend)(mpi.handle, path.c_str(), backend.c_str(), argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tutti-bench: %s\n", problem.what());
    return 2;
  }
}
