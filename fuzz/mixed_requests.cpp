#include "mixed_requests.hpp"

#include <algorithm>

#include "watch.hpp"

namespace tutti::fuzz {
namespace {

enum class Way { wait, waitany, waitsome, waitall, test, testany, testsome, testall, get_status };
constexpr int ways = 9;

/// MPICH's and Intel MPI's own Testall calls an active persistent collective of theirs an error.
bool testall_errs(const Job& job) { return job.left() && job.call().form == Form::persistent; }

/// The places in `few` that the call completed.  `code`: what it returned.
std::vector<int> completed_by(Way way, std::vector<MPI_Request>& few, int& code) {
  const int count = static_cast<int>(few.size());
  std::vector<int> all(few.size()), places(few.size());
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = i;
  int flag = 1, place = 0, number = 0;
  switch (way) {
    case Way::wait:
      code = MPI_Wait(&few[0], MPI_STATUS_IGNORE);
      return {0};
    case Way::test:
      code = MPI_Test(&few[0], &flag, MPI_STATUS_IGNORE);
      break;
    case Way::waitany:
      code = MPI_Waitany(count, few.data(), &place, MPI_STATUS_IGNORE);
      break;
    case Way::testany:
      code = MPI_Testany(count, few.data(), &place, &flag, MPI_STATUS_IGNORE);
      break;
    case Way::waitsome:
    case Way::testsome:
      code = (way == Way::waitsome ? MPI_Waitsome : MPI_Testsome)(count, few.data(), &number, places.data(),
                                                                  MPI_STATUSES_IGNORE);
      places.resize(static_cast<std::size_t>(std::max(0, number)));
      return places;
    case Way::waitall:
      code = MPI_Waitall(count, few.data(), MPI_STATUSES_IGNORE);
      return all;
    case Way::testall:
      code = MPI_Testall(count, few.data(), &flag, MPI_STATUSES_IGNORE);
      return flag ? all : std::vector<int>{};
    case Way::get_status:  // what it says is complete a test completes
      MPI_Request_get_status(few[0], &flag, MPI_STATUS_IGNORE);
      if (!flag) return {};
      code = MPI_Test(&few[0], &flag, MPI_STATUS_IGNORE);
      break;
  }
  return flag && place >= 0 ? std::vector<int>{place} : std::vector<int>{};
}

const char* name(Way way) {
  constexpr std::array<const char*, ways> names = {"MPI_Wait",     "MPI_Waitany", "MPI_Waitsome",
                                                   "MPI_Waitall",  "MPI_Test",    "MPI_Testany",
                                                   "MPI_Testsome", "MPI_Testall", "MPI_Request_get_status"};
  return names[static_cast<std::size_t>(way)];
}

}  // namespace

void MixedRequests::add(Job& job) {
  for (MPI_Request* request : job.requests()) active_.push_back({&job, request});
}

std::vector<MixedRequests::Entry> MixedRequests::drawn(Random& random, std::size_t most) const {
  std::vector<Entry> order = active_;
  const std::size_t count = std::min(most, order.size());
  for (std::size_t i = 0; i < count; ++i)
    std::swap(order[i], order[i + static_cast<std::size_t>(random.below(static_cast<int>(order.size() - i)))]);
  order.resize(count);
  return order;
}

void MixedRequests::completed(const Entry& entry) {
  std::erase_if(active_, [&](const Entry& each) { return each.request == entry.request; });
  entry.job->completed(*entry.request);
}

void MixedRequests::complete_some(Random& random) {
  const auto most = static_cast<std::size_t>(random.chance(15) ? 1000 : 1 + random.below(6));
  const std::vector<Entry> entries = drawn(random, most);
  auto way = static_cast<Way>(random.below(ways));
  if (way == Way::testall && std::ranges::any_of(entries, [](const Entry& each) { return testall_errs(*each.job); }))
    way = Way::testsome;
  std::vector<MPI_Request> few;
  for (const Entry& entry : entries) few.push_back(*entry.request);
  if (few.size() > 1 && random.chance(20)) few.push_back(MPI_REQUEST_NULL);
  stage(name(way));
  int code = MPI_SUCCESS;
  const std::vector<int> places = completed_by(way, few, code);
  if (code != MPI_SUCCESS && complaint_.empty()) complaint_ = std::string(name(way)) + " fails: " + error_text(code);
  for (std::size_t i = 0; i < entries.size(); ++i) *entries[i].request = few[i];
  for (const int place : places)
    if (static_cast<std::size_t>(place) < entries.size()) completed(entries[static_cast<std::size_t>(place)]);
}

void MixedRequests::wait_for(Job& job) {
  stage("MPI_Wait before the next start");
  for (MPI_Request* request : job.requests()) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    completed({&job, request});
  }
}

void MixedRequests::look(Random& random) {
  int flag = 0;
  stage("a look");
  if (active_.empty() || random.chance(50)) {
    MPI_Iprobe(MPI_ANY_SOURCE, 4711, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Request_get_status(*drawn(random, 1)[0].request, &flag, MPI_STATUS_IGNORE);
}

}  // namespace tutti::fuzz
