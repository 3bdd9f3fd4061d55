# SPDX-License-Identifier: Apache-2.0
"""zwang validate: the shipped cases pass, and say so in both forms."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ProgramTest  # noqa: E402


class Validate(ProgramTest):
    def test_list_names_the_cases_without_running(self):
        out = self.succeed("validate", "--list").stdout
        self.assertIn("spaghetti.tip.10s", out)
        self.assertIn("beam.energy", out)
        listed = json.loads(self.succeed("validate", "--list", "--json").stdout)
        self.assertEqual(len(listed["cases"]), len(out.splitlines()))
        self.assertTrue(all(case["source"] and case["tolerance"] > 0 for case in listed["cases"]))

    def test_shipped_cases_are_within_tolerance(self):
        got = json.loads(self.succeed("validate", "--json").stdout)
        self.assertEqual((got["outcome"], got["failed"], got["errors"]), ("passed", 0, []))
        for case in got["cases"]:
            self.assertTrue(case["ok"], case)
            self.assertLessEqual(case["difference"], case["tolerance"], case)

    def test_a_word_selects(self):
        out = self.succeed("validate", "beam.").stdout
        self.assertIn("beam.momentum", out)
        self.assertNotIn("spaghetti", out)
        self.assertRegex(out, r"(\d+) of \1 within tolerance")
        self.assertEqual(self.zwang("validate", "nothing").returncode, 64)


if __name__ == "__main__":
    unittest.main()
