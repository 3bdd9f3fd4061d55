# SPDX-License-Identifier: Apache-2.0
"""docs/gallery: what it shows is there: every entry has its example, its picture (small, with a palette) and its number."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("ZW_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
GALLERY = SOURCE / "docs" / "gallery"


class Gallery(unittest.TestCase):
    def test_entries_are_whole(self):
        parts = re.split(r"(?m)^(?=## )", (GALLERY / "README.md").read_text(encoding="utf-8"))[1:]
        self.assertGreaterEqual(len(parts), 38)
        shown = set()
        for part in parts:
            command = re.search(r"^    zwang (run|statics|modes) examples/([\w.-]+)\.yaml", part, re.M)
            self.assertIsNotNone(command, part)
            name = command.group(2)
            shown.add(name)
            self.assertTrue((SOURCE / "examples" / f"{name}.yaml").exists(), name)
            self.assertRegex(part, r"\*\*-?[0-9][0-9.e+-]*\*\*", name)
            for picture in re.findall(r"\]\(([\w.-]+\.png)\)", part):
                data = (GALLERY / picture).read_bytes()
                self.assertEqual((data[:8], data[25]), (b"\x89PNG\r\n\x1a\n", 3), picture)
                self.assertLess(len(data), 80000, picture)
        self.assertEqual({p.stem for p in GALLERY.glob("*.png")} - shown, set())


if __name__ == "__main__":
    unittest.main()
