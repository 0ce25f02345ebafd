"""Runs: the results of all topics, as ``phocus run`` writes them."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union

from . import _phocus
from ._arguments import Idf, MinMatch, ask_options, path, search_options
from ._tables import Columns, Table
from .errors import ArgumentError
from .index import Index
from .results import made
from .topics import Qrel, Question, Topic, asked, read_topics

__all__ = ["Evaluation", "Measures", "Run", "RunRow", "evaluate", "run"]

_Path = Union[str, "os.PathLike[str]"]


class RunRow(NamedTuple):
    """A result of a topic."""

    query_id: str
    #: What judgments name: the visual id of a formula, or the id of a post.
    doc_id: str
    #: As it is written: it decreases from rank to rank, even as a 32-bit number.
    score: float
    #: From 1.
    rank: int
    #: The id of the formula where it occurs first, and the post there; none where unknown.
    formula_id: Optional[str] = None
    post_id: Optional[str] = None
    latex: str = ""


_ROW: Columns = {
    "query_id": str,
    "doc_id": str,
    "score": float,
    "rank": int,
    "formula_id": str,
    "post_id": str,
    "latex": str,
}


class Run(list[RunRow], Table):
    """The results of all topics: a list of rows, which ``ir_measures`` takes as it is."""

    #: The name that each line of the file has.
    run_id: str
    #: The topics that cannot be read, each with the reason.
    left_out: dict[str, str]
    #: The file's text, in each format that it can have.
    _texts: dict[str, str]

    def text(self, format: str = "arqmath") -> str:
        """The run as a file has it.

        ``arqmath`` is topic, formula id, post id, rank, score and run id with tabs between, or
        the same without formula ids for answers to questions. ``trec`` is topic, Q0, visual id,
        rank, score and run id with spaces between.
        """
        try:
            return self._texts[format]
        except KeyError:
            known = " or ".join(self._texts)
            raise ArgumentError(f"expected {known}, found `{format}`") from None

    def write(self, to: _Path, format: str = "arqmath") -> None:
        """Writes the run to a file."""
        written = self.text(format)
        with open(path(to), "w", encoding="utf-8", newline="") as file:
            file.write(written)

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        return _ROW, list(self)


def run(
    index: Union[Index, _Path],
    topics: Union[_Path, Iterable[Union[Topic, Question, tuple[str, str]]]],
    depth: int = 1000,
    *,
    run_id: Optional[str] = None,
    min_match: MinMatch = 0.0,
    idf: Idf = None,
    rerank: Optional[int] = None,
    alpha: Optional[float] = None,
    macros: Optional[str] = None,
) -> Run:
    """Searches for every topic on all cores: the rows that ``phocus run`` writes.

    Topics are those of :func:`phocus.read_topics`, a file of them, or pairs of topic and LaTeX:
    each has at most ``depth`` formulas, a visual id only once. Or they are those of
    :func:`phocus.read_questions`: each has at most ``depth`` answers. ``alpha`` is for questions;
    ``min_match``, ``idf`` and ``rerank`` are for formulas, as in :meth:`phocus.Index.search`.

    A topic that cannot be read is left out, with a warning.

    >>> import phocus
    >>> run = phocus.run("formulas.phoc", phocus.read_topics("topics.tsv"), depth=2)
    >>> [(row.query_id, row.doc_id, row.rank) for row in run]
    [('T.1', 'pythagoras', 1), ('T.1', 'euler', 2)]
    """
    if not isinstance(index, Index):
        index = Index(index)
    if isinstance(topics, (str, os.PathLike)):
        topics = read_topics(topics)
    listed = list(topics)
    _check([topic[0] for topic in listed])
    if any(isinstance(topic, Question) for topic in listed):
        if min_match != 0.0 or idf is not None or rerank is not None:
            raise ArgumentError("min_match, idf and rerank are for formulas, not for questions")
        options = ask_options(depth, answers=True, alpha=alpha, macros=macros)
        return _of_questions(index, listed, options, run_id)
    if alpha is not None:
        raise ArgumentError("alpha is for questions, not for formulas")
    options = search_options(
        depth, 0, min_match, idf, rerank, macros=macros, matched=False, distinct=True
    )
    found = of_formulas(index, [(topic[0], topic[1]) for topic in listed], options, run_id)
    for topic, reason in found.left_out.items():
        warnings.warn(f"topic {topic} is left out: {reason}", stacklevel=2)
    return found


@dataclass
class Measures:
    """ARQMath's measures of a topic, or their means. Results that are not judged are left out
    first, but for ``mrr``."""

    #: nDCG': the gain is the grade, the discount log2(rank + 1), without a cut.
    ndcg: float
    #: MAP': grades from 2 up are relevant.
    map: float
    #: P'@10, always divided by 10.
    p10: float
    bpref: float
    #: The reciprocal rank of the first relevant result.
    mrr: float
    #: The share of the first ten results that is judged.
    judged10: float


_MEASURES: Columns = {"topic": str, **dict.fromkeys(Measures.__dataclass_fields__, float)}


@dataclass
class Evaluation(Table):
    """The measures of a run. As a table it has a row for each judged topic."""

    mean: Measures
    topics: dict[str, Measures]

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        rows = [(topic, *vars(measures).values()) for topic, measures in self.topics.items()]
        return _MEASURES, rows


def evaluate(run: Iterable[RunRow], qrels: Iterable[Qrel]) -> Evaluation:
    """Measures a run by judgments, as ``phocus eval`` does. A judged topic without results
    counts 0.

    >>> import phocus
    >>> run = phocus.run("formulas.phoc", "topics.tsv")
    >>> phocus.evaluate(run, phocus.read_qrels("qrels.tsv")).mean.p10
    0.1
    """
    rows = [(row.query_id, row.doc_id, row.score) for row in run]
    judgments = [(row.query_id, row.doc_id, row.relevance) for row in qrels]
    found = json.loads(_phocus.evaluate(rows, judgments))
    topics = {topic: made(Measures, measures) for topic, measures in found["topics"].items()}
    return Evaluation(made(Measures, found["mean"]), topics)


def _check(numbers: list[str]) -> None:
    """Checks that each topic has a word of its own, since a run has spaces between words."""
    seen: set[str] = set()
    for number in numbers:
        if not isinstance(number, str):
            raise TypeError(f"topics: expected a topic of one word, found {number!r}")
        if not number or any(letter.isspace() for letter in number):
            raise ArgumentError(f"expected a topic of one word, found `{number}`")
        if number in seen:
            raise ArgumentError(f"topic {number} comes twice")
        seen.add(number)


def of_formulas(
    index: Index, topics: list[tuple[str, str]], options: dict[str, Any], run_id: Optional[str]
) -> Run:
    """A run over pairs of topic and LaTeX."""
    name, results = _phocus.run_formulas(index._index, topics, options, run_id)
    found = Run()
    arqmath, trec = [], []
    found.run_id, found.left_out = name, {}
    for (topic, _), (answer, reason) in zip(topics, results):
        if answer is None:
            found.left_out[topic] = reason
            continue
        by_formula, by_visual_id, latex = answer
        arqmath.append(by_formula)
        trec.append(by_visual_id)
        for one, other, shown in zip(_lines(by_formula), _lines(by_visual_id), latex):
            _, formula, post, rank, score, _ = one.split("\t")
            visual_id = other.split(" ")[2]
            known = None if post == "-" else post
            row = RunRow(topic, visual_id, float(score), int(rank), formula, known, shown)
            found.append(row)
    found._texts = {"arqmath": "".join(arqmath), "trec": "".join(trec)}
    return found


def _of_questions(
    index: Index, topics: list[Any], options: dict[str, Any], run_id: Optional[str]
) -> Run:
    pairs = [
        (topic[0], asked(topic if isinstance(topic, Question) else topic[1])) for topic in topics
    ]
    name, results = _phocus.run_questions(index._index, pairs, options, run_id)
    found = Run()
    found.run_id, found.left_out = name, {}
    for (topic, _), lines in zip(pairs, results):
        for line in _lines(lines):
            _, post, rank, score, _ = line.split("\t")
            found.append(RunRow(topic, post, float(score), int(rank), None, post))
    found._texts = {"arqmath": "".join(results)}
    return found


def _lines(text: str) -> list[str]:
    return text.split("\n")[:-1]
