"""What a search, a question and an explanation give."""

from __future__ import annotations

import base64
import dataclasses
import html
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, TypeVar

from ._tables import Columns, Table
from .errors import Error
from .formulas import Box, boxes, layout, render

__all__ = [
    "Answers",
    "AskedFormula",
    "AskedWord",
    "Batch",
    "Explanation",
    "Hit",
    "Instance",
    "LevelShare",
    "MatchedName",
    "MatchedSymbol",
    "PassagePart",
    "Results",
    "TextHit",
    "TokenShare",
]

#: A notebook shows so many results.
_SHOWN = 20

_Made = TypeVar("_Made")


def made(of: type[_Made], parts: dict[str, Any], /, **others: Any) -> _Made:
    """An object of the parts that it has; parts that it does not know are left out."""
    names = of.__dataclass_fields__  # type: ignore[attr-defined]
    known = {name: value for name, value in parts.items() if name in names}
    known.update(others)
    return of(**known)


def picture(latex: str, mark: Iterable[Box] = (), from_corner: bool = False) -> str:
    """A formula as an image of HTML, or its LaTeX where it cannot be drawn.

    Symbols in these boxes are marked; boxes may be from the corner of the formula's own box.
    """
    try:
        x, y = layout(latex).box[:2] if from_corner else (0.0, 0.0)
        moved = [Box(x + one.x0, y + one.y0, x + one.x1, y + one.y1) for one in mark]
        drawn = render(latex, mark=moved)
    except Error:
        return f"<code>{html.escape(latex)}</code>"
    data = base64.b64encode(drawn.encode()).decode()
    style = "background:#fff;max-width:none;display:inline-block;vertical-align:middle"
    title = html.escape(latex, quote=True)
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{title}" style="{style}">'


@dataclass
class Instance:
    """An occurrence of a formula."""

    #: The formula's own id.
    id: str
    #: The post that holds it.
    post: Optional[str] = None
    #: The thread of that post.
    thread: Optional[str] = None
    #: The type of text that holds it, such as ``question`` or ``answer``.
    type: Optional[str] = None
    #: The id that formulas which look the same share.
    visual_id: Optional[str] = None
    #: What the input says of it besides.
    fields: dict[str, str] = field(default_factory=dict)
    #: Where it can be read.
    url: Optional[str] = None


@dataclass
class MatchedSymbol:
    """A symbol of the query that a result has."""

    symbol: str
    #: Where it stands in the result.
    boxes: list[Box] = field(default_factory=list)


@dataclass
class Hit:
    """A formula that was found. A notebook shows it as it looks."""

    #: Its place among the results, from 1.
    rank: int
    #: Its visual id, or the id of its first occurrence.
    id: str
    #: Its score in the first stage.
    score: float
    latex: str
    #: How often it occurs.
    instances: int
    #: Where it occurs first.
    first: Instance
    #: How alike it and the query are as wholes, if it was re-ranked.
    likeness: Optional[float] = None
    #: The symbols of the query that it has.
    matched: list[MatchedSymbol] = field(default_factory=list, repr=False)
    #: Where results are grouped, the others of its group.
    others: list[Hit] = field(default_factory=list, repr=False)
    #: How many others its group has.
    others_count: int = field(default=0, repr=False)

    @property
    def visual_id(self) -> str:
        """What tells it from other formulas in a run: its visual id, or its own id."""
        return self.first.visual_id or self.id

    def _repr_html_(self) -> str:
        marked = [box for one in self.matched for box in one.boxes]
        return picture(self.latex, marked, from_corner=True)


def _hit(parts: dict[str, Any]) -> Hit:
    matched = [
        MatchedSymbol(one["symbol"], boxes(one.get("boxes", [])))
        for one in parts.get("matched", [])
    ]
    others = [_hit(one) for one in parts.get("others", [])]
    first = made(Instance, parts["first"])
    return made(Hit, parts, first=first, matched=matched, others=others)


