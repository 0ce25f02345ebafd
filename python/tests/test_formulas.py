"""Formulas by themselves."""

from __future__ import annotations

import copy
import json
import pickle
import xml.dom.minidom
from pathlib import Path

import phocus
import pytest


def test_a_layout_has_symbols_with_boxes() -> None:
    layout = phocus.layout(r"\frac{a}{b}")
    assert [symbol.symbol for symbol in layout] == ["𝑎", "-", "𝑏"] or len(layout) == 3
    by_name = {symbol.symbol: symbol.box for symbol in layout}
    assert by_name["𝑎"].y1 < by_name["𝑏"].y0, "y grows downwards"
    assert layout.box.x1 >= max(box.x1 for box in by_name.values())
    assert layout[0].box.width > 0 and layout[0].box.height > 0
    assert layout._repr_svg_().startswith("<svg")
    guessed = phocus.layout(r"where $\frac{1}{x+$")
    assert guessed.read_as == r"\frac{1}{x+}" and len(guessed.notes) == 2
    assert phocus.layout(r"\sq", macros=r"\newcommand\sq{x^2}").read_as == "x^2"


def test_tokens_are_those_of_the_program(call) -> None:
    for config in ("best", "xy7o4"):
        printed = json.loads(call("encode", r"\frac{x^2}{y}", "--config", config, "--json"))
        encoding = phocus.encode(r"\frac{x^2}{y}", config)
        assert encoding.config == config
        assert list(encoding.box) == printed["box"]
        found = [
            {"kind": t.kind, "key": t.key, "bits": t.bits, "boxes": [list(box) for box in t.boxes]}
            for t in encoding
        ]
        assert found == printed["tokens"]


def test_configurations_are_named() -> None:
    assert "best" in phocus.configs()
    for config in phocus.configs():
        assert len(phocus.encode("x", config)) >= 1
    with pytest.raises(phocus.ArgumentError, match="nor is it one of the configurations best"):
        phocus.encode("x", "zz9")
    with pytest.raises(phocus.ArgumentError, match=r"cannot read configuration no\.toml: "):
        phocus.encode("x", "no.toml")


def test_a_drawing_is_text_that_shows_itself(tmp_path: Path) -> None:
    drawing = phocus.render(r"\sqrt{x^2+y^2}", mark=["𝑥", "𝑦"])
    assert isinstance(drawing, str) and drawing._repr_svg_() == drawing
    assert type(drawing._repr_svg_()) is str
    xml.dom.minidom.parseString(drawing)
    assert drawing.count('class="mark"') == 2
    box = phocus.layout(r"\sqrt{x^2+y^2}")[0].box
    assert phocus.render(r"\sqrt{x^2+y^2}", mark=[box]).count('class="mark"') == 1
    assert repr(drawing) == r"Svg('\\sqrt{x^2+y^2}')"
    for other in (pickle.loads(pickle.dumps(drawing)), copy.deepcopy(drawing)):
        assert other == drawing and other.latex == drawing.latex
    drawing.save(tmp_path / "root.svg")
    assert (tmp_path / "root.svg").read_text(encoding="utf-8") == drawing
    assert "prefers-color-scheme" in phocus.render("x", theme="auto")
    assert phocus.render("x", theme="dark") != phocus.render("x")
    with pytest.raises(phocus.ArgumentError, match="expected auto, light or dark"):
        phocus.render("x", theme="pink")
