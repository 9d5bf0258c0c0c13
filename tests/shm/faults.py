"""Mistakes to plant in src/shm, one at a time: tests/shm/protocol.py must find each."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import planting


@dataclass(frozen=True)
class Fault(planting.Fault):
    """A mistake in src/shm."""

    programs: str = "2:aa"  # those that show it


FAULTS = (
    Fault(
        "a slot is reused one turn too early",
        "sync/slots.hpp",
        ".turn <= left_by_all_; }",
        ".turn <= left_by_all_ + 1; }",
        "2:bba",
    ),
    Fault(
        "a turn is known to be left when it is only met",
        "sync/slots.hpp",
        "if (turn - 1 > left_by_all_) left_by_all_ = turn - 1;",
        "if (turn > left_by_all_) left_by_all_ = turn;",
    ),
    Fault("a slot's only reader is not waited for", "sync/slots.cpp", "return has_left(use.reader);", "return true;"),
    Fault(
        "one reader in the row is not waited for",
        "sync/slots.cpp",
        "member == me_) continue;\n    if (!has_left",
        "member == 0) continue;\n    if (!has_left",
    ),
    Fault(
        "a reader's progress is taken for one turn more",
        "sync/slots.cpp",
        "if (known >= turn) return;",
        "if (known + 1 >= turn) return;",
    ),
    Fault(
        "backlog: an entry is freed while it is read",
        "sync/slots.cpp",
        "while (!backlog_.empty() && have_left(backlog_.oldest()))",
        "while (!backlog_.empty())",
        "2:8*bcast 1 root 0",
    ),
    Fault(
        "backlog: a place of the index is taken again one turn too early",
        "sync/backlog.cpp",
        "turn >= places_",
        "turn > places_",
        "2:3*bcast 1 root 0,2*bcast 0,2*bcast 1 root 0",
    ),
    Fault(
        "backlog: an entry is announced before it is there",
        "sync/slots.cpp",
        "  note_place();\n  backlog_.keep(",
        "  newest_ahead(me_).store(turn);\n  notify(bell(me_));\n  backlog_.keep(",
        "2:5*bcast 1 root 0",
    ),
    Fault(
        "backlog: a slot that holds a later turn is taken for the reader's",
        "sync/slots.hpp",
        "    if (seen != turn) [[unlikely]]\n",
        "    if (seen < turn) [[unlikely]]\n",
        "2:8*bcast 1 root 0",
    ),
    Fault(
        "backlog: readers wait for the slot alone",
        "sync/slots.hpp",
        "until_either(mark(member, turn), newest_ahead(member),",
        "until_either(mark(member, turn), mark(member, turn),",
        "2:5*bcast 1 root 0",
    ),
    Fault(
        "backlog: mailboxes that are close together are read where they lie otherwise",
        "collectives/exchange.cpp",
        "    start += stride_bytes;\n",
        "",
        "3:4*scatter 1 uneven root 0",
    ),
    Fault("bcast: readers never leave", "collectives/movement.cpp", "      slots.leave(turn);\n", ""),
    Fault(
        "bcast: the root never leaves",
        "collectives/movement.cpp",
        "if (slots.me() == root) slots.leave(first + turns - 1);",
        "",
        "2:|bb|",
    ),
    Fault(
        "bcast of nothing is not left",
        "group.cpp",
        "if (bytes == 0) return slots.leave(first);",
        "if (bytes == 0) return;",
        "2:|bb|",
    ),
    Fault(
        "barrier: nobody waits",
        "collectives/movement.cpp",
        "  slots.await_all(turn);\n  slots.met(turn);\n",
        "  slots.met(turn);\n",
    ),
    Fault(
        "reduce: a turn that the root alone awaits counts as met",
        "collectives/reduction.cpp",
        "  if (all)\n    slots.met(turn);\n  else\n    slots.leave(turn);",
        "  slots.met(turn);",
        "2:bba",
    ),
    Fault(
        "reduce: left before it is read",
        "collectives/reduction.cpp",
        "    if (read) combine(",
        "    slots.leave(first + chunk);\n    if (read) combine(",
    ),
    Fault(
        "reduce: chunks are posted a ring ahead",
        "collectives/reduction.cpp",
        "ahead = Slots::depth / 2",
        "ahead = Slots::depth + 1",
    ),
    Fault(
        "striped: left one turn too far",
        "collectives/striped.cpp",
        "slots_.leave(contribution(chunk + 1) - 1)",
        "slots_.leave(contribution(chunk + 1) + 1)",
        "3:a",
    ),
    Fault(
        "reduce_scatter: a turn that some do not await counts as met",
        "collectives/reduce_scatter.cpp",
        "if (work.blocks.least(slots.size()) != 0)",
        "if (work.blocks.most(slots.size()) != 0)",
        "2:bcast 1 root 1,reduce_scatter to 0,bcast 70 root 1",
    ),
    Fault(
        "scan: a member that reads nothing does not leave",
        "collectives/scan.cpp",
        "    slots.leave(first + chunk);",
        "    if (read) slots.leave(first + chunk);",
        "2:|aa|",
    ),
    Fault(
        "scan: a member of the chain leaves what it still reads",
        "collectives/scan.cpp",
        "    const std::byte* const sum = last_ ?",
        "    slots_.leave(turn);\n    const std::byte* const sum = last_ ?",
        "3:scan 40,scan 40",
    ),
    Fault(
        "ring: a place is filled before it has been read",
        "sync/pairwise_rings.cpp",
        "  slots_.until(mine.read, held.number, held.reader);\n",
        "",
    ),
    Fault(
        "ring: a chunk is given back before it is copied",
        "sync/pairwise_rings.cpp",
        ("  timed(cycles, [&] { slots_.read(Traffic::ring, theirs.note, into, payload(theirs), bytes); });\n"),
        (
            "  theirs.read.store(number, std::memory_order_release);\n"
            "  slots_.ring();\n"
            "  timed(cycles, [&] { slots_.read(Traffic::ring, theirs.note, into, payload(theirs), bytes); });\n"
        ),
    ),
    Fault(
        "ring: a chunk is announced before it is there",
        "sync/pairwise_rings.cpp",
        "  timed(cycles, [&] { note = slots_.fill_ring(payload(mine), from, bytes, held.reader); });\n",
        (
            "  mine.written.store(number, std::memory_order_release);\n"
            "  slots_.ring();\n"
            "  timed(cycles, [&] { note = slots_.fill_ring(payload(mine), from, bytes, held.reader); });\n"
        ),
    ),
    Fault(
        "one copy: the writer does not wait for the answer",
        "collectives/exchange.cpp",
        "    collect_answers();\n    carry();",
        "    carry();",
    ),
    Fault(
        "one copy: a refusal is answered as a copy",
        "collectives/exchange.cpp",
        "done ? RendezvousHeader::copied : RendezvousHeader::refused",
        "RendezvousHeader::copied",
    ),
    Fault(
        "joint copy: the reader does not wait for the writer's pieces",
        "copy/joint_copy.cpp",
        "pieces(rendezvous) - rendezvous.read",
        "0 * (pieces(rendezvous) - rendezvous.read)",
    ),
    Fault(
        "joint copy: a piece that the writer could not write counts as written",
        "copy/joint_copy.cpp",
        "      rendezvous.failed.store(true, std::memory_order_relaxed);\n    rendezvous.written",
        "      (void)0;\n    rendezvous.written",
        "2:gather 53 once root 1",
    ),
    Fault(
        "joint copy: a piece is taken by nobody",
        "copy/joint_copy.cpp",
        "rendezvous.taken.fetch_add(1, std::memory_order_relaxed)",
        "rendezvous.taken.fetch_add(2, std::memory_order_relaxed)",
    ),
    Fault(
        "joint copy: the writer does not wait for the answer",
        "copy/joint_copy.cpp",
        "  slots_.until(rendezvous.answer, RendezvousHeader::copied, reader);\n",
        "",
    ),
    Fault(
        "pair reductions: what one member was refused the other takes for read",
        "collectives/pair_reductions.cpp",
        "return mine.start != nullptr && theirs.start != nullptr ? Said::both",
        "return mine.start != nullptr ? Said::both",
        "2:allreduce 21 once",
    ),
    Fault(
        "pair reductions: a member goes on before the other has read",
        "collectives/pair_reductions.cpp",
        "  if (exchange({read ? part.in : nullptr, 1}) != Said::both) return false;\n  if (part.reads) combine(",
        "  if (!read) return false;\n  if (part.reads) combine(",
        "2:allreduce 20 once",
    ),
    Fault(
        "blocks in mailboxes: a turn that few await counts as met",
        "collectives/pairwise.cpp",
        "exchange.close(windows.packed != 0 && alike)",
        "exchange.close(true)",
        "2:bcast 1 root 0,alltoall 3 uneven,bcast 70 root 0",
    ),
    Fault(
        "tree: leaders do not wait for one another's domains",
        "collectives/tree.cpp",
        "    for (const int leader : tree.leaders()) slots.await(leader, arrival);\n",
        "",
        "3/010:barrier",
    ),
    Fault(
        "tree: the root of a bcast never leaves",
        "collectives/tree.cpp",
        "    slots.leave(turn);  // the root too",
        "    if (slots.me() != root) slots.leave(turn);  // the root too",
        "3/010:bcast 70 root 1,bcast 70 root 1",
    ),
    Fault(
        "tree: leaders write again before they know that all have left",
        "collectives/tree.cpp",
        "  slots.met(first);\n  std::byte* const all",
        "  std::byte* const all",
        "3/010:bt",
    ),
    Fault(
        "tree: packages count as left while others read them",
        "collectives/tree.cpp",
        "  slots.met(first);\n  std::byte* const all",
        "  slots.met(together);\n  std::byte* const all",
        "3/010:tt",
    ),
    Fault(
        "bcast: receivers go by what they expect",
        "group.cpp",
        "slots.told(source, first, bytes)",
        "bytes",
        "2:bcast 70 for 10 root 0,barrier",
    ),
    Fault(
        "bcast: a leader that copies once says nothing to its domain",
        "group.cpp",
        "if (tree && tree->forwards(work.root)) announce(first, work.bytes);",
        "",
        "3/011:bcast 70 for 10 root 0 once",
    ),
    Fault(
        "scatter: readers go by what they expect",
        "collectives/pairwise.cpp",
        "block = slots.told(root, first, block)",
        "block = 1 * block",
        "3:scatter 1 and 20",
    ),
    Fault(
        "a block that is longer than expected is copied whole",
        "collectives/exchange.cpp",
        "  return std::min(sent, expected);",
        "  return sent;",
        "2:bcast 70 for 10 root 0 once",
    ),
    Fault(
        "forfeit: what a member has heard is not passed on",
        "sync/slots.hpp",
        "note_ | marks_ |",
        "note_ | (forfeits_ ? marks_ : 0) |",
        "3/010:allreduce 1 without 2",
    ),
    Fault(
        "forfeit: readers take what is not there",
        "collectives/exchange.cpp",
        "(note & Slots::hollow) != 0",
        "(note >> 2 & Slots::hollow) != 0",
        "2:alltoall 21 once without 0",
    ),
    Fault(
        "forfeit: the mark outlives the call",
        "sync/slots.hpp",
        "std::exchange(marks_, forfeits_ ? hollow | failed : 0) != 0",
        "marks_ != 0",
        "2:allreduce 1 without 0,alltoall 1 and 20",
    ),
)
