#include "mixes.hpp"

#include <algorithm>
#include <memory>

#include "library.hpp"
#include "mixed_requests.hpp"
#include "watch.hpp"

namespace tutti::fuzz {
namespace {

Form draw_form(Random& random) {
  const int kind = random.below(100);
  if (kind < 45) return Form::nonblocking;
  if (kind < 65) return has_persistent() ? Form::persistent : Form::nonblocking;
  return kind < 80 ? Form::blocking : kind < 90 ? Form::library : Form::message;
}

/// Many are outstanding at once, so that most are short.
Range short_calls(Range range, bool many) {
  range.limit = std::min<std::int64_t>(range.limit, many ? 4096 : 128 * 1024);
  range.parts.on[static_cast<std::size_t>(Part::mistakes)] = false;
  // Intel MPI 2021.18's own requests die of rare types (seed 6, case 387 of requests and types, without tutti too).
  if (!library_restarts()) range.parts.on[static_cast<std::size_t>(Part::types)] = false;
  return range;
}

/// What begins between two blocking calls, and those: on each communicator in the drawn order, else as the rank likes.
class Pass {
 public:
  Pass(const Mix& mix, const std::vector<ShmGroup>& groups, int me)
      : mix_(mix), groups_(groups), random_(mix.calls[0].which.seed ^ 0x313E, key(mix, me)) {}

  std::string run() {
    for (const MixedCall& call : mix_.calls) {
      const MPI_Comm comm = groups_[static_cast<std::size_t>(call.group)].comm;
      if (comm != MPI_COMM_NULL) jobs_.push_back(std::make_unique<Job>(call, comm));
    }
    stage("the library's own calls");
    for (const auto& job : jobs_) job->expect();
    for (int phase = 0; phase < mix_.phases; ++phase) begin_all(phase);
    stage("the last completions");
    while (active_.any()) active_.complete_some(random_);
    for (const auto& job : jobs_) job->free();
    for (const auto& job : jobs_)
      if (!job->complaint().empty()) return job->complaint();
    return active_.complaint();
  }

 private:
  static std::uint64_t key(const Mix& mix, int me) {
    return static_cast<std::uint64_t>(mix.number) * 64 + static_cast<std::uint64_t>(me);
  }

  void begin_all(int phase) {
    std::vector<Job*> ahead;
    for (const auto& job : jobs_) {
      if (!job->call().phases[static_cast<std::size_t>(phase)]) continue;
      if (job->active()) active_.wait_for(*job);  // a persistent one that is to start again
      // Where a request is made ranks may wait for one another.
      const bool meets = job->call().form == Form::blocking || !job->made();
      if (meets && (job->call().form == Form::blocking || job->call().form == Form::persistent)) begin(ahead);
      if (job->call().form == Form::persistent && !job->made()) job->make();
      ahead.push_back(job.get());
      if (job->call().form == Form::blocking) begin(ahead);
    }
    begin(ahead);
    if (phase + 1 == mix_.phases) return;
    stage("completions");
    for (int times = random_.below(4); times > 0 && active_.any(); --times) active_.complete_some(random_);
  }

  void begin(std::vector<Job*>& ahead) {
    while (!ahead.empty()) {
      const auto drawn = ahead[static_cast<std::size_t>(random_.below(static_cast<int>(ahead.size())))]->call().group;
      const auto first = std::ranges::find_if(ahead, [&](const Job* job) { return job->call().group == drawn; });
      within(describe((*first)->call().which, groups_[static_cast<std::size_t>(drawn)]) + ", " +
             std::string(name((*first)->call().form)));
      stage("beginning");
      (*first)->begin();
      if ((*first)->active()) active_.add(**first);
      ahead.erase(first);
      if (random_.chance(5)) active_.look(random_);
    }
  }

  const Mix& mix_;
  const std::vector<ShmGroup>& groups_;
  Random random_;
  std::vector<std::unique_ptr<Job>> jobs_;
  MixedRequests active_;
};

}  // namespace

Mix draw_mix(const Range& range, int number, const std::vector<ShmGroup>& groups) {
  Random random(range.seed ^ 0x3158, static_cast<std::uint64_t>(number));
  const bool many = random.chance(10);
  Mix mix{number, 1 + random.below(3), {}};
  const int calls = many ? 40 + random.below(20) : 1 + random.below(12);
  const int first = random.below(static_cast<int>(groups.size()));
  const int across = 1 + random.below(static_cast<int>(groups.size()));
  for (int turn = 1; turn <= calls; ++turn) {
    MixedCall call;
    call.group = (first + random.below(across)) % static_cast<int>(groups.size());
    call.form = draw_form(random);
    call.which = draw_turn(short_calls(range, many), number, turn, groups[static_cast<std::size_t>(call.group)].size);
    if (call.form != Form::message && !library_begins(call.which)) call.form = Form::blocking;
    call.phases.assign(static_cast<std::size_t>(mix.phases), 0);
    const int begins = random.below(mix.phases);
    call.phases[static_cast<std::size_t>(begins)] = 1;
    for (int later = begins + 1; later < mix.phases; ++later)
      call.phases[static_cast<std::size_t>(later)] = call.form == Form::persistent && random.chance(70);
    mix.calls.push_back(std::move(call));
  }
  return mix;
}

std::string describe(const Mix& mix) {
  std::string text = "case " + std::to_string(mix.number) + ": requests,";
  for (const MixedCall& call : mix.calls) {
    text += " " + std::string(call.form == Form::message ? "" : name(call.which.collective)) + ":" +
            std::string(name(call.form)) + "@" + std::to_string(call.group) + "/";
    for (const char begins : call.phases) text += begins ? '+' : '-';
  }
  return text;
}

std::string carry_out(const Mix& mix, const std::vector<ShmGroup>& groups) {
  int me;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  return Pass(mix, groups, me).run();
}

}  // namespace tutti::fuzz
