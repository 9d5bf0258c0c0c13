"""Scripts side by side: lines stay whole, each check counts, a failed one fails the run."""

import shutil
import sys
import threading
import time

import pytest
from scripts import Behind, Scripts, lowest
from tally import Tally


@pytest.fixture
def written(tmp_path):
    """written(text): a script's command."""

    def make(text):
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.py"
        file.write_text(text)
        return [sys.executable, file]

    return make


def ran(commands, at_once=3):
    tally = Tally()
    with Scripts(tally) as scripts:
        scripts.some(at_once, [(f"s{number}", command) for number, command in enumerate(commands)])
    return tally


def test_a_failed_check_fails_the_run(written, capsys):
    right = written("print('ok a'); print('skip b: no root')")
    wrong = written("print('ok c'); print('not ok d: because'); raise SystemExit(1)")
    tally = ran([right, wrong, right])
    assert (tally.passed, tally.skipped, tally.failures) == (3, 2, ["s1: d: because"])
    assert tally.close() == 1
    assert capsys.readouterr().out.endswith("3 passed, 1 failed, 2 skipped\n")


def test_a_failed_check_fails_the_run_whatever_the_status(written):
    assert ran([written("print('not ok d: because')")]).failures == ["s0: d: because"]


def test_a_script_that_ends_badly_without_a_word_fails_the_run(written):
    tally = ran([written("print('ok a'); raise SystemExit('Traceback')")])
    (failure,) = tally.failures
    assert failure.startswith("s0: ended with status 1: Traceback")
    assert "again with:" in failure


def test_what_belongs_to_a_failure_stays_with_it(written, capsys):
    long = "    " + "x" * 3000
    text = f"""
import sys, time
for number in range(60):
    for line in ("not ok " + str(number) + ": y", {long!r}, "    end " + str(number)):
        sys.stdout.write(line + "\\n")
        sys.stdout.flush()
    print("ok", number, flush=True)
"""
    tally = ran([written(text), written(text), written(text)])
    assert (tally.passed, len(tally.failures)) == (180, 180)
    lines = capsys.readouterr().out.splitlines()
    at = [place for place, line in enumerate(lines) if "not ok s" in line]
    assert len(at) == 180
    for place in at:
        number = lines[place].split(": ")[1]
        assert lines[place + 1 : place + 3] == [long, f"    end {number}"]


def test_some_run_at_once_and_no_more(written):
    began = time.monotonic()
    assert ran([written("import time; time.sleep(1); print('ok a')")] * 4, at_once=4).passed == 4
    assert time.monotonic() - began < 3.5


def test_those_that_still_run_end_with_it(written):
    tally = Tally()
    with Scripts(tally) as scripts:
        thread = threading.Thread(target=scripts.one, args=("s", written("import time; time.sleep(60)")))
        thread.start()
        while not scripts.running:
            time.sleep(0.01)
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert tally.failures


def test_scripts_behind_others_count_and_have_the_lowest_priority(written, monkeypatch):
    asks = written(
        "import os\n"
        "low = os.sched_getscheduler(0) == os.SCHED_IDLE or os.nice(0) == 19\n"
        "group = '/proc/self/autogroup'\n"
        "low = low and (not os.path.exists(group) or 'nice 19' in open(group).read())\n"
        "print('ok a' if low else 'not ok a: high')"
    )
    for there in (shutil.which("chrt"), None):
        monkeypatch.setattr(shutil, "which", lambda _, there=there: there)
        tally = Tally()
        behind = Behind(tally, [("one", [*lowest(), *asks]), ("two", written("print('not ok b: because')"))])
        behind.wait()
        behind.stop()
        assert (tally.passed, tally.failures) == (1, ["two: b: because"])


def test_scripts_behind_others_end_with_the_run(written):
    began = time.monotonic()
    behind = Behind(Tally(), [("one", written("import time; time.sleep(60)"))] * 2)
    time.sleep(0.5)
    behind.stop()
    assert time.monotonic() - began < 30
