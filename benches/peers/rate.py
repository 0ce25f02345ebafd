"""The rate of building: LaTeX to an index by phocus, LaTeX to SVG by MathJax 3."""

import csv
import json
import shutil
import statistics
import subprocess
import time

from install import HERE

SAMPLE = 5000


def write_sample(formulas, folder):
    """Every so-manieth formula, as a table for phocus and as lines of JSON for MathJax."""
    step = max(1, len(formulas) // SAMPLE)
    sample = formulas[::step][:SAMPLE]
    with open(folder / "sample.tsv", "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(["id", "latex"])
        table.writerows(enumerate(sample))
    with open(folder / "sample.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(latex) + "\n" for latex in sample)
    return len(sample)


def on_one_core(*command):
    """The command held to one core, helper threads and all, where that can be done."""
    held = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    return held + [str(part) for part in command]


def phocus_rate(phocus, folder, count):
    """Formulas a second, from the start of the process to the index on disk."""
    command = on_one_core(
        phocus, "index", "--config", "xy7o4", "--threads", "1", folder / "sample.tsv", "-o", folder / "sample.phoc"
    )
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return count / (time.perf_counter() - started)


def mathjax_rate(mathjax, folder):
    """Formulas a second, of the conversions alone; and how many were drawn as errors."""
    command = on_one_core("node", HERE / "mathjax.mjs", mathjax, folder / "sample.jsonl")
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    report = json.loads(done.stdout.splitlines()[-1])
    return report["formulas"] / report["seconds"], report["errors"]


def compare(phocus, mathjax, formulas, folder, repeat, turn):
    """Both in turns; the median of each."""
    count = write_sample(formulas, folder)
    ours, theirs, errors = [], [], 0
    for _ in range(repeat):
        with turn():
            ours.append(phocus_rate(phocus, folder, count))
            rate, errors = mathjax_rate(mathjax, folder)
            theirs.append(rate)
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    return {
        "formulas": count,
        "phocus_per_second": ours,
        "mathjax_per_second": theirs,
        "mathjax_errors": errors,
        "ratio": ours / theirs,
    }
