"""Make the environment of `make build`, or say in one line what is missing.  Runs under the system's Python.

python3 tools/venv.py .venv
"""

import shutil
import subprocess
import sys

WANTED = (3, 10)


def main():
    if sys.version_info < WANTED:
        sys.exit(
            "make build needs Python %d.%d or newer, and %s is %d.%d: name another with make build PYTHON=python3.x"
            % (WANTED + (sys.executable,) + sys.version_info[:2])
        )
    if not shutil.which("g++"):
        sys.exit("make build needs g++ 12 or newer, and there is none on PATH")
    try:
        import ensurepip  # noqa: F401 - Debian packs it apart
    except ImportError:
        sys.exit(
            "%s cannot make environments: install its venv package (Debian: apt install python%d.%d-venv), "
            "or name another Python with make build PYTHON=..." % ((sys.executable,) + sys.version_info[:2])
        )
    print("making %s with Python %d.%d" % ((sys.argv[1],) + sys.version_info[:2]))
    if subprocess.call([sys.executable, "-m", "venv", sys.argv[1]]) != 0:
        shutil.rmtree(sys.argv[1], ignore_errors=True)
        sys.exit("%s -m venv %s failed" % (sys.executable, sys.argv[1]))


if __name__ == "__main__":
    main()
