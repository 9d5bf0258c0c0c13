"""A run for the report, the page as the command writes it, and whether its elements close."""

from html.parser import HTMLParser

import click.testing
from tutti.report import command_line as report

from helpers.folders import result, write


def full_run(folder):
    """Without samples: two rank counts, a barrier, a case of which one variant is missing."""
    results = [
        result(variant, launch, name, size, median, ranks=ranks, choice="node" if variant == "tutti" else "")
        for ranks in (2, 8)
        for launch in (1, 2, 3)
        for name, sizes in (("barrier", [0]), ("bcast", [8, 1024, 65536]))
        for size in sizes
        for variant, median in (("native", 2.0 + 0.01 * launch), ("tutti", 1.0))
        if not (size == 65536 and variant == "tutti")
    ]
    environment = {
        "date": "2026-01-01", "command": "tutti bench <bcast>", "machine": {"cpu": "A & B", "cpus": 2, "kernel": "6"},
        "mpi": {"title": "MPICH 5.0.2", "library": "libmpi.so"},
    }  # fmt: skip
    return write(folder, results, environment)


def text_of(tmp_path, *folders):
    file = tmp_path / "report.html"
    report.write(folders, file)
    return file.read_text()


def invoke(*words):
    return click.testing.CliRunner().invoke(report.command, [str(word) for word in words], standalone_mode=False)


class Balance(HTMLParser):
    """Raises where elements do not close in the order in which they opened."""

    alone = frozenset(("meta", "link", "br"))

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.alone:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
