/// PrivateComm and reduction at once: the executor on a machine whose time is counted, not measured.
#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/flat_call.hpp"

using namespace tutti;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Ranks as threads.  A message takes alpha + bytes beta, one after the other out of each rank, and a reduction
/// bytes gamma of its rank's time.  A rank asks what has arrived only when no other rank's clock is behind its own, so
/// that every run counts the same times, also on a busy machine.
class Machine {
 public:
  static constexpr double alpha = 2000, beta = 1, gamma = 1;  // nanoseconds: 1 GB/s, twice

  explicit Machine(int ranks) : members_(static_cast<std::size_t>(ranks)) {}

  int send(int me, const void* data, int bytes, int to) {
    const std::lock_guard lock(mutex_);
    Member& member = members_[at(me)];
    const double end = std::max(member.clock, member.port) + alpha + bytes * beta;
    member.port = end;
    const char* const start = static_cast<const char*>(data);
    wires_[{me, to}].push_back({end, {start, start + bytes}});
    return add(member, {-1, 0, nullptr, end});
  }
  int receive(int me, void* into, int from) {
    const std::lock_guard lock(mutex_);
    Member& member = members_[at(me)];
    return add(member, {from, member.receives[from]++, into, never});
  }
  void work(int me, double bytes) {
    const std::lock_guard lock(mutex_);
    members_[at(me)].clock += bytes * gamma;
    turn_.notify_all();
  }
  void leave(int me) {
    const std::lock_guard lock(mutex_);
    end_ = std::max(end_, members_[at(me)].clock);
    members_[at(me)].clock = never;
    turn_.notify_all();
  }
  /// Which of the requests have ended.  The second time in a row that none has, the rank has nothing else to do, and
  /// its clock goes on to the next that will.
  std::vector<int> ended(int me, int count, const int* requests) {
    std::unique_lock lock(mutex_);
    Member& member = members_[at(me)];
    const std::vector<int> asked(requests, requests + count);
    turn_.wait(lock, [&] { return next() == me; });
    std::vector<int> result = look(me, asked);
    if (result.empty() && std::exchange(member.idle, true)) {
      member.asked = asked;
      turn_.notify_all();
      turn_.wait(lock, [&] { return next() == me; });
      member.clock = time(me);
      member.asked.clear();
      result = look(me, asked);
    }
    if (!result.empty()) member.idle = false;
    turn_.notify_all();
    return result;
  }
  double end() const { return end_; }

 private:
  struct Message {
    double arrival;
    std::vector<char> data;
  };
  struct Request {
    int from;  ///< negative: a send
    std::size_t number;
    void* into;
    double end;
  };
  struct Member {
    double clock = 0, port = 0;
    bool idle = false;       ///< it has just been told that nothing has ended
    std::vector<int> asked;  ///< what it waits for
    std::vector<Request> requests{{}};
    std::map<int, std::size_t> receives;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int add(Member& member, const Request& request) {
    member.requests.push_back(request);
    member.idle = false;
    return static_cast<int>(member.requests.size()) - 1;
  }
  double end_of(int me, const Request& request) {
    if (request.from < 0) return request.end;
    const auto& wire = wires_[{request.from, me}];
    return request.number < wire.size() ? wire[request.number].arrival : never;
  }
  /// When the rank will act next.
  double time(int me) {
    Member& member = members_[at(me)];
    if (member.asked.empty()) return member.clock;
    double first = never;
    for (const int request : member.asked) first = std::min(first, end_of(me, member.requests[at(request)]));
    return std::max(first, member.clock);
  }
  int next() {
    int least = 0;
    for (int i = 1; i < static_cast<int>(members_.size()); ++i)
      if (time(i) < time(least)) least = i;
    return least;
  }
  std::vector<int> look(int me, const std::vector<int>& asked) {
    std::vector<int> result;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Request& request = members_[at(me)].requests[at(asked[i])];
      if (end_of(me, request) > members_[at(me)].clock) continue;
      if (request.from >= 0) {
        const std::vector<char>& data = wires_[{request.from, me}][request.number].data;
        std::memcpy(request.into, data.data(), data.size());
      }
      result.push_back(static_cast<int>(i));
    }
    return result;
  }

  std::vector<Member> members_;
  std::map<std::pair<int, int>, std::vector<Message>> wires_;
  double end_ = 0;
  std::mutex mutex_;
  std::condition_variable turn_;
};

