#include "runtime/communicator/absent.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

/// Variables in which launchers pass a process its rank in MPI_COMM_WORLD.
constexpr const char* rank_variables[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"};
/// A rank is a child of its launcher's daemon, or of a shell in between; so are those that it is compared with.
constexpr int generations = 3;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string of_process(long process, const char* what) {
  return contents("/proc/" + std::to_string(process) + "/" + what);
}

/// The fourth field of /proc/PID/stat; the second may hold blanks and ends with a parenthesis.
long parent_of(long process) {
  const std::string line = of_process(process, "stat");
  const std::size_t end = line.rfind(')');
  return end == std::string::npos || end + 4 > line.size() ? 0 : std::atol(line.c_str() + end + 4);
}

std::vector<long> ancestors_of(long process) {
  std::vector<long> found;
  for (int i = 0; i < generations && process > 1; ++i) {
    process = parent_of(process);
    if (process > 1) found.push_back(process);
  }
  return found;
}

/// The value of a variable in a block of NAME=VALUE, each ended by a zero.
std::optional<std::string> value_in(const std::string& block, const std::string& name) {
  for (std::size_t at = 0; at < block.size(); at += std::strlen(block.c_str() + at) + 1)
    if (block.compare(at, name.size() + 1, name + '=') == 0) return block.c_str() + at + name.size() + 1;
  return std::nullopt;
}

std::optional<int> rank_in(const std::string& environment) {
  for (const char* name : rank_variables) {
    const auto value = value_in(environment, name);
    int rank = -1;
    if (value && std::from_chars(value->data(), value->data() + value->size(), rank).ec == std::errc() && rank >= 0)
      return rank;
  }
  return std::nullopt;
}

/// State of the processes of one rank: there may be a shell around the program.
struct Seen {
  bool preloads = false;
  std::string complaint;  ///< of one that is in an MPI program, and cannot join
};

void look_at(long process, const std::string& environment, Seen& seen) {
  const std::string libraries = of_process(process, "maps");
  if (libraries.find("/libmpi") == std::string::npos) return;  // a shell; or one that is not in MPI yet
  std::string name = of_process(process, "comm");
  name.erase(std::remove(name.begin(), name.end(), '\n'), name.end());
  const bool preloads = libraries.find("/libtutti.so") != std::string::npos;
  const std::string off = value_in(environment, "TUTTI").value_or("");
  const bool refuses = off == "off" || off == "0" || off == "no" || off == "false";
  seen.preloads |= preloads && !refuses;
  if (preloads && !refuses) return;
  seen.complaint = journal::text("(process %ld, %s) %s", process, name.c_str(),
                                 preloads ? "has TUTTI=off" : "does not preload libtutti.so");
}

std::map<int, Seen> seen_here() {
  std::map<int, Seen> found;
  const std::vector<long> ours = ancestors_of(getpid());
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const long process = std::atol(entry.path().filename().c_str());
    if (process <= 1 || process == getpid()) continue;
    const std::string environment = of_process(process, "environ");
    const std::optional<int> rank = rank_in(environment);
    if (!rank) continue;
    const std::vector<long> theirs = ancestors_of(process);
    if (std::ranges::find_first_of(ours, theirs) != ours.end()) look_at(process, environment, found[*rank]);
  }
  return found;
}

}  // namespace

std::map<int, std::string> ranks_without_tutti(const std::vector<int>& ranks) try {
  std::map<int, std::string> told;
  for (const auto& [rank, seen] : seen_here())
    if (!seen.preloads && !seen.complaint.empty() && std::ranges::find(ranks, rank) != ranks.end())
      told.emplace(rank, journal::text("rank %d %s", rank, seen.complaint.c_str()));
  return told;
} catch (...) {  // a failure here must not end the program
  return {};
}

}  // namespace tutti::runtime
