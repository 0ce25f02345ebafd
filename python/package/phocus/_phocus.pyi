"""The compiled part of phocus. Use the modules beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union, final

__all__ = [
    "Builder",
    "Index",
    "__version__",
    "configs",
    "encode",
    "evaluate",
    "layout",
    "read_qrels",
    "read_questions",
    "read_topics",
    "render",
    "run_formulas",
    "run_questions",
]

__version__: str

_Options = Mapping[str, Any]
_Asked = Union[str, tuple[object, ...]]
_Parts = list[tuple[str, str]]

@final
class Index:
    def __new__(cls, path: str) -> Index: ...
    def __len__(self) -> int: ...
    def search(self, latex: str, options: _Options) -> str: ...
    def search_batch(
        self, queries: Sequence[str], options: _Options, skip: bool
    ) -> list[Optional[str]]: ...
    def ask(self, question: _Asked, options: _Options) -> str: ...
    def ask_batch(
        self, questions: Sequence[_Asked], options: _Options, skip: bool
    ) -> list[Optional[str]]: ...
    def explain(self, latex: str, id: str, options: _Options) -> str: ...
    def instances(self, id: str) -> str: ...
    def info(self) -> str: ...
    def verify(self) -> str: ...

@final
class Builder:
    def __new__(
        cls, config: str, memory: int, threads: int, dedup: str, link: Optional[str]
    ) -> Builder: ...
    def add(
        self,
        id: str,
        latex: str,
        visual_id: Optional[str],
        post: Optional[str],
        thread: Optional[str],
        kind: Optional[str],
        fields: Sequence[tuple[str, str]],
    ) -> None: ...
    def add_files(
        self,
        paths: Sequence[str],
        format: Optional[str],
        texts: bool,
        hidden: bool,
        ignored: bool,
    ) -> None: ...
    def finish(self, path: str) -> str: ...
    def close(self) -> None: ...
    def laid_out(self) -> int: ...
    def rejects(self) -> str: ...

def encode(latex: str, config: str, defined: Optional[str]) -> str: ...
def layout(latex: str, defined: Optional[str]) -> str: ...
def render(
    latex: str,
    theme: str,
    names: Sequence[str],
    boxes: Sequence[Sequence[float]],
    defined: Optional[str],
) -> str: ...
def configs() -> list[str]: ...
def read_topics(path: str) -> list[tuple[str, str, str]]: ...
def read_questions(path: str) -> list[tuple[str, _Parts, _Parts, list[str]]]: ...
def read_qrels(path: str) -> list[tuple[str, str, int]]: ...
def run_formulas(
    index: Index,
    topics: Sequence[tuple[str, str]],
    options: _Options,
    run_id: Optional[str],
) -> tuple[str, list[tuple[Optional[tuple[str, str, list[str]]], str]]]: ...
def run_questions(
    index: Index,
    topics: Sequence[tuple[str, _Asked]],
    options: _Options,
    run_id: Optional[str],
) -> tuple[str, list[str]]: ...
def evaluate(
    rows: Sequence[tuple[str, str, float]], judgments: Sequence[tuple[str, str, int]]
) -> str: ...
