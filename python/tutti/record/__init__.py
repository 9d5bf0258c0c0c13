"""`tutti record`: from a recording to what it says of a program.  What reads a recording is tutti.recording.

command_line    the command
table           the table by call site;  sites, names: call sites as people know them
gain, terms     what tutti would make of the calls; a recorded call as a case of tutti-bench
skew, early     how late ranks came, and which waits for them the calls do not ask for
"""
