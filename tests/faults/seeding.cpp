#include "seeding.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "algorithms/grouped/grouped.hpp"
#include "analysis/text.hpp"
#include "analysis/verify.hpp"
#include "asynchronous.hpp"

namespace tutti::faults {
namespace {

/// One call of one algorithm in several layouts, and its schedules.
struct Field {
  std::vector<Subject> layouts;
  Programs programs;
  std::vector<Place> places;
};

/// All fields of one algorithm at one p.
std::vector<Field> fields_of(const Algorithm& algorithm, int size) {
  std::vector<Field> fields;
  if (!obstacle(algorithm.constraints, {.ranks = size}).empty()) return fields;
  for (Subject& subject : subjects_of(algorithm, size, {.large_blocks = false})) {
    const Subject* last = fields.empty() ? nullptr : &fields.back().layouts.back();
    if (last == nullptr || last->root != subject.root || last->parameters != subject.parameters) fields.emplace_back();
    fields.back().layouts.push_back(std::move(subject));
  }
  return fields;
}

void till(Field& field) {
  if (!field.programs.empty()) return;
  const Subject& subject = field.layouts.back();
  for (Rank me = 0; me < subject.size; ++me) {
    field.programs.push_back(program(subject.algorithm->schedule(subject.problem().context(me))));
    for (std::size_t step = 0; step < field.programs.back().size(); ++step) field.places.push_back({me, step});
    if (field.programs.back().empty()) field.places.push_back({me, 0});
  }
}

std::function<Schedule(Context)> schedules(const Programs& programs) {
  return [&programs](Context context) { return schedule_of(programs[static_cast<std::size_t>(context.me)]); };
}

bool same(const std::vector<Run>& a, const std::vector<Run>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Run& x, const Run& y) { return x.begin == y.begin && x.end == y.end; });
}

bool same(const BoundProgram& a, std::size_t i, const BoundProgram& b, std::size_t j) {
  const MatchedStep &x = a.bound[i], &y = b.bound[j];
  return a.steps[i].index() == b.steps[j].index() && x.peer == y.peer && x.tokens == y.tokens && x.sized == y.sized &&
         same(x.reads, y.reads) && same(x.writes, y.writes) &&
         (!std::holds_alternative<Area>(a.steps[i]) || a.steps[i] == b.steps[j]);
}

/// The same steps with the same elements and peers; marks do not count.
bool same(const BoundProgram& a, const BoundProgram& b) {
  std::size_t i = 0, j = 0;
  const auto skip = [](const BoundProgram& program, std::size_t& at) {
    while (at < program.steps.size() && std::holds_alternative<Round>(program.steps[at])) ++at;
    return at < program.steps.size();
  };
  for (;; ++i, ++j) {
    const bool more = skip(a, i), others = skip(b, j);
    if (!more || !others) return more == others;
    if (!same(a, i, b, j)) return false;
  }
}

bool same(const Field& field, const Programs& changed) {
  const Problem problem = field.layouts.back().problem();
  const std::vector<BoundProgram> before = tutti::bind(problem, schedules(field.programs)),
                                  after = tutti::bind(problem, schedules(changed));
  return std::equal(before.begin(), before.end(), after.begin(),
                    [](const BoundProgram& a, const BoundProgram& b) { return same(a, b); });
}

bool refuted(const Field& field, const Programs& changed) {
  return std::any_of(field.layouts.rbegin(), field.layouts.rend(),
                     [&](const Subject& subject) { return verify(subject.problem(), schedules(changed)).has_value(); });
}

/// What messages bring, sorted.
std::vector<Brought> brought(const Problem& problem, const Programs& programs) {
  std::vector<Brought> all = run(problem, tutti::bind(problem, schedules(programs)), 0).messages;
  std::sort(all.begin(), all.end());
  return all;
}

/// All that each rank gets from each other, one value a message.
std::vector<Brought> value_by_value(const std::vector<Brought>& messages) {
  std::vector<Brought> all;
  for (const Brought& message : messages)
    for (const auto& value : message.values) all.push_back({message.from, message.to, {value}});
  std::sort(all.begin(), all.end());
  return all;
}

