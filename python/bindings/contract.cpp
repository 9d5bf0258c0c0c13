/// The contract's rows in words.
#include "core/contract.hpp"

#include "bindings.hpp"

namespace tutti::bindings {
namespace {

const char* words(Ranks ranks) {
  switch (ranks) {
    case Ranks::none:
      return "";
    case Ranks::root:
      return "the root";
    case Ranks::others:
      return "all but the root";
    case Ranks::all:
      return "all";
    case Ranks::later:
      return "all but rank 0";
  }
  return "";
}

std::string words(const SideContract& side) {
  if (side.ranks == Ranks::none) return "";
  const char* const shape = side.shape == Shape::vector  ? "one vector"
                            : side.shape == Shape::block ? "a block"
                                                         : "a block for each rank";
  return std::string(words(side.ranks)) + ": " + shape + (side.irregular ? ", lengths differ" : "");
}

std::string words(const Held& held, bool vector) {
  if (held.ranks == Ranks::none) return "";
  const char* const blocks = vector ? "the vector" : held.own ? "own block" : "all blocks";
  return std::string(words(held.ranks)) + ": " + blocks;
}

std::string in_place(const Contract& row) {
  switch (row.in_place) {
    case InPlace::never:
      return "";
    case InPlace::block_in_receive:
      return std::string(words(row.in_place_on)) + ": own block lies in the receive buffer";
    case InPlace::block_in_send:
      return std::string(words(row.in_place_on)) + ": own block stays in the send buffer";
    case InPlace::all_in_receive:
      return std::string(words(row.in_place_on)) + ": what is given lies in the receive buffer";
  }
  return "";
}

std::string result(const Contract& row) {
  using From = Outputs::From;
  const Outputs& result = row.result;
  if (result.ranks == Ranks::none) return "";
  const char* const data = result.data == Outputs::Data::vector  ? "the vector"
                           : result.data == Outputs::Data::owner ? "each owner's block"
                                                                 : "own block";
  const char* const from = result.from == From::root    ? "of the root"
                           : result.from == From::owner ? "of that rank"
                           : result.from == From::all   ? "of all, combined"
                           : result.from == From::to_me ? "of the ranks up to it, combined"
                                                        : "of the ranks before it, combined";
  return std::string(words(result.ranks)) + ": " + data + " " + from;
}

const char* common(CommonSize size) {
  switch (size) {
    case CommonSize::none:
      return "nothing to know";
    case CommonSize::count:
      return "the count";
    case CommonSize::counts:
      return "all counts";
    case CommonSize::pair:
      return "of two ranks, both blocks";
    case CommonSize::unknown:
      return "nothing";
  }
  return "";
}

const char* words(Awaited whom) {
  switch (whom) {
    case Awaited::nobody:
      return "nobody";
    case Awaited::root:
      return "root";
    case Awaited::earlier:
      return "earlier";
    case Awaited::all:
      return "all";
  }
  return "";
}

}  // namespace

void add_contract(nb::module_& module) {
  module.def(
      "contracts",
      [] {
        nb::list all;
        for (const Contract& row : contracts) {
          const bool vector = one_vector(row.collective);
          nb::dict words_of;
          words_of["collective"] = name(row.collective);
          words_of["send"] = words(row.send);
          words_of["receive"] = words(row.receive);
          words_of["in_place"] = in_place(row);
          words_of["input"] = words(row.input, vector);
          words_of["output"] = words(row.output, vector);
          words_of["holds_own"] = words(row.holds_own);
          words_of["result"] = result(row);
          words_of["common"] = common(row.size);
          words_of["waits"] = row.needs_all;
          all.append(words_of);
        }
        return all;
      },
      "What each collective means, in words: a row of the contract (src/core/contract.hpp) each.");
  module.def(
      "awaited",
      [](std::string_view name, Rank rank, Rank root) { return words(awaited(collective(name), rank, root)); },
      "collective"_a, "rank"_a, "root"_a,
      "Whose arrival a rank needs besides its own before it can leave: nobody, root, earlier (ranks), all.");
}

}  // namespace tutti::bindings