_HIT: Columns = {
    "rank": int,
    "id": str,
    "score": float,
    "likeness": float,
    "latex": str,
    "instances": int,
    "visual_id": str,
    "formula_id": str,
    "post": str,
    "thread": str,
    "type": str,
    "url": str,
}


def _row(hit: Hit) -> tuple[Any, ...]:
    first = hit.first
    found = (hit.rank, hit.id, hit.score, hit.likeness, hit.latex, hit.instances)
    return (*found, hit.visual_id, first.id, first.post, first.thread, first.type, first.url)


@dataclass(repr=False)
class Results(Table, Sequence[Hit]):
    """The formulas that were found, best first. A notebook shows them as a table.

    >>> import phocus
    >>> results = phocus.Index("formulas.phoc").search("u^2+v^2=w^2", k=2)
    >>> results[0].latex
    'a^2+b^2=c^2'
    >>> [hit.id for hit in results]
    ['pythagoras', 'euler']
    """

    query: str
    hits: list[Hit]
    #: How many formulas match, at least.
    found: int
    #: Whether no others match.
    found_exactly: bool
    #: The LaTeX that was searched for.
    read_as: str
    #: What was guessed to read the query, each in a sentence.
    notes: list[str]
    #: Symbols of the query that no formula has.
    unknown_symbols: list[str]
    #: Commands of the query that are not known.
    unknown_commands: list[str]
    #: How many distinct symbols the query has.
    symbols: int
    #: How many of them a result has to have.
    required: int
    #: How many of the first results were to be re-ranked.
    rerank: int
    #: The time that the answer took, in milliseconds.
    took_ms: float

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, at: Any) -> Any:
        return self.hits[at]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __repr__(self) -> str:
        lines = [f"{len(self.hits)} results for {self.query}"]
        for hit in self.hits[:_SHOWN]:
            order = hit.score if hit.likeness is None else hit.likeness
            lines.append(f"{hit.rank:>4}  {order:7.4f}  {hit.id:<12}  {hit.latex}")
        if len(self.hits) > _SHOWN:
            lines.append(f"and {len(self.hits) - _SHOWN} more")
        return "\n".join(lines)

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        return _HIT, [_row(hit) for hit in self.hits]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{hit.rank}</td><td>{hit._repr_html_()}</td>"
            f"<td>{html.escape(hit.id)}</td><td>{hit.score:.3f}</td>"
            f"<td>{'' if hit.likeness is None else format(hit.likeness, '.3f')}</td>"
            f"<td>{hit.instances}</td></tr>"
            for hit in self.hits[:_SHOWN]
        )
        names = ("rank", "formula", "id", "score", "likeness", "instances")
        head = "".join(f"<th>{name}</th>" for name in names)
        rest = len(self.hits) - _SHOWN
        more = f"<p>and {rest} more</p>" if rest > 0 else ""
        return (
            f"<p>{len(self.hits)} results for {picture(self.read_as)}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"
        )


def results(query: str, answer: str) -> Results:
    """Results as they were written by the library."""
    parts = json.loads(answer)
    found = parts["found"]
    hits = [_hit(hit) for hit in parts["hits"]]
    exactly = found["exact"]
    return made(Results, parts, query=query, hits=hits, found=found["count"], found_exactly=exactly)


_Answered = TypeVar("_Answered", bound=Table)


class Batch(list[Optional[_Answered]], Table):
    """The answers to many queries, in their order; none where a query was left out.

    As a table it has the rows of all answers, with the number of the query in front.
    """

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        columns: Columns = {}
        rows: list[tuple[Any, ...]] = []
        for number, answer in enumerate(self):
            if answer is not None:
                columns, own = answer._rows()
                rows.extend((number, *row) for row in own)
        return {"query": int, **columns}, rows


@dataclass
class PassagePart:
    """A part of a passage: a text, a formula, or a gap where something is left out."""

    #: ``text``, ``formula`` or ``gap``.
    kind: str
    text: str = ""
    #: Whether it is a word of the question.
    matched: bool = False
    #: The formula of the question that it is most like, by its place from 1.
    query: Optional[int] = None
    #: How alike the two are, from 0 to 1.
    likeness: Optional[float] = None

    def __str__(self) -> str:
        return {"formula": f"${self.text}$", "gap": "…"}.get(self.kind, self.text)


