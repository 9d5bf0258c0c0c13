/// Output at the end: TUTTI_EXPLAIN's summary, TUTTI_LOG's, and the one line of JSON for `tutti run`.
#include "preload/backend/report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "preload/backend/counters.hpp"
#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/plan/online.hpp"
#include "runtime/report/explanation.hpp"
#include "runtime/report/journal.hpp"
#include "runtime/report/left_to_mpi.hpp"
#include "runtime/wire/mpi_progress.hpp"
#include "shm/segment/file_limit.hpp"

namespace tutti::preload {
namespace {

using runtime::Totals;
using runtime::journal::text;

using Count = unsigned long long;

constexpr std::array request_forms{std::pair{runtime::Form::nonblocking, "nonblocking"},
                                   std::pair{runtime::Form::persistent, "persistent"}};

/// Calls of one collective (all: none named), or of all together, that were left for that reason.
Count left_for(const runtime::Reason& why, std::string_view collective) {
  Count sum = 0;
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    if (collective.empty() || collective_names[i] == collective) sum += why.calls[i].load(std::memory_order_relaxed);
  return sum;
}

/// "; 3: one of the first three calls on its communicator; 2: default.toml line 7".
std::string split_by_reason(std::string_view collective) {
  std::string words;
  for (const runtime::Reason* why : runtime::reasons())
    if (const Count calls = left_for(*why, collective)) words += text("; %llu: %s", calls, why->text.c_str());
  return words;
}

/// Empty where something was served.
std::string reason(const Totals& all) { return all.served() ? "" : runtime::why_nothing_was_served(); }

std::string figures(const Totals& of) {
  return text(
      "%llu calls: %llu by the node engine, %llu by messages, %llu in nodes and between them, %llu left to the MPI "
      "library",
      Count{of.calls}, Count{of.node}, Count{of.flat}, Count{of.hierarchy}, Count{of.calls - of.served()});
}

/// Of nonblocking and persistent calls; nothing where there were none.
std::vector<std::string> request_lines() {
  std::vector<std::string> lines;
  for (const auto& [form, what] : request_forms)
    if (const Totals of = totals_of(form); of.calls) {
      const char* const words = "%s: %llu calls: %llu by the node engine, %llu left to the MPI library";
      lines.push_back(text(words, what, Count{of.calls}, Count{of.node}, Count{of.calls - of.node}));
    }
  if (lines.empty()) return lines;
  for (const runtime::Reason* why : runtime::reasons())
    if (const Count calls = why->requests.load(std::memory_order_relaxed))
      lines.back() += text("; %llu: %s", calls, why->text.c_str());
  return lines;
}

std::vector<std::string> summary() {
  const Totals all = *counters("");
  std::vector<std::string> lines{"this rank's collectives: " + figures(all) + split_by_reason("")};
  for (const std::string_view name : collective_names)
    if (const Totals one = *counters(name); one.calls)
      lines.push_back("  " + std::string(name) + ": " + figures(one) + split_by_reason(name));
  if (const std::string why = reason(all); !why.empty()) lines.push_back("nothing was served: " + why);
  for (std::string& line : request_lines()) lines.push_back(std::move(line));
  return lines;
}

/// A JSON string; the reasons are plain text that may quote what a user wrote.
std::string quoted(const std::string& plain) {
  std::string json = "\"";
  for (const char c : plain) {
    if (static_cast<unsigned char>(c) < 0x20) {
      json += text("\\u%04x", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

std::string members(const Totals& of) {
  return text("\"calls\": %llu, \"eligible\": %llu, \"node\": %llu, \"flat\": %llu, \"hierarchy\": %llu",
              Count{of.calls}, Count{of.eligible}, Count{of.node}, Count{of.flat}, Count{of.hierarchy});
}

/// Those that `count` gives calls, as JSON.
template <class CallsOf>
std::string rows_of_reasons(CallsOf count) {
  std::string rows;
  for (const runtime::Reason* why : runtime::reasons())
    if (const Count calls = count(*why))
      rows += (rows.empty() ? "" : ", ") + text("{\"reason\": %s, \"calls\": %llu}", quoted(why->text).c_str(), calls);
  return rows;
}

std::string request_report() {
  std::string line;
  for (const auto& [form, what] : request_forms)
    line += text(", \"%s\": {\"calls\": %llu, \"node\": %llu}", what, Count{totals_of(form).calls},
                 Count{totals_of(form).node});
  return line + ", \"left_requests\": [" +
         rows_of_reasons([](const auto& why) -> Count { return why.requests.load(std::memory_order_relaxed); }) + "]";
}

std::string report() {
  const Totals all = *counters("");
  std::string line = "{" + members(all) + ", \"reason\": " + quoted(reason(all)) + ", \"collectives\": {";
  const char* comma = "";
  for (const std::string_view name : collective_names) {
    const Totals one = *counters(name);
    if (one.calls == 0) continue;
    line += comma + quoted(std::string(name)) + ": {" + members(one) + "}";
    comma = ", ";
  }
  line += "}, \"left\": [" + rows_of_reasons([](const auto& why) { return left_for(why, ""); });
  return line + "]" + request_report() + "}\n";
}

/// The file that `tutti run` named; it reads the last line.
void write_report(const char* path) {
  const std::string line = report();
  const shm::QuietFileLimit limit;
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) return;  // on another node its folder does not exist
  if (write(descriptor, line.data(), line.size()) < 0) unlink(path);
  close(descriptor);
}

/// Writes what was learned online; nothing if nothing settled, so that an earlier file stays.
void write_learned(const std::string& path) {
  const std::string profile = runtime::learned_profile();
  if (profile.empty()) return;
  const shm::QuietFileLimit limit;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0 || write(descriptor, profile.data(), profile.size()) < 0)
    runtime::journal::say(text("TUTTI_TUNE_OUTPUT: %s cannot be written", path.c_str()));
  if (descriptor >= 0) close(descriptor);
}

void conclude() {
  runtime::settle_all_passing();
  const bool speaker = runtime::speaks_for_job();
  const bool called = counters("")->calls != 0;
  if (speaker && called) runtime::read_here();  // a program that activated nothing still has its settings checked
  const runtime::AgreedSettings* const agreed = runtime::agreed();
  if (agreed && (agreed->settings.explain || !agreed->settings.log.empty())) {
    for (const std::string& line : summary()) {
      if (speaker && agreed->settings.explain) runtime::journal::say(line);
      if (!agreed->settings.log.empty()) runtime::journal::log(agreed->settings.log, line);
    }
  }
  if (speaker && agreed && !agreed->settings.learned.empty()) write_learned(agreed->settings.learned);
  const char* const path = std::getenv("TUTTI_REPORT");
  if (speaker && path && *path) write_report(path);
}

}  // namespace

void finalize_begin() {
  if (runtime::finalizing()) return;
  try {
    conclude();
  } catch (const std::exception& error) {
    runtime::journal::say(text("no summary: %s", error.what()));
  }
  runtime::begin_finalizing();
  runtime::close_lookout();
}

void finalize_end() { runtime::retire_states(); }

}  // namespace tutti::preload
