"""Mistakes to plant in the ring of the last calls (src/hang) and in the report (python/tutti/hang); each must be found
by the unit tests of its folder."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from planting import Fault

RING = (
    Fault(
        "a call that is left stays inside",
        "entered.hpp",
        "~Entered() { record_.progress =",
        "~Entered() { (void)record_; std::uint8_t unused [[maybe_unused]] =",
    ),
    Fault(
        "calls are not numbered",
        "entered.hpp",
        "write(communicator, ++communicator.entered,",
        "write(communicator, communicator.entered,",
    ),
    Fault(
        "the ring keeps one call less",
        "entered.hpp",
        "ring.records[position % most_records]",
        "ring.records[position % (most_records - 1)]",
    ),
    Fault(
        "positions begin at 0, as what is being written",
        "entered.hpp",
        "stamp.store(position + 1,",
        "stamp.store(position,",
    ),
    Fault(
        "the call's communicator is not noted",
        "entered.hpp",
        "static_cast<std::uint16_t>(communicator.index)",
        "static_cast<std::uint16_t>(0 * communicator.index)",
    ),
    Fault("a communicator's place is used again as it was", "memory.cpp", "    entry = {};\n", ""),
    Fault("places are never given back", "memory.cpp", "  entry.flags = 0;\n", ""),
    Fault(
        "threads that have ended keep their rings",
        "memory.cpp",
        "ring.thread == 0 || syscall(SYS_tgkill, getpid(), ring.thread, 0) != 0",
        "ring.thread == 0",
    ),
    Fault("all threads have one ring", "memory.cpp", "    if (!is_free(ring)) continue;\n", ""),
    Fault(
        "the block's descriptor is closed",
        "memory.cpp",
        "    if (place != MAP_FAILED) return place;\n    close(shown);",
        "    close(shown);\n    if (place != MAP_FAILED) return place;",
    ),
    Fault(
        "another call counts as the one that waited",
        "watch.cpp",
        "if (!waits || seen_[i].stamp != stamp) {",
        "if (!waits) {",
    ),
    Fault(
        "the call that waits least counts",
        "watch.cpp",
        "now - seen_[i].since > longest.seconds",
        "!longest.record || now - seen_[i].since < longest.seconds",
    ),
    Fault("SIGKILL is a signal that may be caught", "signals.cpp", " || number == SIGKILL", ""),
)

REPORT = (
    Fault(
        "what is written meanwhile is read",
        "memory.py",
        "                data[begin : begin + 8] = bytes(8)\n",
        "                pass\n",
    ),
    Fault("any version will do", "memory.py", " or version != VERSION", ""),
    Fault(
        "a child's block is its parent's",
        "memory.py",
        "if block and block.pid == own_number(pid) else None",
        "if block else None",
    ),
    Fault("members are in a row", "memory.py", "first + i * stride for i", "first + i for i"),
    Fault("records come as they lie", "memory.py", "in sorted(found):", "in found:"),
    Fault(
        "who has come to the call is missing",
        "analysis.py",
        "rank.entered(communicator) < sequence",
        "rank.entered(communicator) <= sequence",
    ),
    Fault("roots may differ", "analysis.py", "len(roots) > 1 and", "len(roots) > 9 and"),
    Fault("nobody is held up", "analysis.py", "    return waits is not None and", "    return waits is None and"),
    Fault("who moves waits", "analysis.py", " and not rank.moved]", "]"),
    Fault(
        "the last difference counts",
        "analysis.py",
        "for number in sorted(by_number):",
        "for number in sorted(by_number, reverse=True):",
    ),
    Fault(
        "started calls hold up nobody",
        "analysis.py",
        "        if call.form != STARTED or call.communicator is None",
        "        if call.form == STARTED or call.communicator is None",
    ),
    Fault(
        "who is gone is only not known",
        "analysis.py",
        'rank.where in ("gone", "program", "asleep")',
        'rank.where in ("program", "asleep")',
    ),
    Fault("ranks in a row are cut short", "page.py", "rank == found[-1][1] + 1", "rank == found[-1][1] + 2"),
    Fault("a list has no end", "page.py", "in rows[:MOST]]\n    left", "in rows]\n    left"),
    Fault(
        "a node that did not see a rank has the say",
        "model.py",
        "known is None or (known.where",
        "known is None or (not known.where",
    ),
)
