"""Mistakes to plant where long payloads are deposited because their readers are late (src/shm/sync/deposits.hpp)."""

from fault import Fault

DEPOSITS = (
    Fault(
        "deposits: one is freed while it is read",
        "sync/slots.cpp",
        "  deposits_.free([&](const Use& earlier) { return have_left(earlier); });\n  return deposits_.reserve",
        "  deposits_.free([&](const Use&) { return true; });\n  return deposits_.reserve",
        "2d:3*bcast 70 root 0",
    ),
    Fault(
        "deposits: readers take what says where the payload lies for the payload",
        "sync/slots.cpp",
        "(note & deposited) == 0",
        "(note & deposited) <= deposited",
        "2d:3*reduce 71 root 0",
    ),
    Fault(
        "deposits: the only reader's leaving does not free one, but any other member's",
        "collectives/exchange_answers.cpp",
        "shared ? Slots::everybody : row.member",
        "row.member",
        "3d:2*bcast 20 once root 0",
    ),
    Fault(
        "deposits: a block is taken back although its reader has begun",
        "collectives/exchange_answers.cpp",
        "if (!rendezvous.comes_first(RendezvousHeader::withdrawn)) {",
        "if (!rendezvous.comes_first(RendezvousHeader::withdrawn) && slots_.forfeits()) {",
        "2d:2*gather 20 once root 0",
    ),
    Fault(
        "deposits: a reader copies from a writer that has gone on",
        "collectives/exchange.cpp",
        "may_deposit(sent) && !rendezvous->comes_first(",
        "!may_deposit(sent) && !rendezvous->comes_first(",
        "4d:bcast 20 once root 0,bcast 1 root 0",
    ),
    Fault(
        "deposits: a reader leaves before it has read what the header says is deposited",
        "collectives/exchange.cpp",
        "  else if (!reads_on)\n    slots_.leave(turn_);",
        "  else\n    slots_.leave(turn_);",
        "2d:5*gather 40 root 0",
    ),
    Fault(
        "deposits: the rest of a block is looked for where the block would begin",
        "collectives/exchange_answers.cpp",
        "at - done;",
        "at - 0 * done;",
        "2d:bcast 70 by rings",
    ),
    Fault(
        "deposits: a later chunk in the place of one that is deposited is taken for it",
        "sync/pairwise_rings.cpp",
        "deposited, number, owner) == number;",
        "deposited, number, owner) >= number;",
        "2d:4*gather 40 root 0",
    ),
    Fault(
        "striped: who withdraws leaves its own stripes out",
        "collectives/striped.cpp",
        "mine.offset, mine.count * work_.op.unit);\n    }\n",
        "mine.offset, mine.count * work_.op.unit * slots_.forfeits());\n    }\n",
        "3d:reduce 71 root 0",
    ),
    Fault(
        "striped: the root waits for the stripes of who has withdrawn",
        "collectives/striped.cpp",
        "== has_withdrawn) withdrawn_",
        "> has_withdrawn) withdrawn_",
        "3d:reduce 71 root 0",
    ),
    Fault(
        "striped: the root does not combine what was posted before it knew who has withdrawn",
        "collectives/striped.cpp",
        "chunk <= known_after_; ++chunk)",
        "chunk < known_after_; ++chunk)",
        "3d:reduce 71 root 0",
    ),
    Fault(
        "pair reductions: a contribution is deposited although the root has begun",
        "collectives/pair_reductions.cpp",
        "  if (mine.comes_first()) return true;\n",
        "  if (mine.comes_first() || part.count > 0) return true;\n",
        "2d:reduce 20 root 0 once",
    ),
    Fault(
        "pair reductions: the root waits for a member that has deposited",
        "collectives/pair_reductions.cpp",
        "    if (!theirs.comes_first()) {",
        "    if (!theirs.comes_first() && slots_.forfeits()) {",
        "2d:reduce 20 root 0 once",
    ),
)
