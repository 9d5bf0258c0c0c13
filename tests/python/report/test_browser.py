"""The report in a browser: a cell's distribution at a click, the theme, files, keys; nothing fetched, nothing wrong."""

import csv
import time
import xml.etree.ElementTree as ElementTree

import pytest
from helpers import browser
from helpers.made_runs import make
from tutti.report import command_line as report

ROWS = 2_000_000
SECONDS = 2.0

pytestmark = pytest.mark.skipif(not browser.program(), reason="there is no Chromium here (make test-deps installs it)")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """(file, its browser, the folder of what it saves) of a report of two runs, with two million samples."""
    folder = tmp_path_factory.mktemp("report")
    shape = {"collectives": ("barrier", "bcast", "allreduce", "alltoall"), "sizes": (8, 1024, 16384, 262144)}
    cells, ranks, launches = 13 * 2, 8, 5
    make(folder / "a", **shape, ranks=(8,), nodes=2, repetitions=-(-ROWS // (cells * ranks * launches)))
    make(folder / "b", **shape, ranks=(2,), repetitions=40)
    report.write([folder / "a", folder / "b"], folder / "report.html")
    (folder / "saved").mkdir()
    opened = browser.Browser(folder / "saved")
    yield folder / "report.html", opened, folder / "saved"
    opened.close()


@pytest.fixture
def shown(page):
    """The page, loaded anew; afterwards nothing may have come to its console."""
    file, opened, _ = page
    opened.problems.clear()
    opened.open(file)
    yield opened
    assert opened.problems == []


def heading(opened):
    return opened.run("document.querySelector('.detail h3').textContent")


def saved(folder, name, seconds=20):
    end = time.monotonic() + seconds
    while not (folder / name).is_file() and time.monotonic() < end:
        time.sleep(0.05)
    return (folder / name).read_text()


def test_two_million_samples_make_a_small_page_that_loads_at_once(page):
    file, opened, _ = page
    assert file.stat().st_size < 6_000_000
    opened.problems.clear()
    assert min(opened.open(file) for _ in range(3)) < SECONDS
    assert opened.problems == []
    assert opened.run("performance.getEntriesByType('resource').length") == 0
    assert "faster than native" in opened.run("document.querySelector('.headline').textContent")


def test_a_click_on_a_cell_shows_its_distribution(shown):
    for slug, title in (("bcast-1K-8", "bcast 1K, 8 ranks"), ("allreduce-256K-2", "allreduce 256K, 2 ranks")):
        shown.click(f"[data-cell='{slug}']")
        shown.until(f"document.querySelector('.detail h3').textContent === {title!r}")
        for kind in ("histogram", "ecdf", "ranks", "timeline", "slowest", "launches"):
            assert shown.run(f"!!document.querySelector('.detail svg[data-figure=\"{kind}-{slug}\"] path')"), kind
        assert shown.run(f"document.querySelector('[data-cell=\"{slug}\"]').getAttribute('aria-pressed')") == "true"
        assert shown.run("document.querySelector('.chooser select').value") == slug
        assert shown.run("document.querySelectorAll('.cell[aria-pressed=true]').length") == 1
    assert shown.run("!document.querySelector('.detail svg[data-figure^=nodes]')")  # two ranks on one node


def test_every_cell_has_its_distribution(shown):
    slugs = shown.run("[...document.querySelectorAll('.chooser option')].map((each) => each.value)")
    assert len(slugs) == 26
    for slug in slugs:
        shown.run(f"(() => {{ const s = document.querySelector('.chooser select'); s.value = {slug!r}; "
                  "s.dispatchEvent(new Event('change')); })()")  # fmt: skip
        shown.until(f"!!document.querySelector('.detail svg[data-figure=\"histogram-{slug}\"]')")


def test_keys_move_over_the_heat_map_and_choose(shown):
    first = "document.querySelector('.maps svg .cell[tabindex=\"0\"]')"
    shown.run(f"{first}.focus()")
    here = "document.activeElement.dataset.cell"
    assert shown.run(here) == "barrier-2"
    for key, cell in (("ArrowDown", "bcast-8-2"), ("ArrowRight", "bcast-1K-2"), ("ArrowDown", "alltoall-1K-2"),
                      ("ArrowUp", "bcast-1K-2"), ("ArrowLeft", "bcast-8-2"), ("ArrowLeft", "bcast-8-2")):  # fmt: skip
        shown.key(key)
        assert shown.run(here) == cell
    shown.key("Enter")
    shown.until("document.querySelector('.detail h3').textContent === 'bcast 8, 2 ranks'")


def test_the_theme_changes_colours(shown):
    def colours():
        shown.run("new Promise((done) => requestAnimationFrame(done))")
        return shown.run("[getComputedStyle(document.body).backgroundColor, "
                         "getComputedStyle(document.querySelector('svg.fig .tick')).fill]")  # fmt: skip

    seen = {}
    for _ in range(3):
        shown.click("#theme")
        seen[shown.run("document.documentElement.dataset.theme")] = colours()
    assert set(seen) == {"auto", "light", "dark"}
    assert all(light != dark for light, dark in zip(seen["light"], seen["dark"], strict=True))


def test_tables_are_saved_as_csv_with_all_figures_and_drawings_as_svg(shown, page):
    folder = page[2]
    shown.click("button.csv[data-name='figures-1.csv']")
    rows = list(csv.DictReader(saved(folder, "figures-1.csv").splitlines()))
    every = shown.run("document.querySelectorAll(\"button.csv[data-name^='figures-1']\").length")
    for number in range(2, every + 1):  # a table for each definition of a time
        shown.click(f"button.csv[data-name='figures-1-{number}.csv']")
        rows += csv.DictReader(saved(folder, f"figures-1-{number}.csv").splitlines())
    assert len(rows) == 26 * 2
    assert {row["size"] for row in rows} == {"0", "8", "1024", "16384", "262144"}
    assert all(0.01 < float(row["time"]) < 1e6 for row in rows)
    shown.click("button.svg[data-name^='heatmap']")
    drawing = saved(folder, "heatmap-2.svg")
    assert ElementTree.fromstring(drawing).tag.endswith("svg") and "var(" not in drawing


def test_on_paper_it_is_light_and_the_tables_are_whole(shown):
    shown.run("document.documentElement.dataset.theme = 'dark'")
    shown.call("Emulation.setEmulatedMedia", media="print")
    assert shown.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert shown.run("getComputedStyle(document.querySelector('.scroll')).maxHeight") == "none"
    shown.call("Emulation.setEmulatedMedia", media="")


def test_no_part_of_a_figure_lies_outside_of_it(shown):
    """Labels included, in a window as wide as a laptop's."""
    outside = shown.run("""[...document.querySelectorAll('svg.fig')].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text, rect, circle')].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.left < frame.left - 2 || box.right > frame.right + 2 ||
          box.top < frame.top - 2 || box.bottom > frame.bottom + 2);
      }).map((each) => `${svg.getAttribute('aria-label')}: ${each.textContent || each.tagName}`);
    })""")
    assert outside == []


def test_no_two_labels_of_a_figure_overlap(shown):
    shown.click("[data-cell='bcast-16K-8']")
    shown.until("document.querySelector('.detail h3').textContent === 'bcast 16K, 8 ranks'")
    over = shown.run("""[...document.querySelectorAll('svg.fig')].flatMap((svg) => {
      const texts = [...svg.querySelectorAll('text')].map((each) => [each.textContent, each.getBoundingClientRect()]);
      return texts.flatMap(([a, p], i) => texts.slice(i + 1).filter(([b, q]) =>
        Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 &&
        Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4).map(([b]) =>
          `${svg.getAttribute('aria-label')}: ${a} / ${b}`));
    })""")
    assert over == []
