# SPDX-License-Identifier: Apache-2.0
"""How the extension is built: the program's flags, the stable ABI, one exported name."""
import ast
import importlib.metadata
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import zwang
import zwang._zwang
from conftest import ROOT


def setup_flags():
    """The texts in FLAGS of setup.py, without running it."""
    tree = ast.parse((ROOT / "setup.py").read_text())
    (flags,) = (node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "FLAGS")
    return [item.value for item in flags.elts if isinstance(item, ast.Constant)]


def test_flags_that_touch_numbers_are_those_of_the_program():
    text = re.sub(r"#.*", "", (ROOT / "cmake" / "ZwangFlags.cmake").read_text())
    of_cmake = {flag for flag in re.findall(r"(?<![\w-])-[fm][\w=-]+", text) if not flag.startswith("-ffile-prefix-map")}
    ours = {flag for flag in setup_flags() if re.match("-[fm]", flag)}
    assert of_cmake == ours - {"-fvisibility=hidden"} and "-ffp-contract=off" in ours


def test_versions_agree():
    header = (ROOT / "include/zwang/base.h").read_text()
    assert zwang.__version__ == importlib.metadata.version("zwang") == re.search(r'#define ZW_VERSION +"([^"]+)"', header)[1]


def test_one_wheel_for_all_versions():
    assert pathlib.Path(zwang._zwang.__file__).name == "_zwang.abi3.so"
    assert "Tag: cp311-abi3-" in importlib.metadata.distribution("zwang").read_text("WHEEL")


def test_only_the_module_function_is_exported():
    if sys.platform == "darwin" or not shutil.which("nm"):
        pytest.skip("needs nm of binutils")
    names = subprocess.run(["nm", "-D", "--defined-only", zwang._zwang.__file__], check=True, capture_output=True, text=True).stdout.split("\n")
    assert [line.split()[-1] for line in names if line] == ["PyInit__zwang"]


def test_every_public_name_is_documented():
    assert all(getattr(zwang, name).__doc__ for name in zwang.__all__)
    page = (ROOT / "docs" / "python.md").read_text()
    assert [name for name in zwang.__all__ if name not in page] == []
