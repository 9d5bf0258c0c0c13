#include "runtime/report/explanation.hpp"

#include <array>
#include <atomic>
#include <mutex>

#include "runtime/communicator/active.hpp"
#include "runtime/report/journal.hpp"
#include "selection/online.hpp"

namespace tutti::runtime {
namespace {

std::atomic<const Choice*> last_native{nullptr};

struct Refusal {
  std::mutex mutex;
  std::string why;
};

Refusal& first_refusal() {
  static auto& refusal = *new Refusal;
  return refusal;
}

std::string plural(int count, const char* what) { return journal::text("%d %s%s", count, what, count == 1 ? "" : "s"); }

/// "allreduce 8 B on 8 ranks, 1 node: node (default.toml line 7), variant line".
std::string line_of(const CallSignature& signature, const Placement& placement, const Choice& choice,
                    const std::string& variant) {
  std::string line = (signature.request ? "i" : "") + std::string(name(signature.collective));
  if (!signature.predefined)
    line += journal::text(" of %lld elements with the user's operator", static_cast<long long>(signature.count));
  else if (signature.bytes >= 0 && signature.collective != Collective::barrier)
    line += " " + size_text(signature.bytes);
  line += " on " + plural(placement.ranks, "rank") + ", " + plural(placement.nodes, "node") + ": " + choice.text +
          " (" + choice.reason + ")" + variant;
  for (const std::string& excluded : choice.excluded) line += "; not " + excluded;
  return line;
}

void publish(const State& state, const Settings& settings, const std::string& line) {
  if (settings.explain && speaks_for_job(state.rank == 0)) journal::say_once(line);
  if (!settings.log.empty()) journal::log(settings.log, line);
}

}  // namespace

std::string size_text(std::int64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return journal::text("%.4g %s", value, units[unit]);
}

/// Whether calls of that kind have not been spoken of; they have now.
bool is_news(std::uint64_t& spoken, const CallSignature& signature) {
  constexpr int users_operator = 62;  // one for all counts; no size is of that class
  const int which = signature.predefined ? size_class(signature.bytes) & 63 : users_operator;
  const std::uint64_t bit = std::uint64_t{1} << which;
  const bool news = (spoken & bit) == 0;
  spoken |= bit;
  return news;
}

void explain_choice(State& state, const CallSignature& signature, const Choice& choice, const std::string& variant) {
  Active& active = *state.active;
  if (is_news(active.explained[static_cast<std::size_t>(signature.collective)], signature))
    publish(state, active.agreed.settings, line_of(signature, active.placement, choice, variant));
}

void explain_request(State& state, const CallSignature& signature, const Choice& choice, const Settings& settings,
                     std::uint64_t& spoken) {
  const Placement one_node{state.size, 1, state.size, state.size};
  if (is_news(spoken, signature)) publish(state, settings, line_of(signature, one_node, choice, ""));
}

void explain_refusal(State& state, const std::string& what, const std::string& why, bool always) {
  {
    const std::lock_guard lock(first_refusal().mutex);
    if (first_refusal().why.empty()) first_refusal().why = why;
  }
  const std::string line = what + ": " + why;
  const AgreedSettings* const settings = state.active ? &state.active->agreed : agreed();
  if (always && state.rank == 0)
    journal::say_once(line);
  else if (settings)
    publish(state, settings->settings, line);
}

void note_native(const Choice& choice) { last_native.store(&choice, std::memory_order_relaxed); }

std::string why_nothing_was_served() {
  {
    const std::lock_guard lock(first_refusal().mutex);
    if (!first_refusal().why.empty()) return first_refusal().why;
  }
  if (const Choice* choice = last_native.load(std::memory_order_relaxed))
    return "every call's choice was native (" + choice->reason + ")";
  Totals sum;
  for (std::size_t i = 0; i < collective_names.size(); ++i) sum.calls += totals(static_cast<Collective>(i)).calls;
  if (sum.calls == 0) return "this rank called no blocking collective that tutti intercepts";
  return "no communicator of more than one rank saw " + std::to_string(activation_call) +
         " blocking collectives, the last of them one in which all ranks wait for one another";
}

}  // namespace tutti::runtime
