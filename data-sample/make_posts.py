#!/usr/bin/env python3
"""Writes the sample of questions and answers: posts.xml, questions.xml, questions-qrels.tsv.

The posts are in src/posts.txt: `Q id tags`, a line with the title, and the question; `A id
question`, and the answer. The topics are in src/questions.txt: number and tags, a line with the
title, the question, and the judgments as post:grade.

    python3 data-sample/make_posts.py
"""

import re
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent


def blocks(name):
    text = (HERE / "src" / name).read_text(encoding="utf-8").strip()
    return [block.split("\n") for block in re.split(r"\n\n(?=[QAT])|\n(?=T\.)", text)]


def html(text):
    """Text with formulas between dollars, as ARQMath's posts have it."""
    pieces = re.split(r"\$([^$]+)\$", text)
    for at, piece in enumerate(pieces):
        piece = escape(piece)
        pieces[at] = f'<span class="math-container">${piece}$</span>' if at % 2 else piece
    return "".join(pieces)


def row(lines):
    kind, number, more = lines[0].split(" ", 2)
    if kind == "A":
        body = html("\n".join(lines[1:]))
        return f'  <row Id="{number}" PostTypeId="2" ParentId="{more}" Body={quoteattr(f"<p>{body}</p>")} />'
    tags = "".join(f"<{tag}>" for tag in more.split(","))
    title, body = html(lines[1]), html("\n".join(lines[2:]))
    return (f'  <row Id="{number}" PostTypeId="1" Title={quoteattr(title)} '
            f'Body={quoteattr(f"<p>{body}</p>")} Tags={quoteattr(tags)} />')


def main():
    rows = [row(lines) for lines in blocks("posts.txt")]
    posts = ['<?xml version="1.0" encoding="utf-8"?>', "<posts>", *rows, "</posts>", ""]
    (HERE / "posts.xml").write_text("\n".join(posts), encoding="utf-8")
    topics, judgments = ['<?xml version="1.0"?>', "<Topics>"], []
    for head, title, question, grades in blocks("questions.txt"):
        number, tags = head.split(" ", 1)
        topics += [f'  <Topic number="{number}">', f"    <Title>{escape(html(title))}</Title>",
                   f"    <Question>{escape('<p>' + html(question) + '</p>')}</Question>",
                   f"    <Tags>{tags}</Tags>", "  </Topic>"]
        judgments += [f"{number}\t0\t" + "\t".join(grade.split(":")) for grade in grades.split()]
    (HERE / "questions.xml").write_text("\n".join([*topics, "</Topics>", ""]), encoding="utf-8")
    (HERE / "questions-qrels.tsv").write_text("\n".join([*judgments, ""]), encoding="utf-8")
    print(f"{len(rows)} posts, {len(judgments)} judgments")


if __name__ == "__main__":
    main()
