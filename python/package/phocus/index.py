"""An index: searching it, asking it, and what it says of itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _phocus
from ._arguments import Idf, MinMatch, Words, ask_options, path, search_options, text
from .results import (
    Answers,
    Batch,
    Explanation,
    Instance,
    Results,
    answers,
    explanation,
    made,
    results,
)
from .topics import Question, asked

__all__ = ["Index", "Info", "Verified"]


@dataclass
class Info:
    """What an index says of itself."""

    path: str
    #: How many distinct formulas it has.
    formulas: int
    #: How often these occur.
    instances: int
    #: How many distinct tokens these have.
    tokens: int
    #: How many tokens these have in all.
    postings: int
    #: How many texts it has, to answer questions with.
    texts: int
    #: Its size.
    bytes: int
    #: How much of that is LaTeX, occurrences, layouts and texts.
    store_bytes: int
    #: The name of its configuration, and all of its settings.
    config: str
    settings: dict[str, Any] = field(repr=False)
    #: Which formulas were merged: those of one ``visual-id``, of one ``layout``, or ``none``.
    dedup: str
    #: The fields of the input that it keeps.
    fields: list[str]
    #: The types of text that formulas occur in, each with its number of formulas.
    types: dict[str, int]
    #: The sources that formulas are from, each with its number of formulas.
    sources: dict[str, int]
    #: The version of the format, and of the phocus that wrote it.
    format: int
    phocus: str


@dataclass
class Verified:
    """How much was checked and found sound."""

    formulas: int
    instances: int
    tokens: int
    postings: int


class Index:
    """An index of formulas, which is one file.

    It may be used by many threads at once. Searches use all cores, and leave the interpreter to
    other threads while they work.

    >>> import phocus
    >>> index = phocus.Index("formulas.phoc")
    >>> len(index)
    4
    >>> index.search("x^2+y^2=z^2", k=1)
    1 results for x^2+y^2=z^2
       1   1.4323  pythagoras    a^2+b^2=c^2
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self.path = _path(path)
        self._index = _phocus.Index(self.path)

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        return f"Index({self.path!r})"

    def __reduce__(self) -> tuple[type[Index], tuple[str]]:
        return Index, (os.path.abspath(self.path),)

    def search(
        self,
        latex: str,
        k: int = 10,
        *,
        from_: int = 0,
        min_match: MinMatch = 0.0,
        idf: Idf = None,
        rerank: Optional[int] = None,
        group: Optional[str] = None,
        types: Words = None,
        sources: Words = None,
        macros: Optional[str] = None,
    ) -> Results:
        """Finds the ``k`` formulas most like a formula.

        ``from_`` passes over so many of the best. ``min_match`` is how many of the query's
        symbols a result has to have: ``0.75`` or ``"75%"``; at 0 any one of them. ``idf`` gives
        rare symbols more weight: ``True``, ``False`` or ``"region"``. ``rerank`` is how many of
        the first results are compared with the query as wholes; 0 for none. Where these two are
        not given, the index's configuration says. ``group`` makes one result of formulas that
        differ only in how they are written (``"writing"``), or also in the names of variables
        (``"renaming"``). ``types`` and ``sources`` leave only formulas that occur in such texts.
        ``macros`` is LaTeX that defines macros of the query.

        >>> import phocus
        >>> index = phocus.Index("formulas.phoc")
        >>> index.search(r"\\int_0^1 x\\,dx", min_match="75%", rerank=0).to_pandas()["id"].tolist()
        ['integral']
        """
        options = search_options(k, from_, min_match, idf, rerank, group, types, sources, macros)
        return results(latex, self._index.search(text("latex", latex), options))

    def search_batch(
        self,
        queries: Iterable[str],
        k: int = 10,
        *,
        from_: int = 0,
        min_match: MinMatch = 0.0,
        idf: Idf = None,
        rerank: Optional[int] = None,
        group: Optional[str] = None,
        types: Words = None,
        sources: Words = None,
        macros: Optional[str] = None,
        matched: bool = False,
        skip_unreadable: bool = False,
    ) -> Batch[Results]:
        """Searches for many formulas on all cores: a list of what :meth:`search` gives for each.

        ``matched`` also says which symbols of the query each hit has. A query that cannot be
        read is a :class:`phocus.FormulaError`; with ``skip_unreadable`` it has ``None`` in the
        list.

        >>> import phocus
        >>> index = phocus.Index("formulas.phoc")
        >>> batch = index.search_batch(["x^2", r"e^{i\\pi}"], k=1)
        >>> batch.to_pandas()["id"].tolist()
        ['pythagoras', 'euler']
        """
        options = search_options(
            k, from_, min_match, idf, rerank, group, types, sources, macros, matched
        )
        listed = [text("queries", query) for query in _several("queries", queries)]
        found = self._index.search_batch(listed, options, skip_unreadable)
        pairs = zip(listed, found)
        return Batch(None if one is None else results(query, one) for query, one in pairs)

    def ask(
        self,
        question: Union[str, Question],
        k: int = 10,
        *,
        from_: int = 0,
        answers: bool = False,
        alpha: Optional[float] = None,
        macros: Optional[str] = None,
    ) -> Answers:
        """Finds the ``k`` texts that may answer a question in words and formulas.

        The question is text with formulas between dollars, or one of
        :func:`phocus.read_questions`. ``answers`` leaves only answers. ``alpha`` is the share of
        formulas in the score, from 0 (words alone) to 1 (formulas alone).

        >>> import phocus
        >>> found = phocus.Index("notes.phoc").ask(r"why does $\\sum 1/n$ diverge?")
        >>> found[0].title
        'Series'
        """
        options = ask_options(k, from_, answers, alpha, macros)
        return _answers(question, self._index.ask(asked(question), options))

    def ask_batch(
        self,
        questions: Iterable[Union[str, Question]],
        k: int = 10,
        *,
        from_: int = 0,
        answers: bool = False,
        alpha: Optional[float] = None,
        macros: Optional[str] = None,
        skip_unreadable: bool = False,
    ) -> Batch[Answers]:
        """Asks many questions on all cores: a list of what :meth:`ask` gives for each.

        A question without words whose formulas cannot be read is a
        :class:`phocus.FormulaError`; with ``skip_unreadable`` it has ``None`` in the list.
        """
        options = ask_options(k, from_, answers, alpha, macros)
        listed = list(_several("questions", questions))
        found = self._index.ask_batch([asked(one) for one in listed], options, skip_unreadable)
        pairs = zip(listed, found)
        return Batch(None if one is None else _answers(question, one) for question, one in pairs)

    def explain(
        self,
        latex: str,
        id: str,
        *,
        min_match: MinMatch = 0.0,
        idf: Idf = None,
        rerank: Optional[int] = None,
        macros: Optional[str] = None,
    ) -> Explanation:
        """Says why the formula of an id is a result of a search.

        >>> import phocus
        >>> index = phocus.Index("formulas.phoc")
        >>> explanation = index.explain("x^2+y^2=z^2", "pythagoras")
        >>> [(one.query, one.formula) for one in explanation.matched][:2]
        [('x', 'a'), ('2', '2')]
        """
        options = search_options(10, 0, min_match, idf, rerank, macros=macros)
        found = self._index.explain(text("latex", latex), text("id", id), options)
        return explanation(found)

    def instances(self, id: str) -> list[Instance]:
        """Where a formula occurs. ``id`` is its own id, or the id of one of its occurrences.

        >>> import phocus
        >>> phocus.Index("formulas.phoc").instances("euler")[0].post
        'post-2'
        """
        return [made(Instance, one) for one in json.loads(self._index.instances(text("id", id)))]

    @property
    def info(self) -> Info:
        """What the index says of itself.

        >>> import phocus
        >>> info = phocus.Index("formulas.phoc").info
        >>> info.config, info.formulas, info.types
        ('best', 4, {'question': 2})
        """
        parts = json.loads(self._index.info())
        meta = parts.pop("meta")
        texts = meta.get("texts") or {}
        known = {**meta, **parts, "texts": texts.get("texts", 0)}
        settings = meta["config"]
        facets = meta["facets"]
        return made(
            Info,
            known,
            config=settings["name"],
            settings=settings,
            types=_counts(facets.get("type")),
            sources=_counts(facets.get("source")),
        )

    def verify(self) -> Verified:
        """Checks every byte of the index.

        Raises :class:`phocus.IndexFileError` where something differs from what was written.

        >>> import phocus
        >>> phocus.Index("formulas.phoc").verify().formulas
        4
        """
        return made(Verified, json.loads(self._index.verify()))


def _path(value: Union[str, os.PathLike[str]]) -> str:
    return path(value)


def _several(name: str, values: Iterable[Any]) -> Iterable[Any]:
    """Several values; one text is a mistake, since it is a row of letters."""
    if isinstance(values, str):
        raise TypeError(f"{name}: expected a list, found one text")
    return values


def _answers(question: Union[str, Question], answer: str) -> Answers:
    return answers(question if isinstance(question, str) else question.text, answer)


def _counts(values: Optional[list[dict[str, Any]]]) -> dict[str, int]:
    return {one["value"]: one["formulas"] for one in values or []}
