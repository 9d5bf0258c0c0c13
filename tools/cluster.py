"""Several "nodes" on this machine, joined by a network of a chosen rate; MPI programs on them.  See docs/cluster.md.

sudo python3 tools/cluster.py run -N 4 --ppn 2 --mpi mpich -- ./app
sudo python3 tools/cluster.py up -N 4 --rate 1gbit --buffers shallow
sudo python3 tools/cluster.py down
"""

import sys

from cluster.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