def _part(parts: dict[str, Any]) -> PassagePart:
    return made(PassagePart, parts, text=parts.get("latex", parts.get("text", "")))


@dataclass
class TextHit:
    """A text that was found: a post, or a section of a document."""

    #: Its place among the results, from 1.
    rank: int
    #: The id of the post, or the file and the line.
    id: str
    score: float
    #: Its title, or that of its question, with formulas between dollars.
    title: str
    #: The passage that says most of what was asked, with formulas between dollars.
    passage: str
    #: What words add to the score.
    words_score: float = field(repr=False)
    #: What formulas add to the score.
    formulas_score: float = field(repr=False)
    #: The file.
    source: str = field(repr=False)
    #: The line where it begins.
    line: int = field(repr=False)
    #: The title in parts.
    title_parts: list[PassagePart] = field(default_factory=list, repr=False)
    #: The passage in parts.
    parts: list[PassagePart] = field(default_factory=list, repr=False)
    #: ``question``, ``answer`` or ``other`` for a post.
    type: Optional[str] = field(default=None, repr=False)
    #: The title of the document that a section is part of.
    document: Optional[str] = field(default=None, repr=False)
    #: The id of the question, for an answer.
    question: Optional[str] = field(default=None, repr=False)
    #: The tags of the question.
    tags: list[str] = field(default_factory=list, repr=False)
    #: Where it can be read.
    url: Optional[str] = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        title = _html(self.title_parts) or html.escape(self.id)
        return f"<p><b>{title}</b> ({html.escape(self.id)})<br>{_html(self.parts)}</p>"


def _html(parts: list[PassagePart]) -> str:
    def one(part: PassagePart) -> str:
        if part.kind == "formula":
            return picture(part.text)
        text = html.escape(str(part))
        return f"<mark>{text}</mark>" if part.matched else text

    return "".join(map(one, parts))


def _text_hit(parts: dict[str, Any]) -> TextHit:
    passage = [_part(one) for one in parts["passage"]]
    title = [_part(one) for one in parts["title_parts"]]
    text = "".join(map(str, passage)).strip()
    return made(TextHit, parts, passage=text, parts=passage, title_parts=title)


@dataclass
class AskedWord:
    """A word of a question."""

    word: str
    #: The stem by which it is found.
    stem: str
    #: How many texts have it.
    texts: int


@dataclass
class AskedFormula:
    """A formula of a question."""

    latex: str
    #: The LaTeX that was searched for; empty where it cannot be read.
    read_as: str
    #: How many formulas like it count.
    formulas: int


_TEXT: Columns = {
    "rank": int,
    "id": str,
    "score": float,
    "words_score": float,
    "formulas_score": float,
    "title": str,
    "passage": str,
    "type": str,
    "question": str,
    "source": str,
    "line": int,
    "url": str,
}


@dataclass(repr=False)
class Answers(Table, Sequence[TextHit]):
    """The texts that were found for a question, best first. A notebook shows them."""

    query: str
    hits: list[TextHit]
    #: How many texts have a word of the question, or a formula like one of its formulas.
    found: int
    words: list[AskedWord]
    formulas: list[AskedFormula]
    #: What was guessed to read the question, each in a sentence.
    notes: list[str]
    #: The time that the answer took, in milliseconds.
    took_ms: float

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, at: Any) -> Any:
        return self.hits[at]

    def __iter__(self) -> Iterator[TextHit]:
        return iter(self.hits)

    def __repr__(self) -> str:
        lines = [f"{len(self.hits)} texts for {self.query}"]
        for hit in self.hits[:_SHOWN]:
            lines.append(f"{hit.rank:>4}  {hit.score:6.2f}  {hit.id:<12}  {hit.title}")
        return "\n".join(lines)

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        return _TEXT, [tuple(getattr(hit, name) for name in _TEXT) for hit in self.hits]

    def _repr_html_(self) -> str:
        return "".join(hit._repr_html_() for hit in self.hits[:_SHOWN])


