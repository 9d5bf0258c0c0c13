"""`tutti export`: a profile as other libraries' own files of rules.

command_line          the command, and what comes of each rule
rules                 first-match rules as tables by number of ranks and size
openmpi, han, mpich, intel, ucc    a format each
"""
