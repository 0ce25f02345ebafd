"""DuckDB as a peer: answers the lines that the crate's `serve` module describes.

usage: duckdb_peer.py FOLDER, the folder being what `phocus-peers export` wrote.

Postings are a table in memory, sorted by token and then formula, so that the
zone maps of its row groups leave out what no token of the query is in. What was
tried over 1.6 million formulas. In turns, query by query (`any`, `75%`; the same SQL
under two names differed by 5%):

- bits summed as doubles, which are exact here: 352 and 282 ms, so it is used;
- summed as integers: 378 and 305 ms;
- norm and id rank in every posting, to save the last join: 370 and 397 ms;
- at 75%, only formulas that hold one of the rarest tokens they cannot all lack: 355 ms.

One after another, on a machine whose times varied by up to two fifths, so only large
differences say anything (`any`): a file instead of memory, alike; a SELECT a token with
UNION ALL, by number or by row ids, 310 to 360 ms where the join took 230 to 280;
token IN (...) and the words in a CASE, 300 to 345 ms. Where a formula must hold every token,
aggregating only the formulas of the rarest takes some 25 ms instead of 160 to 350, and a
chain of joins from the rarest on 90 to 110.
"""

import sys
import time
from pathlib import Path

import duckdb
import numpy

THREADS = 2
MODES = ["any", "75%", "all"]


def signed(word):
    """The BIGINT with these 64 bits: bit_count has no unsigned form."""
    return word - (1 << 64) if word >> 63 else word


def read_query(line):
    _, *rest = line.rstrip("\n").split("\t")
    least = [int(field) for field in rest[:3]]
    pairs = [field.split(":") for field in rest[3:] if field]
    return least, [(int(token), signed(int(word, 16))) for token, word in pairs]


class Peer:
    def __init__(self, folder):
        with open(folder / "queries.tsv", encoding="utf-8") as lines:
            self.queries = [read_query(line) for line in lines]
        token = numpy.fromfile(folder / "token.u32", "<u4")
        self.frequency = numpy.bincount(token)
        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = {THREADS}")
        self.load(folder, token)

    def load(self, folder, token):
        postings = {
            "formula": numpy.fromfile(folder / "formula.u32", "<u4").astype("<i4"),
            "token": token.astype("<i4"),
            "word": numpy.fromfile(folder / "word.u64", "<i8"),
        }
        norm = numpy.fromfile(folder / "norm.u32", "<u4").astype("<i4")
        formulas = {
            "formula": numpy.arange(len(norm), dtype="<i4"),
            "norm": norm,
            "id_rank": numpy.fromfile(folder / "id_rank.u32", "<u4").astype("<i4"),
        }
        for name, columns, order in [
            ("postings", postings, "token, formula"),
            ("formulas", formulas, "formula"),
        ]:
            self.connection.register("columns", columns)
            self.connection.execute(
                f"CREATE TABLE {name} AS SELECT * FROM columns ORDER BY {order}"
            )
            self.connection.unregister("columns")

    def search(self, number, mode, k):
        least, tokens = self.queries[number]
        least = least[mode]
        if least > len(tokens):
            return [], []
        result = self.connection.execute(self.sql(tokens, least, k)).fetchnumpy()
        return result["formula"], result["sum"]

    def sql(self, tokens, least, k):
        """The query. Equal scores squared are equal as doubles and others are not: `export`
        has checked that they are small enough."""
        values = ", ".join(f"({token}, {word}::BIGINT)" for token, word in tokens)
        held = f"HAVING count(*) >= {least}" if least > 1 else ""
        among = ""
        if 1 < least == len(tokens):
            rarest = min((token for token, _ in tokens), key=lambda token: self.frequency[token])
            among = f"WHERE formula IN (SELECT formula FROM postings WHERE token = {rarest})"
        return f"""
            SELECT formula, shared.sum::INTEGER AS sum
            FROM (
                SELECT formula, sum(bit_count(word & wanted)::DOUBLE) AS sum
                FROM postings JOIN (VALUES {values}) AS query(token, wanted) USING (token)
                {among}
                GROUP BY formula {held}
            ) AS shared JOIN formulas USING (formula)
            ORDER BY shared.sum * shared.sum / norm DESC, id_rank
            LIMIT {k}"""

    def answer(self, line):
        mode, first, end, k, *file = line.split()
        times, results = [], []
        for number in range(int(first), min(int(end), len(self.queries))):
            started = time.perf_counter_ns()
            found = self.search(number, MODES.index(mode), int(k))
            times.append(time.perf_counter_ns() - started)
            results.append("".join(f"{formula}:{sum} " for formula, sum in zip(*found)) + "\n")
        if file:
            with open(file[0], "a", encoding="utf-8") as out:
                out.writelines(results)
        return " ".join(map(str, times))


def main():
    peer = Peer(Path(sys.argv[1]))
    print("ready", flush=True)
    for line in sys.stdin:
        print(peer.answer(line), flush=True)


if __name__ == "__main__":
    main()
