"""What the comparison needs, from the package registries into a folder of its own.

Each function returns what to run with, or raises `Missing` with the reason, which the
script prints before it goes on without that peer.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = HERE / ".work"


class Missing(Exception):
    """A peer cannot be had here."""


def call(*command, cwd=None):
    """Runs a command quietly; its last words are the reason when it fails."""
    command = [str(part) for part in command]
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=1800, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{command[0]}: {error}") from error
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines() or ["no word of why"]
        raise Missing(f"`{' '.join(command[:3])}` failed: {words[-1]}")
    return done.stdout


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing(f"there is no {program}")


def duckdb():
    """A Python that has DuckDB."""
    python = WORK / "venv/bin/python"
    if not python.exists():
        call(sys.executable, "-m", "venv", WORK / "venv")
    call(python, "-m", "pip", "install", "--quiet", "duckdb", "numpy")
    return python


def lucene():
    """The class path of Debian's newest Lucene and the peer compiled against it."""
    need("java", "javac", "apt-get", "dpkg")
    folder = WORK / "lucene"
    if not jar(folder):
        folder.mkdir(parents=True, exist_ok=True)
        download_lucene(folder)
    classes = WORK / "classes"
    shutil.rmtree(classes, ignore_errors=True)
    sources = sorted((HERE / "lucene").glob("*.java"))
    call("javac", "-cp", jar(folder), "-d", classes, *sources)
    return f"{jar(folder)}:{classes}"


def jar(folder):
    return next(iter(sorted(folder.glob("usr/share/java/lucene-core-*.jar"))), None)


def download_lucene(folder):
    call("apt-get", "download", "liblucene8-java", cwd=folder)
    for package in folder.glob("*.deb"):
        call("dpkg", "-x", package, folder)
        package.unlink()
    if not jar(folder):
        raise Missing("Debian's package has no lucene-core")


def mathjax():
    """The folder with MathJax 3."""
    need("node", "npm")
    folder = WORK / "node"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules/mathjax-full").exists():
        call("npm", "install", "--silent", "--prefix", folder, "mathjax-full@3")
    return folder


def cargo():
    """phocus and the crate of peers, as released."""
    need("cargo")
    call("cargo", "build", "--release", "--bin", "phocus", cwd=ROOT)
    call("cargo", "build", "--release", "--target-dir", target(), cwd=HERE)
    return target() / "release/phocus", target() / "release/phocus-peers"


def target():
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
