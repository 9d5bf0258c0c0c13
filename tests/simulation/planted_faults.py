"""Mistakes to plant in src/simulation, one at a time: tests/simulation/planted.py must find each."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from planting import Fault

FAULTS = (
    Fault(
        "a rank does not look ahead", "ordering.cpp", "return conflict >= 0 && open_", "return conflict < 0 && open_"
    ),
    Fault(
        "a step does not wait for what it reads",
        "conflicts.hpp",
        "if (const auto* send = std::get_if<Send>(&step)) return written && memory.overlap(list, send->what);",
        "if (std::holds_alternative<Send>(step)) return false;",
    ),
    Fault(
        "sizes of blocks are not sent",
        "ordering.cpp",
        "action.bytes = payload + (step.sized ? sized_header(step.what) : 0);",
        "action.bytes = payload;",
    ),
    Fault(
        "all messages count as sent between nodes",
        "ordering.cpp",
        "counts_.add(action.within, payload);",
        "counts_.add(false, payload);",
    ),
    Fault("a receive of another size is taken", "messages.cpp", "if (open.bytes == message.bytes) return;", "return;"),
    Fault("an answer does not wait for the receive", "messages.cpp", "  ready.join(open.time);\n", ""),
    Fault(
        "an answer takes no processor",
        "messages.cpp",
        "  ready.add(Part::overhead, (within ? costs_.within : costs_.between).receive);\n",
        "",
    ),
    Fault("a receiver pays no overhead", "messages.cpp", "if (!open.send) {", "if (open.send) {"),
    Fault(
        "messages of one sender overtake",
        "inbox.cpp",
        "pool[i].set < 0 && skip-- == 0) return i;\n    return -1;\n  }\n  const",
        "pool[i].set < 0) return i;\n    return -1;\n  }\n  const",
    ),
    Fault(
        "a card has no gap", "network/wires.cpp", "ready.at, gap + out, journey.now));", "ready.at, out, journey.now));"
    ),
    Fault(
        "a receiving card takes all messages at once",
        "network/wires.cpp",
        "come.wait_until(\n"
        "      reserve(receiving_, receivers_, card(journey.to, journey.card), pair, come.at, gap + in, journey.now));",
        "(void)in, (void)pair;",
    ),
    Fault("every rank has a card", "network/wires.cpp", "  contended_ |= begin > ready && known == several;\n", ""),
    Fault(
        "a late message goes behind all others",
        "network/reservations.hpp",
        "return squeeze_in(ready, length);",
        "return busy_.back().end += length, busy_.back().end - length;",
    ),
    Fault("links of a tree are free", "network/wires.cpp", "if (links_.empty()) return transfer;", "return transfer;"),
    Fault(
        "a torus has one way round",
        "network/routes.cpp",
        "const bool up = ahead <= side - ahead;",
        "const bool up = true;",
    ),
    Fault(
        "ranks that differ are folded",
        "fold.cpp",
        "fold.moved(one.peer, by) == other.peer",
        "fold.moved(one.peer, by) >= 0",
    ),
    Fault(
        "a fold counts its own messages",
        "simulate.cpp",
        "  result.counts.multiply(machine.ranks() / result.simulated);\n",
        "",
    ),
    Fault("noise comes once", "costs.cpp", "(1 + (time - before - 1) / free)", "1"),
    Fault("a slow node's card is not slow", "costs.hpp", "slow_.empty() ? time : scaled(node, time)", "time"),
    Fault(
        "leaders' results are not shared",
        "node_phases.cpp",
        "return {node.reduce(call.bytes), node.share(call.bytes), 0, 0};",
        "return {node.reduce(call.bytes), 0, 0, 0};",
    ),
    Fault(
        "a machine may have any number of cards",
        "machine.cpp",
        "machine.cards < 1 || machine.cards > machine.per_node",
        "false",
    ),
    Fault(
        "the bound takes each byte twice",
        "least_time.cpp",
        "wire.transfer(moved / machine.cards)",
        "wire.transfer(2 * moved)",
    ),
    Fault(
        "a late entry does not count",
        "simulate.cpp",
        "options.skew * lateness(",
        "0 * lateness(",
    ),
    Fault(
        "GOAL: a start is written as an end",
        "goal/binary.cpp",
        "for (const auto& list : {program.after_end(i), program.after_start(i)}) {",
        "for (const auto& list : {program.after_start(i), program.after_end(i)}) {",
    ),
    Fault(
        "GOAL: parts of ranks are counted from the file's begin",
        "goal/binary.cpp",
        "std::uint64_t at = head + size.ranks.size() * 16;",
        "std::uint64_t at = 8 + head + size.ranks.size() * 16;",
    ),
    Fault(
        "GOAL: a list of dependents may go beyond the file",
        "goal/binary.cpp",
        "if (length > 0 && std::uint64_t{first} + length > dependents.size())",
        "if (length > 0 && std::uint64_t{first} + length < dependents.size())",
    ),
    Fault(
        "GOAL: any tag is tag 4294967295", "goal/text.cpp", 'number == any ? "-1" : std::to_string', "std::to_string"
    ),
    Fault(
        "GOAL: comments do not count lines",
        "goal/text.cpp",
        "    line_ += static_cast<std::size_t>(std::count(",
        "    (void)static_cast<std::size_t>(std::count(",
    ),
    Fault("GOAL: a tag is not looked at", "goal/matching.hpp", "(tag == any || tag == message.tag)", "true"),
    Fault(
        "GOAL: a receive takes the last message of its kind",
        "goal/matching.hpp",
        "wild->second.number < exact->second.front().number",
        "wild->second.number > exact->second.front().number",
    ),
    Fault(
        "GOAL: irequires waits for the end",
        "goal/goal_engine.cpp",
        "  begun(rank, task.operation, clock);\n",
        "  begun(rank, task.operation, clock), clock.add(Part::work, 1);\n",
    ),
    Fault(
        "GOAL: who waits longest for the processor goes last",
        "goal/goal_engine.cpp",
        "  processor.waiting.push_back(task);",
        "  processor.waiting.push_front(task);",
    ),
    Fault(
        "GOAL: a rendezvous has ended when it is asked for",
        "goal/goal_engine.cpp",
        "if (!rendezvous(rank, one)) ended(rank, task.operation, clock);",
        "ended(rank, task.operation, clock);",
    ),
    Fault("GOAL: a request overtakes the data before it", "goal/goal_messages.cpp", "  come.wait_until(last);\n", ""),
    Fault(
        "GOAL: a larger message than there is room for is taken",
        "goal/goal_messages.cpp",
        "if (sent.size > room.size)",
        "if (sent.size > room.size + 100)",
    ),
    Fault(
        "GOAL: every nic is the first card", "network/wires.hpp", "/ machine_.per_node + more)", "/ machine_.per_node)"
    ),
    Fault(
        "GOAL: a message that nobody receives is forgotten",
        "goal/goal_engine.cpp",
        "if (each.left > 0 || each.matching.left()) stuck();",
        "if (each.left > 0) stuck();",
    ),
    Fault(
        "GOAL: a schedule goes on before its receives are complete",
        "goal/from_schedule.cpp",
        "required_.push_back({open_[i].operation, false});",
        "",
    ),
)
