#include "selection/named.hpp"

#include <algorithm>

#include "algorithms/composite.hpp"
#include "algorithms/grouped/grouped.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {
namespace {

/// A schedule of a million parts has no use; the bound keeps the part numbers of huge vectors small.
constexpr std::int64_t most_parts = 1 << 20;

/// Bytes that move while a message of none is under way, where the spec does not say: 1.5 us at 11 GB/s, as on today's
/// networks.  (The BlueGene/P of Hasanov et al. had between 840 and 2000.)
constexpr std::int64_t standard_latency = 16 * 1024;

/// The spec of one level of groups; both levels may have the same.
const Spec& level(const Spec& groups, std::string_view which) {
  const Spec::Option* own = groups.option(which);
  return own ? own->nested[0] : groups.arguments[0];
}

/// All ranks' blocks together, where a call's size is that of one rank's.
std::int64_t row_bytes(std::int64_t bytes, int ranks) {
  return bytes > 0 && ranks > INT64_MAX / bytes ? INT64_MAX : bytes * ranks;
}

int value_of(const ParameterInfo& info, const Spec& spec, const Values& values) {
  const Spec::Option* given = spec.option(info.name);
  std::int64_t value = given ? given->number : info.standard;
  if (info.kind == ParameterInfo::Kind::segment) {
    const std::int64_t bytes = info.of_row ? row_bytes(values.bytes, values.ranks) : values.bytes;
    const std::int64_t parts = bytes > 0 ? (bytes - 1) / value + 1 : 1;
    value = std::clamp<std::int64_t>(parts, 1, most_parts);
  }
  return static_cast<int>(value);
}

int groups_for(const Spec& spec, const Algorithm& composition, const Values& values, const Parameters& parameters) {
  GroupedCall call{.ranks = values.members, .bytes = std::max<std::int64_t>(values.bytes, 0)};
  const Collective collective = composition.collective;
  if (!one_vector(collective) && collective != Collective::reduce_scatter)
    call.bytes = row_bytes(call.bytes, values.ranks);
  for (std::size_t i = 1; i < composition.parameters.size(); ++i)
    if (composition.parameters[i].kind == ParameterInfo::Kind::segment)
      call.segments = std::max<std::int64_t>(call.segments, parameters[i]);
  const Spec::Option* latency = spec.option("latency");
  call.latency = latency ? latency->number : standard_latency;
  return best_groups(values.gain, call);
}

}  // namespace

const Algorithm* algorithm_named(const Spec& spec, Collective collective) {
  if (spec.name != "groups") return find_algorithm(collective, spec.name);
  const std::string &outer = level(spec, "outer").name, &inner = level(spec, "inner").name;
  return inner == "native" ? nullptr : grouped(collective, outer, inner);
}

std::string obstacle_to_groups(const Spec& spec, int members, std::string_view who) {
  const Spec::Option* groups = spec.name == "groups" ? spec.option("groups") : nullptr;
  if (!groups || groups->number <= members) return "";
  return std::to_string(members) + " " + std::string(who) + (members == 1 ? " does" : "s do") + " not make " +
         std::to_string(groups->number) + " groups";
}

bool groups_follow_size(const Spec& spec) { return spec.name == "groups" && !spec.option("groups"); }

Parameters values_of(const Spec& spec, const Algorithm& algorithm, const Values& values) {
  Parameters parameters;
  std::size_t position = 0;
  const auto append = [&](const Algorithm& named, std::span<const ParameterInfo> infos, const Spec& given) {
    static const Spec nothing;
    for (const ParameterInfo& info : infos)
      parameters.values.at(position++) = value_of(info, given.name == named.name ? given : nothing, values);
  };
  const Composition* composition = algorithm.schedule.parts();
  if (!composition) {
    append(algorithm, algorithm.parameters, spec);
    return parameters;
  }
  position = 1;
  for (std::size_t i = 0; i < composition->parts.size(); ++i) {
    const Algorithm* part = composition->parts[i].algorithm;
    if (part)
      append(*part, algorithm.parameters.subspan(position, part->parameters.size()),
             level(spec, i == between ? "outer" : "inner"));
  }
  const Spec::Option* groups = spec.option("groups");
  parameters.values[0] = groups ? static_cast<int>(groups->number) : groups_for(spec, algorithm, values, parameters);
  return parameters;
}

}  // namespace tutti
