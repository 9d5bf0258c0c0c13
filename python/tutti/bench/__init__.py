"""Measuring: `tutti bench`, from what to measure to the table at its end.

command_line, familiar                      the command; its options by the names of IMB and OSU
subjects, cases, plan, arrival, timing      what is measured, how ranks come, how time is kept
launch, run, resume, live, environment      launches of tutti-bench, and what is kept and shown of them
variants, guidelines, imbalance, replay     other ways to measure: each is an option of the command
table, late_ranks, formats                  what is printed: tutti's tables, IMB's and OSU's layouts
"""
