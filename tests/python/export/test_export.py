"""tutti export: first-match rules as tables of other libraries, and the report of what these cannot say."""

import json
from pathlib import Path

import pytest
from helpers.mpich_trees import GENERIC, choice
from tutti import core
from tutti.bench.launch import library_of
from tutti.errors import UserError
from tutti.export import han, intel, mpich, openmpi, rules, ucc
from tutti.export.rules import Report
from tutti.site import mpi

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


@pytest.fixture
def profile(tmp_path):
    def write(text: str = PROFILE) -> Path:
        file = tmp_path / "cluster.toml"
        file.write_text(text)
        return file

    return write


def read(file):
    found, warnings = rules.read(file)
    assert warnings == []
    return found


def outcomes(report):
    return {(line.rule.collective, line.rule.line): (line.outcome, line.text) for line in report.lines}


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


def test_the_classic_file_has_guards_and_sizes_of_whole_calls(profile):
    report = Report()
    tables = parse_classic(openmpi.classic(read(profile()), (5, 0, 6), report))
    ids = openmpi.IDS
    assert tables[ids["bcast"]] == [
        (0, [(0, 0, 0, 0)]),
        (2, [(0, 0, 0, 0)]),
        (8, [(0, 6, 0, 0), (65536, 3, 0, 32768)]),
        (16, [(0, 6, 0, 0)]),
    ]
    # From 1 KiB a rank on is 16 KiB of 16 ranks; more ranks are the library's own again.
    assert tables[ids["allgather"]][-2:] == [
        (16, [(0, 0, 0, 0), (16 << 10, 4, 0, 0), (((64 << 10) + 1) * 16, 0, 0, 0)]),
        (17, [(0, 0, 0, 0)]),
    ]
    assert set(tables) == {ids["bcast"], ids["allgather"], ids["alltoall"]}
    told = outcomes(report)
    assert told[("allreduce", 17)] == ("left out", "coll/tuned knows no nodes; tutti export han says more")
    assert told[("scan", 23)] == ("left out", "the file knows no size of scan")
    assert told[("alltoall", 27)][0] == "approximated" and "window" in told[("alltoall", 27)][1]


def test_a_fifth_field_is_written_where_the_version_reads_it(profile):
    text = openmpi.classic(read(profile()), (5, 0, 11), Report())
    assert text.startswith("rule-file-version-2\n")
    assert (16, [(0, 4, 0, 0, 4)]) in parse_classic(text)[openmpi.IDS["alltoall"]]


@pytest.mark.parametrize(("collective", "name"), [(c, n) for c, table in openmpi.ALGORITHMS.items() for n in table])
def test_names_of_ours_in_the_tables_are_of_the_catalogue(collective, name):
    assert core.load().parse_spec(name, collective)


@pytest.mark.parametrize("tables", [intel.ALGORITHMS, intel.TOPOLOGY_AWARE, ucc.ALGORITHMS, mpich.ALGORITHMS])
def test_so_are_those_of_the_other_formats(tables):
    for collective, table in tables.items():
        assert all(core.load().parse_spec(name, collective) for name in table)


def test_json_knows_one_node_from_several(profile):
    text = 'schema = 1\n[[rule]]\ncollective = "allreduce"\nuse = "ring"\nnodes = "1"\nsize = "0:1K"\n'
    text += '[[rule]]\ncollective = "allreduce"\nuse = "segmented_ring(segment=8K)"\nsize = "2K:"\n'
    found = json.loads(openmpi.as_json(read(profile(text)), (6, 0), Report()))["collectives"]["allreduce"]
    assert [row["comm_rank_distribution"] for row in found] == ["single-node", "any"]
    inside, anywhere = (row["rules"] for row in found)
    assert inside[0] == {"msg_size_min": 0, "msg_size_max": 1024, "alg": "ring"}
    assert inside[-1] == {"msg_size_min": 2048, "msg_size_max": "inf", "alg": "segmented_ring", "seg_size": 8192}
    assert anywhere[0] == {"msg_size_min": 0, "msg_size_max": 2047, "alg": 0}


