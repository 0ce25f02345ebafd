"""The examples of the documentation, the notebook, the stubs and the style."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import phocus
import pytest
from conftest import REPOSITORY

PYTHON = REPOSITORY / "python"
MODULES = ["phocus"] + [f"phocus.{module.name}" for module in pkgutil.iter_modules(phocus.__path__)]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str, desk: Path, tmp_path: Path, monkeypatch) -> None:
    shutil.copytree(desk, tmp_path / "desk")
    monkeypatch.chdir(tmp_path / "desk")
    module = importlib.import_module(name)
    assert module.__doc__
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


def test_all_that_is_public_is_described() -> None:
    for name in phocus.__all__:
        if name != "__version__":
            assert getattr(phocus, name).__doc__, name
    for of in (phocus.Index, phocus.IndexBuilder):
        for name, member in vars(of).items():
            assert name.startswith("_") or member.__doc__, name


def test_the_guide(tmp_path: Path, monkeypatch) -> None:
    """Every example of docs/python.md prints what the page says."""
    shutil.copytree(REPOSITORY / "data-sample", tmp_path / "data-sample")
    monkeypatch.chdir(tmp_path)
    page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", page, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", None, 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner(optionflags=OPTIONS).run(test).failed == 0


def test_the_notebook(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "data-sample", tmp_path / "data-sample")
    examples = tmp_path / "python" / "examples"
    examples.mkdir(parents=True)
    notebook = nbformat.read(PYTHON / "examples" / "formulas.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit it without outputs"
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(examples)}}
    )
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"image/svg+xml", "image/png", "text/html"} <= kinds
    if "PHOCUS_KEEP" in os.environ:
        nbformat.write(notebook, os.environ["PHOCUS_KEEP"])


def run(*arguments: object) -> None:
    command = [sys.executable, "-m", *(str(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PYTHON, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_agree_with_the_module() -> None:
    run("mypy.stubtest", "phocus._phocus", "--mypy-config-file", "pyproject.toml")


def test_types() -> None:
    run("mypy", "--config-file", "pyproject.toml")


def test_style() -> None:
    run("ruff", "check", "--no-cache", "package", "tests")
    run("ruff", "format", "--no-cache", "--check", "package", "tests")
