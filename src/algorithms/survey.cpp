#include "algorithms/survey.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "algorithms/grouped/grouped.hpp"

namespace tutti {
namespace {

/// One algorithm at one p, and what came of it.
struct Task {
  const Algorithm* algorithm;
  int size;
  std::int64_t proved = 0;
  std::optional<Subject> subject;
  std::optional<Fault> fault;
};

/// What the name says, or what stands before its brackets: "groups" for all compositions in groups.
bool named(const Algorithm& algorithm, std::string_view name) {
  return name.empty() || algorithm.name == name || algorithm.name.substr(0, algorithm.name.find('(')) == name;
}

std::vector<Task> tasks_of(const Survey& survey) {
  std::vector<Task> tasks;
  const std::vector<const Algorithm*> surveyed = surveyed_algorithms(survey);
  for (int size : survey.sizes)
    for (const Algorithm* algorithm : surveyed)
      if (size >= 1 && obstacle(algorithm->constraints, {.ranks = size}).empty())
        tasks.push_back({algorithm, size, 0, {}, {}});
  return tasks;
}

/// Threads that take one task after the other, and the caller's, which only reports.
class Crew {
 public:
  explicit Crew(const Survey& survey) : survey_(survey), tasks_(tasks_of(survey)), end_(tasks_.size()) {}

  SurveyResult run(const SurveyProgress& progress) {
    SurveyResult result;
    {
      std::vector<std::jthread> threads;
      const unsigned asked = static_cast<unsigned>(std::max(0, survey_.threads));
      const unsigned crew = asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
      working_ = static_cast<int>(crew);
      const Stop stop_at_exit{stop_};
      for (unsigned i = 0; i < crew; ++i) threads.emplace_back([this] { work(); });
      result.stopped = !report(progress);
      if (!result.stopped) threads.clear();
    }
    if (failure_) std::rethrow_exception(failure_);
    for (std::size_t i = 0; i < std::min(end_ + 1, tasks_.size()); ++i) result.proved += tasks_[i].proved;
    if (end_ < tasks_.size()) result.subject = tasks_[end_].subject, result.fault = tasks_[end_].fault;
    return result;
  }

 private:
  /// Stops the threads before they are joined, however the block is left.
  struct Stop {
    std::atomic<bool>& stop;
    ~Stop() { stop = true; }
  };

  void work() {
    try {
      for (std::size_t i = next_++; i < end_ && !stop_; i = next_++) {
        prove(tasks_[i]);
        const std::lock_guard lock(mutex_);
        if (tasks_[i].fault) end_ = std::min<std::size_t>(end_, i);
        finished_.push_back(i);
        changed_.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_one();
  }

  /// All subjects of the task; stops at the first fault.
  void prove(Task& task) {
    for (Subject& subject : subjects_of(*task.algorithm, task.size, survey_.thoroughness)) {
      if (stop_) return;
      if ((task.fault = verify(subject))) {
        task.subject = std::move(subject);
        return;
      }
      ++task.proved;
    }
  }

  /// Tells how far the threads have come until they end; false where the caller wants no more.
  bool report(const SurveyProgress& progress) {
    constexpr std::chrono::milliseconds between_reports(100);
    SurveyState state;
    std::unique_lock lock(mutex_);
    for (std::size_t told = 0; working_ > 0 || told < finished_.size();) {
      if (told == finished_.size()) changed_.wait_for(lock, between_reports);
      state.algorithm = nullptr;
      if (told < finished_.size()) {
        const Task& task = tasks_[finished_[told++]];
        state = {task.algorithm, task.size, state.proved + task.proved};
      }
      lock.unlock();
      if (progress && !progress(state)) return false;
      lock.lock();
    }
    return true;
  }

  const Survey& survey_;
  std::vector<Task> tasks_;
  std::atomic<std::size_t> next_ = 0, end_;  ///< next task to take; the first one that need not be proved any more
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  std::vector<std::size_t> finished_;
  int working_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<const Algorithm*> surveyed_algorithms(const Survey& survey) {
  std::vector<const Algorithm*> all;
  for (const Algorithm& algorithm : catalogue()) all.push_back(&algorithm);
  for (const Algorithm* algorithm : sample_compositions()) all.push_back(algorithm);
  std::erase_if(all, [&](const Algorithm* algorithm) {
    return (survey.collective && *survey.collective != algorithm->collective) || !named(*algorithm, survey.algorithm);
  });
  return all;
}

SurveyResult verify_catalogue(const Survey& survey, const SurveyProgress& progress) {
  return Crew(survey).run(progress);
}

}  // namespace tutti