def test_han_names_who_serves_and_begins_at_one_rank(profile):
    report = Report()
    lines = [line.partition("#")[0].strip() for line in han.export(read(profile()), (5, 0, 11), report).splitlines()]
    assert lines[0] == "3"
    start = lines.index("allreduce")
    assert lines[start + 1 : start + 7] == ["1", "global_communicator", "4", "1", "1", "0 han"]
    assert "65536 han @simple" in lines and lines[lines.index("65536 han @simple") - 1] == "0 han"
    assert outcomes(report)[("allreduce", 17)][0] == "approximated"
    assert outcomes(report)[("alltoall", 27)] == ("left out", "coll/han does not serve alltoall")
    old = han.export(read(profile()), (4, 1, 6), Report())
    assert "@" not in old and "global" not in old and "\n0 6\n" in old


def entry_of_5(rows, ranks):
    """As readers up to 5.0: from an entry's size on; the first one for smaller communicators, too."""
    return next((of for size, of in reversed(rows) if size <= ranks), rows[0][1])


def entry_of_6(rows, ranks):
    """As readers from 6.0 on: below an entry's size, from that of the one before; the last one without an end."""
    low = 0
    for place, (size, of) in enumerate(rows):
        high = None if place == len(rows) - 1 else size - 1
        if low <= ranks and (high is None or ranks <= high):
            return of
        low = size
    return None


def number_at(entry, size):
    return [fields[1] for fields in entry if fields[0] <= size][-1]


def json_at(rows, ranks, size):
    """The first that holds; `inf` has no end."""

    def holds(row, name, value):
        high = row[f"{name}_max"]
        return row[f"{name}_min"] <= value and (high == "inf" or value <= high)

    for row in rows:
        if holds(row, "comm_size", ranks):
            found = next((rule["alg"] for rule in row["rules"] if holds(rule, "msg_size", size)), 0)
            return found or 0
    return 0


# Of bcast: ranks, size, what the profile says, by number and by name.
MEANT = [(4, 8, 0, 0), (8, 8, 6, "binomial"), (12, 1 << 20, 3, "pipeline"), (16, 1 << 20, 6, "binomial"),
         (500, 8, 6, "binomial")]  # fmt: skip


def test_a_classic_file_is_for_versions_up_to_5_0(profile):
    report = Report()
    rows = parse_classic(openmpi.export(read(profile()), (5, 0, 11), report))[openmpi.IDS["bcast"]]
    assert all(number_at(entry_of_5(rows, ranks), size) == number for ranks, size, number, _ in MEANT)
    # 6.0 would take every entry but the last for the sizes of the one before it.
    assert any(number_at(entry_of_6(rows, ranks), size) != number for ranks, size, number, _ in MEANT)
    assert any("--mpi-version 6.0 writes" in note for note in report.notes)


def test_6_0_gets_json_which_says_the_same(profile):
    report = Report()
    tree = json.loads(openmpi.export(read(profile()), (6, 0), report))
    rows = tree["collectives"]["bcast"]
    assert all(json_at(rows, ranks, size) == name for ranks, size, _, name in MEANT)
    assert any("this is its JSON" in note for note in report.notes)


def test_one_entry_means_the_same_to_all_versions(profile):
    report = Report()
    text = 'schema = 1\n[[rule]]\ncollective = "scan"\nuse = "recursive_doubling"\nranks = "1:"\n'
    rows = parse_classic(openmpi.export(read(profile(text)), (5, 0, 11), report))[openmpi.IDS["scan"]]
    if len(rows) == 1:
        assert entry_of_5(rows, 8) == entry_of_6(rows, 8)
    assert any("--mpi-version 6.0" in note for note in report.notes) == (len(rows) > 1)


@pytest.fixture
def library(tmp_path):
    """A stand-in for libmpi with a tree in it, between other bytes and another tree."""
    file = tmp_path / "libmpi.so.12"
    device = b'{"collective=bcast":{"composition=MPIDI_X":{}}}'
    file.write_bytes(b"\x7fELF\0" + device + b"\0" + json.dumps(GENERIC, separators=(",", ":")).encode() + b"\0rest")
    return file


