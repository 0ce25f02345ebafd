"""phocus finds formulas that look like a given formula.

An :class:`IndexBuilder` makes an index of formulas, and an :class:`Index` answers queries with
the formulas most like them:

>>> import phocus
>>> with phocus.IndexBuilder() as builder:
...     builder.add("pythagoras", "a^2+b^2=c^2")
...     builder.add("euler", r"e^{i\\pi}=-1")
...     summary = builder.finish("two.phoc")
>>> summary.indexed
2
>>> results = phocus.Index("two.phoc").search("x^2+y^2=z^2")
>>> results[0].id
'pythagoras'

Formulas by themselves are laid out by :func:`layout`, encoded by :func:`encode` and drawn by
:func:`render`. Experiments begin with :func:`read_topics` and :func:`run`; ``phocus.pt`` has
retrievers for PyTerrier.
"""

from . import errors as errors
from ._phocus import __version__
from .build import IndexBuilder, Reject, Summary
from .errors import (
    ArgumentError,
    BuildError,
    Error,
    FormulaError,
    IndexFileError,
    IndexNotFoundError,
    InputError,
    InputNotFoundError,
    InternalError,
    NoTextsError,
    UnknownFormulaError,
)
from .formulas import Box, Encoding, Layout, Svg, Symbol, Token, configs, encode, layout, render
from .index import Index, Info, Verified
from .results import Answers, Batch, Explanation, Hit, Instance, Results, TextHit
from .runs import Evaluation, Measures, Run, RunRow, evaluate, run
from .topics import Qrel, Question, Topic, read_qrels, read_questions, read_topics

__all__ = [
    "Answers",
    "ArgumentError",
    "Batch",
    "Box",
    "BuildError",
    "Encoding",
    "Error",
    "Evaluation",
    "Explanation",
    "FormulaError",
    "Hit",
    "Index",
    "IndexBuilder",
    "IndexFileError",
    "IndexNotFoundError",
    "Info",
    "InputError",
    "InputNotFoundError",
    "Instance",
    "InternalError",
    "Layout",
    "Measures",
    "NoTextsError",
    "Qrel",
    "Question",
    "Reject",
    "Results",
    "Run",
    "RunRow",
    "Summary",
    "Svg",
    "Symbol",
    "TextHit",
    "Token",
    "Topic",
    "UnknownFormulaError",
    "Verified",
    "__version__",
    "configs",
    "encode",
    "errors",
    "evaluate",
    "layout",
    "read_qrels",
    "read_questions",
    "read_topics",
    "render",
    "run",
]
