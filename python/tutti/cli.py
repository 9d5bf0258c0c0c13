"""The `tutti` command: its sections, and what it says to a misspelt word."""

from __future__ import annotations

import importlib
import sys

import click
from click.exceptions import NoArgsIsHelpError

import tutti
from tutti.errors import UserError, did_you_mean

# Section -> command -> (module of this package, what it is for, example).  Modules are loaded when asked for.
SECTIONS: dict[str, dict[str, tuple[str, str, str]]] = {
    "Use": {
        "run": ("site.run", "start a program", "tutti run -n 8 ./app"),
        "doctor": ("site.doctor", "what is here, what is served, what is wrong", ""),
        "settings": ("site.settings", "every variable, its value and where it came from", ""),
        "libpath": ("site.libpath", "absolute path of libtutti.so, for LD_PRELOAD by hand", ""),
        "hang": ("hang.command_line", "who is missing in a job that hangs", "tutti hang 4711"),
        "clean": ("site.clean", "remove what killed runs left behind", ""),
    },
    "Measure": {
        "record": ("record.command_line", "a program's collectives", "tutti record -n 8 ./app"),
        "bench": ("bench.command_line", "time collectives", "tutti bench allreduce -n 8 --versus native"),
        "compare": ("results.compare", "exit 1 if slower beyond noise", "tutti compare runs/a runs/b"),
        "report": ("report.command_line", "one HTML file of results", "tutti report runs/* -o report.html"),
    },
    "Decide": {
        "calibrate": ("calibration.command_line", "measure this machine's parameters", "tutti calibrate -o site.toml"),
        "tune": ("tuning.command_line", "write a profile", "tutti tune --node -o node.toml"),
        "explain": ("study.explain", "which algorithm, and why", "tutti explain allreduce -s 4K -N 16 --ppn 32"),
        "export": ("export.command_line", "others' rule files", "tutti export openmpi cluster.toml"),
    },
    "Study": {
        "list": ("study.catalogue", "the catalogue", "tutti list allreduce -n 64"),
        "show": ("study.show", "draw a schedule", "tutti show allgather ring -n 5"),
        "predict": ("prediction.command_line", "by model", "tutti predict bcast -N 64 --ppn 16 -s 1K:1M"),
        "simulate": (
            "simulation.command_line",
            "on a machine that is described",
            "tutti simulate allreduce ring -m 64x16 -s 1K:1M",
        ),
        "reproduce": (
            "study.reproduce.command_line",
            "published pictures, measured here",
            "tutti reproduce hamid -o hamid.html",
        ),
        "verify": ("study.verify", "prove the catalogue", "tutti verify -n 1:33"),
    },
}
COMMANDS = {name: entry for section in SECTIONS.values() for name, entry in section.items()}


class Sections(click.Group):
    """Commands by what they are for; each one's module is imported when it is asked for."""

    def list_commands(self, ctx):
        return list(COMMANDS)

    def get_command(self, ctx, name):
        if name not in COMMANDS:
            return None
        return importlib.import_module(f"tutti.{COMMANDS[name][0]}").command

    def resolve_command(self, ctx, args):
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            hint = did_you_mean(args[0], COMMANDS) or " (tutti --help lists them)"
            raise UserError(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx, formatter):
        """One line a command, never wrapped: name, purpose, example."""
        width = max(len(purpose) for _, purpose, example in COMMANDS.values() if example)
        for section, commands in SECTIONS.items():
            formatter.write(f"\n{section}:\n")
            for name, (_, purpose, example) in commands.items():
                formatter.write(f"  {name:<10}{purpose:<{width}}   {example}".rstrip() + "\n")


@click.group(
    cls=Sections,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Each command's --help has examples.",
)
@click.version_option(tutti.__version__, message="tutti %(version)s")
def command():
    """Faster MPI collectives for programs that are already compiled."""


def options_of(ctx: click.Context | None) -> list[str]:
    """Every spelling of every option of the command that was asked for."""
    if ctx is None:
        return []
    return [spelling for parameter in ctx.command.get_params(ctx) for spelling in parameter.opts]


def explain(error: click.ClickException) -> UserError:
    """click's error as one line of ours."""
    if isinstance(error, UserError):
        return error
    ctx = getattr(error, "ctx", None)
    name = ctx.command_path if ctx else "tutti"
    if isinstance(error, click.NoSuchOption):
        hint = did_you_mean(error.option_name, options_of(ctx)) or f" ({name} --help lists them)"
        return UserError(f"{name} has no option {error.option_name}{hint}")
    text = " ".join(error.format_message().split())
    return UserError(f"{text[:1].lower()}{text[1:].removesuffix('.')} ({name} --help)", error.exit_code)


def main(args: list[str] | None = None) -> None:
    """Entry point of the console script.  Exit status: the command's, 2 for a misuse, 130 after Ctrl-C."""
    try:
        status = command.main(args, prog_name="tutti", standalone_mode=False)
    except NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        status = 2
    except click.Abort:
        click.echo("tutti: interrupted", err=True)
        status = 130
    except click.ClickException as error:
        problem = explain(error)
        problem.show()
        status = problem.exit_code
    except BrokenPipeError:  # `tutti list | head`
        sys.stderr.close()
        status = 141
    sys.exit(status if isinstance(status, int) else 0)
