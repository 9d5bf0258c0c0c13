"""Which MPI a program belongs to: what the loader would load, compiled here where there is a compiler."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tutti.site import elf, linking, mpi

# Stand-ins for MPI libraries: what they define tells them.
LIBRARIES = {
    "openmpi": (
        "libmpi.so.40",
        "int PMPI_Init(void){return 0;} int MPI_Init(void){return 0;} int ompi_mpi_comm_world;",
    ),
    "mpich": ("libmpich.so.12", 'int PMPI_Init(void){return 0;} const char *v = "MPICH Version: 4.0.2";'),
}


@pytest.fixture
def build(tmp_path):
    """build(NAME, SOURCE, *needed, **words): an object in a folder of its own; with a soname it is a library."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")

    def make(folder, name, source, *needed, soname="", words=()):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / "source.c").write_text(source)
        shared = ["-shared", "-fPIC", f"-Wl,-soname,{soname}"] if soname else []
        command = [compiler, *shared, "-o", place / name, place / "source.c", "-Wl,--no-as-needed", *needed, *words]
        subprocess.run([str(word) for word in command], check=True, capture_output=True)
        return place / name

    return make


@pytest.fixture
def library(build):
    def make(family, folder="mpi"):
        name, source = LIBRARIES[family]
        return build(folder, name, source, soname=name)

    return make


MAIN = "int main(void){return 0;}"


def linked(program, **variables):
    return linking.linked_with(program, variables)


@pytest.mark.parametrize(("family", "backend"), [("openmpi", "openmpi"), ("mpich", "mpich")])
def test_a_c_program_names_its_library(build, library, family, backend):
    needed = library(family)
    found = linked(build("bin", "app", MAIN, needed, words=[f"-Wl,-rpath,{needed.parent}"]))
    assert (found.path, found.family, found.backend) == (needed, family, backend)


def test_a_fortran_program_names_others_and_some_reach_the_mpi_through_a_library(build, library):
    base = library("openmpi")
    here = "-Wl,-rpath,$ORIGIN"
    fortran = build("mpi", "libmpi_mpifh.so.40", "int mpi_init_;", base, soname="libmpi_mpifh.so.40", words=[here])
    found = linked(build("bin", "app", MAIN, fortran, words=[f"-Wl,-rpath,{fortran.parent}"]))
    assert (found.path, found.family) == (base, "openmpi")
    solver = build("lib", "libsolver.so", "int solve;", fortran, soname="libsolver.so",
                   words=["-Wl,-rpath,$ORIGIN/../mpi", "-Wl,--enable-new-dtags"])  # fmt: skip
    words = ["-Wl,-rpath,$ORIGIN/../lib", f"-Wl,-rpath-link,{fortran.parent}"]
    assert linked(build("bin", "solve", MAIN, solver, words=words)).family == "openmpi"


def test_the_environment_comes_after_rpath_and_before_runpath(build, library):
    one, other = library("mpich", "one"), library("mpich", "other")
    runpath = build("bin", "new", MAIN, one, words=[f"-Wl,-rpath,{one.parent}", "-Wl,--enable-new-dtags"])
    rpath = build("bin", "old", MAIN, one, words=[f"-Wl,-rpath,{one.parent}", "-Wl,--disable-new-dtags"])
    variables = {"LD_LIBRARY_PATH": str(other.parent)}
    assert (linked(runpath, **variables).path, linked(rpath, **variables).path) == (other, one)
    runpath.chmod(0o4755)  # the loader leaves the environment of such a program alone
    assert linked(runpath, **variables).path == one


def test_a_library_that_is_not_there_is_known_by_its_name(build, library):
    needed = library("openmpi")
    program = build("bin", "app", MAIN, needed)
    needed.rename(needed.with_name("gone"))
    found = linked(program, LD_LIBRARY_PATH=str(needed.parent))
    if found.path is None:  # no Open MPI of the system either
        assert (found.name, found.family) == ("libmpi.so.40", "openmpi")
    assert linking.family_named("libmpichfort.so.12") == "mpich"
    assert linking.family_named("libmpi_usempif08.so.40") == "openmpi"


def test_what_is_no_mpi_program_is_left_alone(build, tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n# \0libmpi.so.40\0")
    cut = tmp_path / "cut"
    cut.write_bytes(build("bin", "app", MAIN).read_bytes()[:200])
    for program in (script, cut, build("bin", "app", MAIN), tmp_path / "none", tmp_path):
        assert linked(program) is None
    inside = build("bin", "inside", LIBRARIES["mpich"][1] + MAIN)
    assert linked(inside) is None and linking.is_static(inside)


def test_it_is_what_the_loader_loads(build):
    """ldd asks the loader itself."""
    ldd = shutil.which("ldd")
    program = shutil.which("addr2line") or shutil.which("python3")
    if not ldd or not program or not elf.read(Path(program)):
        pytest.skip("no ldd, or no program to try")
    said = subprocess.run([ldd, program], capture_output=True, text=True, check=True).stdout
    theirs = {os.path.realpath(line.split("=>")[1].split()[0]) for line in said.splitlines() if "=> /" in line}
    ours, missing = linking.objects(Path(program), os.environ)
    assert not missing
    assert theirs <= {os.path.realpath(each.path) for each in ours[1:]}


@pytest.mark.parametrize("name", ["mpich", "openmpi", "impi"])
def test_the_mpis_of_the_build_are_told_from_their_files(name):
    prefix = mpi.fetched_prefix(name)
    if prefix is None:
        pytest.skip(f"the build fetched no {name}")
    files = [file for file in prefix.glob("lib/libmpi.so*") if elf.defines(file, "PMPI_Init")]
    assert files and {linking.family_of(file) for file in files} == {name}


def test_run_says_whose_program_it_is_before_and_after_with_what_to_type(build, library, tutti, fake_mpi, monkeypatch):
    needed = library("openmpi")
    program = build("bin", "app", MAIN, needed, words=[f"-Wl,-rpath,{needed.parent}"])
    mpich, other = fake_mpi("mpich").prefix, fake_mpi("openmpi").prefix
    result = tutti("run", "-n", 2, "--mpi", mpich, program, "-x", path=f"{other}/bin:{os.environ['PATH']}")
    assert result.returncode == 0  # never refused
    lines = result.stderr.splitlines()
    assert (
        f"app is a program of Open MPI ({needed}), and {mpich}/bin/mpiexec is the launcher of MPICH 5.0.2" in lines[0]
    )
    typed = f"type: tutti run --mpi mpiexec -n 2 {program} -x"
    assert lines[0].endswith(typed) and lines[-1].endswith(typed) and "its ranks were alone" in lines[-1]
    right = tutti("run", "-n", 2, "--mpi", other, program, path=os.environ["PATH"])
    assert "is a program of" not in right.stderr


def test_doctor_says_whose_program_it_is(build, library, tutti, fake_mpi):
    needed = library("openmpi")
    program = build("bin", "app", MAIN, needed, words=[f"-Wl,-rpath,{needed.parent}"])
    result = tutti("doctor", program, "--mpi", fake_mpi("mpich").prefix, "--no-probe", "--json")
    assert result.returncode == 1 and '"topic": "program"' in result.stdout and "a program of Open MPI" in result.stdout
    missing = tutti("doctor", "./no-such-app", "--no-probe")
    assert (missing.returncode, missing.stderr.count("\n")) == (127, 1)
