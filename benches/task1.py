#!/usr/bin/env python3
"""Measures answers to questions on ARQMath's Task 1: tables, and the curve over alpha as a plot.

    benches/task1.py target/release/phocus POSTS TOPICS:QRELS [TOPICS:QRELS ...] [--plot FILE.svg]

POSTS is a dump of posts; each pair of files is a year. The rows of the table are settings of
`phocus run --task 1`; standard errors are over topics. The excerpt that was used for the figures in
docs/asking.md is small and holds what one system found: figures compare settings, not systems.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

MEASURES = ["ndcg", "map", "p10", "mrr"]
NAMES = ["nDCG'", "MAP'", "P'@10", "MRR"]
SETTINGS = [
    ("words only", ["--alpha", "0"]),
    ("formulas only", ["--alpha", "1"]),
    ("both (the default)", []),
    ("both, formulas added up, alpha .4", ["--combine", "sum", "--alpha", ".4"]),
    ("both, formulas added up", ["--combine", "sum"]),
    ("kappa 100", ["--kappa", "100"]),
    ("kappa 200", ["--kappa", "200"]),
    ("kappa 1000", ["--kappa", "1000"]),
    ("titles only", ["--title-only"]),
    ("the three longest formulas", ["--max-formulas", "3"]),
    ("formulas of one character too", ["--min-characters", "1"]),
]
ALPHAS = [at / 20 for at in range(21)]


def measured(phocus, index, topics, qrels, options):
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run.tsv"
        command = [phocus, "run", index, "--task", "1", "--topics", topics, "-o", run, *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        command = [phocus, "eval", "--qrels", qrels, run, "--per-topic", "--json"]
        report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    run = report["runs"][0]
    topics = list(run["per_topic"].values())

    def error(measure):
        values = [topic[measure] for topic in topics]
        mean = sum(values) / len(values)
        return (sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values)) ** 0.5

    return [run["mean"][measure] for measure in MEASURES], [error(measure) for measure in MEASURES]


def plot(curves, years):
    """Two panels, MAP' and MRR, a line for each year."""
    width, height, left, top = 320, 200, 40, 24
    colours = ["#1d4e89", "#b3541e", "#00692b", "#7a3b8f"]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * (width + left) + 20} '
             f'{height + 70}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>']
    for panel, measure in enumerate([1, 3]):
        x0 = panel * (width + left) + left
        at = lambda alpha, value: (x0 + alpha * width, top + height - (value - .15) / .6 * height)
        parts.append(f'<text x="{x0}" y="14" font-weight="bold">{NAMES[measure]}</text>')
        for step in range(2, 8):
            y = at(0, step / 10)[1]
            parts.append(f'<path d="M{x0} {y:.1f}h{width}" stroke="#ddd"/>'
                         f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">.{step}</text>')
        for tick in range(0, 11, 2):
            x = at(tick / 10, .15)[0]
            parts.append(f'<text x="{x:.1f}" y="{top + height + 16}" text-anchor="middle">{tick / 10:g}</text>')
        for number, (year, values) in enumerate(zip(years, curves)):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in
                              (at(alpha, value[measure]) for alpha, value in zip(ALPHAS, values)))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colours[number]}" stroke-width="2"/>')
            parts.append(f'<text x="{x0 + 8}" y="{top + 12 + 14 * number}" fill="{colours[number]}">{year}</text>')
        parts.append(f'<text x="{x0 + width / 2}" y="{top + height + 34}" text-anchor="middle">'
                     'alpha: the share of formulas in the score</text>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    arguments = sys.argv[1:]
    picture = None
    if "--plot" in arguments:
        at = arguments.index("--plot")
        picture = arguments[at + 1]
        del arguments[at:at + 2]
    if len(arguments) < 3:
        sys.exit(__doc__)
    phocus, posts, *years = arguments
    years = [tuple(year.split(":")) for year in years]
    with tempfile.TemporaryDirectory() as folder:
        index = str(Path(folder) / "posts.phoc")
        subprocess.run([phocus, "index", posts, "-o", index, "--no-seen"], check=True,
                       stdout=subprocess.DEVNULL)
        print("| setting |" + "".join(f" {Path(topics).stem}: {' '.join(NAMES)} |" for topics, _ in years))
        print("| --- |" + " --- |" * len(years))
        for name, options in SETTINGS:
            cells = []
            for topics, qrels in years:
                values, errors = measured(phocus, index, topics, qrels, options)
                shown = " ".join(f"{value:.3f}"[1:] for value in values)
                cells.append(f" {shown} (± {' '.join(f'{error:.3f}'[1:] for error in errors)}) |")
            print(f"| {name} |" + "".join(cells))
        curves = [[measured(phocus, index, topics, qrels, ["--alpha", str(alpha)])[0] for alpha in ALPHAS]
                  for topics, qrels in years]
        print("\n| alpha |" + "".join(f" {Path(topics).stem} |" for topics, _ in years))
        print("| --- |" + " --- |" * len(years))
        for at, alpha in enumerate(ALPHAS):
            cells = [" ".join(f"{value:.3f}"[1:] for value in curve[at]) for curve in curves]
            print(f"| {alpha:g} | " + " | ".join(cells) + " |")
        if picture:
            names = [Path(topics).stem for topics, _ in years]
            Path(picture).write_text(plot(curves, names), encoding="utf-8")


if __name__ == "__main__":
    main()
