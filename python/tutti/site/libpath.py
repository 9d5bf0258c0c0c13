"""tutti libpath."""

from __future__ import annotations

import click

from tutti import options, paths


@click.command("libpath", epilog=options.example("LD_PRELOAD=$(tutti libpath) mpiexec -n 8 ./app"))
@options.output
def command(out):
    """Print the absolute path of libtutti.so, for LD_PRELOAD by hand.

    The one library serves every MPI: it finds the one in the process and loads the backend that fits it.
    """
    path = str(paths.library())
    out.rows([{"library": path}], []) if out.json else click.echo(path)
