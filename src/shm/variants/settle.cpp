/// Which variant carries a call out.
#include <algorithm>

#include "core/borders.hpp"
#include "shm/collectives/cut.hpp"
#include "shm/group.hpp"
#include "shm/variants/variants.hpp"

namespace tutti::shm {
namespace {

using Room = VariantLimits::Room;

bool has_room(Room room, const VariantCall& call, const VariantLayout& layout) {
  const auto members = static_cast<std::size_t>(layout.members);
  switch (room) {
    case Room::any:
      return true;
    case Room::element:
      return call.unit <= layout.slot;
    case Room::call:
      return call.bytes <= layout.slot;
    case Room::row:
      return call.bytes <= layout.slot / members;
    case Room::piece:
      return Cut(layout.slot, members, std::max<std::size_t>(call.longest, 1), call.unit).each > 0;
  }
  return false;
}

std::string_view lacking(Room room) {
  switch (room) {
    case Room::any:
      return "";
    case Room::element:
      return "an element is longer than a slot";
    case Room::call:
      return "the blocks are longer than a slot together";
    case Room::row:
      return "the data of all ranks is longer than a slot";
    case Room::piece:
      return "a slot has no room for an element of each block";
  }
  return "";
}

/// Whether members who would else leave early may be made to wait for others.  In a reduce not where CPUs are short, as
/// they free theirs; nor where messages so short would leave their senders free to go on: programs count on that.
bool may_wait(const VariantCall& call, const VariantLayout& layout) {
  return call.collective != Collective::reduce || (!layout.oversubscribed && call.bytes >= layout.rooted_from);
}

/// A possible one.
bool preferred(const VariantRow& row, const VariantCall& call, const VariantLayout& layout) {
  switch (row.unasked) {
    case Unasked::always:
      return true;
    case Unasked::never:
      return false;
    case Unasked::by_size:
    case Unasked::by_clock:
      return may_wait(call, layout);
    case Unasked::shared:  // each reader combines p contributions from slots, the work of about two in stripes
      return layout.members > 2 && may_wait(call, layout) &&
             call.bytes * static_cast<std::size_t>(layout.members - 2) >= layout.stripe_from;
    case Unasked::chained:  // of two members neither combines anything that the other has
      return layout.members > 2 && call.bytes >= layout.chain_from;
  }
  return false;
}

/// Each block takes the way of its own bytes.
Variant settle_blocks(const VariantLayout& layout, const Borders& borders) {
  const std::size_t from = std::min(borders.single_copy, borders.by_clock);
  if (from == Borders::never || !layout.single_copy) return Variant::rings;
  return borders.single_copy <= 1 ? Variant::one_copy : Variant::any;
}

}  // namespace

std::string_view obstacle(const VariantRow& row, const VariantCall& call, const VariantLayout& layout,
                          const Borders& borders) {
  const VariantLimits& limits = row.limits;
  if (layout.members < limits.least_members) return "there is one rank";
  if (layout.members > limits.most_members) return "it is of two ranks";
  if (limits.domains && !layout.domains) return "the ranks are in one domain";
  if (limits.single_copy && !layout.single_copy) return "ranks cannot read each other's memory";
  if (call.bytes == VariantCall::unknown) return "";
  if (call.bytes < limits.least_bytes) return "nothing is moved";
  if (call.bytes > limits.most_bytes) return "the data is longer than the line that announces it";
  if (row.variant == Variant::one_copy && call.bytes < borders.single_copy) return "the data is too short";
  if (row.variant == Variant::clock && call.bytes < borders.by_clock) return "the data is too short";
  return has_room(limits.room, call, layout) ? "" : lacking(limits.room);
}

Variant settle(const VariantCall& call, const VariantLayout& layout, const Borders& borders) {
  if (borders.asked != Variant::any)
    if (const VariantRow* row = find_variant(call.collective, borders.asked))
      if (obstacle(*row, call, layout, borders).empty()) return row->variant;
  if (call.bytes == VariantCall::unknown) return settle_blocks(layout, borders);
  for (const VariantRow& row : variants_about(call.collective))
    if (row.serves(call.collective) && preferred(row, call, layout) && obstacle(row, call, layout, borders).empty())
      return row.variant;
  return Variant::slots;
}

bool has_halves(const VariantCall& call, const VariantLayout& layout, const Borders& borders) {
  using enum Collective;
  const Variant variant = settle(call, layout, borders);
  switch (call.collective) {
    case barrier:
      return variant != Variant::tree;
    case bcast:
      return variant == Variant::slots && !layout.domains && call.bytes <= layout.slot;
    case reduce:
    case allreduce:
      return variant == Variant::line || variant == Variant::slots;
    case allgather:
    case allgatherv:
    case scan:
    case exscan:
      return variant == Variant::slots;
    case reduce_scatter:
    case reduce_scatter_block:
      return variant == Variant::packed;
    case gather:
    case scatter:
    case alltoall: {  // of blocks that lie in one turn's mailboxes
      const std::size_t once_from =
          layout.single_copy ? std::min(borders.single_copy, borders.by_clock) : Borders::never;
      return call.bytes < once_from && call.bytes <= layout.slot / static_cast<std::size_t>(layout.members);
    }
    default:
      return false;
  }
}

VariantLayout usual_layout(int members, bool domains) {
  const ShmGroupOptions options;
  return {.members = members,
          .domains = domains,
          .single_copy = true,
          .slot = chunks[0],
          .stripe_from = borders::worth_a_synchronisation(members, members),
          .rooted_from = borders::waits_for_nobody,
          .chain_from = options.chain_from};
}

}  // namespace tutti::shm
