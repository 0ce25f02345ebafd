"""How many formulas of documents phocus finds, beside pandoc, an independent reader.

    python3 benches/pandoc.py PHOCUS FORMAT FILE...      FORMAT is latex, markdown, html or ipynb

For each file pandoc's Math nodes are compared with what `phocus formulas` finds, in order: as
texts without white space and braces; between those that are equal, as many as there are by both are
the same ones written otherwise (pandoc writes LaTeX anew from MathML, and macros may be replaced by
one of the two only), else those of which most characters agree. One line a file is printed
that differs, with the first differences, and a line for all: how many of pandoc's formulas are
found, and how many others are.
"""

import difflib
import json
import re
import subprocess
import sys

MARKDOWN = "markdown+tex_math_single_backslash-yaml_metadata_block"


def math_of(node):
    """The LaTeX of every Math node, in order."""
    if isinstance(node, dict):
        if node.get("t") == "Math":
            yield node["c"][1]
            return
        # Raw LaTeX that is a formula: an environment that pandoc passes on as it is.
        if node.get("t") in ("RawBlock", "RawInline") and node["c"][0] in ("tex", "latex"):
            if re.match(r"\\begin\{(equation|align|gather|multline|eqnarray|flalign|alignat)", node["c"][1].strip()):
                yield node["c"][1]
            return
        for value in node.values():
            yield from math_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from math_of(value)


def pandoc(format, file):
    read = subprocess.run(
        ["pandoc", "-f", MARKDOWN if format == "markdown" else format, "-t", "json", file],
        capture_output=True, text=True, timeout=600)
    if read.returncode:
        return None
    return list(math_of(json.loads(read.stdout)["blocks"]))


def phocus(program, file):
    found = subprocess.run([program, "formulas", file, "--json"], capture_output=True, text=True)
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    return [row["latex"] for row in rows], [row["line"] for row in rows]


def bare(latex):
    """What is left of LaTeX without what only says how it is set."""
    latex = re.sub(r"(?<!\\)%.*", "", latex)
    latex = re.sub(r"\\label\s*\{[^}]*\}|\\(nonumber|notag|displaystyle|limits)\b", "", latex)
    latex = re.sub(r"\\(begin|end)\s*\{[^}]*\}(\{[0-9]\})?", "", latex)
    return re.sub(r"[\s{}&]|\\\\", "", latex)


def compare(theirs, ours):
    """Formulas of the first that have none in the second, and the other way round."""
    a, b = [bare(x) for x in theirs], [bare(x) for x in ours]
    missing, extra = [], []
    for kind, i, j, k, l in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        if kind == "replace" and j - i == l - k:
            continue
        rest = list(range(k, l))
        for number in range(i, j):
            like = [m for m in rest[:8] if difflib.SequenceMatcher(None, a[number], b[m]).ratio() > 0.5]
            if like:
                rest = rest[rest.index(like[0]) + 1:] if like[0] == rest[0] else [m for m in rest if m != like[0]]
            elif a[number]:
                missing.append(number)
        extra += [m for m in rest if b[m]]
    return missing, extra


def main():
    program, format, *files = sys.argv[1:]
    totals = [0, 0, 0, 0]
    for file in files:
        theirs = pandoc(format, file)
        if theirs is None:
            print(f"{file}: pandoc cannot read it")
            continue
        ours, lines = phocus(program, file)
        missing, extra = compare(theirs, ours)
        for place, count in enumerate([len(theirs), len(ours), len(missing), len(extra)]):
            totals[place] += count
        if missing or extra:
            print(f"{file}: {len(theirs)} by pandoc, {len(ours)} by phocus")
            for number in missing[:4]:
                print(f"    only pandoc: {theirs[number][:150]!r}")
            for number in extra[:4]:
                print(f"    only phocus: line {lines[number]}: {ours[number][:150]!r}")
    theirs, ours, missing, extra = totals
    print(f"pandoc {theirs}, phocus {ours}; found {100 * (1 - missing / max(theirs, 1)):.2f}%, "
          f"others {100 * extra / max(ours, 1):.2f}%")


main()
