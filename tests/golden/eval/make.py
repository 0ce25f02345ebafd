"""Write the golden cases of the evaluation code: NAME.qrels.tsv, NAME.run.tsv, NAME.json.

Made with Python 3.11.7 and pytrec-eval-terrier 0.5.11 (pytrec_eval 0.5 itself
did not build: its set-up downloads the trec_eval sources):

    pip install pytrec-eval-terrier==0.5.11
    python make.py            # rewrites the files beside this script

The figures are read off the written files, so each triple stands by itself.

Procedure ("prime" measures of ARQMath), for each topic of the qrels:
  1. stable-sort its rows by score descending (the rank column is not read);
  2. keep the first row of each visual id;
  3. drop the documents that are not judged for the topic;
  4. trec_eval on the rest: `ndcg` with gain = grade, and with
     relevance_level=2 `map`, `P_10`, `bpref`.
trec_eval orders by score as f32 descending, then by id descending (strcmp).
judged10 takes the first 10 documents after step 2 in trec_eval's order and is
the share of them that are judged, always divided by 10.

Means are over every topic of the qrels. What pytrec_eval returns at the edges:
  - judged topic absent from the run: no entry; counted as 0 here;
  - judged topic with an empty ranking (nothing left after step 3): it crashes
    (segmentation fault) on {}, so such a topic is not passed on; counted as 0;
  - topic in the run but not in the qrels: no entry; not counted;
  - topic without a document of grade >= 2: an entry with map, P_10 and bpref 0;
    ndcg is still positive when grade 1 is retrieved, 0 if every grade is 0.
"""

import json
import random
import struct
from pathlib import Path

import pytrec_eval

HERE = Path(__file__).resolve().parent
NAMES = {"ndcg": "ndcg", "map": "map", "P_10": "p10", "bpref": "bpref"}


# ---- the figures ----

def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def rows(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def figures(name):
    qrels, scored = {}, {}
    for topic, _, visual, grade in rows(HERE / f"{name}.qrels.tsv"):
        qrels.setdefault(topic, {})[visual] = int(grade)
    for topic, visual, _, _, score, _ in rows(HERE / f"{name}.run.tsv"):
        scored.setdefault(topic, []).append((visual, float(score)))

    run, judged10 = {}, {}
    for topic, grades in qrels.items():
        first = {}
        for visual, score in sorted(scored.get(topic, []), key=lambda row: -row[1]):
            first.setdefault(visual, score)
        order = sorted(first, key=lambda v: (f32(first[v]), v), reverse=True)
        judged10[topic] = sum(v in grades for v in order[:10]) / 10
        left = {v: s for v, s in first.items() if v in grades}
        if left:
            run[topic] = left

    def trec_eval(measures, level):
        return pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=level).evaluate(run)

    ndcg, rest = trec_eval({"ndcg"}, 1), trec_eval({"map", "P_10", "bpref"}, 2)
    topics = {}
    for topic in sorted(qrels):
        got = {**ndcg.get(topic, {}), **rest.get(topic, {})}
        topics[topic] = {short: got.get(long, 0.0) for long, short in NAMES.items()}
        topics[topic]["judged10"] = judged10[topic]
    keys = [*NAMES.values(), "judged10"]
    mean = {k: sum(t[k] for t in topics.values()) / len(topics) for k in keys}
    cut = lambda figs: {k: round(v, 6) for k, v in figs.items()}
    return {"topics": {t: cut(f) for t, f in topics.items()}, "mean": cut(mean), "n": len(topics)}


# ---- the cases: {topic: {visual: grade}} and {topic: [(visual, score)]} ----

def judge(text):
    return {v: int(g) for v, g in (pair.split(":") for pair in text.split())}


def ranked(text):
    """Rows of descending, distinct scores."""
    return [(v, 10.0 - 0.25 * i) for i, v in enumerate(text.split())]


