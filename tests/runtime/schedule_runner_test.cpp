/// The executor on an MPI library made of paper: what it asks for, and what it does with errors.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <vector>

#include "analysis/program.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/flat_call.hpp"

using namespace tutti;
using namespace tutti::runtime;

namespace {

struct Posted {
  bool send;
  int bytes, peer, tag;
  const void* address;
  bool operator==(const Posted&) const = default;
};
std::vector<Posted> posted;
int send_error = MPI_SUCCESS;
std::vector<std::int64_t> sizes;  ///< what a message that can hold more begins with

int isend(const void* buffer, int count, MPI_Datatype, int to, int tag, MPI_Comm, MPI_Request* request) {
  posted.push_back({true, count, to, tag, buffer});
  *request = 1;
  return send_error;
}
int irecv(void* buffer, int count, MPI_Datatype, int from, int tag, MPI_Comm, MPI_Request* request) {
  posted.push_back({false, count, from, tag, buffer});
  const std::size_t head = sizes.size() * sizeof sizes[0];
  if (head > 0 && static_cast<std::size_t>(count) > head) std::memcpy(buffer, sizes.data(), head), sizes.clear();
  *request = 1;
  return MPI_SUCCESS;
}
int first_source = MPI_ANY_SOURCE;  ///< who comes first, where the receive asks for anyone
int test(MPI_Request* request, int* flag, MPI_Status* status) {
  *request = MPI_REQUEST_NULL;
  if (status != MPI_STATUS_IGNORE) status->MPI_SOURCE = first_source;
  *flag = 1;
  return MPI_SUCCESS;
}
int meetings = 0;
int ibarrier(MPI_Comm, MPI_Request* request) {
  ++meetings;
  *request = 1;
  return MPI_SUCCESS;
}
int type_size(MPI_Datatype, MPI_Count* size) {
  *size = 1;
  return MPI_SUCCESS;
}
int type_extent(MPI_Datatype, MPI_Aint* lower, MPI_Aint* extent) {
  *lower = 0, *extent = 1;
  return MPI_SUCCESS;
}

struct Paper {
  Pmpi kept = pmpi;
  Paper() {
    pmpi.Isend = isend, pmpi.Irecv = irecv, pmpi.Test = test, pmpi.Ibarrier = ibarrier;
    pmpi.Type_size_x = type_size, pmpi.Type_get_extent = type_extent, pmpi.Type_get_true_extent = type_extent;
    posted.clear(), sizes.clear();
    meetings = 0, first_source = MPI_ANY_SOURCE;
    send_error = MPI_SUCCESS;
  }
  ~Paper() { pmpi = kept; }
};

Operation bcast(const void* buffer, std::int64_t count) {
  Operation call;
  call.collective = Collective::bcast;
  call.receive = {.buffer = buffer, .count = count, .type = MPI_BYTE};
  return call;
}

const Algorithm& binomial() { return *find_algorithm(Collective::bcast, "binomial"); }

PrivateComm private_comm_of(Rank me, int size = 2) {
  PrivateComm wire;
  wire.me = me, wire.size = size;
  return wire;
}

std::vector<int> bytes_of(bool sends, int peer) {
  std::vector<int> bytes;
  for (const Posted& message : posted)
    if (message.send == sends && message.peer == peer) bytes.push_back(message.bytes);
  return bytes;
}

/// Address space without memory behind it.
struct Void {
  explicit Void(std::int64_t bytes) : bytes(static_cast<std::size_t>(bytes)) {
    start = mmap(nullptr, this->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(start != MAP_FAILED);
  }
  ~Void() { munmap(start, bytes); }
  std::size_t bytes;
  void* start;
};

}  // namespace

TEST_CASE("messages over 1 GiB are cut, on both sides alike") {
  const Paper paper;
  const std::int64_t bytes = (std::int64_t{5} << 30) / 2 + 1;
  auto* const nowhere = reinterpret_cast<void*>(std::uintptr_t{1} << 40);  // never touched
  std::vector<std::vector<int>> cuts;
  for (const Rank me : {0, 1}) {
    posted.clear();
    PrivateComm wire = private_comm_of(me);
    REQUIRE(execute(bcast(nowhere, bytes), wire, binomial(), {}) == MPI_SUCCESS);
    std::vector<int>& mine = cuts.emplace_back();
    std::int64_t sum = 0;
    for (const Posted& message : posted) {
      CHECK(message.address == static_cast<const std::byte*>(nowhere) + sum);
      CHECK(message.send == (me == 0));
      mine.push_back(message.bytes);
      sum += message.bytes;
    }
    CHECK(sum == bytes);
  }
  CHECK(cuts[0].size() == 3);
  CHECK(cuts[0] == cuts[1]);
}

TEST_CASE("a long message from whoever comes first is followed by its rest from the same rank") {
  const Paper paper;
  const std::int64_t bytes = (std::int64_t{5} << 30) / 2;
  auto* const nowhere = reinterpret_cast<void*>(std::uintptr_t{1} << 40);  // never touched
  const Algorithm any{Collective::reduce,
                      "any",
                      +[](Context context) {
                        return schedule_of(context.me == 0 ? Program{peers(2, {1, 3}), receive_any(2, output(0))}
                                                           : Program{send_in(2, 0, output(0))});
                      },
                      {},
                      {},
                      "",
                      ""};
  PrivateComm root = private_comm_of(0, 4);
  Operation call = bcast(nowhere, bytes);
  first_source = 3;
  REQUIRE(execute(call, root, any, {}) == MPI_SUCCESS);
  REQUIRE(posted.size() == 3);
  CHECK(posted[0].peer == MPI_ANY_SOURCE);
  CHECK(posted[1].peer == 3);
  CHECK(posted[2].peer == 3);
  const auto tags = [] { return std::vector{posted[0].tag, posted[1].tag, posted[2].tag}; };
  const std::vector<int> received = tags();
  CHECK(received[0] != received[1]);  // the rest is nobody's beginning
  CHECK(received[1] == received[2]);

  posted.clear();
  PrivateComm leaf = private_comm_of(3, 4);
  REQUIRE(execute(call, leaf, any, {}) == MPI_SUCCESS);
  REQUIRE(posted.size() == 3);
  CHECK(tags() == received);
}

TEST_CASE("a message that tells sizes is cut behind its first data, on both sides alike") {
  const Paper paper;
  constexpr int gib = 1 << 30, first = 2 * 8 + 8192;
  const std::array<std::int64_t, 4> counts{0, 0, 3, std::int64_t{5} * gib / 2}, places{0, 0, 0, 3};
  const Algorithm& binomial = *find_algorithm(Collective::scatterv, "binomial");
  Operation call;
  call.collective = Collective::scatterv;

  const Void source(counts[3] + 3);  // the root has it all: 2 and 3 get theirs by way of 2
  PrivateComm root = private_comm_of(0, 4);
  call.send = {.buffer = source.start, .type = MPI_BYTE};
  call.send.counts = CountView::wide(counts.data()), call.send.displacements = CountView::wide(places.data());
  call.receive = {.type = MPI_BYTE};
  REQUIRE(execute(call, root, binomial, {}) == MPI_SUCCESS);
  const int rest = static_cast<int>(counts[3] + 3 - 8192 - 2 * std::int64_t{gib});
  CHECK(bytes_of(true, 2) == std::vector{first, gib, gib, rest});

  posted.clear();
  sizes = {3, counts[3]};
  std::array<char, 3> own;
  PrivateComm inner = private_comm_of(2, 4);
  call.receive = {.buffer = own.data(), .count = 3, .type = MPI_BYTE};
  REQUIRE(execute(call, inner, binomial, {}) == MPI_SUCCESS);
  CHECK(bytes_of(false, 0) == std::vector{first, gib, gib, rest});
  CHECK(bytes_of(true, 3) == std::vector{gib, gib, gib / 2});

  posted.clear();
  const Void block(counts[3]);
  PrivateComm leaf = private_comm_of(3, 4);
  call.receive = {.buffer = block.start, .count = counts[3], .type = MPI_BYTE};
  REQUIRE(execute(call, leaf, binomial, {}) == MPI_SUCCESS);
  CHECK(bytes_of(false, 2) == std::vector{gib, gib, gib / 2});
}

TEST_CASE("a block that is larger than its receiver said is an error") {
  const Paper paper;
  sizes = {5, 0};
  std::array<char, 3> own{};
  PrivateComm inner = private_comm_of(2, 4);
  Operation call;
  call.collective = Collective::scatterv;
  call.receive = {.buffer = own.data(), .count = 3, .type = MPI_BYTE};
  CHECK(execute(call, inner, *find_algorithm(Collective::scatterv, "binomial"), {}) == MPI_ERR_TRUNCATE);
}

TEST_CASE("tags number the calls, and begin again at the limit") {
  const Paper paper;
  PrivateComm wire = private_comm_of(0);
  wire.tag_limit = 2 * Tags::a_call - 1;
  char data = 0;
  for (int i = 0; i < 3; ++i) REQUIRE(execute(bcast(&data, 1), wire, binomial(), {}) == MPI_SUCCESS);
  REQUIRE(posted.size() == 3);
  CHECK(posted[0].tag == 0);
  CHECK(posted[1].tag == Tags::a_call);
  CHECK(posted[2].tag == 0);
  CHECK(meetings == 1);  // before tags begin again
}

TEST_CASE("nothing is sent where there is nothing to send") {
  const Paper paper;
  PrivateComm wire = private_comm_of(0);
  CHECK(execute(bcast(nullptr, 0), wire, binomial(), {}) == MPI_SUCCESS);
  CHECK(posted.empty());
  CHECK(wire.sequence == 1);  // but the call counts, as it does on every rank
}

TEST_CASE("an error of the MPI library is created on, and the wire serves again") {
  const Paper paper;
  PrivateComm wire = private_comm_of(0);
  char data = 0;
  send_error = MPI_ERR_OTHER;
  CHECK(execute(bcast(&data, 1), wire, binomial(), {}) == MPI_ERR_OTHER);
  send_error = MPI_SUCCESS;
  CHECK(execute(bcast(&data, 1), wire, binomial(), {}) == MPI_SUCCESS);
  CHECK(posted.back().tag == Tags::a_call);
}

TEST_CASE("scratch that cannot be had is an error code") {
  const Paper paper;
  PrivateComm wire;
  wire.me = 0, wire.size = 3;
  Operation call = bcast(nullptr, 0);
  call.collective = Collective::reduce, call.root = 1, call.op = MPI_BXOR;
  call.send = call.receive = {.buffer = &wire, .count = INT64_MAX, .type = MPI_BYTE};
  CHECK(execute(call, wire, *find_algorithm(Collective::reduce, "binomial"), {}) == MPI_ERR_NO_MEM);
}
