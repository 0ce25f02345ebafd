"""Topics, questions and judgments, as ``ir_datasets`` has them: rows with named parts.

What :func:`read_topics`, :func:`read_questions` and :func:`read_qrels` give are lists of named
tuples. ``ir_measures`` takes judgments as they are; ``pandas.DataFrame`` makes frames of them.
"""

from __future__ import annotations

import os
from typing import NamedTuple, Union

from . import _phocus
from ._arguments import path

__all__ = ["Qrel", "Question", "Topic", "read_qrels", "read_questions", "read_topics"]


class Topic(NamedTuple):
    """A formula that is searched for."""

    query_id: str
    latex: str
    #: The id of the formula, empty where the file has none.
    formula_id: str = ""

    @property
    def text(self) -> str:
        """Its LaTeX, under the name that ``ir_datasets`` has for what is searched for."""
        return self.latex

    def default_text(self) -> str:
        """Its LaTeX."""
        return self.latex


class Part(NamedTuple):
    """A part of a question: ``words``, a ``formula``, a ``row`` of the formula before it, or a
    ``break`` between paragraphs."""

    kind: str
    text: str


class Question(NamedTuple):
    """A question in words and formulas."""

    query_id: str
    #: Title and body, with formulas between dollars.
    text: str
    #: The title, with formulas between dollars.
    title: str
    tags: tuple[str, ...]
    #: Title and body in parts.
    title_parts: tuple[Part, ...]
    body_parts: tuple[Part, ...]

    def default_text(self) -> str:
        """Title and body, with formulas between dollars."""
        return self.text


class Qrel(NamedTuple):
    """A judgment: how relevant a document is to a topic. Documents are visual ids, or posts."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


_Path = Union[str, "os.PathLike[str]"]


def read_topics(file: _Path) -> list[Topic]:
    """Reads formulas to search for: ARQMath's topics of Task 2 in XML, or lines of topic, tab,
    formula id (may be left out), tab, LaTeX.

    >>> import phocus
    >>> phocus.read_topics("topics.tsv")[0]
    Topic(query_id='T.1', latex='x^2+y^2=z^2', formula_id='')
    """
    return [Topic(*topic) for topic in _phocus.read_topics(path(file))]


def read_questions(file: _Path) -> list[Question]:
    """Reads questions: ARQMath's topics of Task 1 in XML, or lines of topic, tab, question.

    >>> import phocus
    >>> phocus.read_questions("questions.tsv")[0].text
    'why does $\\\\sum1/n$ diverge?'
    """
    questions = []
    for query_id, title, body, tags in _phocus.read_questions(path(file)):
        title_parts = tuple(Part(*part) for part in title)
        body_parts = tuple(Part(*part) for part in body)
        texts = [text for text in (_text(title_parts), _text(body_parts)) if text]
        questions.append(
            Question(
                query_id,
                "\n".join(texts),
                _text(title_parts),
                tuple(tags),
                title_parts,
                body_parts,
            )
        )
    return questions


def read_qrels(file: _Path) -> list[Qrel]:
    """Reads judgments: lines of topic, 0, visual id or post, grade.

    >>> import phocus
    >>> phocus.read_qrels("qrels.tsv")
    [Qrel(query_id='T.1', doc_id='pythagoras', relevance=3, iteration='0')]
    """
    return [Qrel(*judgment) for judgment in _phocus.read_qrels(path(file))]


def asked(question: Union[str, Question]) -> Union[str, tuple[object, ...]]:
    """A question as the library takes it."""
    if isinstance(question, Question):
        return (question.title_parts, question.body_parts, question.tags)
    if isinstance(question, str):
        return question
    raise TypeError(f"question: expected text or a phocus.Question, found {question!r}")


def _text(parts: tuple[Part, ...]) -> str:
    shown = {"words": "{}", "formula": "${}$", "break": "\n"}
    return "".join(shown.get(kind, "").format(text) for kind, text in parts).strip()
