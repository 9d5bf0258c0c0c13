/// node_bench [RANKS...] [NAMES...]: forks the ranks as processes over one segment and prints nanoseconds per call.
/// A smoke check, not a measurement: calls back to back, the slowest rank's, least and median of some batches.
/// A name selects the cases that begin with it: node_bench 2 8 barrier "allreduce 8".
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "shm/group.hpp"

namespace {

using namespace tutti::shm;
using Clock = std::chrono::steady_clock;

struct Case {
  std::string name;
  std::function<void(ShmGroup&)> call;
};

std::vector<double>& input() {
  static std::vector<double> data(1 << 22, 1.0);
  return data;
}
std::vector<double>& output() {
  static std::vector<double> data(1 << 22);
  return data;
}

/// Blocks of so many bytes, of which 32 members have room in the buffers.
Blocks blocks(std::vector<double>& buffer, std::size_t bytes) {
  return {reinterpret_cast<std::byte*>(buffer.data()), bytes, nullptr, nullptr};
}

/// What moves blocks between pairs, by two copies and by one.
void add_movement(std::vector<Case>& all, std::size_t bytes, const std::string& way, Borders borders) {
  const std::string size = way + " " + std::to_string(bytes);
  all.push_back({"bcast" + size, [=](ShmGroup& group) { group.bcast(input().data(), bytes, 0, borders); }});
  all.push_back({"allgather" + size, [=](ShmGroup& group) { group.allgather(blocks(output(), bytes), borders); }});
  all.push_back(
      {"gather" + size, [=](ShmGroup& group) { group.gather(blocks(output(), bytes), 0, Sizes::equal, borders); }});
  all.push_back(
      {"scatter" + size, [=](ShmGroup& group) { group.scatter(blocks(output(), bytes), 0, Sizes::equal, borders); }});
  all.push_back({"alltoall" + size, [=](ShmGroup& group) {
                   group.alltoall(blocks(input(), bytes), blocks(output(), bytes), Sizes::equal, borders);
                 }});
}

/// INSTRUCTIONS=0, 1 or 2: the kernels' set; without it the widest that there is.
Reducer sum_of_doubles() {
  const char* const set = std::getenv("INSTRUCTIONS");
  return kernel(Operator::sum, Element::f64, set ? static_cast<InstructionSet>(std::atoi(set)) : widest_here());
}

std::vector<Case> cases() {
  std::vector<Case> all{{"barrier", [](ShmGroup& group) { group.barrier(); }}};
  for (const std::size_t bytes : {8, 256, 2048, 4096, 16384, 65536, 131072, 262144, 1 << 20}) {
    const std::size_t count = bytes / sizeof(double);
    const Reducer sum = sum_of_doubles();
    all.push_back({"allreduce " + std::to_string(bytes),
                   [=](ShmGroup& group) { group.allreduce(input().data(), output().data(), count, sum); }});
    all.push_back({"reduce " + std::to_string(bytes),
                   [=](ShmGroup& group) { group.reduce(input().data(), output().data(), count, sum, 0); }});
    all.push_back({"reduce_scatter " + std::to_string(bytes), [=](ShmGroup& group) {
                     group.reduce_scatter(input().data(), output().data(), Shares{count}, sum);
                   }});
    all.push_back({"scan " + std::to_string(bytes),
                   [=](ShmGroup& group) { group.scan(input().data(), output().data(), count, sum); }});
    add_movement(all, bytes, "", {});
    add_movement(all, bytes, " once", {.single_copy = 1});
  }
  return all;
}

struct Times {
  double least, median;
};

/// Nanoseconds of `calls` calls back to back on the slowest member.
double batch(ShmGroup& group, const Case& what, int calls) {
  static const Reducer max = kernel(Operator::max, Element::f64);
  group.barrier();
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) what.call(group);
  const double mine = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  double slowest = 0;
  group.allreduce(&mine, &slowest, 1, max);
  return slowest;
}

/// Nanoseconds per call: over some batches of at least a millisecond.
Times measure(ShmGroup& group, const Case& what) {
  constexpr std::size_t batches = 41;
  int calls = 4;
  while (batch(group, what, calls) < 1e6) calls *= 2;
  std::array<double, batches> times{};
  for (double& time : times) time = batch(group, what, calls) / calls;
  std::sort(times.begin(), times.end());
  return {times.front(), times[batches / 2]};
}

void member(const Offer& offer, const ShmGroupOptions& options, const std::vector<std::string>& names) {
  std::string reason;
  auto segment = Segment::attach(offer, reason);
  if (!segment) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::exit(1);
  }
  ShmGroup group(std::move(*segment), options);
  group.agree_on_single_copy();
  for (const Case& what : cases()) {
    const auto begins = [&](const std::string& name) { return what.name.rfind(name, 0) == 0; };
    if (!names.empty() && std::none_of(names.begin(), names.end(), begins)) continue;
    const Times times = measure(group, what);
    if (options.me != 0) continue;
    std::printf("%3d ranks  %-22s %10.0f %10.0f ns\n", options.size, what.name.c_str(), times.least, times.median);
  }
}

/// PINNED: each member to one CPU, so that what the kernel makes of them does not blur what the engine does.
void pin(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(cpu), &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

int run(int ranks, const std::vector<std::string>& names) {
  ShmGroupOptions options;
  options.size = ranks;
  options.cpus = static_cast<int>(std::thread::hardware_concurrency());
  options.spread = std::getenv("SPREAD") != nullptr;
  if (const char* chunk = std::getenv("CHUNK")) options.chunk = static_cast<std::size_t>(std::atoi(chunk));
  if (const char* chunk = std::getenv("LANE_CHUNK")) options.ring_chunk = static_cast<std::size_t>(std::atoi(chunk));
  if (const char* stripe = std::getenv("STRIPE_FROM"))
    options.stripe_from = static_cast<std::size_t>(std::atoi(stripe));
  Offer offer;
  std::string reason;
  auto segment = Segment::create(ShmGroup::bytes(options), Offer::Kind::memfd, offer, reason);
  if (!segment) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return 1;
  }
  std::fflush(stdout);
  for (options.me = 0; options.me < ranks; ++options.me) {
    if (::fork() == 0) {
      if (std::getenv("PINNED")) pin(options.me % options.cpus);
      member(offer, options, names);
      std::exit(0);
    }
  }
  int status = 0, failed = 0;
  while (::wait(&status) > 0) failed += status != 0;
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> groups;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    if (const int ranks = std::atoi(argv[i]); ranks > 0)
      groups.push_back(ranks);
    else
      names.emplace_back(argv[i]);
  }
  if (groups.empty()) groups = {2, 8};
  int failed = 0;
  for (const int ranks : groups) failed += run(ranks, names);
  return failed == 0 ? 0 : 1;
}
