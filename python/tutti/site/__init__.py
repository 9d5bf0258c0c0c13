"""The site: this machine and its MPIs, and programs started here.

run, doctor, settings, libpath, clean    commands, a file each
mpi, linking, elf                        which MPIs are here; to which of them a program belongs
launch, processes, crowding              how ranks are started, how many, and an end to all of them
machine, awake                           what the machine lets tutti do; processors that do not sleep
"""
