"""Arguments that several functions take, checked."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from typing import Any, Optional, Union

from .errors import ArgumentError

#: An index numbers fewer formulas than this.
_MOST = 2**32

MinMatch = Union[float, str]
Idf = Union[bool, str, None]
Words = Union[str, Iterable[str], None]


def count(name: str, value: Any) -> int:
    """A number of things: not negative."""
    try:
        number = operator.index(value)
    except TypeError:
        text = f"{name}: expected a whole number, found {value!r}"
        raise TypeError(text) from None
    if isinstance(value, bool):
        raise TypeError(f"{name}: expected a whole number, found {value!r}")
    if number < 0:
        raise ArgumentError(f"{name}: expected a number from 0 up, found {number}")
    return min(number, _MOST)


def words(name: str, value: Words) -> list[str]:
    """One word or several as a list."""
    if value is None:
        return []
    listed = [value] if isinstance(value, str) else list(value)
    for word in listed:
        if not isinstance(word, str):
            raise TypeError(f"{name}: expected text or a list of texts, found {word!r}")
    return listed


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected text, found {value!r}")
    return value


def path(value: Union[str, os.PathLike[str]]) -> str:
    """A path as text."""
    return os.fsdecode(value)


def _min_match(value: MinMatch) -> MinMatch:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError(f"min_match: expected 0.75 or '75%', found {value!r}")
    return value if isinstance(value, str) else float(value)


def search_options(
    k: int,
    from_: int = 0,
    min_match: MinMatch = 0.0,
    idf: Idf = None,
    rerank: Optional[int] = None,
    group: Optional[str] = None,
    types: Words = None,
    sources: Words = None,
    macros: Optional[str] = None,
    matched: bool = True,
    distinct: bool = False,
) -> dict[str, Any]:
    """The options of a search."""
    if idf is not None and not isinstance(idf, (bool, str)):
        raise TypeError(f"idf: expected True, False or 'region', found {idf!r}")
    return {
        "k": count("k", k),
        "from_": count("from_", from_),
        "min_match": _min_match(min_match),
        "idf": idf,
        "rerank": None if rerank is None else count("rerank", rerank),
        "group": None if group is None else text("group", group),
        "types": words("types", types),
        "sources": words("sources", sources),
        "macros": None if macros is None else text("macros", macros),
        "matched": bool(matched),
        "distinct": distinct,
    }


def ask_options(
    k: int,
    from_: int = 0,
    answers: bool = False,
    alpha: Optional[float] = None,
    macros: Optional[str] = None,
) -> dict[str, Any]:
    """The options of a question."""
    if alpha is not None and not isinstance(alpha, (int, float)):
        raise TypeError(f"alpha: expected a number from 0 to 1, found {alpha!r}")
    return {
        "k": count("k", k),
        "from_": count("from_", from_),
        "answers": bool(answers),
        "alpha": None if alpha is None else float(alpha),
        "macros": None if macros is None else text("macros", macros),
    }
