"""tutti export: Open MPI's files of rules, read as its readers do."""

import json

from helpers.profiles import outcomes, parse_classic, read
from tutti.export import han, openmpi
from tutti.export.rules import Report


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
