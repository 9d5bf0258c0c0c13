"""Recordings of programs: reading them, who waited for whom, what would be saved, and what is replayed."""

import json

import numpy as np
import pytest
from tutti import recording
from tutti.bench import replay
from tutti.bench.plan import Plan
from tutti.errors import UserError
from tutti.record import gain, sites
from tutti.record import skew as recording_skew

COLLECTIVES = ["barrier", "bcast", "allreduce"]
RANKS = 3


def part(rank, clock="here", calls=(), samples=()):
    header = {
        "rank": rank,
        "ranks": RANKS,
        "host": f"node{rank // 2}",
        "library": "MPICH Version: 5",
        "served": False,
        "clock": clock,
        "begin": 10.0,
        "end": 12.0,
        "thinning": 1,
        "calls": len(calls),
        "samples": len(samples),
        "collectives": COLLECTIVES,
        "datatypes": ["MPI_INT"],
        "operators": ["MPI_SUM"],
        "communicators": [
            {"identity": "0x1.0", "size": RANKS, "rank": rank, "inter": False} | ({"ranks": "0-2"} if rank == 0 else {})
        ],
        "sites": [{"address": "0x401010", "base": "0x400000", "object": "/no/app", "symbol": "step"}],
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return (
        len(text).to_bytes(8, "little")
        + text
        + np.array(list(calls), recording.CALL).tobytes()
        + np.array(list(samples), recording.SAMPLE).tobytes()
    )


def call(collective, size, calls, seconds, root=-1):
    none = recording.NOWHERE
    op = 0 if collective == "allreduce" else none
    number = COLLECTIVES.index(collective)
    return (0, 0, 0, op, root, number, 0, 0, 0, size, calls, size * calls, seconds, 0.001, 0.1)


ARRIVALS = [(0.0, 0.002, 0.001), (0.0, 0.0, 0.004), (0.003, 0.0, 0.0)]  # of three calls


@pytest.fixture
def written(tmp_path):
    """A program of three ranks: three broadcasts of 400 bytes from rank 1, begun as ARRIVALS says, and allreduces."""

    def write(clocks=("here",) * RANKS, cut=0):
        data = recording.HEADING
        for rank in range(RANKS):
            kinds = [call("bcast", 400, 3, 0.03, root=1), call("allreduce", 8, 5, 0.5), call("allreduce", 4096, 5, 1.0)]
            samples = [
                (0, number, 10 + number + late[rank], 10 + number + 0.01) for number, late in enumerate(ARRIVALS)
            ]
            data += part(rank, clocks[rank], kinds, samples)
        file = tmp_path / "app.rec"
        file.write_bytes(data[: len(data) - cut])
        return file

    return write


def test_what_ranks_noted_becomes_columns(written):
    recorded = recording.load(written())
    calls = recorded.calls()
    assert len(calls["rank"]) == 9
    assert (recorded.ranks, recorded.seconds, recorded.one_clock, recorded.served) == (3, 2.0, True, False)
    assert recorded.communicators == {"0x1.0": [0, 1, 2]}
    assert calls["collective"].tolist() == ["bcast", "allreduce", "allreduce"] * 3
    assert calls["operator"].tolist()[:2] == ["", "MPI_SUM"]
    assert calls["root"].tolist()[:2] == [1, -1]
    samples = recorded.samples()
    assert samples["begin"].min() == 0
    assert set(samples["row"].tolist()) == {0, 3, 6}


@pytest.mark.parametrize("cut", [1, 24, 400, 1000])
def test_a_recording_cut_short_is_said_to_be(written, cut):
    with pytest.raises(UserError, match="cut short"):
        recording.load(written(cut=cut))


def test_another_file_is_none(tmp_path):
    (tmp_path / "x").write_text("text that is long enough to have a heading")
    with pytest.raises(UserError, match="is not a recording"):
        recording.load(tmp_path / "x")
    with pytest.raises(UserError, match="cannot read"):
        recording.load(tmp_path / "none")


def test_who_waits_for_whom(written):
    skew = recording_skew.of(recording.load(written()))
    order = np.lexsort((skew.place, skew.instance))
    wait = skew.wait[order].reshape(3, 3)
    assert wait == pytest.approx(np.array([[2, 0, 1], [4, 4, 0], [0, 3, 3]]) * 1e-3, abs=1e-9)
    avoidable = skew.avoidable[order].reshape(3, 3)  # all that a broadcast's ranks need is the root, rank 1
    assert avoidable == pytest.approx(np.array([[0, 0, 0], [4, 4, 0], [0, 3, 3]]) * 1e-3, abs=1e-9)
    assert skew.apart[order].reshape(3, 3)[:, 0] == pytest.approx([0.002, 0.004, 0.003], abs=1e-9)


def test_ranks_on_several_clocks_have_no_skew(written):
    recorded = recording.load(written(clocks=("here", "here", "there")))
    assert recording_skew.of(recorded) is None


def test_members_of_communicators():
    assert recording.expand("0-3,8,10-11") == [0, 1, 2, 3, 8, 10, 11]


def test_a_choice_that_was_not_measured_is_told_from_one_that_was():
    known = gain.Measured({("bcast", 4): [(64, 2.0)]}, {("bcast", 4): {"node(chain)", "node(binary)"}})
    assert known.otherwise("bcast", 4, "node(chain)") == ""
    assert known.otherwise("bcast", 4, "native") == "node(binary)"
    assert known.otherwise("bcast", 8, "native") == known.otherwise("bcast", 4, "") == ""


def test_ratios_between_measured_sizes():
    known = gain.Measured({("bcast", 4): [(64, 2.0), (1024, 8.0)], ("barrier", 4): [(0, 3.0)]})
    assert known.ratio("bcast", 4, 64) == 2.0
    assert known.ratio("bcast", 4, 256) == pytest.approx(4.0)
    assert known.ratio("bcast", 4, 2000) == 8.0
    assert known.ratio("bcast", 4, 40) == 2.0
    assert known.ratio("bcast", 4, 20) is None
    assert known.ratio("bcast", 8, 64) is None
    assert known.ratio("barrier", 4, 0) == 3.0


def test_what_is_saved():
    assert gain.saved(1.0, 0.2, 2.0, "node") == pytest.approx(0.4)
    assert gain.saved(1.0, None, 2.0, "node") == pytest.approx(0.5)
    assert gain.saved(1.0, 0.2, 2.0, "native") == 0
    assert gain.saved(1.0, 0.2, None, "node") is None
    assert gain.saved(0.1, 0.2, 2.0, "node") == 0


def test_a_site_without_debugging_information():
    names = sites.of([("/no/app", 0x401010, 0x400000, "step"), ("/no/lib.so", 0x7F0123, 0x7F0000, "")])
    assert sorted(names.values()) == ["lib.so+0x123", "step (app)"]


def test_what_is_replayed(written, tmp_path):
    recorded = recording.load(written())
    kinds = replay.replayed(recorded)
    assert [(kind.case, kind.ranks) for kind in kinds] == [
        ("allreduce(int):4096", 3),
        ("allreduce(int):8", 3),
        ("bcast(root=1):400", 3),
    ]
    assert kinds[0].seconds == pytest.approx(3.0)
    assert len(kinds[0].delays) == 0
    assert kinds[2].delays == pytest.approx(np.array(ARRIVALS), abs=1e-9)
    plan = replay.plan_of(kinds, tmp_path / "arrivals", Plan(["bcast"], [8], [2], launches=2))
    file = tmp_path / "arrivals" / "bcast-root-1-400-3.txt"
    late = f"bcast(root=1):400@replay:{file}"
    assert plan.given == ((3, ("allreduce(int):4096", "allreduce(int):8", "bcast(root=1):400", late)),)
    assert plan.collectives == ["allreduce", "bcast"]
    assert plan.total == 8
    assert [sorted(cases) for _, _, cases in plan.rounds()] == [sorted(plan.cases)] * 2
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert [[float(word) for word in line.split()] for line in lines] == pytest.approx(np.array(ARRIVALS), abs=1e-9)


def test_calls_that_differ_in_their_roots_are_one_kind(written):
    recorded = recording.load(written())
    calls = {name: column.copy() for name, column in recorded.calls().items()}
    bcasts = calls["collective"].astype(str) == "bcast"
    calls["root"][bcasts] = [0, 1, 1]
    found = replay.replayed_group("bcast", (), 400, 3, np.flatnonzero(bcasts), calls, None)
    assert found.case == "bcast:400"
    calls["in_place"][:] = 1
    found = replay.replayed_group("gather", (), 400, 3, np.flatnonzero(bcasts), calls, None)
    assert found.case == "gather(in_place):400"


def test_record_says_what_is_missing(tutti, tmp_path):
    for words, said in [
        ((), "name a program to record"),
        (("--show", tmp_path / "no.rec"), "nothing was recorded in"),
        (("--show", tmp_path / "no.rec", "true"), "leave the program out"),
        (("-o", tmp_path / "no" / "x.rec", "true"), "there is no folder"),
        (("-n", 2, "mpiexec", "true"), "leave -n, -N, --ppn and --mpi out"),
    ]:
        result = tutti("record", *words)
        assert result.returncode != 0
        assert said in result.stderr
        assert "Traceback" not in result.stderr


def test_a_programs_environment_and_status(tutti, fake_mpi, tmp_path):
    mpi = fake_mpi("mpich")
    result = tutti("record", "-n", 2, "--mpi", mpi.prefix, "-o", tmp_path / "a.rec", "sh", "-c", "exit 7")
    assert result.returncode == 7
    assert "nothing was recorded in" in result.stderr
    words = dict(zip(mpi.words[1:], mpi.words[2:], strict=False))
    assert words["TUTTI"] == "off"
    assert words["TUTTI_RECORD"] == str(tmp_path / "a.rec")
