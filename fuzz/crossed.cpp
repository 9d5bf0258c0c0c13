#include "crossed.hpp"

#include <algorithm>
#include <array>

#include "library.hpp"
#include "watch.hpp"

namespace tutti::fuzz {
namespace {

using enum Collective;

/// Data flows to the root in the first three, from it in the others.
constexpr std::array<Collective, 6> crossable = {reduce, gather, gatherv, bcast, scatter, scatterv};
bool to_root(Collective collective) { return collective == reduce || collective == gather || collective == gatherv; }

/// What `rank` gives, or gets, in word `word` of call `turn`.
int value(int rank, int turn, int word) { return 100000 * rank + 100 * turn + word; }

class Runner {
 public:
  Runner(const Crossing& which, MPI_Comm comm, bool by_library) : which_(which), comm_(comm) {
    PMPI_Comm_rank(comm, &me_);
    PMPI_Comm_size(comm, &ranks_);
    spelling_ = by_library                ? Spelling::library
                : which.spellings.empty() ? Spelling::c
                                          : which.spellings[static_cast<std::size_t>(me_)];
  }

  std::string run() {
    const bool last = to_root(which_.collective) == (me_ == which_.root);
    if (last) messages();
    stage("the rooted calls");
    for (int turn = 0; turn < which_.ahead; ++turn) call(turn);
    if (!last) messages();
    return complaint_;
  }

 private:
  /// The ranks whose turn comes last wait for the others to tell them.
  void messages() {
    stage("the messages");
    constexpr int tag = 77;
    const bool sends = to_root(which_.collective) == (me_ != which_.root);
    for (int peer = 0; peer < ranks_; ++peer) {
      if (peer == me_ || (me_ != which_.root && peer != which_.root)) continue;
      int word = sends ? me_ : -1;
      if (sends)
        PMPI_Send(&word, 1, MPI_INT, peer, tag, comm_);
      else
        PMPI_Recv(&word, 1, MPI_INT, peer, tag, comm_, MPI_STATUS_IGNORE);
      if (!sends && word != peer) complaint_ = "a message from rank " + std::to_string(peer) + " is wrong";
    }
  }

  void call(int turn) {
    const auto all = static_cast<std::size_t>(ranks_) * static_cast<std::size_t>(which_.count);
    std::vector<int> from(all), to(all, -1);
    const bool deals = me_ == which_.root && (which_.collective == scatter || which_.collective == scatterv);
    for (int rank = 0; rank < (deals ? ranks_ : 1); ++rank)
      for (int word = 0; word < which_.count; ++word)
        from[static_cast<std::size_t>(rank) * static_cast<std::size_t>(which_.count) + static_cast<std::size_t>(word)] =
            value(deals ? rank : me_, turn, word);
    if (which_.collective == bcast && me_ == which_.root) to = from;
    Arguments made{which_.collective, side(from), side(to), which_.collective == reduce ? MPI_SUM : MPI_OP_NULL,
                   which_.root,       comm_};
    if (const int status = make(made, spelling_); status != MPI_SUCCESS)
      complaint_ = "error " + std::to_string(status) + " in call " + std::to_string(turn);
    if (to_root(which_.collective) && me_ != which_.root) return;
    for (std::size_t i = 0; i < results(); ++i)
      if (to[i] != expected(static_cast<int>(i), turn) && complaint_.empty())
        complaint_ = "call " + std::to_string(turn) + " gives " + std::to_string(to[i]) + ", expected " +
                     std::to_string(expected(static_cast<int>(i), turn));
  }

  Side side(std::vector<int>& words) const {
    Side made{words.data(), which_.count, MPI_INT, {}, {}, {}};
    for (int rank = 0; rank < ranks_; ++rank) {
      made.counts.push_back(which_.count);
      made.places.push_back(rank * which_.count);
    }
    return made;
  }

  std::size_t results() const {
    const bool gathers = which_.collective == gather || which_.collective == gatherv;
    return static_cast<std::size_t>(gathers ? ranks_ : 1) * static_cast<std::size_t>(which_.count);
  }

  int expected(int place, int turn) const {
    const int block = place / which_.count, word = place % which_.count;
    if (which_.collective == reduce) {
      int sum = 0;
      for (int rank = 0; rank < ranks_; ++rank) sum += value(rank, turn, word);
      return sum;
    }
    if (to_root(which_.collective)) return value(block, turn, word);
    return value(which_.collective == bcast ? which_.root : me_, turn, word);
  }

  const Crossing& which_;
  MPI_Comm comm_;
  int me_ = 0, ranks_ = 0;
  Spelling spelling_{};
  std::string complaint_;
};

}  // namespace

Crossing draw_crossing(Random& random, const Range& range, int ranks) {
  std::vector<Collective> kinds, runnable;
  for (const Collective each : crossable) {
    if (!library_runs_crossed(each, 0, 1)) continue;
    runnable.push_back(each);
    if (std::ranges::find(range.collectives, each) != range.collectives.end()) kinds.push_back(each);
  }
  if (kinds.empty()) kinds = runnable;
  Crossing drawn;
  do {
    drawn.collective = kinds[static_cast<std::size_t>(random.below(static_cast<int>(kinds.size())))];
    drawn.root = random.below(ranks);
    drawn.count = 1 + random.below(random.chance(50) ? 2 : 32);
    const int kind = random.below(100);
    drawn.ahead = kind < 70 ? 1 + random.below(4) : kind < 95 ? 4 + random.below(17) : 60;
  } while (!library_runs_crossed(drawn.collective, drawn.root, drawn.ahead));
  if (range.parts.has(Part::names) && random.chance(25)) drawn.spellings = draw_spellings(random, ranks);
  return drawn;
}

std::string describe(const Crossing& which) {
  std::string text = std::to_string(which.ahead) + " x " + std::string(name(which.collective)) + " of " +
                     std::to_string(which.count) + " ints, root " + std::to_string(which.root) +
                     ", crossed with messages";
  const char* before = ", spelled ";
  for (const Spelling spelling : which.spellings) {
    text += before + std::string(name(spelling));
    before = " | ";
  }
  return text;
}

std::string carry_out(const Crossing& which, MPI_Comm comm, bool by_library) {
  return Runner(which, comm, by_library).run();
}

}  // namespace tutti::fuzz
