"""What the tests share: indexes that are built once, and the program where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import phocus
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "data-sample"

FORMULAS = [
    ("pythagoras", "a^2+b^2=c^2", "post-1", "question"),
    ("euler", r"e^{i\pi}=-1", "post-2", "question"),
    ("integral", r"\int_0^1 x\,dx", None, None),
    ("series", r"\sum_{n=1}^\infty \frac{1}{n^2}", None, None),
]

NOTES = r"""# Series
The harmonic series $\sum_n \frac1n$ diverges.
# Heat
Heat flows as $u_t = \Delta u$ says.
"""

#: A dump has each post on a line of its own.
POSTS = r"""<?xml version="1.0" encoding="utf-8"?>
<posts>
<row Id="1" PostTypeId="1" Title="Why does $\sum 1/n$ diverge?" Body="The terms $1/n$ tend to 0." />
<row Id="2" PostTypeId="2" ParentId="1" Body="It diverges: $\sum \frac1n$ has many halves." />
<row Id="3" PostTypeId="1" Title="What is heat?" Body="It obeys $u_t=\Delta u$." />
<row Id="4" PostTypeId="2" ParentId="3" Body="A flow of heat, $\nabla u$." />
</posts>
"""

QUESTIONS = "A.1\twhy does $\\sum 1/n$ diverge?\nA.2\twhat is heat, $u_t=\\Delta u$\n"


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small files, which the examples of the documentation use."""
    folder = tmp_path_factory.mktemp("desk")
    with phocus.IndexBuilder() as builder:
        for id, latex, post, type in FORMULAS:
            builder.add(id, latex, post=post, type=type)
        builder.finish(folder / "formulas.phoc")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    (folder / "Posts.xml").write_text(POSTS, encoding="utf-8")
    for name, source in (("notes.phoc", "notes.md"), ("posts.phoc", "Posts.xml")):
        with phocus.IndexBuilder() as builder:
            builder.add_files(folder / source)
            builder.finish(folder / name)
    (folder / "topics.tsv").write_text("T.1\tx^2+y^2=z^2\n", encoding="utf-8")
    (folder / "questions.tsv").write_text(QUESTIONS, encoding="utf-8")
    (folder / "qrels.tsv").write_text("T.1\t0\tpythagoras\t3\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the repository's sample."""
    path = tmp_path_factory.mktemp("sample") / "sample.phoc"
    with phocus.IndexBuilder() as builder:
        builder.add_files(SAMPLE / "formulas")
        builder.finish(path)
    return path


@pytest.fixture(scope="session")
def small(desk: Path) -> phocus.Index:
    """An index of four formulas."""
    return phocus.Index(desk / "formulas.phoc")


@pytest.fixture(scope="session")
def posts(desk: Path) -> phocus.Index:
    """An index of four posts."""
    return phocus.Index(desk / "posts.phoc")


@pytest.fixture(scope="session")
def program() -> list[str]:
    """The program of the same state of the repository: that of PHOCUS, or the one built last."""
    if "PHOCUS" in os.environ:
        return [os.environ["PHOCUS"]]
    built = [REPOSITORY / "target" / profile / "phocus" for profile in ("release", "debug")]
    built = sorted((one for one in built if one.exists()), key=lambda one: one.stat().st_mtime)
    found = str(built[-1]) if built else shutil.which("phocus")
    if found is None:
        pytest.skip("THE PROGRAM IS NOT COMPARED WITH: run cargo build, or set PHOCUS to it")
    return [found]


@pytest.fixture
def call(program: list[str]):
    """Calls the program, and gives what it prints."""

    def call(*arguments: object) -> str:
        command = program + [str(argument) for argument in arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 3), done.stderr
        return done.stdout

    return call
