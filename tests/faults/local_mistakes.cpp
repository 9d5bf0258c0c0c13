/// Reductions and copies that do something else.
#include "mistake.hpp"

namespace tutti::faults {
namespace {

Program::iterator position(const Site& site) {
  return site.program().begin() + static_cast<std::ptrdiff_t>(site.place.step);
}

/// No mistake where the operator commutes.
bool swapped_operands(const Site& site) {
  Reduce* const reduce = site.as<Reduce>();
  if (reduce == nullptr || site.subject.algorithm->constraints.commutative) return false;
  reduce->from_left = !reduce->from_left;
  return true;
}

bool counted_twice(const Site& site) {
  if (site.as<Reduce>() == nullptr) return false;
  site.program().insert(position(site), Step(site.step()));
  return true;
}

template <class Kind>
bool dropped(const Site& site) {
  if (site.as<Kind>() == nullptr) return false;
  site.program().erase(position(site));
  return true;
}

bool into_the_wrong_operand(const Site& site) {
  Reduce* const reduce = site.as<Reduce>();
  if (reduce == nullptr) return false;
  std::swap(reduce->from, reduce->into);
  return true;
}

bool copied(const Site& site) {
  const Reduce* const reduce = site.as<Reduce>();
  if (reduce == nullptr) return false;
  site.step() = Step(Copy{reduce->from, reduce->into});
  return true;
}

/// A receive lands where it should have been combined, which is left out.
bool received_over(const Site& site) {
  const Reduce* const reduce = site.as<Reduce>();
  if (reduce == nullptr || site.place.step == 0) return false;
  auto* const receive = std::get_if<Receive>(&site.program()[site.place.step - 1]);
  if (receive == nullptr || !(receive->into == BlockList(reduce->from))) return false;
  receive->into = reduce->into;
  site.program().erase(position(site));
  return true;
}

bool aside(Blocks& run, const Subject& subject) {
  const int owners = one_vector(subject.algorithm->collective) ? 1 : subject.size;
  int& first = run.of > 1 ? run.part : run.first;
  const int count = run.of > 1 ? run.parts : run.count, most = run.of > 1 ? run.of : owners;
  if (most == count) return false;
  first += first + count < most ? 1 : -1;
  return true;
}

bool the_block_beside(const Site& site) {
  Reduce* const reduce = site.as<Reduce>();
  return reduce != nullptr && aside(site.draw(2) == 0 ? reduce->into : reduce->from, site.subject);
}

bool in_part(const Site& site) {
  Reduce* const reduce = site.as<Reduce>();
  if (reduce == nullptr) return false;
  for (Blocks* run : {&reduce->from, &reduce->into}) {
    int& length = run->of > 1 ? run->parts : run->count;
    --length;
  }
  return true;
}

bool copy_of_the_block_beside(const Site& site) {
  Copy* const copy = site.as<Copy>();
  if (copy == nullptr || copy->from.size() != 1 || copy->into.size() != 1) return false;
  BlockList& side = site.draw(2) == 0 ? copy->from : copy->into;
  Blocks run = *side.begin();
  if (!aside(run, site.subject)) return false;
  side = run;
  return true;
}

bool copied_backwards(const Site& site) {
  Copy* const copy = site.as<Copy>();
  if (copy == nullptr) return false;
  std::swap(copy->from, copy->into);
  return true;
}

constexpr Mistake all[] = {
    {"operands swapped", swapped_operands},
    {"contribution counted twice", counted_twice},
    {"reduction dropped", dropped<Reduce>},
    {"reduced into the wrong operand", into_the_wrong_operand},
    {"copied where it should be reduced", copied},
    {"received over the accumulator", received_over},
    {"reduces with the block beside", the_block_beside},
    {"reduces one block too few", in_part},
    {"copy dropped", dropped<Copy>},
    {"copies the block beside", copy_of_the_block_beside},
    {"copies backwards", copied_backwards},
};

}  // namespace

std::span<const Mistake> local_mistakes() { return all; }

}  // namespace tutti::faults
