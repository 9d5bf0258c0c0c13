#include "lives.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "call.hpp"
#include "library.hpp"
#include "served.hpp"
#include "watch.hpp"

namespace tutti::fuzz {
namespace {

constexpr int most_comms = 3, attributes = 3;
constexpr std::array<const char*, 4> ways = {"duplicate", "reversed", "halves", "created"};

/// What a delete callback found wrong; the callbacks of one process run in one thread.
std::string burial_complaint;
bool burial_by_library;

void burial_call(MPI_Comm comm, Collective collective, int seed) {
  int me, ranks;
  PMPI_Comm_rank(comm, &me);
  PMPI_Comm_size(comm, &ranks);
  int mine = me + seed, result = collective == Collective::bcast && me == seed % ranks ? mine : -1;
  Arguments call{collective, {&mine, 1, MPI_INT, {}, {}, {}}, {&result, 1, MPI_INT, {}, {}, {}}, MPI_SUM, seed % ranks,
                 comm};
  const int status = make(call, burial_by_library ? Spelling::library : Spelling::c);
  const int sum = ranks * (ranks - 1) / 2 + ranks * seed;
  const int expected = collective == Collective::barrier ? -1
                       : collective == Collective::bcast ? seed % ranks + seed
                                                         : sum;
  if (status != MPI_SUCCESS)
    burial_complaint = "a delete callback's " + std::string(name(collective)) + " fails: " + error_text(status);
  else if (result != expected)
    burial_complaint = "a delete callback's " + std::string(name(collective)) + " gives " + std::to_string(result) +
                       ", expected " + std::to_string(expected);
}

/// The attribute's value says how many collectives, and which.
int buried(MPI_Comm comm, int /*key*/, void* value, void* /*extra*/) {
  const auto seed = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  constexpr std::array<Collective, 3> kinds = {Collective::allreduce, Collective::barrier, Collective::bcast};
  stage("a delete callback");
  for (int i = 0; i < 1 + seed % 6; ++i) {
    const Collective kind = kinds[static_cast<std::size_t>(seed / 6 + i) % kinds.size()];
    burial_call(comm, library_buries(kind) ? kind : Collective::bcast, seed + i);
  }
  return MPI_SUCCESS;
}

int key_of(int attribute) {
  static const std::array<int, attributes> keys = [] {
    std::array<int, attributes> made{};
    for (int& key : made) PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, buried, &key, nullptr);
    return made;
  }();
  return keys[static_cast<std::size_t>(attribute)];
}

MPI_Comm created(MPI_Comm parent, int way) {
  int me, ranks;
  MPI_Comm made;
  PMPI_Comm_rank(parent, &me);
  PMPI_Comm_size(parent, &ranks);
  if (way == 0) {
    MPI_Comm_dup(parent, &made);
  } else if (way == 3) {
    MPI_Group group;
    MPI_Comm_group(parent, &group);
    MPI_Comm_create(parent, group, &made);
    MPI_Group_free(&group);
  } else {
    MPI_Comm_split(parent, way == 2 ? me % 2 : 0, way == 1 ? ranks - me : me, &made);
  }
  MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  return made;
}

/// Calls on new communicators are many and short.
Range short_calls(Range range) {
  range.limit = std::min<std::int64_t>(range.limit, 16384);
  return range;
}

/// One pass through a life; the second compares with what the first kept.
class Pass {
 public:
  Pass(const Life& life, const Range& range, const ShmGroup& group, bool by_library)
      : life_(life), range_(short_calls(range)), group_(group), by_library_(by_library) {}

  struct Kept {
    Case which;
    int ranks;
    Shape elements;
    Buffers before, after;
    Reply reply;
    bool left;  ///< to the library
  };
  std::vector<Kept> kept;
  std::string complaint;

  void run() {
    burial_by_library = by_library_;
    burial_complaint.clear();
    for (const Event& event : life_.events) act(event);
    if (complaint.empty()) complaint = burial_complaint;
  }

 private:
  void act(const Event& event) {
    MPI_Comm& comm = comms_[static_cast<std::size_t>(event.comm)];
    switch (event.kind) {
      case Event::Kind::make:
        stage("making a communicator");
        comm = created(group_.comm, event.what);
        return;
      case Event::Kind::attribute:
        stage("setting an attribute");  // another value for the same key calls the delete callback at once
        PMPI_Comm_set_attr(comm, key_of(event.what % attributes),
                           reinterpret_cast<void*>(static_cast<std::intptr_t>(event.what / attributes)));
        return;
      case Event::Kind::call:
        return call(comm, event.what);
      case Event::Kind::cross:
        return cross(comm, event.what);
      case Event::Kind::free:
        stage("freeing a communicator");
        MPI_Comm_free(&comm);
        return;
    }
  }

