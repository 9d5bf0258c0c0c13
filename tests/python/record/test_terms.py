"""What stands in a benchmark for a recorded call's datatype and operator."""

from __future__ import annotations

import pytest
from tutti.record import gain, terms
from tutti.results.comparison import order_of, without_terms


@pytest.mark.parametrize(
    ("datatype", "operator", "words"),
    [
        ("MPI_FLOAT", "MPI_SUM", ()),
        ("MPI_DOUBLE", "MPI_SUM", ("double",)),
        ("MPI_DOUBLE_PRECISION", "MPI_MAX", ("double", "max")),
        ("MPI_UNSIGNED_LONG", "MPI_BOR", ("long", "bor")),
        ("MPI_INT64_T", "MPI_PROD", ("double", "prod")),  # whole numbers' products are not measured
        ("MPI_DOUBLE_INT", "MPI_MINLOC", ("double_int", "minloc")),
        ("derived", "user's", ("float", "user")),
        ("MPI_DOUBLE", "", ()),
        ("derived", "", ()),
    ],
)
def test_terms(datatype, operator, words):
    assert terms.terms_of(datatype, operator) == words
    assert not terms.replaced(datatype, operator)


def test_what_nothing_stands_for_is_told():
    assert terms.terms_of("MPI_C_DOUBLE_COMPLEX", "MPI_SUM") == ()
    assert terms.replaced("MPI_C_DOUBLE_COMPLEX", "MPI_SUM")


def test_a_subject_and_its_parts():
    text = terms.subject("reduce", ["double", "max", "root=3"])
    assert text == "reduce(double,max,root=3)"
    assert without_terms(text) == "reduce"
    assert terms.without_root(text) == "reduce(double,max)"
    assert terms.without_root("bcast(root=1)") == "bcast"
    assert order_of(text) == order_of("reduce")


def test_gains_are_of_the_same_terms_where_these_were_measured():
    cells = {("reduce", 4): [(8, 2.0)], ("reduce(double,max)", 4): [(8, 3.0)], ("scan(int)", 4): [(8, 5.0)]}
    known = gain.Measured(cells)
    assert known.ratio("reduce(double,max)", 4, 8) == 3.0
    assert known.ratio("reduce(int)", 4, 8) == 2.0
    assert known.ratio("scan(double)", 4, 8) == 5.0
    assert known.ratio("scan(int)", 2, 8) is None