bool within(const std::vector<Brought>& some, const std::vector<Brought>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// Why all is right all the same.
std::string excuse(const Field& field, const Programs& changed) {
  const Problem problem = field.layouts.back().problem();
  const std::vector<Brought> before = brought(problem, field.programs), after = brought(problem, changed);
  if (before == after) return "every message brings what it brought";
  if (problem.collective == Collective::barrier)
    return "messages tell less or more than they did, but every rank still hears of all before it leaves";
  if (within(after, before)) return "a message is missing that brought what its receiver has, or gets again";
  if (within(before, after)) return "a further message brings what its receiver has";
  if (within(value_by_value(after), value_by_value(before)))
    return "a message brings less, without what its receiver has, or gets again";
  return problem.ordered ? "a message brings something else that its receiver has, or gets again"
                         : "contributions meet in another order, which an operator that commutes allows";
}

constexpr int runs = 25;

/// The verdict on what the verifier let pass, without it.
Survivor judged(const Field& field, const Programs& changed, std::string_view mistake) {
  for (const Subject& subject : field.layouts) {
    const std::vector<BoundProgram> ranks = tutti::bind(subject.problem(), schedules(changed));
    for (std::uint32_t seed = 0; seed < runs; ++seed)
      if (const Result result = run(subject.problem(), ranks, seed); !result.wrong.empty())
        return {mistake, to_text(subject), result.wrong, false};
  }
  return {mistake, to_text(field.layouts.back()), excuse(field, changed), true};
}

/// Plants mistakes of one kind in one algorithm.
class Sower {
 public:
  Sower(const Algorithm& algorithm, const Seeding& seeding) : seeding_(seeding), random_(seeding.seed) {
    for (int size : seeding.sizes) {
      std::vector<Field> fields = fields_of(algorithm, size);
      if (!fields.empty()) by_size_.push_back(std::move(fields));
    }
  }

  void sow(const Mistake& mistake, Tally& tally, std::vector<Survivor>& survivors) {
    const int before = tally.planted;
    for (int attempt = 0; attempt < 4 * seeding_.each && tally.planted - before < seeding_.each; ++attempt) {
      std::vector<Field>& fields = by_size_[random_() % by_size_.size()];
      Field& field = fields[random_() % fields.size()];
      till(field);
      plant(mistake, field, tally, survivors);
    }
    tally.algorithms += tally.planted > before ? 1 : 0;
  }

 private:
  /// At the first place, of all in random order, where the mistake applies and is one.
  void plant(const Mistake& mistake, Field& field, Tally& tally, std::vector<Survivor>& survivors) {
    std::vector<Place> places = field.places;
    std::shuffle(places.begin(), places.end(), random_);
    for (const Place& place : places) {
      Programs changed = field.programs;
      if (field.programs[static_cast<std::size_t>(place.rank)].empty()) continue;
      if (!mistake.plant({changed, field.layouts.back(), place, random_})) continue;
      if (refuted(field, changed)) {
        ++tally.planted, ++tally.caught;
        return;
      }
      if (same(field, changed)) continue;
      ++tally.planted;
      survivors.push_back(judged(field, changed, mistake.name));
      survivors.back().where += ", rank " + std::to_string(place.rank) + ", step " + std::to_string(place.step) + ": " +
                                to_text(field.programs[static_cast<std::size_t>(place.rank)][place.step]);
      return;
    }
  }

  const Seeding& seeding_;
  std::mt19937 random_;
  std::vector<std::vector<Field>> by_size_;
};

}  // namespace

int Harvest::planted() const {
  int sum = 0;
  for (const Tally& tally : tallies) sum += tally.planted;
  return sum;
}

int Harvest::caught() const {
  int sum = 0;
  for (const Tally& tally : tallies) sum += tally.caught;
  return sum;
}

std::vector<const Algorithm*> algorithms() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& algorithm : catalogue()) all.push_back(&algorithm);
  std::map<Collective, const Algorithm*> composed;
  for (const Algorithm* algorithm : sample_compositions()) composed[algorithm->collective] = algorithm;
  for (const auto& [collective, algorithm] : composed) all.push_back(algorithm);
  return all;
}

Harvest sow(const Seeding& seeding) {
  const std::vector<Mistake> kinds = mistakes();
  const std::vector<const Algorithm*> algorithms = faults::algorithms();
  Harvest harvest;
  for (const Mistake& kind : kinds) harvest.tallies.push_back({kind.name});
  std::vector<std::vector<Survivor>> survivors(algorithms.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < algorithms.size(); i = next++) {
      Sower sower(*algorithms[i], seeding);
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        Tally tally{kinds[kind].name};
        sower.sow(kinds[kind], tally, survivors[i]);
        const std::lock_guard lock(mutex);
        Tally& sum = harvest.tallies[kind];
        sum.planted += tally.planted, sum.caught += tally.caught, sum.algorithms += tally.algorithms;
      }
    }
  };
  {
    std::vector<std::jthread> crew;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) crew.emplace_back(work);
  }
  for (std::vector<Survivor>& some : survivors)
    harvest.survivors.insert(harvest.survivors.end(), some.begin(), some.end());
  return harvest;
}

}  // namespace tutti::faults
