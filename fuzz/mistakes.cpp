#include "mistakes.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "library.hpp"
#include "native.hpp"
#include "spellings.hpp"

namespace tutti::fuzz {
namespace {

using enum Collective;

constexpr std::array<std::string_view, 8> mistake_names = {"negative count",       "null datatype",
                                                           "uncommitted datatype", "root out of range",
                                                           "null operator",        "operator of bits on a double",
                                                           "null buffer",          "aliased buffers"};

/// A call's first side: the one that every rank has.
bool begins_at_receiver(Collective collective) {
  return contract(collective).send.ranks != Ranks::all || reduces(collective);
}
bool has_two_sides(Collective collective) {
  return contract(collective).in_place != InPlace::never && !reduces(collective);
}

MPI_Datatype uncommitted() {
  static const MPI_Datatype made = [] {
    MPI_Datatype type;
    PMPI_Type_vector(2, 1, 2, MPI_INT, &type);
    return type;
  }();
  return made;
}

void set_type(Side& side, MPI_Datatype type) {
  side.type = type;
  for (MPI_Datatype& each : side.types) each = type;
}

/// Where the sender's own block lies in the whole: the library compares the addresses of these two, and the types.
void alias(Arguments& call) {
  if (has_two_sides(call.collective)) set_type(call.send, MPI_INT), set_type(call.receive, MPI_INT);
  Side& whole = call.collective == scatter || call.collective == scatterv ? call.send : call.receive;
  Side& part = &whole == &call.send ? call.receive : call.send;
  int me = 0;
  MPI_Aint lower, extent, at = 0;
  PMPI_Comm_rank(call.comm, &me);
  PMPI_Type_get_extent(whole.type, &lower, &extent);
  if (call.collective == gather || call.collective == scatter || call.collective == allgather)
    at = me * extent * whole.count;
  else if (!whole.places.empty() && (rooted(call.collective) || call.collective == allgatherv))
    at = extent * whole.places[static_cast<std::size_t>(me)];
  part.buffer = static_cast<std::byte*>(whole.buffer) + at;
}

/// The least call of that kind, on a communicator of one rank.
Arguments least(Collective collective, int* from, int* to) {
  Arguments call;
  call.collective = collective;
  call.comm = MPI_COMM_SELF;
  call.op = reduces(collective) ? MPI_SUM : MPI_OP_NULL;
  for (Side* side : {&call.send, &call.receive})
    *side = {side == &call.send ? from : to, 1, MPI_INT, {1}, {0}, {MPI_INT}};
  return call;
}

/// In a child, which may die of it: 0 where the library reports the error.
int tried(Collective collective, const Blunder& blunder) {
  for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 1), dup2(nowhere, 2);
  for (int file = 3; file < 256; ++file) close(file);  // a library that aborts must not reach its launcher
  alarm(2);
  int from[64] = {}, to[64] = {};
  Arguments call = least(collective, from, to);
  spoil(call, blunder);
  return make(call, Spelling::library) == MPI_SUCCESS ? 1 : 0;
}

bool reports(Collective collective, const Blunder& blunder) {
  int status = 1;
  const pid_t child = fork();
  if (child == 0) _exit(tried(collective, blunder));
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// MPICH's wheel checks no arguments at all: a tag that no MPI takes, in a message to nobody, tells.
bool checks_arguments() {
  int word = 0;
  return PMPI_Send(&word, 1, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_SELF) != MPI_SUCCESS;
}

bool sensible(Collective collective, Mistake mistake, bool other_side) {
  if (collective == barrier || (other_side && !has_two_sides(collective))) return false;
  switch (mistake) {
    case Mistake::bad_root:
      return rooted(collective) && !other_side;
    case Mistake::null_op:
    case Mistake::wrong_op:
      return reduces(collective);
    case Mistake::aliased:
      return contract(collective).in_place != InPlace::never && !other_side;
    case Mistake::null_buffer:  // the other side's is not looked at for every count
      return !other_side;
    default:
      return true;
  }
}

/// [collective][mistake][side]
using Reported = std::array<std::array<std::array<char, 2>, mistake_names.size()>, collective_names.size()>;
Reported reported{};

}  // namespace

void learn_mistakes() {
  int me;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  uncommitted();
  if (me == 0 && checks_arguments())
    for (std::size_t c = 0; c < reported.size(); ++c)
      for (std::size_t m = 0; m < reported[c].size(); ++m)
        for (const bool other : {false, true})
          if (const auto collective = static_cast<Collective>(c); sensible(collective, static_cast<Mistake>(m), other))
            reported[c][m][other] = reports(collective, {static_cast<Mistake>(m), other});
  native().Bcast(&reported, sizeof reported, MPI_BYTE, 0, MPI_COMM_WORLD);
}

bool draw_blunder(Random& random, Collective collective, int ranks, int root, Blunder& drawn) {
  std::vector<Blunder> known;
  const auto& of = reported[static_cast<std::size_t>(collective)];
  for (std::size_t m = 0; m < of.size(); ++m)
    for (const bool other : {false, true})
      if (const Blunder blunder{static_cast<Mistake>(m), other}; of[m][other] && library_reports(collective, blunder))
        known.push_back(blunder);
  const bool alone = random.chance(60), handler = random.chance(50);
  const int which = random.below(1000), culprit = random.below(ranks);
  if (known.empty()) return false;
  drawn = known[static_cast<std::size_t>(which) % known.size()];
  drawn.handler = handler;
  drawn.culprit = alone ? culprit : -1;
  // The whole of a rooted call's data is the root's alone.
  if (rooted(collective) && (drawn.other_side || drawn.mistake == Mistake::aliased)) drawn.culprit = root;
  return true;
}

std::string describe(const Blunder& blunder) {
  return std::string(mistake_names[static_cast<std::size_t>(blunder.mistake)]) +
         (blunder.other_side ? " (other side)" : "") +
         (blunder.culprit < 0 ? " on all ranks" : " on rank " + std::to_string(blunder.culprit)) +
         (blunder.handler ? ", user's error handler" : ", errors returned");
}

void spoil(Arguments& call, const Blunder& blunder) {
  Side& side = begins_at_receiver(call.collective) != blunder.other_side ? call.receive : call.send;
  switch (blunder.mistake) {
    case Mistake::negative_count:
      side.count = -1;
      if (!side.counts.empty()) side.counts.back() = -1;
      return;
    case Mistake::null_type:
      return set_type(side, MPI_DATATYPE_NULL);
    case Mistake::uncommitted_type:
      return set_type(side, uncommitted());
    case Mistake::bad_root:
      PMPI_Comm_size(call.comm, &call.root);
      return;
    case Mistake::null_op:
      call.op = MPI_OP_NULL;
      return;
    case Mistake::wrong_op:
      call.op = MPI_BAND;
      return set_type(side, MPI_DOUBLE);
    case Mistake::null_buffer:  // a derived type might hold addresses, so that MPI_BOTTOM would be right
      set_type(side, MPI_INT);
      (reduces(call.collective) ? call.send : side).buffer = nullptr;
      return;
    case Mistake::aliased:
      return alias(call);
  }
}

}  // namespace tutti::fuzz
