#include "analysis/timeline.hpp"

#include "algorithms/study.hpp"
#include "bindings.hpp"

namespace tutti::bindings {

void add_timeline(nb::module_& module) {
  nb::class_<MessagePiece>(module, "Piece",
                           "One block of a message: parts [part, part + parts) of `of` of an owner's block.")
      .def_ro("owner", &MessagePiece::owner)
      .def_ro("part", &MessagePiece::part)
      .def_ro("parts", &MessagePiece::parts)
      .def_ro("of", &MessagePiece::of)
      .def_ro("ranks", &MessagePiece::ranks, "who contributed");

  nb::class_<Timeline::Message>(module, "Message", "A message that begins at time `begin` and ends one later.")
      .def_ro("begin", &Timeline::Message::begin)
      .def_ro("sender", &Timeline::Message::from)
      .def_ro("receiver", &Timeline::Message::to)
      .def_ro("pieces", &Timeline::Message::pieces, "what it holds; [] in a message of tokens")
      .def_ro("sized", &Timeline::Message::sized, "begins with the sizes of its blocks")
      .def_ro("in_any_order", &Timeline::Message::in_any_order, "another one may come in its place")
      .def_ro("sent", &Timeline::Message::sent, "its blocks, as the sender names them")
      .def_ro("received", &Timeline::Message::received, "its blocks, as the receiver names them");

  nb::class_<Timeline::Work>(module, "Work", "A reduction or a copy.")
      .def_ro("at", &Timeline::Work::at)
      .def_ro("rank", &Timeline::Work::rank)
      .def_ro("reduces", &Timeline::Work::reduces)
      .def_ro("text", &Timeline::Work::text, "the step");

  nb::class_<Timeline>(module, "Timeline", "All ranks' schedules in time, a unit a message.")
      .def_ro("end", &Timeline::end, "the number of rounds")
      .def_ro("messages", &Timeline::messages)
      .def_ro("works", &Timeline::works);

  module.def(
      "schedule_timeline",
      [](std::string_view which, std::string_view spec, int size, Rank root, std::int64_t bytes) {
        const Flat of = flat(which, spec, size, bytes);
        return schedule_timeline(of.algorithm, size, root, of.parameters);
      },
      "collective"_a, "spec"_a, "size"_a, "root"_a = 0, "bytes"_a = -1,
      "What all ranks' schedules do, and when.  `bytes` matters where the spec has a segment size.");
}

}  // namespace tutti::bindings
