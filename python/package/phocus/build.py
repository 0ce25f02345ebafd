"""Building an index."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Optional, Union

from . import _phocus
from ._arguments import count, path, text
from .errors import ArgumentError
from .results import made

__all__ = ["IndexBuilder", "Reject", "Summary"]

#: What an index begins with.
_MAGIC = b"phocus"

_Path = Union[str, "os.PathLike[str]"]
_Word = Union[str, int]


@dataclass
class Reject:
    """A formula that is not in the index, and why."""

    #: Its id; none where a line of a file is no formula.
    id: Optional[str]
    #: The reason in a word or two, and in full.
    reason: str
    detail: str
    latex: str
    #: Where it was read, if it was read from a file.
    file: Optional[str] = None
    line: Optional[int] = None


@dataclass
class Summary:
    """What an index was built of."""

    #: How many formulas were added.
    read: int
    #: How many of them are in the index.
    indexed: int
    #: How many distinct ones these are.
    distinct: int
    #: How many have an id that an earlier one has, too.
    same_ids: int
    #: How many are not in the index, by reason.
    rejected: dict[str, int]
    #: How many ARQMath's rules keep out of results, by reason.
    withheld: dict[str, int]
    #: How many files of folders were not read, by what they seem to be.
    skipped: dict[str, int]
    #: The fields that the index keeps.
    fields: list[str]
    #: How many texts the index has, to answer questions with.
    texts: int
    tokens: int
    postings: int
    #: The size of the index.
    bytes: int
    #: How long it took.
    seconds: float = field(compare=False)


class IndexBuilder:
    """Builds an index of formulas that are added one by one or from files.

    ``config`` is one of :func:`phocus.configs`, a ``.toml`` file, or a notation of regions.
    ``memory`` is about how many bytes are used; the rest goes to temporary files. ``threads`` is
    how many threads lay formulas out; 0 for one a core. ``dedup`` says which formulas are one:
    those of one visual id, else of one layout (``auto``), or ``visual-id``, ``layout``,
    ``none``. ``link`` is a template of addresses, such as
    ``https://math.stackexchange.com/q/{post}``.

    Ctrl-C stops a build, which leaves nothing behind. So does leaving a ``with`` without
    :meth:`finish`.

    >>> import phocus
    >>> with phocus.IndexBuilder() as builder:
    ...     builder.add("1", "a^2+b^2=c^2", post="7", type="question", source="geometry")
    ...     builder.add("2", r"\\frac{1}{")
    ...     builder.add("3", "")
    ...     summary = builder.finish("three.phoc")
    >>> summary.read, summary.indexed, summary.rejected
    (3, 2, {'nothing to draw': 1})
    >>> builder.rejects[0].id
    '3'
    """

    def __init__(
        self,
        config: str = "best",
        *,
        memory: int = 1 << 30,
        threads: int = 0,
        dedup: str = "auto",
        link: Optional[str] = None,
    ) -> None:
        self._inputs: list[str] = []
        self._builder = _phocus.Builder(
            text("config", config),
            count("memory", memory),
            count("threads", threads),
            text("dedup", dedup),
            link,
        )

    def add(
        self,
        id: _Word,
        latex: str,
        visual_id: Optional[_Word] = None,
        post: Optional[_Word] = None,
        thread: Optional[_Word] = None,
        type: Optional[str] = None,
        **fields: Any,
    ) -> None:
        """Adds a formula.

        Formulas that look the same may share a ``visual_id``. ``post``, ``thread`` and ``type``
        say where it occurs; the index keeps them and all other ``fields``, such as ``source``.

        A formula that cannot be laid out is no error: it is listed in :attr:`rejects` and
        counted in the summary. Formulas are laid out some thousands at a time, so it may be
        listed later.
        """
        kept = [(name, str(value)) for name, value in fields.items() if value is not None]
        self._builder.add(
            _word("id", id),
            text("latex", latex),
            _some("visual_id", visual_id),
            _some("post", post),
            _some("thread", thread),
            _some("type", type),
            kept,
        )

    def add_files(
        self,
        paths: Union[_Path, Iterable[_Path]],
        *,
        format: Optional[str] = None,
        texts: bool = True,
        hidden: bool = False,
        ignored: bool = False,
    ) -> None:
        """Adds all formulas of files and folders: lists of formulas, documents, drawings.

        ``format`` is the format of all of them; without it names and contents tell. ``texts``
        says whether the texts of documents are kept, to answer questions with. ``hidden`` and
        ``ignored`` say whether files of folders are read that are hidden, or that a
        ``.gitignore`` names.
        """
        several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
        listed = [path(one) for one in several]
        self._inputs += listed
        self._builder.add_files(listed, format, texts, hidden, ignored)

    def finish(self, to: _Path) -> Summary:
        """Writes the index. The builder cannot be used after that.

        An index of this name is replaced as a whole, or left as it was. Another file is not
        replaced.
        """
        to = path(to)
        self._check(to)
        return made(Summary, json.loads(self._builder.finish(to)))

    def close(self) -> None:
        """Ends the build without an index. What was added is lost."""
        self._builder.close()

    @property
    def laid_out(self) -> int:
        """How many formulas were laid out so far. Another thread may look while files are
        added."""
        return self._builder.laid_out()

    @property
    def rejects(self) -> list[Reject]:
        """The formulas that are not in the index, as far as they are laid out; at most the
        first 100,000."""
        return [made(Reject, one) for one in json.loads(self._builder.rejects())]

    def __enter__(self) -> IndexBuilder:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _check(self, to: str) -> None:
        """Keeps an index from replacing a file that is not one."""
        if os.path.isdir(to):
            raise ArgumentError(f"{to} is a folder; name a file, such as formulas.phoc")
        if any(os.path.exists(to) and os.path.samefile(to, one) for one in self._inputs):
            raise ArgumentError(f"{to} is one of the inputs; name another file for the index")
        if os.path.isfile(to):
            with open(to, "rb") as file:
                begin = file.read(len(_MAGIC))
            if begin and begin != _MAGIC:
                text = f"{to} is no phocus index, so it is not replaced; remove it, or name another"
                raise ArgumentError(text)


def _word(name: str, value: _Word) -> str:
    """An id: text or a number."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise TypeError(f"{name}: expected a word or a number, found {value!r}")
    return str(value)


def _some(name: str, value: Optional[_Word]) -> Optional[str]:
    return None if value is None else _word(name, value)
