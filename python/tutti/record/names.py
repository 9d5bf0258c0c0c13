"""Names of C++ functions as a table can hold them: without parameters, return type, and what templates are filled with.

void solve::step<std::vector<double, std::allocator<double> > >(solve::Mesh&) const   is   solve::step<…>
"""

from __future__ import annotations

import re

from tutti import core

LONGEST = 12  # letters of a template's arguments that stay as they are
OPERATOR = re.compile(r"operator(?:\(\)|\[\]|<=>|<<=|>>=|<<|>>|<=|>=|->\*|->|<|>)")
LAMBDA = re.compile(r"\{lambda\(.*?\)(#\d+)\}")
CLONE = re.compile(r" ?\[(?:clone|abi:)[^\]]*\]")
OPENING, CLOSING = "<(", ">)"


def closed(text: str, at: int) -> int:
    """Behind the bracket that closes the one at that place; the end where none does."""
    depth, place = 0, at
    while place < len(text):
        if operator := OPERATOR.match(text, place):
            place = operator.end()
            continue
        arrow = text[place] == ">" and text[place - 1] == "-"
        depth += (text[place] in OPENING) - (text[place] in CLOSING and not arrow)
        place += 1
        if depth == 0:
            return place
    return len(text)


def without_noise(text: str) -> str:
    """No parameters, and templates' arguments where they are short.  What a local name is in keeps its own name."""
    kept, place = "", 0
    while place < len(text):
        if operator := OPERATOR.match(text, place):
            kept += operator[0]
            place = operator.end()
        elif text[place] in OPENING:
            end = closed(text, place)
            inner = text[place + 1 : end - 1]
            if text[place] == "<":
                kept += f"<{inner}>" if len(inner) <= LONGEST and "<" not in inner else "<…>"
            place = end
        else:
            kept += text[place]
            place += 1
    return kept


def shortened(name: str) -> str:
    """Of a name as demanglers write it; C's and Fortran's stay as they are."""
    text = CLONE.sub("", name).replace("(anonymous namespace)", "{anonymous}")
    text = LAMBDA.sub(r"{lambda\1}", text).replace("std::__cxx11::", "std::")
    text = re.sub(r"( const| volatile| noexcept|&)+$", "", without_noise(text).strip())
    before, operator, rest = text.partition("operator")
    word = bool(operator) and before[-1:] in ("", ":", " ") and not re.match(r"\w", rest)
    if not word:
        return text.rpartition(" ")[2] or name
    return before.rpartition(" ")[2] + operator + rest


def readable(symbol: str) -> str:
    """Of a linker's symbol."""
    name = core.load().demangled(symbol) if symbol.startswith("_Z") else symbol
    return shortened(name) if name != symbol else symbol
