"""Simulated machines: files of TOML, names that ship, layouts such as 2048x32, and changes to single fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tutti.errors import UserError, did_you_mean
from tutti.options import parse_size

SHIPPED = Path(__file__).parent / "machines"
STANDARD = "cluster"
LAYOUT = re.compile(r"(\d+)x(\d+)")
TIMES = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}
RATES = {"b/s": 1.0, "kb/s": 1e3, "mb/s": 1e6, "gb/s": 1e9, "tb/s": 1e12}
TOPOLOGIES = ("flat", "fat_tree", "dragonfly", "torus")
PLACEMENTS = ("block", "cyclic")
NEVER = 2**63 - 1  # bytes: no message is sent by rendezvous


def quantity(value: Any, units: dict[str, float], kind: str, example: str) -> float:
    """A number with a unit, in seconds or bytes a second.  Raises ValueError."""
    found = re.fullmatch(r"([0-9.]+(?:e[-+]?[0-9]+)?)\s*([a-z/]*)", str(value).strip().lower())
    if isinstance(value, bool) or not found or found[2] not in units:
        raise ValueError(f"{value!r} is not a {kind}: write for example {example}")
    try:
        return float(found[1]) * units[found[2]]
    except ValueError:
        raise ValueError(f"{value!r} is not a {kind}: write for example {example}") from None


def seconds(value: Any) -> float:
    return quantity(value, TIMES, "time", '"1.3us"')


def per_byte(value: Any) -> float:
    """Of a rate such as 12.5GB/s, seconds a byte; "unlimited" is 0."""
    if value == "unlimited":
        return 0.0
    rate = quantity(value, RATES, "rate", '"12.5GB/s", or "unlimited"')
    if rate <= 0:
        raise ValueError(f"{value!r} is not a rate: it is above 0")
    return 1 / rate


def count(value: Any) -> int:
    if isinstance(value, bool) or not re.fullmatch(r"\d+", str(value)):
        raise ValueError(f"{value!r} is not a whole number")
    return int(value)


def factor(value: Any) -> float:
    return quantity(value, {"": 1.0}, "number", "2 or 0.5")


def size(value: Any) -> int:
    return NEVER if value == "never" else parse_size(str(value))


def word(*valid: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in valid:
            raise ValueError(f"{value!r} is none of {', '.join(valid)}{did_you_mean(str(value), valid)}")
        return value

    return read


def numbers(value: Any) -> list[int]:
    """A list, or text: 0,4-7."""
    if isinstance(value, list):
        return [count(each) for each in value]
    found: list[int] = []
    for item in str(value).split(","):
        low, dash, high = item.partition("-")
        first = count(low.strip())
        found += range(first, count(high.strip()) + 1) if dash else [first]
    return found


LINK = {
    "latency": seconds,
    "send": seconds,
    "receive": seconds,
    "gap": seconds,
    "bandwidth": per_byte,
    "overhead_rate": per_byte,
    "rendezvous": size,
}
# What a file calls a field, and what tutti._core does.
USED = {
    "bandwidth": "per_byte",
    "overhead_rate": "overhead_per_byte",
    "reduce": "reduce_per_byte",
    "copy": "copy_per_byte",
    "memory": "memory_per_byte",
}
PIECE = {"link": word("between", "within"), "from": size, "latency": seconds, "bandwidth": per_byte}
# Table -> field -> how it is read.
FIELDS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "": {
        "name": str,
        "because": str,
        "nodes": count,
        "per_node": count,
        "placement": word(*PLACEMENTS),
        "cards": count,
        "reduce": per_byte,
        "copy": per_byte,
        "memory": per_byte,
    },
    "between": LINK,
    "within": LINK,
    "network": {"topology": word(*TOPOLOGIES), "leaf": count, "taper": factor, "sides": numbers, "hop": seconds},
    "noise": {"period": seconds, "duration": seconds, "jitter": factor, "seed": count},
    "slow": {"nodes": numbers, "factor": factor},
}


def checked(place: str, table: str, values: dict[str, Any]) -> dict[str, Any]:
    """The table's values as numbers.  Raises UserError, which names the field."""
    fields, found = FIELDS[table], {}
    for name, value in values.items():
        full = f"{table}.{name}" if table else name
        if name not in fields:
            raise UserError(f"{place}: there is no field {full}{did_you_mean(name, fields)}")
        try:
            found[name] = fields[name](value)
        except ValueError as error:
            raise UserError(f"{place}: {full}: {error}") from None
    return found


