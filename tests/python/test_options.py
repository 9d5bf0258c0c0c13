"""Sizes, ranges and numbers of ranks, as every command reads them."""

import pytest
from tutti.options import format_size, parse_counts, parse_size, parse_sizes


@pytest.mark.parametrize(
    ("text", "size"),
    [("4", 4), ("0", 0), ("2K", 2048), ("1m", 1 << 20), ("64KiB", 65536), ("3G", 3 << 30), (" 8 ", 8), ("2 kb", 2048)],
)
def test_size(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "K", "-4", "1.5K", "4Q", "4 4", "0x10"])
def test_what_is_no_size(text):
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(text)


@pytest.mark.parametrize("size", [0, 1, 4, 1000, 1024, 1536, 2048, 1 << 20, 3 << 30, 1 << 40])
def test_format_reads_back(size):
    assert parse_size(format_size(size)) == size


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("4", [4]),
        ("4:32", [4, 8, 16, 32]),
        ("4:33", [4, 8, 16, 32]),
        ("1K:16K:4", [1024, 4096, 16384]),
        ("64K,4,4", [4, 65536]),
        ("8,1:4", [1, 2, 4, 8]),
        ("0", [0]),
        ("5:5", [5]),
    ],
)
def test_sizes(text, sizes):
    assert parse_sizes(text) == sizes


@pytest.mark.parametrize("text", ["8:4", "0:4", "1:8:1", "1:8:x", "1:2:3:4", "4,", ":"])
def test_what_are_no_sizes(text):
    with pytest.raises(ValueError):
        parse_sizes(text)


@pytest.mark.parametrize(
    ("text", "counts"), [("8", [8]), ("2,8,4", [2, 4, 8]), ("1:5", [1, 2, 3, 4, 5]), ("3,1:2", [1, 2, 3])]
)
def test_counts(text, counts):
    assert parse_counts(text) == counts


@pytest.mark.parametrize("text", ["0", "5:1", "x", "1:", "-1", "2K", ""])
def test_what_are_no_counts(text):
    with pytest.raises(ValueError, match="is not a number of ranks"):
        parse_counts(text)
