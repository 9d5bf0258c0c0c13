"""The report as its command writes it, and whether its elements close."""

from html.parser import HTMLParser

import click.testing
from tutti.report import command_line as report


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
