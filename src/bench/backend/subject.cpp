#include "bench/backend/subject.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "bench/backend/call.hpp"
#include "bench/backend/messaging.hpp"

namespace tutti::bench {

namespace {

/// A local copy of each rank, as a reference for a call's dependence on caches.
class Copying : public Subject {
 public:
  Copying(std::int64_t bytes, int rank) : bytes_(bytes), rank_(rank) {}
  std::int64_t send_bytes() const override { return bytes_; }
  std::int64_t receive_bytes() const override { return bytes_; }
  bool batches() const override { return true; }
  void operator()(const Functions&, Buffers buffers, std::int64_t) override {
    std::memcpy(buffers.receive, buffers.send, static_cast<std::size_t>(bytes_));
    asm volatile("" : : "r"(buffers.receive) : "memory");  // it is not left out
  }
  void fill(Buffers buffers, std::int64_t contents) const override {
    contents_.fill(buffers.send, bytes_, phase_of(rank_, 0, contents));
  }
  bool right(Buffers buffers, std::int64_t contents) const override {
    return contents_.matches(buffers.receive, bytes_, phase_of(rank_, 0, contents));
  }

 private:
  std::int64_t bytes_;
  int rank_;
  Contents contents_ = Contents::contribution(Element::byte);
};

/// Every rank reads the file; where one cannot, all say so.
Rounds from_file(const std::string& name, Team& team) {
  std::string problem;
  Rounds rounds;
  try {
    std::ifstream text(name);
    if (!text) throw std::invalid_argument("cannot read " + name);
    rounds = read_pattern(text, name, team.size());
  } catch (const std::invalid_argument& error) {
    problem = error.what();
  }
  std::array<double, 1> failed = {problem.empty() ? 0.0 : 1.0};
  team.maximum(failed);
  if (failed[0] > 0) throw std::invalid_argument(problem.empty() ? "a rank cannot read " + name : problem);
  return rounds;
}

Rounds rounds_of(const std::string& name, const Options& options, Team& team) {
  for (const PatternFile& each : options.patterns)
    if (each.name == name) return from_file(each.file, team);
  std::vector<int> leaders;
  for (int rank = 0; rank < team.size(); ++rank) leaders.push_back(team.leader_of(rank));
  return named_pattern(name, leaders).value();
}

}  // namespace

std::unique_ptr<Subject> make_subject(const Case& what, const Options& options, Team& team) {
  if (what.other == memcpy_name) return std::make_unique<Copying>(what.bytes, team.rank());
  if (!what.other.empty()) return std::make_unique<Messaging>(rounds_of(what.other, options, team), what.bytes, team);
  if (what.manner == Manner::nonblocking) return std::make_unique<NonblockingCall>(what, options, team.measured());
  if (what.manner == Manner::persistent) return std::make_unique<PersistentCall>(what, options, team.measured());
  return std::make_unique<BlockingCall>(what, options, team.measured());
}

}  // namespace tutti::bench
