# SPDX-License-Identifier: Apache-2.0
"""Builds the extension zwang._zwang: the whole library and the files of python/src, in one shared object that exports one name.

It is made with the flags of cmake/ZwangFlags.cmake, so that results have the same bits as the program's, and in the limited API of
Python 3.11, so that one wheel serves that version and all later ones.
"""
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent

# As CMake's Release and cmake/ZwangFlags.cmake; tests/python/test_build.py compares them.
FLAGS = ["-O3", "-DNDEBUG", "-std=c17", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden",
         "-Wall", "-Wextra", "-Wshadow", "-Wno-psabi", f"-ffile-prefix-map={ROOT}/="]
LIBRARIES = {"yaml-0.1": ("libyaml", "libyaml-dev"), "hdf5-serial": ("the serial HDF5 C library", "libhdf5-dev"),
             "arpack": ("ARPACK", "libarpack2-dev"), "lapack": ("LAPACK", "liblapack-dev"), "blas": ("BLAS", "libblas-dev")}


def version():
    header = (ROOT / "include/zwang/base.h").read_text(encoding="utf-8")
    return re.search(r'^#define ZW_VERSION +"([^"]+)"', header, re.M)[1]


def pkg_config(option, module):
    try:
        done = subprocess.run(["pkg-config", option, module], capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("zwang: pkg-config was not found. Debian and Ubuntu: apt-get install pkgconf")
    if done.returncode != 0:
        what, package = LIBRARIES[module]
        sys.exit(f"zwang: {what} was not found (pkg-config {module}). Debian and Ubuntu: apt-get install {package}")
    return shlex.split(done.stdout)


def openmp(compiler):
    """The flag for it, where compiler and run-time library are there; without it the library uses one thread, to the same bits."""
    program = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*compiler, "-fopenmp", "-x", "c", "-", "-o", f"{folder}/try"], input=program, capture_output=True, text=True)
    return ["-fopenmp"] if done.returncode == 0 else []


class Build(build_ext):
    """Asks for the libraries when something is compiled, and compiles on all processors."""

    def build_extension(self, ext):
        for module in LIBRARIES:
            ext.extra_compile_args += pkg_config("--cflags", module)
            ext.extra_link_args += pkg_config("--libs", module)
        # Without the flags that Python itself was built with: with them a run took 4.6 % more instructions (callgrind, arc beam).
        compiler = list(itertools.takewhile(lambda word: not word.startswith("-"), self.compiler.compiler_so))
        self.compiler.set_executable("compiler_so", [*compiler, "-fPIC", *shlex.split(os.environ.get("CFLAGS", ""))])
        threads = openmp(compiler)
        ext.extra_compile_args += threads
        ext.extra_link_args += [*threads, "-lm"]
        one = self.compiler.compile
        jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)

        def many(sources, **options):
            with ThreadPoolExecutor(jobs) as pool:
                return [o for objects in pool.map(lambda source: one([source], **options), sources) for o in objects]

        self.compiler.compile = many
        try:
            super().build_extension(ext)
        finally:
            self.compiler.compile = one


def files(pattern):
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


if sys.platform == "darwin":
    one_name = ["-Wl,-exported_symbol,_PyInit__zwang"]
else:
    one_name = ["-Wl,--version-script=python/src/exports.map"]

if __name__ == "__main__":
    os.chdir(ROOT)
    setup(
        version=version(),
        packages=["zwang"],
        package_dir={"": "python"},
        package_data={"zwang": ["py.typed", "*.pyi"]},
        ext_modules=[Extension(
            "zwang._zwang",
            sources=files("python/src/*.c") + files("src/*/*.c"),
            depends=files("include/zwang/*.h") + files("src/*/*.h") + files("python/src/*.h") + ["python/src/exports.map"],
            include_dirs=["include", "src", "python/src"],
            define_macros=[("Py_LIMITED_API", "0x030b0000")],
            extra_compile_args=list(FLAGS),
            extra_link_args=list(one_name),
            py_limited_api=True,
        )],
        cmdclass={"build_ext": Build},
        options={"bdist_wheel": {"py_limited_api": "cp311"}, "build": {"build_base": "build/python"}},
        zip_safe=False,
    )