  void call(MPI_Comm comm, int turn) {
    int me, ranks;
    PMPI_Comm_rank(comm, &me);
    PMPI_Comm_size(comm, &ranks);
    Case which = draw_turn(range_, life_.number, turn, ranks);
    within(describe(which, {MPI_COMM_NULL, "a communicator", ranks}));
    Buffers before = filled(which, comm), after = before;
    const Observed observed;
    const Reply reply = carry_out(which, comm, after, by_library_);
    const Shape elements = shape(which, ranks, me);
    kept.push_back({std::move(which), ranks, elements, std::move(before), std::move(after), reply, observed.left()});
  }

  void cross(MPI_Comm comm, int turn) {
    int ranks;
    PMPI_Comm_size(comm, &ranks);
    Random random(range_.seed ^ 0xC055,
                  static_cast<std::uint64_t>(life_.number) * 256 + static_cast<std::uint64_t>(turn));
    const Crossing which = draw_crossing(random, range_, ranks);
    within("call " + std::to_string(turn) + ", " + describe(which));
    if (std::string text = carry_out(which, comm, by_library_); !text.empty() && complaint.empty())
      complaint = "call " + std::to_string(turn) + ", " + describe(which) + ": " + text;
  }

  const Life& life_;
  const Range range_;
  const ShmGroup& group_;
  const bool by_library_;
  std::array<MPI_Comm, most_comms> comms_{};
};

/// What tutti left to the library may differ beside the results, as there.
std::string compare(const Pass::Kept& got, const Pass::Kept& expected) {
  std::string text = difference(got.reply, expected.reply);
  if (text.empty() && expected.reply.status == MPI_SUCCESS) {
    const TypedBuffer& around = got.left ? expected.after.receive : got.before.receive;
    text = got.after.receive.difference(expected.after.receive, around, got.elements.results);
    if (text.empty()) text = got.after.send.difference(got.before.send, got.before.send, got.elements.send);
  }
  return text.empty() ? text : describe(got.which, {MPI_COMM_NULL, "a communicator", got.ranks}) + ": " + text;
}

/// Frees what is still there, in any order.
void bury_all(Random& random, std::array<bool, most_comms>& alive, Life& life) {
  const int first = random.below(most_comms);
  for (int i = 0; i < most_comms; ++i) {
    const int comm = (first + i) % most_comms;
    if (alive[static_cast<std::size_t>(comm)]) life.events.push_back({Event::Kind::free, comm, 0});
  }
}

}  // namespace

Life draw_life(const Range& range, int number) {
  using Kind = Event::Kind;
  Random random(range.seed ^ 0x11FE, static_cast<std::uint64_t>(number));
  Life life{number, {}};
  std::array<bool, most_comms> alive{};
  const int events = 6 + random.below(26), comms = 1 + random.below(most_comms);
  for (int turn = 1; turn <= events; ++turn) {
    const int comm = random.below(comms), kind = random.below(100), what = random.below(1000);
    bool& lives = alive[static_cast<std::size_t>(comm)];
    if (!lives)
      life.events.push_back({Kind::make, comm, what % static_cast<int>(ways.size())});
    else if (kind < 15)
      life.events.push_back({Kind::attribute, comm, what});
    else if (kind < 80)
      life.events.push_back({Kind::call, comm, turn});
    else if (kind < 88)
      life.events.push_back({range.parts.has(Part::crossed) ? Kind::cross : Kind::call, comm, turn});
    else
      life.events.push_back({Kind::free, comm, 0});
    lives = life.events.back().kind != Kind::free;
  }
  bury_all(random, alive, life);
  return life;
}

std::string describe(const Life& life, const ShmGroup& group) {
  std::string text =
      "case " + std::to_string(life.number) + ": lives on " + group.name + " of " + std::to_string(group.size) + ":";
  for (const Event& event : life.events) {
    constexpr std::array<const char*, 5> words = {"make", "attribute", "call", "crossed", "free"};
    text += std::string(" ") + static_cast<char>('A' + event.comm) + "." + words[static_cast<std::size_t>(event.kind)];
    if (event.kind == Event::Kind::make) text += std::string("(") + ways[static_cast<std::size_t>(event.what)] + ")";
    if (event.kind == Event::Kind::call || event.kind == Event::Kind::cross) text += std::to_string(event.what);
  }
  return text;
}

std::string live(const Life& life, const Range& range, const ShmGroup& group) {
  Pass tested(life, range, group, false), library(life, range, group, true);
  tested.run();
  library.run();
  if (!tested.complaint.empty() && library.complaint.empty()) return tested.complaint;
  for (std::size_t i = 0; i < tested.kept.size(); ++i)
    if (std::string text = compare(tested.kept[i], library.kept[i]); !text.empty()) return text;
  return {};
}

}  // namespace tutti::fuzz
