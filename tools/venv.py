"""Make the environment of `make build`, or say in one line what is missing.  Runs under the system's Python.

python3 tools/venv.py .venv
"""

import shutil
import subprocess
import sys

WANTED = (3, 10)


def main():
    """Says what is missing in words that any Python 3 can print."""
    folder, here = sys.argv[1], f"{sys.version_info[0]}.{sys.version_info[1]}"
    if sys.version_info < WANTED:
        wanted = f"{WANTED[0]}.{WANTED[1]}"
        sys.exit(
            f"make build needs Python {wanted} or newer, and {sys.executable} is {here}: "
            "name another with make build PYTHON=python3.x"
        )
    if not shutil.which("g++"):
        sys.exit("make build needs g++ 12 or newer, and there is none on PATH")
    try:
        import ensurepip  # noqa: F401 - Debian packs it apart
    except ImportError:
        sys.exit(
            f"{sys.executable} cannot make environments: install its venv package (Debian: apt install "
            f"python{here}-venv), or name another Python with make build PYTHON=..."
        )
    print(f"making {folder} with Python {here}", flush=True)
    if subprocess.call([sys.executable, "-m", "venv", folder]) != 0:
        shutil.rmtree(folder, ignore_errors=True)
        sys.exit(f"{sys.executable} -m venv {folder} failed")


if __name__ == "__main__":
    main()
