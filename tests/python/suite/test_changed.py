"""What changed, and which sources that concerns."""

import subprocess

import changed
import pytest
from includes import Includes


def git(tree, *words, **more):
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *names, *words], cwd=tree, check=True, capture_output=True, **more)


def write(tree, name, text=""):
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text)


def commit(tree, day):
    date = {"GIT_COMMITTER_DATE": f"2026-03-{day:02}T12:00:00Z", "GIT_AUTHOR_DATE": f"2026-03-{day:02}T12:00:00Z"}
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", f"day {day}", env=date | {"HOME": str(tree)})


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """One commit a day."""
    monkeypatch.delenv(changed.VARIABLE, raising=False)
    git(tmp_path, "init", "-q", "-b", "main")
    write(tmp_path, "src/core/step.hpp", "#pragma once\n")
    write(tmp_path, "src/core/plan.hpp", '#include "core/step.hpp"\n')
    write(tmp_path, "src/core/step.cpp", '#include "core/step.hpp"\n')
    write(tmp_path, "src/runtime/wire/schedule_plan.cpp", '# include "core/plan.hpp"\n')
    write(tmp_path, "src/mpi/near.hpp")
    write(tmp_path, "src/mpi/near.cpp", '#include "near.hpp"\n#include <vector>\n')
    write(tmp_path, "src/node/step.cpp", '#include "node/step.hpp"\n')
    for number in range(12):
        write(tmp_path, f"src/other/{number}.cpp")
    commit(tmp_path, 1)
    write(tmp_path, "docs/a.md")
    commit(tmp_path, 2)
    return tmp_path


def test_since_a_day_before_the_last_commit(tree):
    write(tree, "b.md")
    commit(tree, 4)
    write(tree, "c.md")
    commit(tree, 4)
    assert changed.files(tree) == {"b.md", "c.md"}


def test_what_is_not_committed_changed_too(tree):
    write(tree, "src/core/step.hpp", "#pragma once\n#include <span>\n")
    write(tree, "new.cpp")
    assert changed.files(tree) == {"docs/a.md", "src/core/step.hpp", "new.cpp"}


def test_since_the_branch_left(tree):
    git(tree, "update-ref", "refs/remotes/origin/main", "HEAD")
    write(tree, "b.md")
    commit(tree, 9)
    assert changed.files(tree) == {"b.md"}


def test_since_a_commit_that_is_asked_for(tree, monkeypatch):
    monkeypatch.setenv(changed.VARIABLE, "HEAD")
    assert changed.files(tree) == set()
    monkeypatch.setenv(changed.VARIABLE, "nosuch")
    assert changed.files(tree) is None


def test_a_first_day_has_all_changed(tmp_path, monkeypatch):
    monkeypatch.delenv(changed.VARIABLE, raising=False)
    git(tmp_path, "init", "-q")
    write(tmp_path, "a.md")
    commit(tmp_path, 1)
    assert changed.files(tmp_path) is None
    assert changed.few(tmp_path) is None
    assert not changed.under("src/node", tree=tmp_path)


def test_more_than_a_tenth_of_the_sources_is_no_longer_few(tree):
    write(tree, "src/node/step.cpp", "")
    write(tree, "docs/b.md")
    assert changed.few(tree) == {"docs/a.md", "docs/b.md", "src/node/step.cpp"}
    assert changed.under("src/node", tree=tree)
    write(tree, "src/core/step.cpp", "")
    assert changed.few(tree) is None
    assert not changed.under("src/node", "docs/b.md", tree=tree)


def test_under_a_folder_and_not_beside_it(tree, monkeypatch):
    monkeypatch.setattr(changed, "files", lambda tree: {"src/node_table/a.cpp", "docs/a.md"})
    assert not changed.under("src/node", tree=tree)
    assert changed.under("src/node", "docs/a.md", tree=tree)


def chosen(tree, *names):
    candidates = sorted(tree.glob("src/**/*.cpp"))
    found = changed.sources({*names}, candidates, Includes(tree.glob("src/**/*.hpp")), tree)
    return [path.relative_to(tree).as_posix() for path in found]


def test_a_changed_header_selects_one_source_that_includes_it(tree):
    assert chosen(tree, "src/core/step.hpp") == ["src/core/step.cpp"]
    assert chosen(tree, "src/core/plan.hpp") == ["src/runtime/wire/schedule_plan.cpp"]
    assert chosen(tree, "src/mpi/near.hpp", "src/node/step.cpp") == ["src/mpi/near.cpp", "src/node/step.cpp"]
    assert chosen(tree, "docs/a.md") == []


def test_headers_that_headers_include_are_known(tree):
    includes = Includes(tree.glob("src/**/*.hpp"))
    names = {path.name for path in includes.all(tree / "src/runtime/wire/schedule_plan.cpp")}
    assert names == {"plan.hpp", "step.hpp"}
