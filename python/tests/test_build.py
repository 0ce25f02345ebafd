"""Building indexes."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import phocus
import pytest
from conftest import SAMPLE


def rows() -> list[dict[str, str]]:
    """The rows of the sample."""
    found = []
    for number in (1, 2, 3):
        with open(SAMPLE / "formulas" / f"{number}.tsv", encoding="utf-8", newline="") as file:
            found += csv.DictReader(file, delimiter="\t")
    return found


def test_files_give_the_bytes_of_the_program(sample: Path, tmp_path: Path, call) -> None:
    call("index", SAMPLE / "formulas", "-o", tmp_path / "program.phoc", "--no-seen")
    assert (tmp_path / "program.phoc").read_bytes() == sample.read_bytes()


def test_records_give_the_bytes_of_the_program(tmp_path: Path, call) -> None:
    table = tmp_path / "table.tsv"
    used = [row for row in rows() if not row["issue"]][:600]
    names = ["id", "latex", "visual_id", "post_id", "thread_id", "type", "source"]
    with open(table, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(names)
        for row in used:
            row["source"] = f"s{int(row['id']) % 3}"
            row["latex"] = row["formula"]
            writer.writerow([row[name] for name in names])
    call("index", table, "-o", tmp_path / "program.phoc", "--no-seen")
    for threads in (0, 1):
        with phocus.IndexBuilder(threads=threads) as builder:
            for row in used:
                builder.add(
                    row["id"],
                    row["latex"],
                    visual_id=row["visual_id"],
                    post=row["post_id"],
                    thread=row["thread_id"],
                    type=row["type"],
                    source=row["source"],
                )
            builder.finish(tmp_path / "python.phoc")
        assert (tmp_path / "python.phoc").read_bytes() == (tmp_path / "program.phoc").read_bytes()


def test_memory_and_threads_change_nothing(sample: Path, tmp_path: Path) -> None:
    for memory, threads in ((0, 1), (1 << 25, 2)):
        with phocus.IndexBuilder(memory=memory, threads=threads) as builder:
            builder.add_files([SAMPLE / "formulas"])
            builder.finish(tmp_path / "other.phoc")
        assert (tmp_path / "other.phoc").read_bytes() == sample.read_bytes()


def test_a_summary_says_what_became_of_everything(tmp_path: Path) -> None:
    builder = phocus.IndexBuilder("xy5", link="https://example.org/{post}")
    builder.add(1, "x^2", post=7, source="a", page=3, nothing=None)
    builder.add(2, "x^2", post=8)
    builder.add(3, "")
    builder.add(4, "y", type="comment")
    summary = builder.finish(tmp_path / "some.phoc")
    assert (summary.read, summary.indexed, summary.distinct) == (4, 2, 1)
    assert summary.rejected == {"nothing to draw": 1} and summary.withheld == {"comment": 1}
    assert summary.fields == ["source", "page"]
    assert summary.bytes == (tmp_path / "some.phoc").stat().st_size
    (reject,) = builder.rejects
    assert (reject.id, reject.reason, reject.latex) == ("3", "nothing to draw", "")
    index = phocus.Index(tmp_path / "some.phoc")
    first = index.search("x^2")[0].first
    assert first.fields == {"source": "a", "page": "3"}
    assert first.url == "https://example.org/7"
    assert index.info.config == "xy5" and index.search("x^2", sources="a").found == 1


def test_lines_that_are_no_formulas_are_listed_with_their_place(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("id\tlatex\n1\tx\n2\t\n", encoding="utf-8")
    with phocus.IndexBuilder() as builder:
        builder.add_files(table)
        builder.finish(tmp_path / "some.phoc")
    (reject,) = builder.rejects
    assert (reject.file, reject.line) == (str(table), 3)


def test_a_builder_is_used_once(tmp_path: Path) -> None:
    with phocus.IndexBuilder() as builder:
        builder.add("1", "x")
        builder.finish(tmp_path / "some.phoc")
        for use in (lambda: builder.add("2", "y"), lambda: builder.finish(tmp_path / "other.phoc")):
            with pytest.raises(ValueError, match="finished or closed"):
                use()
    builder.close()
    with phocus.IndexBuilder() as left:
        left.add("1", "x")
    with pytest.raises(ValueError, match="finished or closed"):
        left.add_files(SAMPLE)
    assert [path.name for path in tmp_path.iterdir()] == ["some.phoc"]


def test_what_cannot_be_built_is_said(tmp_path: Path) -> None:
    to = tmp_path / "some.phoc"
    with pytest.raises(phocus.BuildError, match="no formula to index: the input is empty"):
        phocus.IndexBuilder().finish(to)
    builder = phocus.IndexBuilder()
    builder.add("1", "")
    with pytest.raises(phocus.BuildError, match=r"all 1 were rejected \(1 nothing to draw\)"):
        builder.finish(to)
    builder = phocus.IndexBuilder(dedup="visual-id")
    builder.add("1", "x")
    with pytest.raises(phocus.BuildError, match="no record has a visual id"):
        builder.finish(to)
    builder = phocus.IndexBuilder()
    builder.add("1", "x")
    with pytest.raises(FileNotFoundError):
        builder.finish(tmp_path / "no" / "some.phoc")
    for make, text in (
        (lambda: phocus.IndexBuilder("zz"), "nor is it one of the configurations"),
        (lambda: phocus.IndexBuilder(dedup="some"), "expected auto, visual-id, layout or none"),
        (lambda: phocus.IndexBuilder(link="x{"), "expected an address such as"),
        (lambda: phocus.IndexBuilder(memory=-1), "expected a number from 0 up"),
        (lambda: phocus.IndexBuilder().add("a b", "x"), "expected an id of one word"),
        (lambda: phocus.IndexBuilder().add("1", "x", post="a b"), "expected an id of one word"),
        (lambda: phocus.IndexBuilder().add_files(SAMPLE, format="doc"), "found `doc`|doc"),
    ):
        with pytest.raises(phocus.ArgumentError, match=text):
            make()
    with pytest.raises(FileNotFoundError, match="cannot read"):
        phocus.IndexBuilder().add_files(tmp_path / "no.tsv")
    with pytest.raises(phocus.InputError):
        phocus.IndexBuilder().add_files([tmp_path])
    assert list(tmp_path.iterdir()) == []


def test_only_an_index_is_replaced(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("x^2\n", encoding="utf-8")
    builder = phocus.IndexBuilder()
    builder.add_files(table)
    for to, text in (
        (table, "is one of the inputs"),
        (tmp_path, "is a folder"),
        (Path(__file__), "is no phocus index, so it is not replaced"),
    ):
        with pytest.raises(phocus.ArgumentError, match=text):
            builder.finish(to)
    builder.finish(tmp_path / "some.phoc")
    with phocus.IndexBuilder() as other:
        other.add("1", "x")
        other.finish(tmp_path / "some.phoc")
    assert len(phocus.Index(tmp_path / "some.phoc")) == 1


def test_other_threads_work_while_an_index_is_built(tmp_path: Path) -> None:
    counts, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with phocus.IndexBuilder() as builder:
        started = time.perf_counter()
        for _ in range(3):
            builder.add_files(SAMPLE / "formulas")
        builder.finish(tmp_path / "some.phoc")
        took = time.perf_counter() - started
    stop.set()
    thread.join()
    assert took > 0.05, "the build is too short to tell"
    assert counts[0] > 50 * took


def test_a_builder_in_use_is_said_to_be(tmp_path: Path) -> None:
    builder = phocus.IndexBuilder(threads=1)
    table = tmp_path / "long.txt"
    table.write_text("".join(f"x^{{{n}}}\n" for n in range(20_000)), encoding="utf-8")
    thread = threading.Thread(target=builder.add_files, args=[table])
    thread.start()
    said = False
    while thread.is_alive() and not said:
        assert 0 <= builder.laid_out <= 20_000
        try:
            builder.add("1", "x")
        except RuntimeError as error:
            said = "another thread is using this builder" in str(error)
    thread.join()
    builder.close()
    assert said


INTERRUPTED = {
    "add": """
        number = 0
        print("begun", flush=True)
        while True:
            number += 1
            builder.add(number, f"x_{{{number}}}^{{{number % 99}}}+y")
    """,
    "add_files": """
        print("begun", flush=True)
        builder.add_files("many.txt")
        print("not stopped", flush=True)
    """,
    "finish": """
        for number in range(20_000):
            builder.add(number, f"x_{{{number}}}^{{{number % 99}}}+y")
        def interrupt(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        print("begun", flush=True)
        builder.finish("out/some.phoc")
        print("not stopped", flush=True)
    """,
}


SCRIPT = """
import phocus, signal
try:
    with phocus.IndexBuilder(memory=0) as builder:
{}
except KeyboardInterrupt:
    print("stopped", flush=True)
    input()
    try:
        builder.add(1, "x")
    except ValueError:
        print("closed")
"""


@pytest.mark.skipif(os.name != "posix", reason="this system has no SIGINT")
@pytest.mark.parametrize("where", INTERRUPTED)
def test_ctrl_c_stops_a_build(where: str, tmp_path: Path) -> None:
    for folder in ("temporary", "out"):
        (tmp_path / folder).mkdir()
    if where == "add_files":
        lines = (f"x_{{{n}}}^{{{n % 99}}}+y\n" for n in range(400_000))
        (tmp_path / "many.txt").write_text("".join(lines), encoding="utf-8")
    child_script = SCRIPT.format(textwrap.indent(textwrap.dedent(INTERRUPTED[where]), " " * 8))
    child = subprocess.Popen(
        [sys.executable, "-c", child_script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
    )
    assert child.stdin and child.stdout
    try:
        assert child.stdout.readline() == "begun\n"
        if where != "finish":
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
        started = time.perf_counter()
        assert child.stdout.readline() == "stopped\n"
        assert time.perf_counter() - started < 1
        assert list((tmp_path / "out").iterdir()) == []
        assert list((tmp_path / "temporary").iterdir()) == []
    finally:
        rest, _ = child.communicate("\n", timeout=10)
    assert rest == "closed\n"
