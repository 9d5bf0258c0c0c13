"""Which commands of a document are run, and which are not."""

import docs_commands as docs

TEXT = """
Text with `$ no command`.

```console
$ one
what it printed
$ two \\
>   goes on
```

<!-- not run: needs a cluster -->

```sh
$ three
```

```cpp
$ four
```

```console
$ five
```
"""


def test_blocks():
    assert [(block.place, block.commands, block.not_run) for block in docs.blocks("a.md", TEXT)] == [
        ("a.md:4", ("one", "two \\", "  goes on"), ""),
        ("a.md:13", ("three",), "needs a cluster"),
        ("a.md:21", ("five",), ""),
    ]


def test_a_failing_block_is_named_with_its_output(capsys):
    docs.run(docs.Block("a.md:1", ("echo begun", "false", "echo afterwards"), ""))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "not ok a.md:1 echo begun: status 1"
    assert "    begun" in lines
    assert "    afterwards" not in lines


def test_a_block_that_works_and_one_that_is_not_run(capsys):
    docs.run(docs.Block("a.md:1", ("x=2", 'test "$x" = 2'), ""))
    docs.run(docs.Block("a.md:9", ("false",), "why"))
    assert capsys.readouterr().out == "ok a.md:1 x=2\nskip a.md:9 false: why\n"
