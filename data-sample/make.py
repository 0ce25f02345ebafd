#!/usr/bin/env python3
"""Writes the sample collection of phocus: formulas/{1,2,3}.tsv, topics.xml, qrels.tsv.

The formulas are hand-written and live in src/seeds.txt (by field) and
src/topics.txt (the 20 topics, each with its graded family).  This script adds
systematic variants of the seeds (renamed, a part, a changed number or relation,
enclosed), and rows that spell the same layout differently, and spreads all of
them over invented threads and posts.  The output depends on the input only:
every draw comes from `random.Random(SEED).random()`, which Python keeps stable.

    python3 data-sample/make.py
"""

import csv
import random
import re
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
SEED = 20
JUDGED = 38  # judged visual ids a topic, at least
HEADER = ["id", "post_id", "thread_id", "type", "comment_id",
          "old_visual_id", "visual_id", "issue", "formula"]

# Rows broken as in real life: unclosed braces, unknown commands, HTML entities.
MALFORMED = [
    r"\frac{1}{2",
    r"\sqrt{x+1",
    r"a_{n}} = 2",
    r"\left( x+1 \right",
    r"x^2^3",
    r"\undefinedcommand{x}+1",
    r"\begin{cases} 1 & x>0 \\ 0 & x<0",
    r"0&lt;x&lt;y&lt;1",
    r"|x|&gt;|y|",
    r"\begin{bmatrix} A &amp; B \\ 0 &amp; D \end{bmatrix}",
    r"a &lt b",
]


# ---------------------------------------------------------------- LaTeX tokens

# Commands whose braces hold names or text; each is kept as one token.
RAW = r"\\(?:text|ce|mathrm|mathbb|mathbf|mathcal|operatorname|begin|end)\s*\{(?:[^{}]|\{[^{}]*\})*\}"
TOKEN = re.compile(r"\\begin\{array\}\{[^}]*\}|" + RAW + r"|\\[a-zA-Z]+|\\.|\s+|.", re.S)

ALIASES = {r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\rightarrow": r"\to",
           r"\iff": r"\Longleftrightarrow", r"\land": r"\wedge", r"\lor": r"\vee",
           r"\lbrace": r"\{", r"\rbrace": r"\}", r"\vert": "|", r"\mid": "|", r"\neg": r"\lnot",
           r"\colon": ":", r"\implies": r"\Longrightarrow", "*": r"\ast"}
