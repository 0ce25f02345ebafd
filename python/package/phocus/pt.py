"""Retrievers for PyTerrier: they take frames of queries and give frames of results.

This needs ``pip install 'phocus[pyterrier]'``. Neither the retrievers nor ``pt.Experiment`` start
Java.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional, Union

from ._arguments import Idf, MinMatch, search_options
from ._tables import needed
from .errors import ArgumentError
from .index import Index
from .runs import of_formulas
from .topics import Qrel, Question, Topic

if TYPE_CHECKING:
    import pandas

pt: Any = needed("pyterrier", "pyterrier")
pd: Any = needed("pandas", "pyterrier")

__all__ = ["AnswerRetriever", "Retriever", "qrels", "topics"]

_Path = Union[str, "os.PathLike[str]"]


class _Retriever(pt.Transformer):  # type: ignore[misc]
    """What the retrievers have in common."""

    #: The columns that each result adds, with their types.
    _columns: dict[str, str]

    def __init__(self, index: Union[Index, _Path], num_results: int, **options: Any) -> None:
        super().__init__()
        self.index = index if isinstance(index, Index) else Index(index)
        self.num_results = num_results
        self.options = options

    def __repr__(self) -> str:
        given = {"num_results": self.num_results, **self.options}
        shown = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        return f"phocus.pt.{type(self).__name__}({', '.join([repr(self.index.path), *shown])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self.index.path, self.num_results))

    def _key(self) -> tuple[Any, ...]:
        return os.path.abspath(self.index.path), self.num_results, self.options

    def fuse_rank_cutoff(self, k: int) -> Optional[Any]:
        """The same for fewer results: what ``retriever % k`` is compiled to."""
        if k >= self.num_results:
            return self
        return type(self)(self.index, k, **self.options)

    def transform(self, queries: pandas.DataFrame) -> pandas.DataFrame:
        """Answers each query of a frame with the columns ``qid`` and ``query``."""
        pt.validate.query_frame(queries, extra_columns=["query"])
        numbers = queries["qid"].astype(str).tolist()
        known = dict(zip(numbers, queries["query"]))
        if len(known) < len(numbers):
            raise ArgumentError("qid: expected each query only once")
        # A run wants words; the ids of a frame may be anything.
        asked = [(str(at), known[number]) for at, number in enumerate(numbers)]
        found, left_out = self._run(asked)
        for at, reason in left_out.items():
            warnings.warn(f"query {numbers[int(at)]} is left out: {reason}", stacklevel=2)
        rows = [(int(row.query_id), *self._row(row)) for row in found]
        frame = pd.DataFrame(rows, columns=["number", *self._columns])
        frame = frame.astype({"number": "int64", **self._columns})
        given = queries.drop(columns=[name for name in self._columns if name in queries])
        given = given.reset_index(drop=True)
        given = given.iloc[frame["number"]].reset_index(drop=True)
        return pd.concat([given, frame.drop(columns="number")], axis=1)

    def _run(self, queries: list[tuple[str, str]]) -> tuple[Iterable[Any], dict[str, str]]:
        """The results of pairs of word and query, and why there are none for some words."""
        raise NotImplementedError

    def _row(self, row: Any) -> tuple[Any, ...]:
        raise NotImplementedError


class Retriever(_Retriever):
    """Finds the formulas most like the LaTeX in ``query``.

    A result's ``docno`` is its visual id, which judgments name; each comes once. Further columns
    are ``score``, ``rank`` (from 0), ``latex``, and ``formula_id`` and ``post_id`` of where it
    occurs first. A query that cannot be read has no results, and a warning says so.

    >>> import pandas, phocus.pt
    >>> retriever = phocus.pt.Retriever("formulas.phoc", num_results=2)
    >>> queries = pandas.DataFrame([["1", "x^2+y^2=z^2"]], columns=["qid", "query"])
    >>> retriever(queries)[["qid", "docno", "rank", "latex"]].values.tolist()
    [['1', 'pythagoras', 0, 'a^2+b^2=c^2'], ['1', 'euler', 1, 'e^{i\\\\pi}=-1']]
    """

    _columns = {
        "docno": "str",
        "score": "float64",
        "rank": "int64",
        "latex": "str",
        "formula_id": "str",
        "post_id": "object",
    }

    def __init__(
        self,
        index: Union[Index, _Path],
        num_results: int = 1000,
        *,
        min_match: MinMatch = 0.0,
        idf: Idf = None,
        rerank: Optional[int] = None,
        macros: Optional[str] = None,
    ) -> None:
        options = {"min_match": min_match, "idf": idf, "rerank": rerank, "macros": macros}
        super().__init__(index, num_results, **options)

    def _run(self, queries: list[tuple[str, str]]) -> tuple[Iterable[Any], dict[str, str]]:
        options = search_options(self.num_results, matched=False, distinct=True, **self.options)
        found = of_formulas(self.index, queries, options, None)
        return found, found.left_out

    def _row(self, row: Any) -> tuple[Any, ...]:
        return row.doc_id, row.score, row.rank - 1, row.latex, row.formula_id, row.post_id


class AnswerRetriever(_Retriever):
    """Finds the texts that may answer the question in ``query``: text with formulas between
    dollars. A result's ``docno`` is the id of the post, or the file and the line.

    ``answers`` leaves only answers, as ARQMath's Task 1 has them. ``alpha`` is the share of
    formulas in the score.
    """

    _columns = {"docno": "str", "score": "float64", "rank": "int64", "title": "str"}

    def __init__(
        self,
        index: Union[Index, _Path],
        num_results: int = 1000,
        *,
        answers: bool = False,
        alpha: Optional[float] = None,
        macros: Optional[str] = None,
    ) -> None:
        super().__init__(index, num_results, answers=answers, alpha=alpha, macros=macros)

    def _run(self, queries: list[tuple[str, str]]) -> tuple[Iterable[Any], dict[str, str]]:
        asked = [query for _, query in queries]
        found = self.index.ask_batch(asked, self.num_results, skip_unreadable=True, **self.options)
        answered = [(word, hits) for (word, _), hits in zip(queries, found)]
        left_out = {word: "its formulas cannot be read" for word, hits in answered if hits is None}
        return [_Found(word, hit) for word, hits in answered for hit in hits or []], left_out

    def _row(self, row: Any) -> tuple[Any, ...]:
        return row.hit.id, row.hit.score, row.hit.rank - 1, row.hit.title


class _Found:
    """A text that was found for a query."""

    def __init__(self, query_id: str, hit: Any) -> None:
        self.query_id = query_id
        self.hit = hit


def topics(rows: Iterable[Union[Topic, Question]]) -> pandas.DataFrame:
    """Topics or questions as a frame with the columns ``qid`` and ``query``."""
    return pd.DataFrame([(row.query_id, row.text) for row in rows], columns=["qid", "query"])


def qrels(rows: Iterable[Qrel]) -> pandas.DataFrame:
    """Judgments as a frame with the columns ``qid``, ``docno`` and ``label``."""
    listed = [(row.query_id, row.doc_id, row.relevance) for row in rows]
    return pd.DataFrame(listed, columns=["qid", "docno", "label"])
