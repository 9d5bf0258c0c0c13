"""Mistakes to plant in src/core and src/analysis, one at a time: tests/faults/planted.py must find each."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from planting import Fault

FAULTS = (
    Fault(
        "gather: no rank has an input",
        "core/contract.hpp",
        "all.ranks == Ranks::root ? own_elsewhere : nobody",
        "nobody",
    ),
    Fault(
        "gather: the output does not hold the root's own",
        "core/contract.hpp",
        ".holds_own = all.ranks,",
        ".holds_own = Ranks::none,",
    ),
    Fault(
        "scatter: the root has no input",
        "core/contract.hpp",
        ".input = at_root,",
        ".input = nobody,",
    ),
    Fault(
        "scatter: others have blocks of all",
        "core/contract.hpp",
        "own_elsewhere{Ranks::others, true}",
        "own_elsewhere{Ranks::others, false}",
    ),
    Fault(
        "alltoall: no input",
        "core/contract.hpp",
        ".in_place = InPlace::all_in_receive,\n          .input = everywhere,\n          .output = everywhere,",
        ".in_place = InPlace::all_in_receive,\n          .input = nobody,\n          .output = everywhere,",
    ),
    Fault(
        "alltoall: the output does not hold the own block",
        "core/contract.hpp",
        ".output = everywhere,\n          .holds_own = Ranks::all,",
        ".output = everywhere,\n          .holds_own = Ranks::none,",
    ),
    Fault(
        "bcast: every rank's output holds its own",
        "core/contract.hpp",
        ".holds_own = Ranks::root,",
        ".holds_own = Ranks::none,",
    ),
    Fault(
        "bcast: nobody has an output",
        "core/contract.hpp",
        ".receive = vector_of_all,\n       .output = everywhere,",
        ".receive = vector_of_all,\n       .output = nobody,",
    ),
    Fault(
        "reductions: the output does not hold the own",
        "core/contract.hpp",
        ".holds_own = exclusive ? Ranks::none : Ranks::all,",
        ".holds_own = Ranks::none,",
    ),
    Fault(
        "exscan: no input",
        "core/contract.hpp",
        ".input = exclusive ? everywhere : nobody,",
        ".input = nobody,",
    ),
    Fault(
        "reduce: an output at the root alone",
        "core/contract.hpp",
        ".output = {exclusive ? results : Ranks::all},",
        ".output = {results},",
    ),
    Fault(
        "reduce_scatter: no input",
        "core/contract.hpp",
        ".input = everywhere,\n          .output = {Ranks::all, true},",
        ".input = nobody,\n          .output = {Ranks::all, true},",
    ),
    Fault(
        "parts: a part begins one element late",
        "core/layout.hpp",
        "return {start(part), start(part + parts) - start(part)};",
        "return {start(part) + 1, start(part + parts) - start(part)};",
    ),
    Fault(
        "rows: as large as the first run",
        "core/spaces.cpp",
        "most = std::max(most, before(i + count) - before(i));",
        "most = before(count);",
    ),
    Fault(
        "floating: placed as if anchored",
        "core/spaces.cpp",
        "area.floating ? 0 : start - declared.start",
        "start - declared.start",
    ),
    Fault(
        "ranges: the last one grows where none continues it",
        "core/spaces.hpp",
        "ranges.back().first + ranges.back().count == range.first)",
        "true)",
    ),
    Fault(
        "output taken for input",
        "core/spaces.cpp",
        "output_.append(what, output_space, ranges);",
        "output_.append(what, input_space, ranges);",
    ),
    Fault(
        "learned: all positions in one space",
        "core/spaces.cpp",
        "declared.space + what.first - area.first + i",
        "declared.space",
    ),
    Fault(
        "binder: a copy's sides exchanged",
        "core/binder.cpp",
        "side(copy.from, bound.from);\n                   side(copy.into, bound.into);",
        "side(copy.into, bound.from);\n                   side(copy.from, bound.into);",
    ),
    Fault(
        "binder: the left operand on the right",
        "core/binder.cpp",
        "reduce.from_left ? Kind::reduce_left : Kind::reduce_right",
        "reduce.from_left ? Kind::reduce_right : Kind::reduce_left",
    ),
    Fault(
        "binder: whoever comes is rank 0",
        "core/binder.cpp",
        "bound.peer = send.to,",
        "bound.peer = 0,",
    ),
)