def interval(place: str, values: dict[str, Any]) -> dict[str, list[float]]:
    """ "within.latency" = ["0.2us", "0.3us"]: what a parameter lies between.  Raises UserError."""
    found = {}
    for name, bounds in values.items():
        table, _, field = name.rpartition(".")
        if table not in FIELDS or field not in FIELDS[table]:
            raise UserError(f"{place}: [interval] names {name}, which is no field of a machine")
        if not isinstance(bounds, list) or len(bounds) != 2:
            raise UserError(f'{place}: interval.{name}: write two values, such as ["0.2us", "0.3us"]')
        low, high = (checked(place, table, {field: value})[field] for value in bounds)
        as_used = f"{table}.{USED.get(field, field)}" if table else USED.get(field, field)
        found[as_used] = sorted([low, high])
    return found


def pieces(place: str, rows: Any) -> dict[str, list[dict[str, float]]]:
    """[[piece]]: α and β of messages of so many bytes or more, on the link `between` or `within`.  Raises UserError."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UserError(f"{place}: write [[piece]], one for each range of sizes")
    found: dict[str, list[dict[str, float]]] = {}
    for row in rows:
        for name in row:
            if name not in PIECE:
                raise UserError(f"{place}: there is no field piece.{name}{did_you_mean(name, PIECE)}")
        for name in PIECE:
            if name not in row:
                raise UserError(f"{place}: a [[piece]] has no {name}")
        try:
            read = {name: reader(row[name]) for name, reader in PIECE.items()}
        except ValueError as error:
            raise UserError(f"{place}: piece: {error}") from None
        read["per_byte"] = read.pop("bandwidth")
        found.setdefault(read.pop("link"), []).append(read)
    return {link: sorted(of, key=lambda piece: piece["from"]) for link, of in found.items()}


def read_text(text: str, place: str) -> dict[str, dict[str, Any]]:
    """Tables of a machine file, checked.  Raises UserError."""
    try:
        import tomllib
    except ModuleNotFoundError:
        raise UserError("machine files need Python 3.11 or newer; give a layout such as 64x16, and --set") from None
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{place}: {str(error)[:1].lower()}{str(error)[1:]}") from None
    measured = {"interval": interval(place, whole.pop("interval", {})), "pieces": pieces(place, whole.pop("piece", []))}
    tables: dict[str, dict[str, Any]] = {"": {k: v for k, v in whole.items() if not isinstance(v, dict)}}
    for name, values in whole.items():
        if not isinstance(values, dict):
            continue
        if name not in FIELDS:
            raise UserError(f"{place}: there is no table [{name}]{did_you_mean(name, FIELDS)}")
        tables[name] = values
    return {name: checked(place, name, values) for name, values in tables.items()} | measured


def shipped() -> dict[str, Path]:
    return {file.stem: file for file in sorted(SHIPPED.glob("*.toml"))}


def tables_of(name: str) -> dict[str, dict[str, Any]]:
    """Of a name that ships, or a file."""
    if name in shipped():
        return read_text(shipped()[name].read_text(), name)
    if name.endswith(".toml") or "/" in name:
        try:
            return read_text(Path(name).read_text(), name)
        except OSError as error:
            raise UserError(f"machine {name}: {error.strerror.lower()}") from None
        except UnicodeDecodeError:
            raise UserError(f"machine {name}: this is not a text") from None
    hint = did_you_mean(name, shipped()) or f": {', '.join(shipped())}; a layout such as 64x16, or FILE.toml"
    raise UserError(f"there is no machine {name!r}{hint}")


def change(tables: dict[str, dict[str, Any]], settings: Iterable[str]) -> None:
    """Fields from `between.latency=2us`."""
    for setting in settings:
        name, equals, value = setting.partition("=")
        table, _, field = name.strip().rpartition(".")
        if not equals or table not in FIELDS:
            tables_ = ", ".join(f"{table}.{next(iter(fields))}" for table, fields in FIELDS.items() if table)
            raise UserError(f"--set {setting}: write FIELD=VALUE, where FIELD is one such as nodes, {tables_}")
        tables.setdefault(table, {}).update(checked(f"--set {setting}", table, {field: value.strip()}))
        # What is said now was not measured.
        tables.get("interval", {}).pop(f"{table}.{USED.get(field, field)}" if table else USED.get(field, field), None)
        if table in ("between", "within"):
            tables.get("pieces", {}).pop(table, None)


def load(text: str, settings: Iterable[str] = ()) -> dict[str, Any]:
    """What tutti._core takes, of `2048x32`, `NAME`, `FILE.toml`, `NAME@2048x32`.  Raises UserError."""
    name, at, layout = text.partition("@")
    if not at and LAYOUT.fullmatch(text):
        name, at, layout = STANDARD, "@", text
    tables = tables_of(name)
    if at:
        shape = LAYOUT.fullmatch(layout)
        if not shape:
            raise UserError(f"{layout!r} is not a layout: write nodes x ranks on each, such as 64x16")
        tables[""].update(nodes=int(shape[1]), per_node=int(shape[2]))
    change(tables, settings)
    return described(tables, text)


def link(values: dict[str, Any]) -> dict[str, Any]:
    return {
        "latency": values.get("latency", 0.0),
        "send": values.get("send", 0.0),
        "receive": values.get("receive", values.get("send", 0.0)),
        "gap": values.get("gap", 0.0),
        "per_byte": values.get("bandwidth", 0.0),
        "overhead_per_byte": values.get("overhead_rate", 0.0),
        "rendezvous": values.get("rendezvous", NEVER),
    }


def described(tables: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    top, network, noise = tables[""], tables.get("network", {}), tables.get("noise", {})
    for needed in ("nodes", "per_node"):
        if needed not in top:
            raise UserError(f"machine {name}: it has no {needed}: give them, or {name}@64x16")
    for limited in ("nodes", "per_node"):
        if top[limited] >= 2**31:
            raise UserError(f"machine {name}: {limited}: {top[limited]} are too many")
    between = tables.get("between", {})
    slow = tables.get("slow", {})
    return {
        "name": top.get("name", name),
        "nodes": top["nodes"],
        "per_node": top["per_node"],
        "cyclic": top.get("placement", "block") == "cyclic",
        "cards": top.get("cards", 1),
        "between": link(between),
        "within": link(tables.get("within", between)),
        "reduce_per_byte": top.get("reduce", 0.0),
        "copy_per_byte": top.get("copy", 0.0),
        "memory_per_byte": top.get("memory", 0.0),
        "network": {
            "topology": network.get("topology", "flat"),
            "hop": network.get("hop", 0.0),
            "leaf": network.get("leaf", 0),
            "taper": network.get("taper", 1.0),
            "sides": network.get("sides", []),
        },
        "noise": {
            "period": noise.get("period", 0.0),
            "duration": noise.get("duration", 0.0),
            "jitter": noise.get("jitter", 0.0),
            "seed": noise.get("seed", 1),
        },
        "interval": tables.get("interval", {}),
        "pieces": tables.get("pieces", {}),
        "slow_nodes": slow.get("nodes", []),
        "slowdown": slow.get("factor", 1.0),
    }
