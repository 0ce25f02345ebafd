"""Topics, judgments, runs and measures."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import phocus
import pytest
from conftest import REPOSITORY, SAMPLE
from ir_measures import AP, P, nDCG

#: ARQMath's 2020 topics with judged formulas, which are no part of the repository.
ARQMATH = REPOSITORY.parent / "shared" / "data" / "arqmath2020"
MEASURES = {
    "ndcg": nDCG(judged_only=True),
    "map": AP(rel=2, judged_only=True),
    "p10": P(rel=2, judged_only=True) @ 10,
}


def test_topics_and_judgments_are_rows_with_names(desk: Path) -> None:
    topics = phocus.read_topics(SAMPLE / "topics.xml")
    assert len(topics) == 20
    assert topics[0] == ("S.1", "a^2+b^2=c^2", "q_1")
    assert topics[0].query_id == "S.1" and topics[0].text == topics[0].default_text()
    qrels = phocus.read_qrels(SAMPLE / "qrels.tsv")
    assert {qrel.query_id for qrel in qrels} == {topic.query_id for topic in topics}
    lines = (SAMPLE / "qrels.tsv").read_text(encoding="utf-8").split("\n")[:-1]
    written = sorted(f"{one.query_id}\t0\t{one.doc_id}\t{one.relevance}" for one in qrels)
    assert written == sorted(lines)
    questions = phocus.read_questions(desk / "questions.tsv")
    assert questions[0].text == "why does $\\sum1/n$ diverge?"
    assert [part.kind for part in questions[0].body_parts] == ["words", "formula", "words"]
    titled = phocus.read_questions(SAMPLE / "topics.xml")[0]
    assert titled.title == "Why is the Pythagorean theorem true?"
    assert titled.text.startswith(titled.title) and "geometry" in titled.tags
    assert titled.default_text() == titled.text


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"rerank": 0, "depth": 50}, ["--rerank", "0", "--depth", "50"]),
        ({"idf": True, "min_match": "50%"}, ["--idf=true", "--min-match", "50%"]),
        ({"run_id": "mine"}, ["--run-id", "mine"]),
    ],
)
@pytest.mark.parametrize("format", ["arqmath", "trec"])
def test_a_run_is_that_of_the_program(
    sample: Path, tmp_path: Path, call, options: dict, arguments: list[str], format: str
) -> None:
    topics = SAMPLE / "topics.xml"
    written = tmp_path / "program.tsv"
    call("run", sample, "--topics", topics, "-o", written, "--format", format, *arguments)
    run = phocus.run(sample, topics, **options)
    run.write(tmp_path / "python.tsv", format)
    assert (tmp_path / "python.tsv").read_bytes() == written.read_bytes()
    lines = written.read_text(encoding="utf-8").split("\n")[:-1]
    place = 3 if format == "arqmath" else 4
    assert [float(line.split()[place + (format == "arqmath")]) for line in lines] == [
        row.score for row in run
    ]
    shown = [(row.query_id, row.rank) for row in run]
    assert shown == [(line.split()[0], int(line.split()[3])) for line in lines]


def test_a_run_of_answers_is_that_of_the_program(desk: Path, tmp_path: Path, call) -> None:
    arguments = ["--topics", desk / "questions.tsv", "-o", tmp_path / "run.tsv", "--task", "1"]
    call("run", desk / "posts.phoc", *arguments, "--alpha", "0.5")
    questions = phocus.read_questions(desk / "questions.tsv")
    run = phocus.run(desk / "posts.phoc", questions, alpha=0.5)
    assert run.text() == (tmp_path / "run.tsv").read_text(encoding="utf-8")
    assert {row.doc_id for row in run} == {"2", "4"}
    assert run[0].post_id == run[0].doc_id and run[0].formula_id is None
    with pytest.raises(phocus.ArgumentError, match="expected arqmath, found `trec`"):
        run.text("trec")


def test_rows_have_what_is_known(sample: Path) -> None:
    index = phocus.Index(sample)
    run = phocus.run(index, [("1", "a^2+b^2=c^2")], depth=5)
    hits = index.search("a^2+b^2=c^2", k=5)
    assert [row.doc_id for row in run] == [hit.visual_id for hit in hits]
    assert [row.latex for row in run] == [hit.latex for hit in hits]
    assert [row.formula_id for row in run] == [hit.first.id for hit in hits]
    assert [row.post_id for row in run] == [hit.first.post for hit in hits]
    assert run.run_id == "phocus-best" and run.left_out == {}
    assert run.to_pandas()["doc_id"].tolist() == [row.doc_id for row in run]
    assert run.to_arrow().num_rows == 5


def test_topics_that_cannot_be_read_are_left_out(small: phocus.Index) -> None:
    with pytest.warns(UserWarning, match="topic B is left out: nothing to draw"):
        run = phocus.run(small, [("A", "x"), ("B", ""), ("C", "y")])
    assert run.left_out == {"B": "nothing to draw"}
    assert {row.query_id for row in run} <= {"A", "C"}


def test_what_is_no_topic_is_said(small: phocus.Index, posts: phocus.Index, desk: Path) -> None:
    for topics, text in (
        ([("a b", "x")], "expected a topic of one word, found `a b`"),
        ([("", "x")], "expected a topic of one word"),
        ([("A", "x"), ("A", "y")], "topic A comes twice"),
    ):
        with pytest.raises(phocus.ArgumentError, match=text):
            phocus.run(small, topics)
    with pytest.raises(phocus.ArgumentError, match="expected a run id of one word"):
        phocus.run(small, [("A", "x")], run_id="a b")
    with pytest.raises(phocus.ArgumentError, match="alpha is for questions"):
        phocus.run(small, [("A", "x")], alpha=0.5)
    with pytest.raises(phocus.ArgumentError, match="are for formulas"):
        phocus.run(posts, phocus.read_questions(desk / "questions.tsv"), rerank=0)
    assert phocus.run(small, []) == []


def collections() -> list:
    """The sample, and ARQMath where it is."""
    found = [pytest.param(SAMPLE / "formulas", SAMPLE / "topics.xml", SAMPLE / "qrels.tsv")]
    files = [ARQMATH / name for name in ("formulas.tsv", "topics.tsv", "qrels.tsv")]
    reason = "ARQMATH 2020 IS NOT MEASURED: there is no ../shared/data/arqmath2020"
    absent = pytest.mark.skipif(not all(file.exists() for file in files), reason=reason)
    return [*found, pytest.param(*files, marks=absent)]


@pytest.mark.parametrize("rerank", [None, 0])
@pytest.mark.parametrize(("formulas", "topics", "qrels"), collections(), ids=["sample", "arqmath"])
def test_ir_measures_finds_the_same(
    formulas: Path, topics: Path, qrels: Path, tmp_path: Path, rerank: int | None
) -> None:
    judgments = phocus.read_qrels(qrels)
    run = phocus.run(built(formulas, tmp_path), topics, rerank=rerank)
    found = ir_measures.calc_aggregate(list(MEASURES.values()), judgments, run)
    ours = phocus.evaluate(run, judgments)
    for name, measure in MEASURES.items():
        assert found[measure] == pytest.approx(getattr(ours.mean, name), abs=1e-9), name
    for one in ir_measures.iter_calc([MEASURES["ndcg"]], judgments, run):
        assert one.value == pytest.approx(ours.topics[one.query_id].ndcg, abs=1e-9)
    frame = ours.to_pandas()
    assert frame["ndcg"].mean() == pytest.approx(ours.mean.ndcg)


@pytest.mark.parametrize(("formulas", "topics", "qrels"), collections(), ids=["sample", "arqmath"])
def test_the_program_measures_the_same(
    formulas: Path, topics: Path, qrels: Path, tmp_path: Path, call
) -> None:
    index = built(formulas, tmp_path)
    run = phocus.run(index, topics)
    run.write(tmp_path / "run.tsv")
    printed = call("eval", tmp_path / "run.tsv", "--qrels", qrels, "--index", index, "--json")
    (measured,) = json.loads(printed)["runs"]
    ours = phocus.evaluate(run, phocus.read_qrels(qrels)).mean
    for name in MEASURES:
        assert measured["mean"][name] == pytest.approx(getattr(ours, name), abs=1e-12)


def built(formulas: Path, folder: Path) -> Path:
    """An index of these formulas."""
    with phocus.IndexBuilder() as builder:
        builder.add_files(formulas)
        builder.finish(folder / "some.phoc")
    return folder / "some.phoc"


def test_scores_that_are_none_are_refused() -> None:
    row = phocus.RunRow("A", "1", float("nan"), 1)
    with pytest.raises(phocus.ArgumentError, match="found NaN for 1 of topic A"):
        phocus.evaluate([row], [phocus.Qrel("A", "1", 3)])
    empty = phocus.evaluate([], [phocus.Qrel("A", "1", 3)])
    assert empty.mean.ndcg == 0 and list(empty.topics) == ["A"]
