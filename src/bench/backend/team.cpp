#include "bench/backend/team.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "selection/pretended.hpp"

namespace tutti::bench {

namespace {

constexpr int tag = 7, tag_of_waking = 8;

}  // namespace

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Team::Team(MPI_Comm measured, void* mpi)
    : measured_(measured), barrier_(reinterpret_cast<decltype(barrier_)>(dlsym(mpi, "PMPI_Barrier"))) {
  PMPI_Comm_dup(measured, &comm_);
  PMPI_Comm_rank(comm_, &rank_);
  PMPI_Comm_size(comm_, &size_);
  place();
}

/// Finds out which ranks share a node, and how many cores they have together.
void Team::place() {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  PMPI_Comm_size(node, &ranks_on_node_);
  int leader = rank_;
  MPI_Group of_node = MPI_GROUP_NULL, of_all = MPI_GROUP_NULL;
  PMPI_Comm_group(node, &of_node);
  PMPI_Comm_group(comm_, &of_all);
  const int first = 0;
  PMPI_Group_translate_ranks(of_node, 1, &first, of_all, &leader);
  PMPI_Group_free(&of_node);
  PMPI_Group_free(&of_all);
  PMPI_Comm_free(&node);

  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  // The last two elements: the least and the most ranks on any node, the least negated.
  std::array<double, CPU_SETSIZE + 2> facts{};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) facts[cpu] = CPU_ISSET(cpu, &mine) ? 1 : 0;
  facts[CPU_SETSIZE] = -ranks_on_node_;
  facts[CPU_SETSIZE + 1] = ranks_on_node_;
  maximum(facts);
  one_node_ = -facts[CPU_SETSIZE] == size_;
  cpus_ = static_cast<int>(std::count(facts.begin(), facts.begin() + CPU_SETSIZE, 1.0));
  oversubscribed_ = facts[CPU_SETSIZE + 1] > cpus_;
  if (one_node_ && !oversubscribed_) polls_before_yield_ = 1000;
  find_leaders(leader);
}

void Team::find_leaders(int host) {
  const char* const asked = std::getenv("TUTTI_PRETEND_NODES");
  const auto pretended = asked ? PretendedNodes::parse(asked) : std::nullopt;
  const std::array<double, 2> mine = {static_cast<double>(pretended ? pretended->node_of(rank_) : host),
                                      static_cast<double>(host)};
  const std::vector<double> rows = table(mine);
  std::vector<double> nodes;
  for (std::size_t row = 0; row < rows.size(); row += 2) {
    nodes.push_back(rows[row]);
    hosts_.push_back(static_cast<int>(rows[row + 1]));
  }
  for (const double node : nodes)
    leaders_.push_back(static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin()));
}

/// Polls instead of waiting inside the library: MPICH's wait never yields, and with more ranks than cores that costs a
/// time slice for each message.
void Team::complete(std::span<MPI_Request> requests) const {
  int done = 0;
  for (int polls = 0; !done; ++polls) {
    PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (!done && polls >= polls_before_yield_) sched_yield();
  }
}

void Team::send(int to, std::span<const double> values) {
  std::array<MPI_Request, 1> request;
  PMPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, to, tag, comm_, request.data());
  complete(request);
}

void Team::receive(int from, std::span<double> values) {
  std::array<MPI_Request, 1> request;
  PMPI_Irecv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, from, tag, comm_, request.data());
  complete(request);
}

void Team::exchange(int to, int from, std::span<const double> outgoing, std::span<double> incoming) {
  std::array<MPI_Request, 2> requests;
  PMPI_Irecv(incoming.data(), static_cast<int>(incoming.size()), MPI_DOUBLE, from, tag, comm_, &requests[0]);
  PMPI_Isend(outgoing.data(), static_cast<int>(outgoing.size()), MPI_DOUBLE, to, tag, comm_, &requests[1]);
  complete(requests);
}

void Team::maximum(std::span<double> values) {
  incoming_.resize(values.size());
  for (int distance = 1; distance < size_; distance *= 2) {
    exchange((rank_ + distance) % size_, (rank_ - distance + size_) % size_, values, incoming_);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], incoming_[i]);
  }
}

void Team::sum_at_root(std::span<double> values) {
  incoming_.resize(values.size());
  for (int distance = 1; distance < size_; distance *= 2) {
    if (rank_ % (2 * distance) != 0) {
      send(rank_ - distance, values);
      return;
    }
    if (rank_ + distance >= size_) continue;
    receive(rank_ + distance, incoming_);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += incoming_[i];
  }
}

std::vector<double> Team::table(std::span<const double> mine) {
  std::vector<double> rows(mine.size() * static_cast<std::size_t>(size_), std::numeric_limits<double>::lowest());
  std::copy(mine.begin(), mine.end(), rows.begin() + static_cast<std::ptrdiff_t>(mine.size()) * rank_);
  maximum(rows);
  return rows;
}

std::vector<double> Team::table_at_root(std::span<const double> mine) {
  std::vector<double> rows(mine.size() * static_cast<std::size_t>(size_));
  std::copy(mine.begin(), mine.end(), rows.begin() + static_cast<std::ptrdiff_t>(mine.size()) * rank_);
  sum_at_root(rows);
  return rows;
}

void Team::while_others_sleep(const std::function<void()>& work, int partner) {
  constexpr useconds_t nap = 100;
  if (rank_ > 0) {
    MPI_Request over = MPI_REQUEST_NULL;
    PMPI_Irecv(nullptr, 0, MPI_DOUBLE, 0, tag_of_waking, comm_, &over);
    if (rank_ == partner) work();
    for (int done = 0; !done; PMPI_Test(&over, &done, MPI_STATUS_IGNORE)) usleep(nap);
    return;
  }
  work();
  std::vector<MPI_Request> requests(static_cast<std::size_t>(size_ - 1), MPI_REQUEST_NULL);
  for (int other = 1; other < size_; ++other)
    PMPI_Isend(nullptr, 0, MPI_DOUBLE, other, tag_of_waking, comm_, &requests[static_cast<std::size_t>(other - 1)]);
  complete(requests);
}

void Team::progress() {
  int found = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &found, MPI_STATUS_IGNORE);
}

}  // namespace tutti::bench
