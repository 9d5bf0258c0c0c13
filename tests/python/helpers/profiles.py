"""A profile with rules of all kinds, and what `tutti export` makes of it."""

from tutti.export import rules

PROFILE = """schema = 1
[[rule]]
collective = "bcast"
use = "pipelined_chain(segment=32K)"
ranks = "8:15"
size = "64K:"
[[rule]]
collective = "bcast"
use = "binomial"
ranks = "8:"
[[rule]]
collective = "allgather"
use = "ring"
nodes = "4"
ppn = "4"
size = "1K:64K"
[[rule]]
collective = "allreduce"
use = "node(ring, senders=4)"
nodes = "4"
ppn = "4"
size = "64K:"
[[rule]]
collective = "scan"
use = "linear"
size = "8:1K"
[[rule]]
collective = "alltoall"
use = "staggered(window=4)"
ranks = "16"
"""


def read(file):
    found, warnings = rules.read(file)
    assert warnings == []
    return found


def outcomes(report):
    return {(line.rule.collective, line.rule.line): (line.outcome, line.text) for line in report.lines}


def parse_classic(text):
    """As coll/tuned reads: {collective: [(ranks, [fields])]}.  Anything left over is an error."""
    words = [word for line in text.splitlines() for word in line.partition("#")[0].split()]
    fields = 4
    if words[0] == "rule-file-version-2":
        words, fields = words[1:], 5
    numbers = iter(map(int, words))
    tables = {}
    for _ in range(next(numbers)):
        table = tables.setdefault(next(numbers), [])
        for _ in range(next(numbers)):
            ranks, count = next(numbers), next(numbers)
            table.append((ranks, [tuple(next(numbers) for _ in range(fields)) for _ in range(count)]))
    assert next(numbers, None) is None
    return tables
