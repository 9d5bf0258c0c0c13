"""Nothing that a launch started outlives it: launchers that crash, ranks in sessions of their own, Ctrl-C, kill."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from tutti.bench.launch import Launch, LaunchFailed, NeverStarted
from tutti.site import processes

# A launcher whose rank is in a session of its own, holds the streams, and does not mind SIGTERM.
RANK = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
LAUNCHER = f"""
import os, subprocess, sys, time
rank = subprocess.Popen([sys.executable, "-c", {RANK!r}], start_new_session=True)
open(os.environ["RANK_FILE"], "w").write(str(rank.pid))
print(os.environ.get("SAYS", ""), flush=True)
time.sleep(float(os.environ.get("LIVES", "600")))
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def started(tmp_path):
    """started(LIVES=...): the launch, and a function that gives its rank's number."""

    def start(patience=20.0, **variables):
        file = tmp_path / "rank"
        command = [sys.executable, "-c", LAUNCHER]
        launch = Launch(command, {**os.environ, "RANK_FILE": str(file), **variables}, lambda line: None, patience)
        return launch, lambda: int(file.read_text())

    return start


def lives(number: int) -> bool:
    found = processes.look(number)
    return found is not None and found.state not in "ZX"


def test_ranks_of_a_launcher_that_crashes_are_ended(started, monkeypatch):
    monkeypatch.setattr("tutti.bench.launch.AFTER_THE_LAUNCHER", 0.5)
    launch, rank = started(LIVES="0.2")
    began = time.monotonic()
    with pytest.raises(NeverStarted, match=r"the launcher ended \(SIGKILL\) before its ranks"):
        list(launch)
    assert time.monotonic() - began < 12
    assert not lives(rank())


def test_a_launch_that_had_begun_failed_otherwise(started, monkeypatch):
    monkeypatch.setattr("tutti.bench.launch.AFTER_THE_LAUNCHER", 0.5)
    launch, rank = started(LIVES="0.2", SAYS='{"event": "start"}')
    with pytest.raises(LaunchFailed) as failure:
        list(launch)
    assert not isinstance(failure.value, NeverStarted)
    assert not lives(rank())


def test_ranks_of_a_launch_that_hangs_are_ended(started):
    launch, rank = started(patience=1.0)
    with pytest.raises(NeverStarted, match="the ranks hang"):
        list(launch)
    assert not lives(rank())


def test_what_was_there_before_is_left_alone(started):
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    try:
        launch, _ = started(patience=1.0)
        with pytest.raises(NeverStarted):
            list(launch)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_ended_ends_what_it_started(number, tmp_path):
    program = tmp_path / "command.py"
    program.write_text(
        textwrap.dedent(f"""
            import os, signal, sys
            from tutti.bench.launch import Launch
            signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where these tests run in the background
            command = [sys.executable, "-c", {LAUNCHER!r}]
            for event in Launch(command, os.environ, print):
                pass
        """)
    )
    file = tmp_path / "rank"
    command = subprocess.Popen(
        [sys.executable, program], env={**os.environ, "RANK_FILE": str(file)}, stderr=subprocess.DEVNULL
    )
    rank = wait_for(file)
    command.send_signal(number)
    assert command.wait(20) != 0
    assert not lives(rank)


def test_the_launcher_of_a_command_that_was_killed_is_told(tmp_path):
    """Even by SIGKILL: the kernel does it.  Real launchers end their ranks then."""
    file = tmp_path / "launcher"
    program = (
        "import os, sys; from tutti.bench.launch import Launch; "
        f"list(Launch(['sh', '-c', 'echo $$ > {file}; sleep 600 & wait'], os.environ, print))"
    )
    command = subprocess.Popen([sys.executable, "-c", program])
    launcher = wait_for(file)
    command.kill()
    command.wait()
    until = time.monotonic() + 10
    while lives(launcher) and time.monotonic() < until:
        time.sleep(0.05)
    assert not lives(launcher)


def wait_for(file):
    until = time.monotonic() + 20
    while not (file.exists() and file.read_text().strip()) and time.monotonic() < until:
        time.sleep(0.05)
    return int(file.read_text())


def test_a_number_that_somebody_else_has_got_is_not_signalled():
    other = subprocess.Popen(["sleep", "600"])
    try:
        seen = processes.look(other.pid)
        processes.send(processes.Process(seen.number, seen.began - 1, seen.parent, seen.state), signal.SIGKILL)
        time.sleep(0.1)
        assert other.poll() is None
        processes.send(seen, signal.SIGKILL)
        assert other.wait(10) == -signal.SIGKILL
    finally:
        other.kill()
        other.wait()
