#include "bench/backend/skewing.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <vector>

namespace tutti::bench {

Skewing::Skewing(const Case& what, Team& team) : arrival_(what.arrival) {
  if (!arrival_) return;
  const int last_leader = team.leader_of(team.size() - 1);
  who_ = {team.rank(), team.size(), last_leader != 0 && team.leader_of(team.rank()) == last_leader};
  if (arrival_.pattern == ArrivalPattern::one_node_late && last_leader == 0)
    throw std::invalid_argument("one_node_late needs ranks on two nodes");
  if (arrival_.pattern == ArrivalPattern::replay) replay(team);
  message_ = message_time(team, what.bytes);
}

/// Every rank reads the file; where one cannot, all say so.
void Skewing::replay(Team& team) {
  std::string problem;
  try {
    std::ifstream file(arrival_.skew);
    if (!file) throw std::invalid_argument("cannot read " + arrival_.skew);
    recorded_ = RecordedArrivals::read(file, arrival_.skew, team.size());
  } catch (const std::invalid_argument& error) {
    problem = error.what();
  }
  std::array<double, 1> failed = {problem.empty() ? 0.0 : 1.0};
  team.maximum(failed);
  if (failed[0] > 0) throw std::invalid_argument(problem.empty() ? "a rank cannot read " + arrival_.skew : problem);
}

void Skewing::size_by(double balanced) {
  if (recorded_)
    seconds_ = recorded_->longest();
  else
    seconds_ = arrival_.amount * (arrival_.multiple ? balanced : 1);
}

double Skewing::delay(std::int64_t repetition) const {
  if (recorded_) return recorded_->delay(who_.rank, repetition);
  return seconds_ * lateness(arrival_.pattern, who_, repetition);
}

double message_time(Team& team, std::int64_t bytes) {
  constexpr int trips = 20;
  const int last = team.size() - 1;
  if (last == 0) return 0;
  std::vector<double> message(static_cast<std::size_t>(bytes) / sizeof(double) + 1);
  double least = std::numeric_limits<double>::max();
  for (int trip = 0; trip < trips && (team.rank() == 0 || team.rank() == last); ++trip) {
    const double begin = now();
    if (team.rank() == 0) team.send(last, message);
    team.receive(team.rank() == 0 ? last : 0, message);
    if (team.rank() == last) team.send(0, message);
    least = std::min(least, (now() - begin) / 2);
  }
  std::array<double, 1> time = {team.rank() == 0 ? least : 0};
  team.maximum(time);
  return time[0];
}

}  // namespace tutti::bench
