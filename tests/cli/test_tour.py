# SPDX-License-Identifier: Apache-2.0
"""docs/tour.md: every command of it runs, in its order, in an empty directory, and leaves what the text says."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("ZW_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
ZWANG = pathlib.Path(os.environ.get("ZWANG", str(SOURCE / "build" / "release" / "zwang"))).resolve()


def commands(text):
    """The blocks of the tour, each a list of commands; a here-document belongs to its command."""
    blocks = []
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.S | re.M):
        lines, found = block.split("\n"), []
        while lines:
            line = lines.pop(0)
            here = re.search(r"<<'(\w+)'", line)
            while here and lines:
                line += "\n" + lines.pop(0)
                if line.endswith("\n" + here.group(1)):
                    break
            if line.strip():
                found.append(line)
        blocks.append(found)
    return blocks


class Tour(unittest.TestCase):
    def test_every_command(self):
        blocks = commands((SOURCE / "docs/tour.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), 9)
        self.assertEqual(blocks[0], ["make demo"])
        # building again inside of a test would be a build inside of a build: make says what it would do
        plan = subprocess.run(["make", "-n", "demo"], cwd=SOURCE, capture_output=True, text=True)
        self.assertEqual(plan.returncode, 0, plan.stderr)
        for part in ("scripts/build-viewer --optional", "scripts/build demo", "zwang run examples/arc-beam.yaml -o build/demo"):
            self.assertIn(part, plan.stdout)
        with tempfile.TemporaryDirectory(prefix="zwang-tour-") as folder:
            directory = pathlib.Path(folder)
            environment = dict(os.environ, PATH=f"{ZWANG.parent}:{os.environ.get('PATH', '')}")
            for command in (c for block in blocks[1:] for c in block):
                done = subprocess.run(["sh", "-c", command], cwd=directory, env=environment, capture_output=True, text=True, timeout=300)
                if re.search(r"--(png|gif|mp4)", command) and done.returncode in (1, 66):  # no browser, or no viewer inside: that is said, with what to do
                    self.assertRegex(done.stderr, "apt install (chromium|ffmpeg)|scripts/build-viewer", command)
                    continue
                self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
                picture = re.search(r"--(png|gif) (\S+)", command)
                if picture:
                    magic = {"png": b"\x89PNG", "gif": b"GIF89a"}[picture.group(1)]
                    self.assertTrue((directory / picture.group(2)).read_bytes().startswith(magic), command)
            for name in ("beam.zw/results.h5", "beam.zw/report.html", "longer.zw/summary.json", "rest.zw/report.html", "modes.zw/report.html", "beam.zw/csv/probes.csv"):
                self.assertTrue((directory / name).exists(), name)
            if subprocess.run([ZWANG, "view", "beam.zw", "-o", "other.html"], cwd=directory, capture_output=True).returncode == 0:
                for name in ("beam", "longer", "rest", "modes"):
                    self.assertTrue((directory / f"{name}.zw/view.html").exists(), name)


if __name__ == "__main__":
    unittest.main()
