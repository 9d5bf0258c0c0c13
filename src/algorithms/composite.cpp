#include "algorithms/composite.hpp"

#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace tutti {
namespace {

std::span<const ParameterInfo> parameters_of(const Composition::Part& part) {
  return part.algorithm ? part.algorithm->parameters : std::span<const ParameterInfo>();
}

std::vector<ParameterInfo> parameters_of(const Composition& composition) {
  std::vector<ParameterInfo> all = composition.own;
  for (const Composition::Part& part : composition.parts) {
    for (ParameterInfo info : parameters_of(part)) {
      info.of_row = part.on_row;
      all.push_back(info);
    }
  }
  if (all.size() > Parameters{}.values.size())
    throw std::length_error(composition.name + " has more parameters than a schedule takes");
  return all;
}

/// A composition and the entry that shows it: never moved, never freed, since plans and choices point there.
struct Kept {
  explicit Kept(Composition of) : composition(std::move(of)) {}
  Kept(const Kept&) = delete;

  Composition composition;
  std::vector<ParameterInfo> parameters = parameters_of(composition);
  Algorithm algorithm{composition.collective,  composition.name, {composition.composer, composition},
                      composition.constraints, parameters,       composition.cost,
                      composition.source};
};

struct Registry {
  std::mutex mutex;
  std::map<std::pair<Collective, std::string>, Kept> all;
};

Registry& registry() {
  static auto& registry = *new Registry;  // outlives every static object: delete callbacks may run late
  return registry;
}

}  // namespace

Parameters Composition::parameters_of(std::size_t part, const Parameters& all) const {
  std::size_t position = own.size();
  for (std::size_t i = 0; i < part; ++i) position += tutti::parameters_of(parts[i]).size();
  Parameters values;
  for (std::size_t i = 0; i < tutti::parameters_of(parts[part]).size(); ++i)
    values.values.at(i) = all.values.at(position + i);
  return values;
}

const Algorithm& composite(const Composition& composition) {
  std::pair key(composition.collective, composition.name);
  const std::lock_guard lock(registry().mutex);
  return registry().all.try_emplace(std::move(key), composition).first->second.algorithm;
}

}  // namespace tutti
