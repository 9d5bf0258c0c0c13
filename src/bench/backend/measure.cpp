#include "bench/backend/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "bench/backend/computing.hpp"
#include "bench/slowdown.hpp"

namespace tutti::bench {

namespace {

constexpr std::size_t most = 20000;

}  // namespace

Measurement::Measurement(const Case& what, std::size_t index, const Session& session)
    : variants_(session.variants),
      options_(session.options),
      team_(session.team),
      clock_(session.clock),
      start_(session.start),
      samples_(session.samples),
      subject_(make_subject(what, session.options, session.team)),
      network_(session.network),
      costing_(session.costing),
      skewing_(what, session.team),
      cache_(what.cache),
      sets_(session.memory, subject_->send_bytes(), subject_->receive_bytes(), team_.ranks_on_node(),
            cache_ != CacheMode::cold),
      contents_(sets_.count()),
      slower_(slowdown_of(subject_of(what))) {
  for (int v = 0; v < 2; ++v) {
    results_[v].what = what;
    results_[v].variant = variants_[v].name;
    results_[v].cell = static_cast<std::uint32_t>(2 * index) + v;
    results_[v].sets = sets_.count();
    results_[v].footprint = sets_.footprint();
    results_[v].messages = subject_->messages();
    for (int set = 0; set < sets_.count(); ++set) subject_->prepare(variants_[v].functions, sets_(v, set));
  }
  std::array<double, 1> scarcity = {-static_cast<double>(sets_.count())};
  team_.maximum(scarcity);  // a root has longer buffers than others have, ranks of a fuller node fewer sets
  fewest_sets_ = static_cast<int>(-scarcity[0]);
  std::iota(contents_.begin(), contents_.end(), 0);
  refill();
}

void Measurement::refill() {
  for (int set = 0; set < sets_.count(); ++set)
    for (int v = 0; v < 2; ++v) subject_->fill(sets_(v, set), contents_[set]);
}

std::array<Result, 2> Measurement::run() {
  begin_ = now();
  warm_up();
  if (skewing_)
    skewing_.size_by(usual_[1]);
  else
    choose_batches();
  prove();
  if (subject_->spoils_input()) refill();
  for (int v = 0; v < 2 && subject_->overlaps(); ++v) operations_[v] = operations_for(usual_[v], team_, clock_);
  prepare_arrivals();
  for (Result& result : results_) {
    result.resolution = clock_.cost() / result.batch;
    result.timed = between_ranks() ? Timed::first_to_last : Timed::slowest_rank;
    if (skewing_) result.timed = Timed::after_last_arrival;
  }
  network_.begin();
  begin_ = now();
  while (!finished()) {
    const int repetitions = next_chunk();
    repeat(repetitions);
    share(repetitions);
  }
  keep_late_ones_if_needed();
  return results_;
}

Measurement::Timing Measurement::timed(int variant, int first_set) {
  const Functions& functions = variants_[variant].functions;
  make_ready(variant);
  line_up(variant, first_set);
  network_.begin_call();
  const double late = skewing_ ? start_.arrive(skewing_.delay(repetition_)) : start_();
  const double begin = clock_.now();
  for (const Turn& turn : turns_) (*subject_)(functions, turn.buffers, turn.contents);
  double end = clock_.now();
  if (variant == 0 && slower_ > 0)
    for (const double until = end + slower_ * (end - begin); end < until;) end = clock_.now();
  return {begin, end, late, network_.timed_out()};
}

/// The facts about the calls before they are timed.
void Measurement::line_up(int variant, int first_set) {
  turns_.clear();
  for (int set = first_set; set < first_set + results_[variant].batch; ++set)
    turns_.push_back({buffers(variant, set), contents_[set % sets_.count()]});
}

double Measurement::slowest(int variant, int first_set) {
  std::array<double, 1> seconds = {timed(variant, first_set).seconds()};
  team_.maximum(seconds);
  return seconds[0] / results_[variant].batch;
}

void Measurement::repeat(int repetitions) {
  local_.assign(per_repetition * static_cast<std::size_t>(repetitions), 0);
  local_passages_.assign(skewing_ ? per_passage * static_cast<std::size_t>(repetitions) : 0, 0);
  local_overlap_.assign(subject_->overlaps() && !skewing_ ? 4 * static_cast<std::size_t>(repetitions) : 0, 0);
  for (int i = 0; i < repetitions; ++i, ++repetition_) {
    const int first_set = static_cast<int>(repetition_ * step() % sets_.count());
    for (int turn = 0; turn < 2; ++turn) {
      const int v = whose(turn);
      keep(v, i, timed(v, first_set));
      check_shared(v, first_set);
    }
    check_and_refill(first_set, step());
    if (!local_overlap_.empty()) overlap(i);
  }
}

/// Repeats the call with computation in between, as nonblocking calls are used.
void Measurement::overlap(int place) {
  const int set = static_cast<int>(repetition_ % sets_.count());
  for (int turn = 0; turn < 2; ++turn) {
    const int v = whose(turn);
    const Functions& functions = variants_[v].functions;
    make_ready(v);
    start_();
    const double begin = clock_.now();
    subject_->begin(functions, buffers(v, set), contents_[set]);
    const double computing = clock_.now();
    compute(operations_[v]);
    const double computed = clock_.now();
    subject_->end(functions);
    double* const kept = local_overlap_.data() + 4 * place + 2 * v;
    kept[0] = clock_.now() - begin;
    kept[1] = computed - computing;
    check_shared(v, set);
  }
  check_and_refill(set, 1);
}

/// Whether a repetition lasts from the first rank's beginning to the last one's end.  Also with ranks that share cores,
/// in calls that none can leave before all have entered: some cannot begin while others hold their core inside the
/// call, and by the ranks' own times a library that never yields would be the faster one.
bool Measurement::between_ranks() const {
  return start_.sync() == Sync::round || skewing_ || (start_.sync() == Sync::flags && subject_->batches());
}

/// In memory; nothing is computed or written that could disturb the other variant's turn.
void Measurement::keep(int variant, int place, const Timing& timing) {
  const double begin = clock_.global(timing.begin), end = clock_.global(timing.end);
  double* const kept = local_.data() + per_repetition * place + per_sample * variant;
  kept[0] = between_ranks() ? -begin : 0;
  kept[1] = between_ranks() ? end : timing.seconds();
  kept[2] = timing.late;
  kept[3] = begin;
  kept[4] = timing.timed_out ? 1 : 0;
  if (skewing_) {
    double* const passage = local_passages_.data() + per_passage * place + per_passage / 2 * variant;
    passage[0] = begin;
    passage[1] = end;
    passage[2] = static_cast<double>(turns_.front().contents);
  }
  samples_.keep({results_[variant].cell, static_cast<std::uint32_t>(repetition_), begin, end, timing.late});
}

/// Refilled now for the turn after all other sets, so that the contents have left the caches by then as far as the
/// sets exceed them.  What was touched last stays there longest: either variant's buffers are as often the last ones.
void Measurement::check_and_refill(int first_set, int step) {
  start_.all_out();
  const int last = static_cast<int>(repetition_ / 4 % 2);
  for (const int v : {1 - last, last})
    if (!sets_.shared()) check(v, first_set);
  const bool every_time = cache_ == CacheMode::cold || subject_->spoils_input();
  for (int set = first_set; set < first_set + sets_of(step) && every_time; ++set) {
    contents_[set] += sets_.count();
    for (const int v : {1 - last, last}) subject_->fill(buffers(v, set), contents_[set]);
  }
}

void Measurement::check(int variant, int first_set) {
  for (int set = first_set; set < first_set + sets_of(results_[variant].batch) && options_.check; ++set)
    if (!subject_->right(buffers(variant, set), contents_[set])) ++local_wrong_[variant];
}

/// Checks and refills one set of buffers, after each variant alike.
void Measurement::check_shared(int variant, int set) {
  if (!sets_.shared()) return;
  start_.all_out();
  check(variant, set);
  if (subject_->spoils_input()) subject_->fill(buffers(variant, set), contents_[set]);
}

/// In shared buffers one variant's result would hide that the other wrote none: each writes into wiped ones first.
void Measurement::prove() {
  for (int v = 0; v < 2 && sets_.shared() && options_.check; ++v) {
    const Buffers wiped = buffers(v, 0);
    std::memset(wiped.receive, 0xff, static_cast<std::size_t>(subject_->receive_bytes()));
    subject_->fill(wiped, contents_[0]);
    start_();
    (*subject_)(variants_[v].functions, wiped, contents_[0]);
    check(v, 0);
  }
}

bool Measurement::finished() {
  if (options_.repetitions > 0) return repetition_ >= options_.repetitions;
  const std::size_t taken = std::min(results_[0].seconds.size(), results_[1].seconds.size());
  if (taken >= most) return true;
  if (elapsed_ >= options_.seconds) return taken >= fewest || elapsed_ >= 4 * options_.seconds;
  if (taken < next_look_) return false;
  next_look_ = taken + taken / 4;  // sorting at every chunk would cost more than it ends early
  return std::all_of(results_.begin(), results_.end(), [&](const Result& result) {
    return narrow(summarise(result.seconds, result.resolution), options_.precision, enough);
  });
}

/// Repetitions until the ranks exchange their times: about 5 % of the time limit, 51 for short calls.  An odd number,
/// because the first variant of a repetition finds in the caches what checking and refilling left: so variants also
/// take turns in being the first one after an exchange of times.
int Measurement::next_chunk() const {
  const double one = usual_[0] * results_[0].batch + usual_[1] * results_[1].batch + 2 * skewing_.seconds();
  const int usual = 1 + 2 * static_cast<int>(std::clamp(options_.seconds / 40 / one, 1.0, 25.0));
  const auto left = options_.repetitions - repetition_;
  return options_.repetitions > 0 ? static_cast<int>(std::min<std::int64_t>(usual, left)) : usual;
}

}  // namespace tutti::bench
