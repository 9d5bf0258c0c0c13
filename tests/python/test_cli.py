"""The command as a user meets it: sections, help, misspellings, exit statuses."""

import json
import re

import pytest
import tutti as package
from click.testing import CliRunner
from tutti import cli


def test_help_names_every_command_and_stays_within_its_lines(tutti):
    result = tutti("--help")
    assert result.returncode == 0
    for section, commands in cli.SECTIONS.items():
        assert f"\n{section}:\n" in result.stdout
        for name, (_, purpose, example) in commands.items():
            assert re.search(rf"^  {name} +{re.escape(purpose)} *{re.escape(example)}$", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_help_has_an_example_and_the_common_options(name):
    result = CliRunner().invoke(cli.command, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Examples:" in result.output
    assert "tutti " + name in result.output.split("Examples:")[1] or name == "libpath"
    for option in ("--json", "-q", "-v", "--color"):
        assert option in result.output


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_an_option_means_the_same_everywhere(name):
    """-n, -N, -s and their like have one name for the function and one metavar, whichever command has them."""
    meaning = {
        "-n": "ranks",
        "-N": "nodes",
        "--ppn": "per_node",
        "-s": "sizes",
        "--mpi": "named_mpi",
        "--launcher": "launcher",
        "--profile": "profile",
    }
    command = cli.command.get_command(None, name)
    for parameter in command.params:
        for spelling in parameter.opts:
            assert meaning.get(spelling, parameter.name) == parameter.name


def test_version(tutti):
    assert tutti("--version").stdout == f"tutti {package.__version__}\n"


def test_no_command_prints_the_help(tutti):
    result = tutti()
    assert result.returncode == 2
    assert "Use:" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["benhc"], "tutti: there is no command 'benhc': did you mean bench?"),
        (["frobnicate"], "tutti: there is no command 'frobnicate' (tutti --help lists them)"),
        (["libpath", "--jsno"], "tutti: tutti libpath has no option --jsno: did you mean --json?"),
        (["--versoin"], "tutti: tutti has no option --versoin: did you mean --version?"),
        (["run"], "tutti: missing argument 'PROGRAM...' (tutti run --help)"),
        (["run", "-n", "0", "true"], "tutti: invalid value for '-n': 0 is not in the range x>=1 (tutti run --help)"),
        (
            ["libpath", "--color", "red"],
            "tutti: invalid value for '--color': 'red' is not one of 'auto', 'always', 'never' (tutti libpath --help)",
        ),
    ],
)
def test_a_misuse_is_one_line_and_status_2(tutti, words, said):
    result = tutti(*words)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", said + "\n")


def test_libpath_is_a_file(tutti):
    plain, machine = tutti("libpath"), tutti("libpath", "--json")
    assert plain.returncode == machine.returncode == 0
    assert json.loads(machine.stdout) == {"library": plain.stdout.strip()}
    assert plain.stdout.strip().endswith("/libtutti.so")
