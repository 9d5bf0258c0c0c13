"""docs/architecture.md names files and functions: each must exist.  So must every source that any page names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/architecture.md"
PATH = re.compile(r"`((?:src|tests|tools|python)/[\w./]+\.(?:hpp|cpp|c|h|py|S|toml))`")
# A file, and after a colon the function in it.
STEP = re.compile(r"`(src/[\w./]+\.(?:hpp|cpp|c|py|S))`: `(\w+)`")


def folders(of: str) -> list[str]:
    return sorted(path.name for path in (ROOT / of).iterdir() if path.is_dir() and path.name != "__pycache__")


@pytest.mark.parametrize(("of", "heading"), [("src", "## The folders"), ("python/tutti", "## The packages")])
def test_the_map_has_every_folder(of, heading):
    text = PAGE.read_text()
    part = text[text.index(heading) :].split("\n## ")[0]
    assert [name for name in folders(of) if not re.search(rf"`{name}[`/]", part)] == []


def test_the_tests_have_a_folder_for_each_package():
    assert set(folders("python/tutti")) <= set(folders("tests/python"))


def test_the_walk_names_functions_that_are_there():
    steps = STEP.findall(PAGE.read_text())
    assert len(steps) > 25
    missing = [(file, name) for file, name in steps if not re.search(rf"\b{name}\b", (ROOT / file).read_text())]
    assert not missing


# The page on adding an algorithm writes a new file.
PAGES = [page for page in sorted(ROOT.glob("docs/*.md")) if page.name != "adding-an-algorithm.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sources_that_pages_name_exist(page):
    missing = [name for name in PATH.findall(page.read_text()) if not (ROOT / name).exists()]
    assert not missing


def units(folder: Path) -> set[str]:
    """What stands in a folder at one level: a header and its source are one."""
    return {path.stem for path in folder.iterdir() if path.suffix in (".hpp", ".cpp", ".h", ".c", ".py")}


@pytest.mark.parametrize("root", ["src", "python", "tests/python"])
def test_no_folder_of_the_sources_is_crowded(root):
    most = 20
    every = [path for path in (ROOT / root).rglob("*") if path.is_dir() and "algorithms" not in path.parts]
    assert [(str(path), len(units(path))) for path in every if len(units(path)) > most] == []
