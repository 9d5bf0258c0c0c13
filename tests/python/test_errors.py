"""The nearest word to a misspelt one."""

import pytest
from tutti.errors import edit_distance, nearest


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("", "", 0),
        ("ring", "ring", 0),
        ("rign", "ring", 1),
        ("rin", "ring", 1),
        ("string", "ring", 2),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
    ],
)
def test_distance(a, b, distance):
    assert edit_distance(a, b) == edit_distance(b, a) == distance


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("benhc", "bench"),
        ("repotr", "report"),
        ("lst", "list"),
        ("doc", "doctor"),
        ("frobnicate", None),
        ("", None),
        ("BENCH", "bench"),
    ],
)
def test_nearest(word, found):
    assert nearest(word, ["bench", "report", "list", "doctor", "run"]) == found