def sampled(seed, topics, pool, judged, depth, score, repeat=0.0):
    """Random judgements and rows; `repeat` is the chance that a row repeats an earlier id."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for n in range(1, topics + 1):
        ids = [str(7 * i + n) for i in range(1, pool + 1)]
        rng.shuffle(ids)
        qrels[f"T.{n}"] = {v: rng.choice((0, 0, 0, 1, 1, 2, 2, 3)) for v in ids[:judged]}
        rng.shuffle(ids)
        out = []
        while len(out) < depth:
            again = out and rng.random() < repeat
            out.append((rng.choice(out)[0] if again else ids.pop(), score(rng)))
        run[f"T.{n}"] = out
    return qrels, run


def plain():
    # bpref: more nonrelevant than relevant, fewer, none
    return {
        "T.1": judge("11:3 12:0 13:2 14:1 15:0 16:0 17:2 18:0 19:1 20:3 21:0 22:0"),
        "T.2": judge("11:3 12:0 13:2 14:2 15:1 16:3 17:2"),
        "T.3": judge("11:3 12:2 13:2"),
    }, {
        "T.1": ranked("13 12 14 11 16 18 17 15 19 21 20 22"),
        "T.2": ranked("14 12 11 13 15 16 17"),
        "T.3": ranked("12 11"),
    }


def ties():
    # T.1 and T.2: five levels of score, each spread over values that are one f32 but several f64
    near = lambda rng: rng.choice((-1.5, 0.25, 1.0, 2.0, 17.5)) * (1 + rng.randrange(4) * 1e-9)
    qrels, run = sampled(2, 2, 40, 22, 36, near)
    # T.3: everything tied, T.4: the two zeros are tied, T.5: one step of f32 is not a tie
    for topic, scores in (("T.3", (0.5, 0.5)), ("T.4", (0.0, -0.0)), ("T.5", (1.0000001, 1.0))):
        qrels[topic] = judge("31:3 32:0 33:2 34:0 35:1 36:0 37:2")
        run[topic] = [(str(i), scores[i % 2]) for i in (34, 31, 38, 36, 33, 30, 32, 39, 35, 37, 29, 28)]
    return qrels, run


def unjudged():
    qrels, run = sampled(3, 3, 60, 25, 40, lambda rng: rng.random())
    # T.4: the first ten are unjudged; T.5: one judged document among few
    qrels["T.4"] = judge("1:2 2:0 3:3 4:1")
    run["T.4"] = ranked("90 91 92 93 94 95 96 97 98 99 2 3 4 1")
    qrels["T.5"] = judge("1:2 2:0 3:3 4:1")
    run["T.5"] = ranked("90 91 1 92 93")
    return qrels, run


def topics():
    # T.2 and T.4 are judged but not in the run; T.3 and T.11 are in the run but not judged
    q = judge("1:3 2:0 3:2 4:0 5:1")
    r = ranked("2 1 5 3 6")
    return {t: q for t in ("T.10", "T.1", "T.2", "T.4")}, {t: r for t in ("T.3", "T.1", "T.11", "T.10")}


def norel():
    # T.1: every grade 0; T.2: nothing above 1; T.3: nothing retrieved is judged;
    # T.4: no relevant one retrieved; T.5: ordinary
    return {
        "T.1": judge("1:0 2:0 3:0"),
        "T.2": judge("1:0 2:1 3:1"),
        "T.3": judge("1:3 2:0 3:2"),
        "T.4": judge("1:3 2:0 3:1 4:2"),
        "T.5": judge("1:3 2:0 3:2"),
    }, {
        "T.1": ranked("1 2 3"),
        "T.2": ranked("1 3 4 2"),
        "T.3": ranked("7 8 9"),
        "T.4": ranked("2 7 3"),
        "T.5": ranked("1 2 3"),
    }


def duplicates():
    # the file is not in order of score, so the first in the file is not the one kept
    qrels, run = sampled(6, 3, 40, 20, 60, lambda rng: rng.randrange(200) / 8, repeat=0.5)
    # T.4: ten rows hold four documents, so judged10 reaches further down
    qrels["T.4"] = judge("1:2 2:0 3:3 4:1 5:2 6:0")
    run["T.4"] = ranked("2 2 1 2 9 1 9 2 3 3 4 8 5 7 6 1 2")
    return qrels, run


def short():
    # fewer than ten rows: 9, 3, 1
    q = judge("1:3 2:0 3:2 4:0 5:1 6:2 7:0 8:3 9:0 10:2 11:0 12:2")
    return {t: q for t in ("T.1", "T.2", "T.3")}, {
        "T.1": ranked("1 2 3 20 4 5 6 7 8"),
        "T.2": ranked("21 8 2"),
        "T.3": ranked("10"),
    }


def deep():
    # some ties, repeats and unjudged documents
    return sampled(8, 8, 300, 120, 200, lambda rng: round(rng.gauss(0, 3), 2), repeat=0.1)


def ranks():
    return sampled(9, 3, 40, 25, 30, lambda rng: rng.random() * 100)


def ids():
    # ties among ids whose order as strings is not their order as numbers
    visuals = "2 10 9 100 99 1000 11 101 20 3 30 21 1001 8".split()
    q = dict(zip(visuals, (3, 0, 2, 0, 1, 2, 0, 3, 0, 0, 2)))
    return {t: q for t in ("T.1", "T.2")}, {
        "T.1": [(v, 1.0) for v in visuals],
        "T.2": [(v, 2.0 - i % 3) for i, v in enumerate(visuals)],
    }


CASES = [plain, ties, unjudged, topics, norel, duplicates, short, deep, ranks, ids]


def main():
    for case in CASES:
        name = case.__name__
        qrels, run = case()
        rng = random.Random(name)
        lines = [f"{t}\t0\t{v}\t{g}\n" for t, grades in qrels.items() for v, g in grades.items()]
        (HERE / f"{name}.qrels.tsv").write_text("".join(lines))
        lines = []
        for topic, out in run.items():
            rank = list(range(1, len(out) + 1))
            if case is ranks:
                rng.shuffle(rank)
            lines += [f"{topic}\t{v}\t{1000 + i}\t{rank[i]}\t{s!r}\tgolden\n" for i, (v, s) in enumerate(out)]
        (HERE / f"{name}.run.tsv").write_text("".join(lines))
        (HERE / f"{name}.json").write_text(json.dumps(figures(name), indent=1) + "\n")


if __name__ == "__main__":
    main()
