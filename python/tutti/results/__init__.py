"""Results: what a measurement leaves behind, and what it says.

runs, samples, sample_cells    the folder of a run, and every repetition of every rank in it
timed, caches, timeouts        what a sample's time means: from where to where, in which state, with which waits
comparison, joint              native beside tutti, cell by cell, with the evidence
statistics, rank_test          robust statistics over launches; tests of two samples
guidelines                     what one collective may cost beside others that do its work
compare                        `tutti compare`
"""
