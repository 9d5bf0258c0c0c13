"""tutti report: what runs of `tutti bench` say, as one page or as single figures.

command_line               the command
measured, distribution     what is known of cells, and of the samples behind them
figures                    what can be drawn of them, and as what; study names every figure
answer, details, facts, arrivals, waits, imbalance, sections, html, page    the page
"""