thread_local int me = 0;
Machine* machine = nullptr;

int isend(const void* data, int bytes, MPI_Datatype, int to, int, MPI_Comm, MPI_Request* request) {
  return *request = machine->send(me, data, bytes, to), MPI_SUCCESS;
}
int irecv(void* into, int, MPI_Datatype, int from, int, MPI_Comm, MPI_Request* request) {
  return *request = machine->receive(me, into, from), MPI_SUCCESS;
}
int testsome(int count, MPI_Request* requests, int* ended, int* indices, MPI_Status*) {
  const std::vector<int> found = machine->ended(me, count, requests);
  std::copy(found.begin(), found.end(), indices);
  return *ended = static_cast<int>(found.size()), MPI_SUCCESS;
}
int test(MPI_Request* request, int* flag, MPI_Status*) {
  return *flag = !machine->ended(me, 1, request).empty(), MPI_SUCCESS;
}
int reduce_local(const void* from, void* into, int count, MPI_Datatype, MPI_Op) {
  machine->work(me, count);
  for (int i = 0; i < count; ++i) static_cast<char*>(into)[i] += static_cast<const char*>(from)[i];
  return MPI_SUCCESS;
}
int op_commutative(MPI_Op, int* answer) { return *answer = 1, MPI_SUCCESS; }
int type_size(MPI_Datatype, MPI_Count* size) { return *size = 1, MPI_SUCCESS; }
int type_extent(MPI_Datatype, MPI_Aint* lower, MPI_Aint* extent) { return *lower = 0, *extent = 1, MPI_SUCCESS; }

/// Nanoseconds that the pipelined chain takes for a vector of so many bytes to rank 0.
double reduction(int ranks, int segments, std::int64_t bytes, bool fenced) {
  const runtime::Pmpi kept = runtime::pmpi;
  runtime::pmpi.Isend = isend, runtime::pmpi.Irecv = irecv, runtime::pmpi.Test = test,
  runtime::pmpi.Testsome = testsome;
  runtime::pmpi.Reduce_local = reduce_local, runtime::pmpi.Op_commutative = op_commutative;
  runtime::pmpi.Type_size_x = type_size;
  runtime::pmpi.Type_get_extent = runtime::pmpi.Type_get_true_extent = type_extent;
  Machine counted(ranks);
  machine = &counted;
  std::vector<char> result(static_cast<std::size_t>(bytes));
  const auto rank = [&](int number) {
    me = number;
    const std::vector<char> own(result.size(), static_cast<char>(number + 1));
    runtime::PrivateComm wire;
    wire.me = number, wire.size = ranks, wire.fenced = fenced;
    runtime::Operation call;
    call.collective = Collective::reduce;
    call.op = static_cast<MPI_Op>(0x98000001);  // a user's
    call.send = {.buffer = own.data(), .count = bytes, .type = MPI_BYTE};
    call.receive = {.buffer = number == 0 ? result.data() : nullptr, .count = bytes, .type = MPI_BYTE};
    CHECK(execute(call, wire, *find_algorithm(Collective::reduce, "pipelined_chain"), {{segments}}) == MPI_SUCCESS);
    counted.leave(number);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < ranks; ++i) threads.emplace_back(rank, i);
  for (std::thread& thread : threads) thread.join();
  runtime::pmpi = kept;
  const auto sum = static_cast<char>(ranks * (ranks + 1) / 2);
  CHECK(std::all_of(result.begin(), result.end(), [&](char value) { return value == sum; }));
  return counted.end();
}

}  // namespace

TEST_CASE("a pipelined reduce chain keeps wire and reduction busy at once") {
  constexpr int ranks = 8, segments = 64;
  constexpr std::int64_t bytes = 1 << 20;
  const double free = reduction(ranks, segments, bytes, false), fenced = reduction(ranks, segments, bytes, true);
  MESSAGE("reduce chain, " << ranks << " ranks, " << segments << " segments: " << free / 1e3 << " us, fenced "
                           << fenced / 1e3 << " us, ratio " << fenced / free);
  constexpr double segment = static_cast<double>(bytes) / segments;
  constexpr double message = Machine::alpha + segment * Machine::beta, work = segment * Machine::gamma;
  // The slower of the two, all the time, and p - 1 times the time of one segment to fill the chain.
  CHECK(free < (segments + 1) * std::max(message, work) + (ranks - 1) * (message + work));
  CHECK(fenced > segments * (message + work));
}