SPACING = {r"\,", r"\;", r"\:", r"\!", r"\ ", r"\quad", r"\qquad", "~", r"\limits"}
SIZING = {r"\left", r"\right", r"\middle"} | {
    "\\" + size + side for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")}
ARITY = {name: 1 for name in (
    r"\sqrt \hat \bar \vec \dot \ddot \tilde \overline \widehat \overrightarrow \underbrace "
    r"\overbrace \boxed \cancel \mathfrak \boldsymbol \mathrm \mathbf \mathbb \mathcal \text "
    r"\pmod \substack \xrightarrow \xleftarrow \xRightarrow").split()}
ARITY.update({name: 2 for name in r"\frac \cfrac \dfrac \tfrac \binom \overset \underset \stackrel".split()})
INFIX = {r"\over": r"\frac", r"\choose": r"\binom", r"\brace": r"\brace"}


def tokens(latex):
    """Splits LaTeX into tokens, white space being dropped."""
    return [t for t in TOKEN.findall(latex) if not t.isspace()]


def join(toks):
    """The inverse of `tokens`: puts a space only where a command name would run on."""
    out = ""
    for t in toks:
        if re.search(r"\\[a-zA-Z]+$", out) and t[0].isalpha():
            out += " "
        out += t
    return out


def layout(latex):
    """A canonical spelling: two formulas that look the same get the same string.

    White space, redundant braces, synonymous commands, the order of sub- and
    superscript, \\over for \\frac, explicit spaces and bracket sizes are
    levelled.  A formula that cannot be parsed is its own layout.
    """
    text = re.sub(r"&(lt|gt|amp);", lambda m: {"lt": "<", "gt": ">", "amp": "&"}[m[1]], latex)
    toks = tokens(text)
    try:
        items, end = _row(toks, 0)
        if end != len(toks):
            raise ValueError("unbalanced")
    except (ValueError, IndexError):
        return "malformed: " + " ".join(latex.split())
    return " ".join(items)


def _row(toks, i):
    """Canonical items from position i up to a closing brace or the end."""
    items = []
    while i < len(toks) and toks[i] != "}":
        t = toks[i]
        if t in SPACING:
            i += 1
        elif t in SIZING:
            i += 2 if toks[i + 1] == "." else 1
        elif t in INFIX:
            below, i = _row(toks, i + 1)
            items = [INFIX[t], "{", *items, "}", "{", *below, "}"]
        elif t in "^_'":
            sub, sup = [], []
            while i < len(toks) and toks[i] in "^_'":
                if toks[i] == "'":
                    sup.append(r"\prime")
                    i += 1
                else:
                    arg, j = _argument(toks, i + 1)
                    (sub if toks[i] == "_" else sup).extend(arg)
                    i = j
            items += (["_{", *sub, "}"] if sub else []) + (["^{", *sup, "}"] if sup else [])
        else:
            unit, i = _argument(toks, i)
            items += unit or ["{}"]
    return items, i


def _argument(toks, i):
    """Canonical items of one group, command with its arguments, or symbol."""
    t = toks[i]
    if t == "{":
        items, i = _row(toks, i + 1)
        if toks[i] != "}":
            raise ValueError("unclosed")
        return items, i + 1
    if t in "}^_":
        raise ValueError("argument expected")
    items = [ALIASES.get(t, t if t.startswith(r"\text") else re.sub(r"\s", "", t) if len(t) > 2 else t)]
    i += 1
    if t in (r"\sqrt", r"\xrightarrow") and i < len(toks) and toks[i] == "[":
        end = toks.index("]", i)
        items += toks[i:end + 1]
        i = end + 1
    for _ in range(ARITY.get(t, 0)):
        arg, i = _argument(toks, i)
        items += ["{", *arg, "}"]
    return items, i


def group_end(toks, i):
    """The position after the group or token that starts at i."""
    if toks[i] != "{":
        return i + 1
    depth = 0
    while True:
        depth += {"{": 1, "}": -1}.get(toks[i], 0)
        i += 1
        if depth == 0:
            return i


# ------------------------------------------------- spellings of the same layout

def spaced(toks):
    return " ".join(toks)


def tight(toks):
    return join(toks)


def braced(toks):
    """Braces around one-symbol scripts: x^2 to x^{2}."""
    out = []
    for prev, t in zip([""] + toks, toks):
        out += ["{", t, "}"] if prev in ("^", "_") and re.fullmatch(r"[A-Za-z0-9]", t) else [t]
    return join(out)


def synonyms(toks):
    swap = {r"\le": r"\leq", r"\ge": r"\geq", r"\neq": r"\ne", r"\ne": r"\neq", r"\to": r"\rightarrow",
            r"\land": r"\wedge", r"\lor": r"\vee", r"\rightarrow": r"\to", r"\iff": r"\Longleftrightarrow"}
    return join([swap.get(t, t) for t in toks])


def over(toks):
    """The first \\frac{a}{b} as {a \\over b}."""
    if r"\frac" not in toks:
        return join(toks)
    i = toks.index(r"\frac")
    j = group_end(toks, i + 1)
    k = group_end(toks, j)
    strip = lambda part: part[1:-1] if part[0] == "{" else part
    return join(toks[:i] + ["{"] + strip(toks[i + 1:j]) + [r"\over"] + strip(toks[j:k]) + ["}"] + toks[k:])


def swapped(toks):
    """x_{a}^{b} as x^{b}_{a}."""
    out, i = [], 0
    while i < len(toks):
        if toks[i] == "_":
            j = group_end(toks, i + 1)
            if j < len(toks) and toks[j] == "^":
                k = group_end(toks, j + 1)
                out += toks[j:k] + toks[i:j]
                i = k
                continue
        out.append(toks[i])
        i += 1
    return join(out)


def fenced(toks):
    """Plain parentheses as \\left( \\right), where they pair up in one group."""
    if any(t in (r"\left", "&", r"\\", "[", "]") or t.startswith(r"\begin") for t in toks):
        return join(toks)
    out, stack = list(toks), []
    for i, t in enumerate(toks):
        if t in "({":
            stack.append(i)
        elif t in ")}":
            if not stack:
                return join(toks)
            j = stack.pop()
            if (toks[j] == "(") != (t == ")"):
                return join(toks)
            if t == ")":
                out[j], out[i] = r"\left(", r"\right)"
    return join(out)


SPELLINGS = [braced, spaced, synonyms, over, swapped, fenced, tight]


def respell(latex, k):
    """Another spelling of the same layout (starting with the k-th way), or the formula itself."""
    for n in range(len(SPELLINGS)):
        other = SPELLINGS[(k + n) % len(SPELLINGS)](tokens(latex))
        if other != latex and layout(other) == layout(latex):
            return other
    return latex


# ----------------------------------------------------------- systematic variants

RENAMINGS = [dict(zip(a, b)) for a, b in (
    ("x y z n k f a b", "t s w m j g p q"),
    ("x y n k i a b c", "u v N r j p q r"),
    (r"\alpha \beta \theta \lambda x n f A", r"\mu \nu \phi \kappa y m h M"),
    ("n m k p q r s X", "N M l u v w t Z"),
    ("a b c A B C t v", "u v w U V W s c"),
) for a, b in [(a.split(), b.split())]]
EQUALS = [":=", r"\approx", r"\le", r"\ne", r"\ge"]  # what "=" turns into
RELATIONS = {"=": None, r"\le": "<", r"\ge": ">", "<": r"\le", ">": r"\ge", r"\cong": "=",
             r"\subseteq": r"\subset", r"\sim": r"\approx", r"\in": r"\notin"}
HAS_RELATION = {"=", "<", ">", ",", ":", r"\to", r"\iff", r"\implies", r"\mapsto", r"\equiv", r"\approx",
                r"\propto", r"\perp", r"\parallel", r"\dashv", r"\vdash", r"\nvdash", r"\models", r"\simeq",
                r"\ll", r"\nmid", r"\mid", r"\rightleftharpoons", r"\rightarrow", r"\xrightarrow", r"\subset",
                r"\rightharpoonup", r"\twoheadrightarrow", r"\rightarrowtail", r"\land", r"\lor", *RELATIONS}


def rename(latex, table):
    """Renames symbols consistently; a name already in use is never taken."""
    toks = tokens(latex)
    used = set(toks)
    table = {a: b for a, b in table.items() if b not in used or b in table}
    values = list(table.values())
    table = {a: b for a, b in table.items() if values.count(b) == 1}

    def one(t):
        if t in table:
            return table[t]
        bold = re.fullmatch(r"(\\mathbf\{)(.)(\})", t)
        return bold[1] + table.get(bold[2], bold[2]) + bold[3] if bold else t
    return join([one(t) for t in toks])


def renamed(latex, k):
    table = {a: b for a, b in RENAMINGS[k % len(RENAMINGS)].items() if a in tokens(latex)}
    return rename(latex, {a: b for a, b in table.items() if b not in tokens(latex)})


def side(latex, k):
    """One side of an equation, if it is an expression of some size."""
    toks = tokens(latex)
    if any(t in (r"\left", "&", ",", r"\quad", r"\iff", r"\implies") or t.startswith(r"\begin") for t in toks):
        return latex
    depth, cuts = 0, []
    for i, t in enumerate(toks):
        depth += {"{": 1, "(": 1, "[": 1, r"\{": 1, "}": -1, ")": -1, "]": -1, r"\}": -1}.get(t, 0)
        if t == "=" and depth == 0:
            cuts.append(i)
    if len(cuts) != 1:
        return latex
    part = max(toks[:cuts[0]], toks[cuts[0] + 1:], key=len)
    return join(part) if len(part) >= 8 else latex


def renumbered(latex, k):
    """Adds one to the k-th small number."""
    if r"\ce" in latex or "." in latex:
        return latex
    toks = tokens(latex)
    single = [i for i, t in enumerate(toks) if t in "2345678"
              and not any(u.isdigit() for u in toks[max(i - 1, 0):i] + toks[i + 1:i + 2])]
    if not single:
        return latex
    i = single[k % len(single)]
    return join(toks[:i] + [str(int(toks[i]) + 1)] + toks[i + 1:])


def related(latex, k):
    """Changes the first relation sign."""
    toks = tokens(latex)
    for i, t in enumerate(toks):
        if t in RELATIONS and toks[:i].count("{") == toks[:i].count("}"):
            return join(toks[:i] + [RELATIONS[t] or EQUALS[k % len(EQUALS)]] + toks[i + 1:])
    return latex


def enclosed(latex, k):
    """Puts the formula into a larger one."""
    if r"\begin" in latex or r"\text" in latex:
        return latex
    if HAS_RELATION & set(tokens(latex)):
        frames = [r"(\ast)\quad %s", r"\therefore\ %s", r"\boxed{%s}", r"%s \quad\text{q.e.d.}"]
    else:
        frames = [r"\left(%s\right)^2", r"\log\left(%s\right)", r"1-\left(%s\right)", r"\left|%s\right|"]
    return frames[k % len(frames)].replace("%s", latex)


VARIANTS = [renamed, side, renumbered, related, enclosed]


def variant(latex, k, known):
    """A variant of the formula with a layout that is not known yet, or None."""
    for n in range(len(VARIANTS)):
        other = VARIANTS[(k + n) % len(VARIANTS)](latex, k // len(VARIANTS))
        if layout(other) not in known:
            return other
    return None


# ------------------------------------------------------------------- the sources

def read(line):
    return line.strip().replace("¶", "\n").replace("⇥", "\t")


def read_seeds():
    """A list of (field, formulas)."""
    fields = []
    for line in (HERE / "src/seeds.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            fields.append((line[3:], []))
        elif line and not line.startswith("#"):
            fields[-1][1].append(read(line))
    return fields


def read_topics():
    """A list of dicts: id, listed, latex, title, question, tags, unlike, graded [(grade, formula)]."""
    topics = []
    for line in (HERE / "src/topics.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@ "):
            name, listed = line[2:].split(" | ")
            topics.append({"id": name, "listed": listed == "in", "graded": [], "unlike": ""})
        elif re.match(r"[0-3][:~*] ", line):
            query = topics[-1]["latex"]
            grade, how, rest = int(line[0]), line[1], read(line[3:])
            if how == "~":
                rest = rename(query, dict(pair.split("=") for pair in rest.split()))
            elif how == "*":
                rest = rest.replace("[Q]", query)
            topics[-1]["graded"].append((grade, rest))
        elif line and not line.startswith("#"):
            key, value = line.split(": ", 1)
            topics[-1][key] = read(value)
    for topic in topics:
        if topic["listed"]:
            topic["graded"].insert(0, (3, topic["latex"]))
    return topics


def judge(topics):
    """For each topic the grades by layout; grade 0 is filled up from unrelated families."""
    judged = []
    for topic in topics:
        grades = {}
        for grade, latex in topic["graded"]:
            assert grades.setdefault(layout(latex), grade) == grade, (topic["id"], latex)
        judged.append(grades)
    own = [dict(grades) for grades in judged]
    for t, topic in enumerate(topics):
        others = [n for n in range(len(topics)) if n != t
                  and topics[n]["id"] not in topic["unlike"].split()
                  and topic["id"] not in topics[n]["unlike"].split()]
        others = others[t % len(others):] + others[:t % len(others)]
        rank = 0
        while len(judged[t]) < max(JUDGED, len(own[t]) + 8):
            for n in others:
                close = [key for key, grade in own[n].items() if grade >= 2]
                judged[t].setdefault(close[rank % len(close)], 0)
            rank += 1
    return judged


# ---------------------------------------------------------------------- the rows

def shuffled(items, rng):
    return [item for _, _, item in sorted((rng.random(), n, item) for n, item in enumerate(items))]


def build_groups(seeds, topics, rng):
    """Groups of (formula, first) that make up the threads; `first` rows stay returnable."""
    graded = [latex for topic in topics for _, latex in topic["graded"]]
    known, groups, single = set(), [], []

    def add(group, latex, first):
        if layout(latex) not in known:
            known.add(layout(latex))
            group.append((latex, first))
            single.append(latex)

    for topic in topics:
        group = []
        for _, latex in topic["graded"]:
            add(group, latex, True)
        groups.append(shuffled(group, rng))
    families = {layout(latex) for latex in graded}
    all_seeds = {layout(latex) for _, formulas in seeds for latex in formulas} | families
    k = 0
    for _, formulas in seeds:
        group = []
        for latex in formulas:
            add(group, latex, False)
            k += 1
            if layout(latex) not in families and k % 2:
                other = variant(latex, k // 2, known | all_seeds)
                if other:
                    add(group, other, False)
        groups.append(shuffled(group, rng))
    # Every fourth formula once more, elsewhere; mostly spelled differently. Short ones are frequent.
    again = []
    for n, latex in enumerate(single):
        copies = 4 if len(latex) <= 3 else 1 if n % 4 == 0 else 0
        again += [(respell(latex, n // 4) if c == 0 and n % 12 else latex, False) for c in range(copies)]
    again += [(latex, False) for latex in MALFORMED]
    again = shuffled(again, rng)
    groups += [again[i:i + 40] for i in range(0, len(again), 40)]
    return shuffled(groups, rng)


def build_rows(groups, rng):
    """Spreads the formulas over threads and posts and numbers everything."""
    rows, visual, spelled = [], {}, {}
    post, comment = 1000, 5000
    issues = ["d", "v", "dv", "v", "d", "dv", "v", "d", "v", "dv", "d", "v"]
    for group in groups:
        left = 0
        for latex, first in group:
            if left == 0:  # a new thread: some formulas in the question, the rest in answers
                left = 8 + int(7 * rng.random())
                post += 1
                thread, at, asked = post, post, 2 + int(4 * rng.random())
                kind = "title" if rng.random() < 0.5 else "question"
            elif asked > 0:
                kind, asked, at = "question", asked - 1, thread
            else:
                kind = "answer"
                if at == thread or rng.random() < 0.3:
                    post += 1
                    at = post
            left -= 1
            is_comment = not first and rng.random() < 0.115
            if is_comment:
                comment += 1
            number = len(rows) + 1
            issue = ""
            if not first and not is_comment and issues and number > 150 * (13 - len(issues)):
                issue = issues.pop(0)
            key = layout(latex)
            rows.append([number, at, thread, "comment" if is_comment else kind,
                         comment if is_comment else "",
                         spelled.setdefault("".join(latex.split()), len(spelled) + 1),
                         visual.setdefault(key, len(visual) + 1), issue, latex])
    return rows, visual


def write(rows, visual, topics, judged):
    folder = HERE / "formulas"
    folder.mkdir(exist_ok=True)
    third = -(-len(rows) // 3)
    for n in range(3):
        with open(folder / f"{n + 1}.tsv", "w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            table.writerow(HEADER)
            table.writerows(rows[n * third:(n + 1) * third])

    lines = ['<?xml version="1.0"?>', "<Topics>"]
    for n, topic in enumerate(topics, 1):
        lines += [f'  <Topic number="S.{n}">', f"    <Formula_Id>{topic['id']}</Formula_Id>"]
        for tag in ("Latex", "Title", "Question", "Tags"):
            lines.append(f"    <{tag}>{escape(topic[tag.lower()])}</{tag}>")
        lines.append("  </Topic>")
    (HERE / "topics.xml").write_text("\n".join(lines + ["</Topics>", ""]), encoding="utf-8")

    with open(HERE / "qrels.tsv", "w", encoding="utf-8") as out:
        for n, grades in enumerate(judged, 1):
            for grade, number in sorted((-grade, visual[key]) for key, grade in grades.items()):
                out.write(f"S.{n}\t0\t{number}\t{-grade}\n")


def main():
    rng = random.Random(SEED)
    topics = read_topics()
    judged = judge(topics)
    rows, visual = build_rows(build_groups(read_seeds(), topics, rng), rng)
    write(rows, visual, topics, judged)
    print(f"{len(rows)} rows, {len(visual)} visual ids, {sum(map(len, judged))} judgements")


if __name__ == "__main__":
    main()
