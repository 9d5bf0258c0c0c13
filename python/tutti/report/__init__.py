"""tutti report: what runs of `tutti bench` say, as one page or as single figures.

measured, distribution     what is known of cells, and of the samples behind them
axes, drawing, palette     what figures are made of; svg and pdf make files of them
curves, heat, spreads, timeline    the figures; study names them
answer, details, facts, waits, sections, html, page    the page
"""

from tutti.report.command_line import command, write

__all__ = ["command", "write"]