def test_mpich_keeps_its_own_tree_around_the_rules(profile, library):
    report = Report()
    tree = json.loads(mpich.export(read(profile()), library, report))
    assert list(tree) == list(GENERIC)
    assert choice(tree, "bcast", 4, 8) == "own"
    assert choice(tree, "bcast", 8, 8) == "binomial"
    assert choice(tree, "bcast", 12, 1 << 20) == "pipelined_tree"
    assert choice(tree, "bcast", 100, 1 << 20) == "binomial"
    assert choice(tree, "allgather", 16, 1 << 12) == "ring"
    assert choice(tree, "allgather", 16, 1 << 17) == "own"
    assert choice(tree, "allgather", 15, 1 << 12) == "own"
    assert choice(tree, "alltoall", 16, 1 << 12) == "scattered"
    assert choice(tree, "allreduce", 16, 1 << 17) == "smp"
    assert choice(tree, "allreduce", 16, 1 << 10) == "own"
    # The communicator of one rank a node, which smp makes, takes what runs between nodes.
    assert choice(tree, "allreduce", 4, 1 << 17, hierarchy="node_roots") == "ring"
    assert outcomes(report)[("scan", 23)][0] == "left out"
    assert outcomes(report)[("allreduce", 17)] == (
        "approximated", "MPIR_Allreduce_intra_smp, and MPIR_Allreduce_intra_ring between nodes: one rank a node sends",
    )  # fmt: skip


def test_a_library_without_rules_is_refused(profile, tmp_path):
    other = tmp_path / "libother.so"
    other.write_bytes(b"nothing")
    with pytest.raises(UserError, match="no MPICH 4"):
        mpich.generic_tree(other)


def test_thresholds_fit_an_int(profile, library):
    text = 'schema = 1\n[[rule]]\ncollective = "allgather"\nuse = "ring"\nranks = "1024"\nsize = "0:1G"\n'
    tree = json.loads(mpich.export(read(profile(text)), library, Report()))
    assert choice(tree, "allgather", 1024, 1 << 30) == "ring"


def test_intel_gets_ranges_of_sizes_and_ranks(profile):
    report = Report()
    text = intel.export(read(profile()), report)
    assert "export I_MPI_ADJUST_BCAST='1:0-65535@8-15;1:0-2147483647@16-2147483647'" in text
    assert "export I_MPI_ADJUST_ALLGATHER='3:1024-65536@16-16'" in text
    assert "export I_MPI_ADJUST_ALLTOALL='2:0-2147483647@16-16'" in text
    assert outcomes(report)[("bcast", 2)] == ("left out", "pipelined_chain is none")


def test_ucc_gets_teams_and_total_sizes(profile):
    text = ucc.export(read(profile()), Report())
    assert "bcast:0-65536:host:[8-15]:@knomial" in text and "bcast:0-inf:host:[16-inf]:@knomial" in text
    assert "allgather:16384-1048592:host:[16-16]:@ring" in text


def test_a_placement_and_a_library_narrow_an_export(profile):
    report = Report()
    text = PROFILE + '[[rule]]\ncollective = "gather"\nuse = "linear"\nmpi = "Intel MPI"\n'
    found = rules.chosen_for(read(profile(text)), "Open MPI", 2, 4, report)
    assert {rule.collective for rule in found} == {"bcast", "scan", "alltoall"}
    assert {line.text for line in report.lines} == {
        "it is not about 2 nodes", "the rule holds under another MPI library alone",
    }  # fmt: skip


def test_the_command_writes_tells_and_fails_clearly(profile, tutti, tmp_path):
    file = tmp_path / "out" / "tuned.rules"
    done = tutti("export", "openmpi", str(profile()), "-o", str(file))
    assert done.returncode == 2 and "there is no folder" in done.stderr
    file.parent.mkdir()
    done = tutti("export", "openmpi", str(profile()), "-o", str(file))
    assert done.returncode == 0 and parse_classic(file.read_text())
    assert "coll/tuned knows no nodes" in done.stderr and "2 left out" in done.stderr
    done = tutti("export", "intel", str(profile()), "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["outcome"] for row in rows} <= {"exported", "approximated", "left out"}
    assert tutti("export", "openmpi", str(profile()), "--mpi-version", "new").returncode == 2
    assert tutti("export", "openmpi", str(tmp_path / "none.toml")).returncode == 2


def test_the_installed_mpich_has_a_tree_to_splice_into():
    prefix = mpi.fetched_prefix("mpich")
    if prefix is None:
        pytest.skip("the build fetched no MPICH")
    tree = mpich.generic_tree(library_of(mpi.named("mpich")))
    assert {f"collective={name}" for name in mpich.ALGORITHMS} <= set(tree)
