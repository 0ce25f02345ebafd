"""Formulas by themselves: how they are laid out, what an index keeps of them, how they look."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union

from . import _phocus
from ._arguments import path, text

__all__ = [
    "Box",
    "Encoding",
    "Layout",
    "Svg",
    "Symbol",
    "Token",
    "configs",
    "encode",
    "layout",
    "render",
]


class Box(NamedTuple):
    """A box in em. x grows to the right and y downwards, as on a page."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """How high it is."""
        return self.y1 - self.y0


class Symbol(NamedTuple):
    """A symbol of a formula, and the box of its ink."""

    symbol: str
    box: Box


class Svg(str):
    """A drawing: SVG as text, which a notebook shows.

    >>> import phocus
    >>> drawing = phocus.render("x^2")
    >>> drawing
    Svg('x^2')
    >>> drawing.startswith("<svg")
    True
    """

    latex: str

    def __new__(cls, svg: str, latex: str = "") -> Svg:
        drawing = super().__new__(cls, svg)
        drawing.latex = latex
        return drawing

    def __reduce__(self) -> tuple[type[Svg], tuple[str, str]]:
        return Svg, (str(self), self.latex)

    def __repr__(self) -> str:
        return f"Svg({self.latex!r})"

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, to: Union[str, os.PathLike[str]]) -> None:
        """Writes the drawing to a file."""
        with open(path(to), "w", encoding="utf-8") as file:
            file.write(str(self))


@dataclass
class Layout(Sequence[Symbol]):
    """A formula as it is laid out: its symbols, in the order in which they are drawn."""

    latex: str
    #: The LaTeX that was laid out, after what was typed was completed or mended.
    read_as: str
    #: What was guessed to read it, each in a sentence.
    notes: list[str]
    #: Commands that are not known.
    unknown_commands: list[str]
    #: The box around all symbols.
    box: Box
    symbols: list[Symbol]

    def __len__(self) -> int:
        return len(self.symbols)

    def __getitem__(self, at: Any) -> Any:
        return self.symbols[at]

    def _repr_svg_(self) -> str:
        return str(render(self.read_as))


@dataclass
class Token:
    """A token of a formula: a symbol, a pair of neighbours, or a class of either."""

    #: ``symbol``, ``pair``, ``class``, ``classpair`` or ``varpair``.
    kind: str
    key: str
    #: Where it stands.
    boxes: list[Box]
    #: A ``1`` for each region that it touches.
    bits: str


@dataclass
class Encoding(Sequence[Token]):
    """What an index keeps of a formula: its tokens, each with the regions that it touches."""

    latex: str
    #: The LaTeX that was laid out.
    read_as: str
    #: What was guessed to read it, each in a sentence.
    notes: list[str]
    #: The name of the configuration.
    config: str
    #: The box around all symbols.
    box: Box
    tokens: list[Token]

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, at: Any) -> Any:
        return self.tokens[at]


def boxes(listed: Sequence[Sequence[float]]) -> list[Box]:
    """Boxes of their edges."""
    return [Box(*edges) for edges in listed]


def layout(latex: str, *, macros: Optional[str] = None) -> Layout:
    """Lays a formula out: which symbols it has, and where they stand.

    ``macros`` is LaTeX that defines macros which the formula uses.

    >>> import phocus
    >>> for symbol, box in phocus.layout("x^2"):
    ...     print(symbol, round(box.x0, 2), round(box.y0, 2))
    𝑥 0.04 0.42
    2 0.61 -0.02
    """
    read = json.loads(_phocus.layout(text("latex", latex), macros))
    return Layout(
        latex=latex,
        read_as=read["read_as"],
        notes=read["notes"],
        unknown_commands=read["unknown_commands"],
        box=Box(*read["box"]),
        symbols=[Symbol(one["symbol"], Box(*one["box"])) for one in read["symbols"]],
    )


def encode(latex: str, config: str = "best", *, macros: Optional[str] = None) -> Encoding:
    """Encodes a formula as an index does.

    ``config`` is one of :func:`configs`, a ``.toml`` file, or a notation of regions such as
    ``xy7o4``.

    >>> import phocus
    >>> for token in phocus.encode("x^2", "xy5"):
    ...     print(token.key, token.bits)
    2 10100100110001110100010001000
    𝑥 11111011101110001001001000010
    """
    read = json.loads(_phocus.encode(text("latex", latex), text("config", config), macros))
    return Encoding(
        latex=latex,
        read_as=read["read_as"],
        notes=read["notes"],
        config=read["config"],
        box=Box(*read["box"]),
        tokens=[
            Token(one["kind"], one["key"], boxes(one["boxes"]), one["bits"])
            for one in read["tokens"]
        ],
    )


def render(
    latex: str,
    *,
    theme: str = "light",
    mark: Union[str, Iterable[Union[str, Box]]] = (),
    macros: Optional[str] = None,
) -> Svg:
    """Draws a formula as SVG.

    ``mark`` says which symbols get a coloured background: by their names, or by their boxes as
    :func:`layout` gives them. ``theme`` is ``light`` (dark ink), ``dark`` (light ink) or ``auto``
    (as the reader's system says).

    >>> import phocus
    >>> phocus.render(r"\\sqrt{x}", mark="𝑥").count('class="mark"')
    1
    """
    marks: list[Union[str, Box]] = [mark] if isinstance(mark, str) else list(mark)
    marked: list[Box] = [one for one in marks if isinstance(one, Box)]
    names: list[str] = [text("mark", one) for one in marks if not isinstance(one, Box)]
    drawn = _phocus.render(text("latex", latex), text("theme", theme), names, marked, macros)
    return Svg(drawn, latex)


def configs() -> list[str]:
    """The names of the configurations that come with phocus.

    >>> import phocus
    >>> phocus.configs()[:3]
    ['best', 'xy5', 'xy5-idf']
    """
    return _phocus.configs()
