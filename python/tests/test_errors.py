"""What goes wrong is an exception with a text that says what to do."""

from __future__ import annotations

import random
from pathlib import Path

import phocus
import pytest

#: What cannot be a panic, whatever it is.
STRANGE = [
    "",
    " ",
    "\0",
    "x" * 100_000,
    "{" * 5_000,
    r"\frac" * 5_000,
    "x^" * 5_000,
    r"\left(" * 2_000,
    r"\begin{matrix}" * 500,
    "\N{ZERO WIDTH JOINER}" * 100,
    r"\def\a{\a\a}\a",
    r"\rule{1e300em}{1em}",
    "<math><mi>x</mi>",
    "<svg>",
    "\U0010ffff",
]


def test_files_that_are_no_indexes(tmp_path: Path, small: phocus.Index) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        phocus.Index(tmp_path / "no.phoc")
    assert isinstance(missing.value, phocus.IndexNotFoundError)
    assert str(missing.value).startswith(f"{tmp_path}/no.phoc: ")
    other = tmp_path / "other.phoc"
    other.write_text("x^2", encoding="utf-8")
    with pytest.raises(phocus.IndexFileError, match="is not a phocus index"):
        phocus.Index(other)
    with pytest.raises(phocus.IndexFileError):
        phocus.Index(tmp_path)
    whole = Path(small.path).read_bytes()
    other.write_bytes(whole[:-10])
    with pytest.raises(OSError, match="was cut short"):
        phocus.Index(other)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"k": -1}, "k: expected a number from 0 up, found -1"),
        ({"from_": -1}, "from_: expected a number from 0 up"),
        ({"rerank": -5}, "rerank: expected a number from 0 up"),
        ({"min_match": 1.5}, "expected a part of the query such as 75%"),
        ({"min_match": float("nan")}, "expected a part of the query"),
        ({"min_match": "much"}, "expected a part of the query"),
        ({"idf": "often"}, "expected true, false or region, found `often`"),
        ({"idf": "region"}, "does not count regions"),
        ({"group": "colour"}, "there is no grouping"),
        ({"types": "poem"}, 'no formula has the type "poem"'),
        ({"sources": "poem"}, "the index says of no formula what its source is"),
    ],
)
def test_arguments_that_make_no_sense(small: phocus.Index, options: dict, text: str) -> None:
    with pytest.raises(ValueError) as error:
        small.search("x", **options)
    assert isinstance(error.value, phocus.ArgumentError) and text in str(error.value)
    with pytest.raises(phocus.ArgumentError):
        small.search_batch(["x"], **options)


@pytest.mark.parametrize(
    "options",
    [
        {"k": 1.5},
        {"k": "3"},
        {"k": True},
        {"min_match": None},
        {"idf": 1},
        {"types": [1]},
        {"group": 3},
        {"rerank": "all"},
        {"macros": 1},
    ],
)
def test_arguments_of_the_wrong_type(small: phocus.Index, options: dict) -> None:
    with pytest.raises(TypeError):
        small.search("x", **options)


def test_calls_of_the_wrong_type(small: phocus.Index, posts: phocus.Index) -> None:
    for call in (
        lambda: small.search(None),
        lambda: small.search(b"x"),
        lambda: small.search_batch([1]),
        lambda: small.explain("x", 1),
        lambda: small.instances(None),
        lambda: posts.ask(3),
        lambda: posts.ask("x", alpha="half"),
        lambda: phocus.Index(3),
        lambda: phocus.layout(1),
        lambda: phocus.encode("x", 1),
        lambda: phocus.render("x", mark=[1]),
        lambda: phocus.IndexBuilder().add(1.5, "x"),
        lambda: phocus.IndexBuilder().add("1", None),
        lambda: phocus.IndexBuilder(memory="all"),
        lambda: phocus.run(small, [(1, "x")]),
    ):
        with pytest.raises(TypeError):
            call()


def test_ids_that_are_not_there(small: phocus.Index) -> None:
    for call in (lambda: small.instances("no"), lambda: small.explain("x", "no")):
        with pytest.raises(LookupError) as error:
            call()
        assert isinstance(error.value, phocus.UnknownFormulaError)
        assert str(error.value).endswith("has no formula no")


def test_an_index_without_texts_answers_no_question(small: phocus.Index) -> None:
    with pytest.raises(phocus.NoTextsError, match="has no texts to answer questions with"):
        small.ask("why?")


def test_alpha_is_a_share(posts: phocus.Index) -> None:
    for alpha in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="is a share from 0 to 1"):
            posts.ask("heat", alpha=alpha)


def test_formulas_that_cannot_be_read(small: phocus.Index) -> None:
    for call in (phocus.layout, phocus.encode, phocus.render, small.search):
        with pytest.raises(phocus.FormulaError) as error:
            call("")
        assert isinstance(error.value, ValueError) and str(error.value) == "nothing to draw"
    with pytest.raises(phocus.FormulaError, match="too long: "):
        phocus.layout("x" * 100_000)


@pytest.mark.parametrize("latex", STRANGE, ids=lambda latex: f"{latex[:12]!r}")
def test_nothing_that_is_typed_is_a_panic(
    small: phocus.Index, posts: phocus.Index, latex: str, tmp_path: Path
) -> None:
    for call in (phocus.layout, phocus.encode, phocus.render, small.search, posts.ask):
        try:
            call(latex)
        except phocus.InternalError:
            raise
        except phocus.Error:
            pass
    with phocus.IndexBuilder() as builder:
        builder.add("x", "x")
        builder.add("strange", latex, source=latex)
        builder.finish(tmp_path / "strange.phoc")


def test_random_input_is_no_panic(small: phocus.Index) -> None:
    dice = random.Random(7)
    parts = ["{", "}", "^", "_", "&", r"\\", "$", "\\frac", "\\sqrt", "x", "1", "\\left(", "é", "%"]
    for _ in range(300):
        latex = "".join(dice.choices(parts, k=dice.randrange(1, 30)))
        try:
            small.search(latex)
            phocus.render(latex)
        except phocus.InternalError:
            raise
        except phocus.Error:
            pass


def test_text_that_is_no_unicode_is_a_value_error(small: phocus.Index) -> None:
    with pytest.raises(ValueError):
        small.search("\ud800")


def test_files_of_topics_and_judgments(tmp_path: Path) -> None:
    for read in (phocus.read_topics, phocus.read_questions, phocus.read_qrels):
        with pytest.raises(FileNotFoundError, match=r"cannot read .*no\.tsv: "):
            read(tmp_path / "no.tsv")
        empty = tmp_path / "empty.tsv"
        empty.touch()
        with pytest.raises(phocus.InputError):
            read(empty)
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text("B.1\tx\nB.1\ty\n", encoding="utf-8")
    with pytest.raises(phocus.InputError, match=r"topic B\.1 comes twice; expected ARQMath"):
        phocus.read_topics(wrong)


def test_errors_are_of_one_family() -> None:
    for name in phocus.errors.__all__:
        error = getattr(phocus.errors, name)
        assert issubclass(error, phocus.Error) and error.__doc__
        assert str(error("what happened")) == "what happened"
        assert getattr(phocus, name) is error
