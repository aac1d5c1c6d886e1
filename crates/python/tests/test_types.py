"""The stubs say what the module has, and a sample passes mypy's strict check."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
HERE = Path(__file__).parent


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=HERE.parent
    )


def test_stubs_agree_with_the_module():
    found = run("mypy.stubtest", "garrison")
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_sample_passes_the_strict_check():
    found = run("mypy", "--strict", "tests/typed_sample.py")
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_wrong_type_is_found(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import garrison\ngarrison.Position('chess').push(3)\n")
    found = run("mypy", "--strict", str(wrong))
    assert found.returncode == 1 and "arg-type" in found.stdout, found.stdout


def test_the_sample_runs():
    found = subprocess.run([sys.executable, HERE / "typed_sample.py"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
