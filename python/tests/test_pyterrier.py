"""Retrievers in PyTerrier's pipelines, without Java."""

from __future__ import annotations

import pickle
from pathlib import Path

import pandas
import phocus
import phocus.pt
import pyterrier as pt
import pytest
from conftest import SAMPLE
from ir_measures import AP, P, nDCG

MEASURES = [nDCG(judged_only=True), AP(rel=2, judged_only=True), P(rel=2, judged_only=True) @ 10]


@pytest.fixture(scope="module")
def topics() -> pandas.DataFrame:
    return phocus.pt.topics(phocus.read_topics(SAMPLE / "topics.xml"))


@pytest.fixture(scope="module")
def qrels() -> pandas.DataFrame:
    return phocus.pt.qrels(phocus.read_qrels(SAMPLE / "qrels.tsv"))


def test_frames_go_in_and_come_out(sample: Path, topics: pandas.DataFrame) -> None:
    retriever = phocus.pt.Retriever(sample, num_results=20)
    asked = topics.assign(note="kept")
    found = retriever(asked)
    names = ["qid", "query", "note", "docno", "score", "rank", "latex", "formula_id", "post_id"]
    assert list(found.columns) == names
    assert len(found) == 20 * len(topics) and set(found["note"]) == {"kept"}
    run = phocus.run(sample, SAMPLE / "topics.xml", depth=20)
    assert found["docno"].tolist() == [row.doc_id for row in run]
    assert found["score"].tolist() == [row.score for row in run]
    assert found["rank"].tolist() == [row.rank - 1 for row in run]
    assert found["qid"].tolist() == [row.query_id for row in run]
    # What PyTerrier would rank by score is ranked so already.
    again = pt.model.add_ranks(found.copy())
    assert again["rank"].tolist() == found["rank"].tolist()


def test_pipelines(sample: Path, topics: pandas.DataFrame) -> None:
    retriever = phocus.pt.Retriever(sample, num_results=100)
    cut = (retriever % 10)(topics)
    assert cut.groupby("qid").size().eq(10).all()
    pd_compiled = (retriever % 10).compile()
    assert pd_compiled.num_results == 10 and pd_compiled(topics).equals(cut)
    marked = retriever % 3 >> pt.apply.doc_score(lambda row: -row["rank"])
    assert marked(topics)["score"].min() == -2
    to_latex = pt.apply.query(lambda row: row["query"].strip("$"))
    dollars = topics.assign(query="$" + topics["query"] + "$")
    assert (to_latex >> retriever % 1)(dollars)["docno"].tolist() == (retriever % 1)(topics)[
        "docno"
    ].tolist()
    fused = (retriever % 5) | (phocus.pt.Retriever(sample, 5, rerank=0))
    assert {"qid", "docno"} <= set(fused(topics).columns)
    assert retriever.search("a^2+b^2=c^2").iloc[0]["rank"] == 0


def test_an_experiment_measures_what_phocus_measures(
    sample: Path, topics: pandas.DataFrame, qrels: pandas.DataFrame
) -> None:
    retrievers = [phocus.pt.Retriever(sample), phocus.pt.Retriever(sample, rerank=0)]
    found = pt.Experiment(retrievers, topics, qrels, MEASURES, names=["re-ranked", "first"])
    for name, rerank in (("re-ranked", None), ("first", 0)):
        run = phocus.run(sample, SAMPLE / "topics.xml", rerank=rerank)
        mean = phocus.evaluate(run, phocus.read_qrels(SAMPLE / "qrels.tsv")).mean
        row = found[found["name"] == name].iloc[0]
        measured = [row[str(measure)] for measure in MEASURES]
        assert measured == pytest.approx([mean.ndcg, mean.map, mean.p10], abs=1e-9)
    assert not pt.java.started()


def test_queries_that_cannot_be_read_have_no_results(small: phocus.Index) -> None:
    retriever = phocus.pt.Retriever(small)
    queries = pandas.DataFrame([["1", "x^2"], ["two words", ""]], columns=["qid", "query"])
    with pytest.warns(UserWarning, match="query two words is left out: nothing to draw"):
        assert set(retriever(queries)["qid"]) == {"1"}
    none = retriever(queries.head(0))
    assert none.empty and list(none.columns)[:4] == ["qid", "query", "docno", "score"]
    with pytest.raises(phocus.ArgumentError, match="each query only once"):
        retriever(pandas.DataFrame([["1", "x"], ["1", "y"]], columns=["qid", "query"]))
    with pytest.raises(pt.validate.InputValidationError):
        retriever(pandas.DataFrame([["1"]], columns=["qid"]))


def test_answers_are_retrieved(posts: phocus.Index, desk: Path) -> None:
    retriever = phocus.pt.AnswerRetriever(posts, num_results=5, answers=True)
    topics = phocus.pt.topics(phocus.read_questions(desk / "questions.tsv"))
    found = retriever(topics)
    assert list(found.columns) == ["qid", "query", "docno", "score", "rank", "title"]
    assert set(found["docno"]) <= {"2", "4"} and found["rank"].min() == 0
    assert len((retriever % 1)(topics)) == 2


def test_retrievers_are_values(sample: Path) -> None:
    one, same = phocus.pt.Retriever(sample, 5), phocus.pt.Retriever(sample, 5)
    assert one == same and hash(one) == hash(same)
    assert one != phocus.pt.Retriever(sample, 6) and one != phocus.pt.Retriever(sample, 5, idf=True)
    assert repr(one).startswith("phocus.pt.Retriever(") and "num_results=5" in repr(one)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.fuse_rank_cutoff(10) is one
