"""tutti export: first-match rules as tables by number of ranks and size."""

from helpers.profiles import PROFILE, read
from tutti.export import rules
from tutti.export.rules import Report


def test_nodes_and_ranks_a_node_stand_for_the_ranks_that_fill_them(profile):
    found = read(profile())
    assert [rule.ranks for rule in found] == [(8, 15), (8, None), (16, 16), (16, 16), (2, None), (16, 16)]
    assert found[0].size == (64 << 10, None) and found[1].size == rules.ANY


def test_first_matches_become_tables_without_gaps(profile):
    bcast = read(profile())[:2]
    low, middle, high = rules.bands([(rule, rule.use) for rule in bcast])
    assert [(band.low, band.high) for band in (low, middle, high)] == [(2, 7), (8, 15), (16, None)]
    assert [(piece.low, piece.high, piece.value) for piece in middle.pieces] == [
        (0, 65535, "binomial"),
        (65536, None, "pipelined_chain(segment=32K)"),
    ]
    assert low.pieces[0].value is None and high.pieces[0].value == "binomial"


def test_doublings_end_with_their_band():
    assert rules.steps(rules.Band(3, 13, ())) == [(3, 5), (6, 11), (12, 13)]
    assert rules.steps(rules.Band(16, 16, ())) == [(16, 16)]
    assert rules.steps(rules.Band(2, None, ()), largest=8) == [(2, 3), (4, 7), (8, None)]


def test_a_placement_and_a_library_narrow_an_export(profile):
    report = Report()
    text = PROFILE + '[[rule]]\ncollective = "gather"\nuse = "linear"\nmpi = "Intel MPI"\n'
    text += '[[rule]]\ncollective = "gather"\nuse = "linear"\ncpus = "shared"\n'
    found = rules.chosen_for(read(profile(text)), "Open MPI", 2, 4, report)
    assert {rule.collective for rule in found} == {"bcast", "scan", "alltoall"}
    assert {line.text for line in report.lines} == {
        "it is not about 2 nodes", "the rule holds under another MPI library alone",
        "it is about ranks that share CPUs",
    }  # fmt: skip