def answers(query: str, answer: str) -> Answers:
    """Answers as they were written by the library."""
    parts = json.loads(answer)
    return made(
        Answers,
        parts,
        query=query,
        hits=[_text_hit(hit) for hit in parts["hits"]],
        words=[made(AskedWord, word) for word in parts["words"]],
        formulas=[made(AskedFormula, formula) for formula in parts["formulas"]],
    )


@dataclass
class TokenShare:
    """What a token of the query adds to a score."""

    key: str
    #: ``symbol``, ``pair``, ``class``, ``classpair`` or ``varpair``.
    kind: str
    #: The query's regions: a ``1`` for each that the token touches.
    query_bits: str
    #: The formula's regions, if it has the token.
    candidate_bits: Optional[str]
    #: How many regions both touch.
    shared: int
    #: How many formulas of the index have the token.
    formulas: int
    idf: float
    weight: float
    contribution: float


@dataclass
class LevelShare:
    """What the regions of one level add to a score."""

    #: The letter of the family of regions; none for tokens that have no place.
    part: Optional[str]
    level: int
    shared: int
    contribution: float


@dataclass
class MatchedName:
    """A symbol of the query and the symbol of the formula that stands for it."""

    query: str
    formula: str
    query_boxes: list[Box]
    formula_boxes: list[Box]


@dataclass(repr=False)
class Explanation(Table):
    """Why a formula is a result. As text it is what to read; as a table, one row a token."""

    id: str
    latex: str
    #: The LaTeX that was searched for.
    read_as: str
    #: What was guessed to read the query.
    notes: list[str]
    #: The explanation in whole sentences.
    words: list[str]
    #: The score that a search gives: ``sum`` over ``norm``.
    score: float
    sum: float
    norm: float
    #: What orders results here, ``likeness`` or ``score``, and its value.
    ordered_by: str
    order: float
    #: The parts of the likeness, where results are re-ranked: pairs, symbols and part.
    likeness: Optional[dict[str, float]]
    tokens: list[TokenShare]
    levels: list[LevelShare]
    #: The symbols that were matched with one another.
    matched: list[MatchedName]
    #: Symbols of the query for which the formula has none.
    missing: list[MatchedSymbol]
    #: Symbols of the formula for which the query has none.
    extra: list[MatchedSymbol]

    def __str__(self) -> str:
        return "\n".join(self.words)

    def __repr__(self) -> str:
        return f"Explanation({self.id!r}, {self.latex!r}, score={self.score:.4f})"

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        types: Columns = {"shared": int, "formulas": int}
        types.update(dict.fromkeys(("idf", "weight", "contribution"), float))
        columns = {one.name: types.get(one.name, str) for one in dataclasses.fields(TokenShare)}
        return columns, [dataclasses.astuple(token) for token in self.tokens]

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{html.escape(words)}</li>" for words in self.words)
        query = picture(self.read_as, [box for one in self.matched for box in one.query_boxes])
        formula = picture(self.latex, [box for one in self.matched for box in one.formula_boxes])
        return f"<p>{query} → {formula}</p><ul>{said}</ul>"


def explanation(answer: str) -> Explanation:
    """An explanation as it was written by the library."""
    parts = json.loads(answer)
    matches, order = parts["matches"], parts["order"]

    def symbols(listed: list[dict[str, Any]]) -> list[MatchedSymbol]:
        return [MatchedSymbol(one["symbol"], boxes(one["boxes"])) for one in listed]

    matched = [
        MatchedName(
            one["query"], one["formula"], boxes(one["query_boxes"]), boxes(one["formula_boxes"])
        )
        for one in matches["matched"]
    ]
    return made(
        Explanation,
        parts,
        ordered_by=order["by"],
        order=order["value"],
        likeness=parts.get("likeness"),
        tokens=[made(TokenShare, token) for token in parts["tokens"]],
        levels=[made(LevelShare, level) for level in parts["levels"]],
        matched=matched,
        missing=symbols(matches["missing"]),
        extra=symbols(matches["extra"]),
    )
