"""Searching, asking and explaining."""

from __future__ import annotations

import base64
import json
import multiprocessing
import pickle
import re
import shutil
import threading
import time
from pathlib import Path

import pandas
import phocus
import pyarrow
import pytest
from conftest import SAMPLE

TOPICS = phocus.read_topics(SAMPLE / "topics.xml")


def test_hits_have_all_that_is_known(small: phocus.Index) -> None:
    results = small.search("x^2+y^2=z^2", k=2)
    assert len(results) == 2 and results.found >= 2
    first = results[0]
    assert (first.rank, first.id, first.latex) == (1, "pythagoras", "a^2+b^2=c^2")
    assert first.likeness > results[1].likeness
    assert (first.first.post, first.first.type, first.visual_id) == (
        "post-1",
        "question",
        "pythagoras",
    )
    assert {one.symbol for one in first.matched} >= {"2", "+", "="}
    assert all(box.width > 0 for one in first.matched for box in one.boxes)
    assert [hit.id for hit in results] == [hit.id for hit in results.hits]
    assert "pythagoras" in repr(results) and "Hit(rank=1" in repr(first)


def test_options_are_those_of_the_library(sample: Path) -> None:
    index = phocus.Index(sample)
    latex = "a^2+b^2=c^2"
    all_in = index.search(latex, k=20)
    assert index.search(latex, k=10, from_=10).hits == all_in.hits[10:]
    assert index.search(latex, rerank=0)[0].likeness is None
    assert index.search(latex, rerank=0).rerank == 0
    strict = index.search(latex, min_match="100%", k=1000)
    assert strict.hits == index.search(latex, min_match=1, k=1000).hits
    assert 0 < len(strict) < 1000 and strict.found_exactly
    weighed = index.search(latex, rerank=0, idf=True)
    assert weighed[0].score != index.search(latex, rerank=0, idf=False)[0].score
    grouped = index.search(latex, group="renaming")
    assert any(hit.others for hit in grouped)
    answers = index.search(latex, types="answer", k=50)
    assert {hit.first.type for hit in answers} == {"answer"}
    assert index.search(latex, types=["answer"], k=50).hits == answers.hits
    assert index.search(r"\sq", k=1, macros=r"\newcommand\sq{x^2}").read_as == "x^2"
    assert len(index.search(latex, k=0)) == 0
    assert len(index.search(latex, k=10**30)) > 1000


def test_the_program_finds_the_same(sample: Path, call) -> None:
    index = phocus.Index(sample)
    for topic in TOPICS[:5]:
        printed = json.loads(call("search", sample, topic.latex, "--json", "-k", 7))
        results = index.search(topic.latex, k=7)
        assert [hit["id"] for hit in printed["hits"]] == [hit.id for hit in results]
        assert [hit["score"] for hit in printed["hits"]] == [hit.score for hit in results]
        assert [hit["likeness"] for hit in printed["hits"]] == [hit.likeness for hit in results]
        assert printed["read_as"] == results.read_as


def test_a_batch_is_many_searches(sample: Path) -> None:
    index = phocus.Index(sample)
    queries = [topic.latex for topic in TOPICS] * 5
    batch = index.search_batch(queries, k=5, matched=True)
    assert len(batch) == len(queries)
    for query, results in zip(queries, batch):
        assert results.query == query
        assert results.hits == index.search(query, k=5).hits
    frame = batch.to_pandas()
    assert list(frame["query"].unique()) == list(range(len(queries)))
    assert batch.to_arrow().num_rows == len(frame)
    assert index.search_batch([]) == []
    assert index.search_batch([]).to_pandas().empty
    with pytest.raises(phocus.FormulaError, match="query 1: "):
        index.search_batch(["x", ""])
    skipped = index.search_batch(["x", "", "y"], skip_unreadable=True)
    assert [results is None for results in skipped] == [False, True, False]
    with pytest.raises(TypeError, match="found one text"):
        index.search_batch("x^2")


def test_a_batch_leaves_the_interpreter_to_others(sample: Path) -> None:
    index = phocus.Index(sample)
    queries = [topic.latex for topic in TOPICS] * 20
    # The library's part of a batch, which takes most of its time.
    options = phocus.index.search_options(100)
    counts, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    started = time.perf_counter()
    thread = threading.Thread(target=count)
    thread.start()
    index._index.search_batch(queries, options, False)
    took = time.perf_counter() - started
    stop.set()
    thread.join()
    # With the lock held, it would count no further than once every few chunks.
    assert took > 0.1, "the batch is too short to tell"
    assert counts[0] > 50 * took


def test_many_threads_may_search(sample: Path) -> None:
    index = phocus.Index(sample)
    expected = {topic.latex: index.search(topic.latex).hits for topic in TOPICS}
    wrong = []

    def search() -> None:
        wrong.extend(latex for latex, hits in expected.items() if index.search(latex).hits != hits)

    threads = [threading.Thread(target=search) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _ids(index: phocus.Index) -> list[str]:
    return [hit.id for hit in index.search("x^2+y^2=z^2")]


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork"
)
def test_a_forked_process_may_search(small: phocus.Index) -> None:
    expected = _ids(small)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_ids, (small,)).get(timeout=30) == expected


def test_an_index_can_be_pickled(small: phocus.Index) -> None:
    assert _ids(pickle.loads(pickle.dumps(small))) == _ids(small)
    results = small.search("x")
    assert pickle.loads(pickle.dumps(results)) == results


