#!/bin/sh
# Debian packages that further tests need: its own MPICH and Open MPI (libmpich.so.12, an older Open MPI), Fortran, and
# what makes networks for the emulated cluster; SimGrid, whose SMPI simulates many ranks; a browser (with letters) that
# opens the report.
set -e
packages="gfortran mpich libmpich-dev openmpi-bin libopenmpi-dev libsimgrid-dev iproute2 util-linux \
  chromium fonts-dejavu-core"
if ! command -v apt-get >/dev/null; then
  echo "make test-deps: there is no apt-get here; install by hand what gives gfortran, MPICH, Open MPI, ip, tc, unshare"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "make test-deps: needs root (sudo make test-deps); without these packages their tests are skipped" >&2
  exit 1
fi
missing=""
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -z "$missing" ]; then
  echo "make test-deps: all there ($packages)"
  exit 0
fi
echo "make test-deps: installing$missing"
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
