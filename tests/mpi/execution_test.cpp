/// The executor on an MPI library made of paper: what it asks for, and what it does with errors.
#include <doctest/doctest.h>

#include <vector>

#include "mpi/executor.hpp"
#include "mpi/pmpi.hpp"

using namespace tutti;
using namespace tutti::mpi;

namespace {

struct Posted {
  bool send;
  int bytes, peer, tag;
  const void* address;
  bool operator==(const Posted&) const = default;
};
std::vector<Posted> posted;
int send_error = MPI_SUCCESS;

int isend(const void* buffer, int count, MPI_Datatype, int to, int tag, MPI_Comm, MPI_Request* request) {
  posted.push_back({true, count, to, tag, buffer});
  *request = 1;
  return send_error;
}
int irecv(void* buffer, int count, MPI_Datatype, int from, int tag, MPI_Comm, MPI_Request* request) {
  posted.push_back({false, count, from, tag, buffer});
  *request = 1;
  return MPI_SUCCESS;
}
int test(MPI_Request* request, int* flag, MPI_Status*) {
  *request = MPI_REQUEST_NULL;
  *flag = 1;
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
    pmpi.Isend = isend, pmpi.Irecv = irecv, pmpi.Test = test;
    pmpi.Type_size_x = type_size, pmpi.Type_get_extent = type_extent, pmpi.Type_get_true_extent = type_extent;
    posted.clear();
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

Wire wire_of(Rank me) {
  Wire wire;
  wire.me = me, wire.size = 2;
  return wire;
}

}  // namespace

TEST_CASE("messages over 1 GiB are cut, on both sides alike") {
  const Paper paper;
  const std::int64_t bytes = (std::int64_t{5} << 30) / 2 + 1;
  auto* const nowhere = reinterpret_cast<void*>(std::uintptr_t{1} << 40);  // never touched
  std::vector<std::vector<int>> cuts;
  for (const Rank me : {0, 1}) {
    posted.clear();
    Wire wire = wire_of(me);
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

TEST_CASE("tags number the calls, and begin again at the limit") {
  const Paper paper;
  Wire wire = wire_of(0);
  wire.tag_limit = 1;
  char data = 0;
  for (int i = 0; i < 3; ++i) REQUIRE(execute(bcast(&data, 1), wire, binomial(), {}) == MPI_SUCCESS);
  REQUIRE(posted.size() == 3);
  CHECK(posted[0].tag == 0);
  CHECK(posted[1].tag == 1);
  CHECK(posted[2].tag == 0);
}

TEST_CASE("nothing is sent where there is nothing to send") {
  const Paper paper;
  Wire wire = wire_of(0);
  CHECK(execute(bcast(nullptr, 0), wire, binomial(), {}) == MPI_SUCCESS);
  CHECK(posted.empty());
  CHECK(wire.sequence == 1);  // but the call counts, as it does on every rank
}

TEST_CASE("an error of the MPI library is handed on, and the wire serves again") {
  const Paper paper;
  Wire wire = wire_of(0);
  char data = 0;
  send_error = MPI_ERR_OTHER;
  CHECK(execute(bcast(&data, 1), wire, binomial(), {}) == MPI_ERR_OTHER);
  send_error = MPI_SUCCESS;
  CHECK(execute(bcast(&data, 1), wire, binomial(), {}) == MPI_SUCCESS);
  CHECK(posted.back().tag == 1);
}

TEST_CASE("scratch that cannot be had is an error code") {
  const Paper paper;
  Wire wire;
  wire.me = 0, wire.size = 3;
  Operation call = bcast(nullptr, 0);
  call.collective = Collective::reduce, call.root = 1, call.op = MPI_SUM;
  call.send = call.receive = {.buffer = &wire, .count = INT64_MAX, .type = MPI_BYTE};
  CHECK(execute(call, wire, *find_algorithm(Collective::reduce, "binomial"), {}) == MPI_ERR_NO_MEM);
}
