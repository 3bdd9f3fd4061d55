# SPDX-License-Identifier: Apache-2.0
"""200 kills at random moments of a run of 1.5 s: results open every time, and resume ends bitwise equal.

ZW_CRASH_SEED chooses the moments.
"""
import os
import unittest

import crash_support as crash

KILLS = 200


class CrashSoak(unittest.TestCase):
    def test_200_kills(self):
        lab = crash.Lab(1.5)
        try:
            crash.report(crash.kill_and_resume(lab, KILLS, seed=int(os.environ.get("ZW_CRASH_SEED", "2"))))
        finally:
            lab.close()


if __name__ == "__main__":
    unittest.main()
