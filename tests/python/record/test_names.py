"""C++ names as a table can hold them."""

import pytest
from tutti.record import names, sites


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZN5solve4stepERNS_4MeshE", "solve::step"),
        ("_ZN5solve4stepISt6vectorIdSaIdEEEEvRT_", "solve::step<…>"),
        ("_ZN5solve4normIdEEdPKT_i", "solve::norm<double>"),
        ("_ZNK4MeshIdE4sizeEv", "Mesh<double>::size"),
        ("_ZN4MeshclEv", "Mesh::operator()"),
        ("_ZlsRSoRK4Mesh", "operator<<"),
        ("_ZN4MeshcvdEv", "Mesh::operator double"),
        ("_ZN12_GLOBAL__N_14stepEv", "{anonymous}::step"),
        ("_ZZ4mainENKUlvE_clEv", "main::{lambda#1}::operator()"),
        ("_ZN4MeshC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "Mesh::Mesh"),
        ("step_", "step_"),  # Fortran's
        ("i", "i"),  # no type
        ("_Zwrong", "_Zwrong"),
    ],
)
def test_readable(symbol, name):
    assert names.readable(symbol) == name


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("step", "step"),
        ("void solve::step<double>(solve::Mesh&) [clone .isra.0]", "solve::step<double>"),
        ("run(int, std::function<void (int)>)::Local::go() const", "run::Local::go"),
        ("bool operator< <int>(A<int> const&, A<int> const&)", "operator<"),
        ("std::enable_if<(4>2), int>::type f<4>()", "f<4>"),
        ("f(", "f"),
    ],
)
def test_shortened(name, short):
    assert names.shortened(name).split(" ")[0] == short


def test_a_site_that_the_loader_alone_knows_has_its_source_name():
    place = ("/no/libsolver.so", 0x7F0123, 0x7F0000, "_ZN5solve4stepISt6vectorIdSaIdEEEEvRT_")
    assert list(sites.of([place]).values()) == ["solve::step<…> (libsolver.so)"]


def test_debugging_information_is_shortened_alike():
    place = ("/no/app", 0x401010, 0x400000, "")
    assert sites.readable(place, "solve::step<std::vector<double> >(Mesh&)", "/src/solve.cpp:18") == (
        "solve.cpp:18 solve::step<…>"
    )
    assert sites.readable(place, "solve::step(Mesh&)", "??:?") == "solve::step (app)"
    assert sites.readable(place, "step", "step.c:3") == "step.c:3 step"
