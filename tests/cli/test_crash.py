# SPDX-License-Identifier: Apache-2.0
"""Kills, full disks, read-only directories, closed pipes: nothing that was written is lost, and every failure is said clearly."""
import os
import signal
import subprocess
import unittest

import crash_support as crash

KILLS = 20


class Crash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = crash.Lab(1.0)

    @classmethod
    def tearDownClass(cls):
        cls.lab.close()

    def check_says(self, done, *words):
        self.assertEqual(done.returncode, 74, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr + (done.stdout or ""))

    def test_killed_at_random_moments_results_open_and_resume_is_bitwise(self):
        crash.report(crash.kill_and_resume(self.lab, KILLS, seed=1))

    def test_interrupted_by_the_user_keeps_a_checkpoint_and_resumes_bitwise(self):
        directory = self.lab.path("interrupted")
        process = self.lab.start(directory, out=subprocess.PIPE)
        try:
            process.communicate(timeout=0.5 * self.lab.seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertTrue(os.path.exists(os.path.join(directory, "results.h5")))
        crash.check_equal(self.lab, directory, self.lab.run(directory, "--resume"))

    def test_full_disk_keeps_what_was_written_and_resumes_bitwise(self):
        with crash.small_disk(max(self.lab.size // 2048, 64)) as (disk, resize):
            if not disk:
                self.skipTest("a small file system cannot be mounted here (needs root); the limit on file sizes is tested instead")
            directory = os.path.join(disk, "run")
            self.check_says(self.lab.run(directory), "No space left", "--resume")
            done, out = self.lab.export(directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            _, reference = self.lab.export(self.lab.reference, "reference-tables")
            self.assertGreater(crash.check_prefix_tables(out, reference), 10)
            self.assertTrue(resize("size=64m"))
            crash.check_equal(self.lab, directory, self.lab.run(directory, "--resume"))

    def test_limit_on_file_sizes_is_an_error_not_a_loss(self):
        directory = self.lab.path("limited")
        self.check_says(self.lab.run(directory, preexec_fn=crash.limit_file_size(self.lab.size // 2)), "ulimit -f", "--resume")
        done, out = self.lab.export(directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, reference = self.lab.export(self.lab.reference, "reference-tables")
        self.assertGreater(crash.check_prefix_tables(out, reference), 10)
        crash.check_equal(self.lab, directory, self.lab.run(directory, "--resume"))

    def test_limit_hit_by_results_file_leaves_the_journal_complete(self):
        # the journal just fits, results.h5 does not: the end record is there, and --resume finishes without simulating
        directory = self.lab.path("tight")
        journal = self.lab.path("journal-size")
        process = self.lab.start(journal)
        most = 0
        while process.poll() is None:
            try:
                most = max(most, os.path.getsize(os.path.join(journal, "journal.zwj")))
            except OSError:
                pass
        self.check_says(self.lab.run(directory, preexec_fn=crash.limit_file_size(most + 4096)), "results.h5")
        self.assertTrue(os.path.exists(os.path.join(directory, "journal.zwj")))
        crash.check_equal(self.lab, directory, self.lab.run(directory, "--resume"))

    def test_read_only_directory_is_refused_with_its_name(self):
        with crash.small_disk(1024) as (disk, resize):
            if disk:
                self.assertTrue(resize("ro"))
                place = disk
            elif os.geteuid() != 0:
                place = self.lab.path("sealed")
                os.mkdir(place, 0o555)
            else:
                self.skipTest("root may write everywhere, and nothing can be mounted here")
            for directory in (place, os.path.join(place, "below")):
                self.check_says(self.lab.run(directory), directory)

    def test_results_on_a_read_only_disk_can_still_be_read(self):
        with crash.small_disk(65536) as (disk, resize):
            if not disk:
                self.skipTest("a file system cannot be mounted here (needs root)")
            directory = os.path.join(disk, "run")
            self.assertTrue(self.lab.run_and_kill(directory, 0.7 * self.lab.seconds))
            self.assertTrue(resize("ro"))
            done, out = self.lab.export(directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            _, reference = self.lab.export(self.lab.reference, "reference-tables")
            crash.check_prefix_tables(out, reference)

    def test_file_in_the_place_of_the_directory_is_refused(self):
        for directory in (self.lab.model, os.path.join(self.lab.model, "below")):
            self.check_says(self.lab.run(directory), "not a directory" if directory == self.lab.model else "below")

    def test_directory_in_use_is_refused_with_the_process_that_holds_it(self):
        directory = self.lab.path("busy")
        process = self.lab.start(directory)
        while not os.path.exists(os.path.join(directory, "journal.zwj")) and process.poll() is None:
            pass
        done = self.lab.run(directory, "--force")
        self.assertIsNone(process.poll(), "the run ended too early for this test")
        self.check_says(done, "in use", str(process.pid))
        done, _ = self.lab.export(directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(process.wait(), 0)

    def test_results_are_not_overwritten_without_force(self):
        before = crash.datasets(self.lab.reference) if crash.h5py else None
        self.check_says(self.lab.run(self.lab.reference), "--force", "--resume")
        if crash.h5py:
            self.assertEqual(before, crash.datasets(self.lab.reference))

    def test_resume_of_a_finished_run_has_nothing_to_do(self):
        done = self.lab.run(self.lab.reference, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(crash.summary_without_time(done.stdout), self.lab.summary)

    def test_resume_with_another_model_is_refused(self):
        done = self.lab.run(self.lab.reference, "--resume", "--set", "bodies.beam.rod.length=1.5")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("another model", done.stderr + done.stdout)

    def test_closed_pipe_is_an_error_and_the_results_stay(self):
        for target in ("pipe", "/dev/full"):
            if target == "pipe":
                read_end, out = os.pipe()
                os.close(read_end)
            elif os.path.exists(target):
                out = os.open(target, os.O_WRONLY)
            else:
                continue
            directory = self.lab.path("piped")
            done = self.lab.run(directory, "--force", stdout=out)
            os.close(out)
            self.assertEqual(done.returncode, 74, target + ": " + done.stderr)
            self.assertTrue(done.stderr.strip(), "nothing was said about it")
            if crash.h5py:
                self.assertEqual(crash.datasets(directory), crash.datasets(self.lab.reference))


if __name__ == "__main__":
    unittest.main()
