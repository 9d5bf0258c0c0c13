"""show: pictures against golden files, and what they and the text must have in common.

python3 tests/python/study/test_show.py     writes the golden files anew
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import pytest
from tutti import core
from tutti.output import Output
from tutti.study import show
from tutti.study.blocks import Naming, ranges
from tutti.study.picture import Picture, Scale

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
# collective, algorithm, ranks, root, segments
SUBJECTS = [
    ("barrier", "dissemination", 6, 0, None),
    ("bcast", "binomial", 5, 2, None),
    ("bcast", "pipelined_chain", 6, 0, 4),
    ("gather", "binomial", 8, 3, None),
    ("allgather", "ring", 5, 0, None),
    ("allgather", "recursive_doubling", 6, 0, None),
    ("alltoall", "bruck", 5, 0, None),
    ("reduce", "binomial", 6, 1, None),
    ("reduce", "k_nomial_by_arrival", 6, 1, None),
    ("allreduce", "rabenseifner", 7, 0, None),
    ("scan", "recursive_doubling", 5, 0, None),
]


def picture(collective, algorithm, ranks, root=0, segments=None) -> Picture:
    found, spec = show.find(collective, algorithm)
    return show.draw(found, ranks, root, (), segments, spec)


def text_of(of: Picture) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in show.rows(of))


def golden_files(subject) -> tuple[Path, Path]:
    stem = f"{subject[0]}_{subject[1]}_{subject[2]}"
    return GOLDEN / f"{stem}.svg", GOLDEN / f"{stem}.jsonl"


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: f"{subject[0]} {subject[1]}")
def test_pictures_and_texts_are_the_golden_ones(subject):
    svg, text = golden_files(subject)
    of = picture(*subject)
    assert of.svg() == svg.read_text()
    assert text_of(of) == text.read_text()


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: f"{subject[0]} {subject[1]}")
def test_the_picture_has_each_message_of_the_text_once(subject):
    of = picture(*subject)
    groups = [group for group in ElementTree.fromstring(of.svg()).iter(f"{SVG}g") if group.get("class")]
    drawn = [group.find(f"{SVG}title").text for group in groups]
    rows = [row for row in show.rows(of) if row["sender"] is not None]
    listed = [f"round {row['round']}, {row['sender']} to {row['receiver']}: {row['blocks']}" for row in rows]
    assert drawn == listed
    assert all(group.find(f"{SVG}text") is not None for group in groups) or subject[0] == "barrier"


def entries():
    return [entry for entry in core.load().catalogue() if not entry.obstacle(8)]


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.collective} {entry.name}")
def test_every_entry_can_be_drawn(entry):
    for ranks in (1, 4, 8):
        if entry.obstacle(ranks):
            continue
        of = show.draw(entry, ranks, root=ranks // 2 if entry.collective in show.ROOTED else 0)
        ElementTree.fromstring(of.svg())
        assert len([row for row in show.rows(of) if row["sender"] is not None]) == len(of.timeline.messages)


def test_nothing_overlaps_on_a_line_and_time_goes_right():
    of = picture("allreduce", "rabenseifner", 16)
    for message in of.timeline.messages:
        band = of.bands[message.begin]
        wide = of.scale.width(of.name(message)) + of.scale.pill
        assert band.start + wide <= band.leave < band.end
    assert all(before.end == after.start for before, after in zip(of.bands, of.bands[1:], strict=False))


@pytest.mark.parametrize("ranks", [2, 8, 16, 32, 64, 100])
def test_names_stay_within_their_rows(ranks):
    scale, of = Scale.of(ranks), picture("allgather", "bruck", ranks)
    assert scale.pill <= scale.row
    assert all(len(of.name(message)) <= scale.longest for message in of.timeline.messages)


def test_segments_cut_the_vector_as_often_as_asked():
    rounds = [picture("bcast", "pipelined_chain", 6, 0, n).timeline.end for n in (1, 4, 9)]
    assert rounds == [n + 6 - 2 for n in (1, 4, 9)]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([3], "3"), ([3, 4], "3,4"), ([5, 6, 7, 0, 1], "5–7,0,1"), ([4, 2, 0], "4,2,0")],
)
def test_ranges(numbers, text):
    assert ranges(numbers) == text


def test_sizes_that_go_with_the_data_are_marked():
    of = picture("gatherv", "binomial", 6)
    sized = [of.name(message) for message in of.timeline.messages if message.sized]
    assert sized
    assert all(name.startswith("#") for name in sized)
    assert "with their sizes" in of.svg()


def test_names_of_blocks():
    def piece(owner=0, part=0, parts=1, of=1, ranks=(0,)):
        return SimpleNamespace(owner=owner, part=part, parts=parts, of=of, ranks=list(ranks))

    assert Naming("allreduce", (4,)).short([piece(part=2, parts=2, of=4)]) == "2,3"
    assert Naming("allreduce", (4,)).short([piece()]) == "m"
    assert Naming("allreduce", (2, 4)).short([piece(part=1, of=2)]) == "1/2"
    assert Naming("allreduce", (4,)).long([piece(part=2, of=4, ranks=(0, 1, 2))]) == "part 2 of 4 from 0–2"
    assert Naming("alltoall", ()).short([piece(1), piece(3), piece(2, ranks=[7])]) == "0→1,3 7→2"
    assert Naming("allgather", ()).short([piece(5), piece(6), piece(7), piece(0)]) == "5–7,0"
    assert Naming("allgatherv", (3,)).short([piece(5, part=1, of=3)]) == "5.1"
    assert Naming("barrier", ()).long([]) == "a token"


def test_the_command_writes_a_file_and_prints_the_same(tutti, tmp_path):
    file = tmp_path / "x.svg"
    words = ("show", "bcast", "pipelined_chain", "-n", 6, "--segments", 4)
    written = tutti(*words, "-o", file)
    assert (written.returncode, written.stdout) == (0, "")
    assert str(file) in written.stderr
    assert file.read_text() == picture("bcast", "pipelined_chain", 6, 0, 4).svg()
    rows = [json.loads(line) for line in tutti(*words, "--json").stdout.splitlines()]
    assert len(rows) == 20
    table = tutti(*words, "--text").stdout
    assert "6 ranks, 4 segments, 8 rounds, 20 messages" in table
    assert len(re.findall(r"part \d of 4", table)) == 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bcast", "binomail"], "there is no algorithm 'binomail' for bcast: did you mean binomial?"),
        (["bcast", "binomial", "-n", "4", "--root", "4"], "--root 4: ranks go from 0 to 3"),
        (["scan", "linear", "--root", "1"], "--root 1: scan has no root"),
        (["bcast", "binomial", "-n", "129"], "-n 129: a picture has at most 128 ranks"),
        (["bcast", "binomial", "--segments", "4"], "bcast binomial has no segments"),
        (["bcast", "binomial", "-p", "k=3"], "-p k=3: binomial takes none, written as -p NAME=VALUE"),
        (["bcast", "groups"], "groups are composed of algorithms: write for example 'groups(3, binomial)'"),
        (
            ["bcast", "groups(3, chian)"],
            "unknown algorithm 'chian' for bcast in groups (column 11); did you mean 'chain'?",
        ),
        (["bcast", "groups(9, chain)", "-n", "8"], "groups(9, chain): 8 ranks do not make 9 groups"),
        (["bcast", "groups(3, chain)", "--segments", "4"], "bcast groups(3, chain) has no segments"),
        (["bcast", "groups(3, k_nomial)", "-p", "k=3"], "-p k=3: write it into the spec, groups(3, k_nomial)"),
        (["bcast", "node(chain)"], "'node(chain)' has no schedule of its own; name one algorithm, or groups"),
        (["gatherv", "groups(3, linear)"], "there are no groups for gatherv (column 1); name one of its algorithms"),
    ],
)
def test_what_cannot_be_drawn(tutti, words, said):
    result = tutti("show", *words)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"tutti: {said}\n")


def test_a_spec_can_be_drawn():
    rows = show.rows(picture("bcast", "groups(3, chain)", 9, 4))
    # The root leads its own group, the first rank any other.
    assert [(row["round"], row["sender"], row["receiver"]) for row in rows] == [
        (1, 4, 6),
        (2, 4, 5),
        (2, 6, 0),
        (3, 0, 1),
        (3, 5, 3),
        (3, 6, 7),
        (4, 1, 2),
        (4, 7, 8),
    ]
    assert picture("bcast", "pipelined_chain(segment=1K)", 6, 0, 4).timeline.end == 8
    assert "2 segments" in picture("bcast", "groups(2, pipelined_chain(segment=1K))", 6, 0, 2).subtitle


def test_json_and_text_come_from_the_same_rows(capsys):
    of = picture("reduce", "binomial", 4)
    Output(json=True).rows(show.rows(of), show.COLUMNS)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == show.rows(of)


def write_golden_files() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for subject in SUBJECTS:
        svg, text = golden_files(subject)
        svg.write_text(picture(*subject).svg())
        text.write_text(text_of(picture(*subject)))


if __name__ == "__main__":
    write_golden_files()
