"""A recorded call's elements, operator, root and place as a case of tutti-bench has them: allreduce(double,max):64."""

from __future__ import annotations

from collections.abc import Iterable

from tutti import core
from tutti.results.comparison import without_terms

USUAL = ("float", "sum")  # what a reduction is measured with that has no terms

# By tutti-bench's element: datatypes that are it, and such as have its size and are combined as fast.
ELEMENTS = {
    "int": ("INT", "INT32_T", "INTEGER", "INTEGER4", "UNSIGNED", "UINT32_T", "LOGICAL", "WCHAR"),
    "long": ("LONG", "LONG_LONG", "LONG_LONG_INT", "INT64_T", "INTEGER8", "UNSIGNED_LONG", "UNSIGNED_LONG_LONG",
             "UINT64_T", "AINT", "OFFSET", "COUNT"),
    "float": ("FLOAT", "REAL", "REAL4"),
    "double": ("DOUBLE", "DOUBLE_PRECISION", "REAL8"),
    "2int": ("2INT", "2INTEGER"),
    "float_int": ("FLOAT_INT",),
    "double_int": ("DOUBLE_INT",),
}  # fmt: skip
ELEMENT_OF = {f"MPI_{name}": element for element, names in ELEMENTS.items() for name in names}
OPERATOR_OF = {"user's": "user"}  # the others are called as MPI calls them: MPI_MAX is max
OF_ITS_SIZE = {"int": "float", "long": "double"}  # for operators that whole numbers are not measured with


def element_and_operator(datatype: str, operator: str) -> tuple[str, str] | None:
    """What stands for them; None where nothing does, such as for complex numbers."""
    element = ELEMENT_OF.get(datatype)
    combined = OPERATOR_OF.get(operator, operator.removeprefix("MPI_").lower())
    if combined == "user" and element is None:  # of a derived type
        element = USUAL[0]
    for each in (element, OF_ITS_SIZE.get(element or "")):
        if each is None:
            continue
        try:
            core.load().check_case(f"reduce({each},{combined}):8")
        except ValueError:
            continue
        return each, combined
    return None


def terms_of(datatype: str, operator: str) -> tuple[str, ...]:
    """Words of a reduction's terms; none where they are the usual ones, or the call has no operator."""
    found = element_and_operator(datatype, operator) if operator else None
    if found is None or found == USUAL:
        return ()
    element, combined = found
    return (element, combined) if combined != USUAL[1] else (element,)


def replaced(datatype: str, operator: str) -> bool:
    """Whether a reduction is measured with floats that are summed though it is something else."""
    return bool(operator) and element_and_operator(datatype, operator) is None


def subject(collective: str, words: Iterable[str]) -> str:
    words = list(words)
    return f"{collective}({','.join(words)})" if words else collective


def words_of(text: str) -> list[str]:
    """A subject's terms."""
    inside = text.partition("(")[2].rstrip(")")
    return inside.split(",") if inside else []


def without_root(text: str) -> str:
    """A root says whose the recorded delays are; what a call gains hardly depends on it."""
    return subject(without_terms(text), [word for word in words_of(text) if not word.startswith("root=")])