def test_results_are_tables(small: phocus.Index) -> None:
    results = small.search("x^2+y^2=z^2", k=3)
    frame = results.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["id"].tolist() == [hit.id for hit in results]
    assert frame["rank"].dtype == "int64" and frame["likeness"].dtype == "float64"
    assert frame.loc[0, "post"] == "post-1"
    table = results.to_arrow()
    assert isinstance(table, pyarrow.Table)
    assert table.column("latex").to_pylist() == [hit.latex for hit in results]
    assert table.schema.field("score").type == pyarrow.float64()
    none = small.search("x", k=0)
    assert list(none.to_pandas().columns) == list(frame.columns)
    assert none.to_arrow().schema == table.schema


def test_a_notebook_shows_formulas(small: phocus.Index, posts: phocus.Index) -> None:
    results = small.search("x^2+y^2=z^2")
    page = results._repr_html_()
    assert page.count("<img src=") == 1 + len(results)
    assert results[0]._repr_html_().startswith("<img src=")
    # The letters are others; all else of the query is marked: three 2, + and =.
    assert marks(results[0]._repr_html_()) == 5
    assert "<script" not in small.search("<script>", rerank=0)._repr_html_()
    answers = posts.ask("why does $1/n$ diverge")._repr_html_()
    assert "<img src=" in answers and "<mark>" in answers
    explained = small.explain("x^2", "pythagoras")._repr_html_()
    assert explained.count("<img src=") == 2 and "<li>" in explained
    assert marks(explained) == 4


def marks(page: str) -> int:
    """How many symbols are marked in the pictures of a page."""
    pictures = re.findall(r"base64,([^\"]+)", page)
    return sum(base64.b64decode(one).count(b'class="mark"') for one in pictures)


def test_questions_are_answered(posts: phocus.Index, desk: Path) -> None:
    found = posts.ask(r"why does $\sum 1/n$ diverge?")
    assert found[0].id in ("1", "2") and found[0].score > 0
    assert found[0].score == found.hits[0].score and found.found >= len(found)
    assert "diverge" in [word.word for word in found.words]
    assert found.formulas[0].latex == r"\sum1/n"
    assert any(part.kind == "formula" for part in found[0].parts)
    assert "$" in found[0].passage
    only = posts.ask(r"why does $\sum 1/n$ diverge?", answers=True)
    assert {hit.type for hit in only} == {"answer"} and only[0].question == "1"
    words = posts.ask("diverge $u_t$", alpha=0.0)
    assert all(hit.formulas_score == 0 or hit.score > 0 for hit in words)
    assert posts.ask("heat", k=1, from_=1).hits == posts.ask("heat", k=2).hits[1:]
    questions = phocus.read_questions(desk / "questions.tsv")
    batch = posts.ask_batch([*questions, "heat"], k=3)
    assert [one.hits for one in batch] == [posts.ask(one, k=3).hits for one in [*questions, "heat"]]
    assert batch.to_pandas()["query"].max() == 2
    assert found.to_arrow().column("id").to_pylist() == [hit.id for hit in found]
    assert "texts for" in repr(found)


def test_scores_are_explained(small: phocus.Index) -> None:
    explanation = small.explain("x^2+y^2=z^2", "pythagoras")
    hit = small.search("x^2+y^2=z^2", k=1)[0]
    assert explanation.score == pytest.approx(hit.score)
    assert explanation.ordered_by == "likeness"
    assert explanation.order == pytest.approx(hit.likeness)
    assert sum(explanation.likeness.values()) == pytest.approx(hit.likeness)
    assert {("x", "a"), ("2", "2")} <= {(one.query, one.formula) for one in explanation.matched}
    assert not explanation.missing
    assert explanation.words and str(explanation).startswith(explanation.words[0])
    frame = explanation.to_pandas()
    assert frame["contribution"].sum() == pytest.approx(explanation.score)
    assert small.explain("x^2", "euler", rerank=0).likeness is None
    assert "Explanation('pythagoras'" in repr(explanation)


def test_occurrences_are_listed(sample: Path) -> None:
    index = phocus.Index(sample)
    hit = max(index.search("x", k=100), key=lambda hit: hit.instances)
    instances = index.instances(hit.id)
    assert len(instances) == hit.instances > 1
    assert instances[0].post and instances[0].visual_id == hit.id
    # The id of an occurrence leads to its formula, where no formula has it.
    assert {one.visual_id for one in index.instances(hit.id)} == {hit.id}


def test_an_index_describes_itself(sample: Path, posts: phocus.Index) -> None:
    index = phocus.Index(sample)
    info = index.info
    assert info.formulas == len(index) == 1629
    assert info.bytes == sample.stat().st_size
    assert info.config == "best" and info.settings["rerank"] == 300
    assert info.types["question"] > 0 and sum(info.types.values()) >= len(index)
    assert "old_visual_id" in info.fields
    assert posts.info.texts == 4
    assert index.verify() == phocus.Verified(
        info.formulas, info.instances, info.tokens, info.postings
    )
    assert repr(index) == f"Index({str(sample)!r})"


def test_a_damaged_index_is_found(sample: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.phoc"
    damaged = bytearray(sample.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    copy.write_bytes(damaged)
    with pytest.raises(phocus.IndexFileError, match="is damaged"):
        phocus.Index(copy).verify()


def test_an_index_that_is_cut_while_it_is_open_is_an_error(sample: Path, tmp_path: Path) -> None:
    copy = shutil.copy(sample, tmp_path / "copy.phoc")
    index = phocus.Index(copy)
    with open(copy, "r+b") as file:
        file.truncate(4096)
    with pytest.raises(phocus.IndexFileError, match="written to or cut"):
        index.verify()
