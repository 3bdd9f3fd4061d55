# SPDX-License-Identifier: Apache-2.0
"""The program as a user and as another program runs it: help, exit codes, streams, signals, schema, export."""
import csv
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import BEAM, CANTILEVER, SOURCE, ZWANG, ProgramTest  # noqa: E402

ESCAPE = "\033"


def on_terminal(words, cwd, env, timeout=60):
    """Run with stderr on a pseudo-terminal; gives (exit code, stdout, what the terminal saw)."""
    master, slave = pty.openpty()
    process = subprocess.Popen(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    seen, end = b"", time.monotonic() + timeout
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # Linux: the other side is closed
                break
            if not piece:
                break
            seen += piece
    out = process.communicate(timeout=10)[0]
    os.close(master)
    return process.returncode, out.decode(), seen.decode()


class Usage(ProgramTest):
    def test_help_names_every_verb_and_every_verb_has_help(self):
        text = self.succeed("help").stdout
        self.assertEqual(text, self.succeed("--help").stdout)
        for verb in ("run", "check", "validate", "export", "pack", "report", "schema"):
            self.assertRegex(text, rf"(?m)^  {verb}\b")
            self.assertIn(f"usage: zwang {verb}", self.succeed("help", verb).stdout)
            self.assertEqual(self.succeed("help", verb).stdout, self.succeed(verb, "--help").stdout)

    def test_help_is_at_most_140_columns_wide(self):
        for words in (["help"], ["help", "run"], ["help", "validate"]):
            self.assertLessEqual(max(map(len, self.succeed(*words).stdout.splitlines())), 140)

    def test_version_is_that_of_the_header(self):
        header = (SOURCE / "include/zwang/base.h").read_text()
        version = re.search(r'#define ZW_VERSION +"([^"]+)"', header).group(1)
        self.assertEqual(self.succeed("--version").stdout, f"zwang {version}\n")

    def test_usage_errors_exit_with_64_and_say_what_was_meant(self):
        for words, part in [((), "usage:"), (("rnu", "x"), "did you mean 'run'"), (("run",), "needs MODEL"), (("run", "a", "b"), "too many"),
                            (("run", "a", "--forse"), "did you mean --force"), (("run", "a", "--threads", "x"), "whole number"),
                            (("run", "a", "-o"), "needs a value"), (("run", "a", "--json=1"), "takes no value"),
                            (("run", "a", "--resume", "--force"), "exclude"), (("check", "a", "--resume"), "belongs to: run"), (("export", "x"), "--as csv"), (("pack", "x", "--deflate", "10"), "from 1 (fast)"),
                            (("export", "x", "--as", "xls"), "csv, numpy, vtk"), (("schema", "--as", "xml"), "json or markdown"),
                            (("--frobnicate",), "unknown option")]:
            done = self.zwang(*words)
            self.assertEqual(done.returncode, 64, words)
            self.assertIn(part, done.stderr, words)
            self.assertEqual(done.stdout, "", words)

    def test_usage_error_with_json_is_one_object(self):
        done = self.zwang("run", "--json")
        self.assertEqual(done.returncode, 64)
        self.assertEqual(json.loads(done.stdout)["outcome"], "error")

    def test_bash_completion_is_a_valid_script_with_all_options(self):
        text = self.succeed("help", "--completion", "bash").stdout
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)
        script = text + "\nCOMP_WORDS=(zwang run --re) COMP_CWORD=2; _zwang; echo \"${COMPREPLY[@]}\"\n"
        self.assertEqual(subprocess.run(["bash"], input=script, text=True, capture_output=True, check=True).stdout, "--resume\n")

    def test_manual_names_every_verb_and_option(self):
        manual = (SOURCE / "docs/zwang.1").read_text().replace("\\-", "-")
        for verb in ("run", "check", "validate", "export", "pack", "report", "schema"):
            self.assertIn(f".B zwang {verb}", manual)
            for option in re.findall(r"(--[a-z-]+)", self.succeed("help", verb).stdout):
                if option not in ("--help",):
                    self.assertIn(option, manual, f"{verb} {option}")


class Models(ProgramTest):
    def test_missing_input_exits_with_66(self):
        for words in (("run", "none.yaml"), ("check", "none.yaml"), ("export", "none.zw", "--as", "csv"), ("export", "none.zw", "--as", "numpy"),
                      ("export", "none.zw", "--as", "vtk"), ("pack", "none.zw"), ("report", "none.zw")):
            done = self.zwang(*words)
            self.assertEqual(done.returncode, 66, words)
            self.assertIn("none", done.stderr)

    def test_check_says_what_a_good_model_holds(self):
        self.write("beam.yaml", BEAM)
        out = self.succeed("check", "beam.yaml").stdout
        self.assertIn("Bent beam", out)
        self.assertIn("11 nodes", out)
        self.assertRegex(out, r"degrees of freedom\s+66\n")
        self.assertRegex(out, r"stability limit")
        self.assertTrue(out.endswith("ok\n"))

    def test_check_json_agrees(self):
        self.write("c.yaml", CANTILEVER)
        got = json.loads(self.succeed("check", "c.yaml", "--json").stdout)
        self.assertEqual((got["outcome"], got["rows"], got["redundant_rows"], got["degrees_of_freedom"]), ("ok", 6, 0, 66))
        self.assertEqual(got["bodies"], [{"name": "beam", "kind": "rod", "elements": 10, "nodes": 11}])
        self.assertLessEqual(got["step"], got["limit"])

    def test_check_names_redundant_rows(self):
        self.write("c.yaml", CANTILEVER.replace("  root: {clamp: beam, s: 0}", "  root: {clamp: beam, s: 0}\n  again: {clamp: beam, s: 0, fix: [x, y, z]}"))
        got = json.loads(self.succeed("check", "c.yaml", "--json").stdout)
        self.assertEqual((got["rows"], got["redundant_rows"]), (9, 3))
        self.assertTrue(all("constraint '" in name for name in got["redundant"]), got["redundant"])

    def test_bad_model_exits_with_2_and_shows_every_place(self):
        self.write("bad.yaml", BEAM.replace("elements: 10", "elements: -3").replace("length: L", "lenght: L"))
        done = self.zwang("check", "bad.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"bad\.yaml:7:\d+: ")
        self.assertRegex(done.stderr, r"bad\.yaml:8:\d+: ")
        self.assertIn("length", done.stderr)
        self.assertRegex(done.stderr, r"\n    +\^\n")
        self.assertRegex(done.stderr, r"\n\d+ errors\n$")
        self.assertNotIn(ESCAPE, done.stderr)

    def test_caret_stands_under_the_fault_with_wide_letters_before_it(self):
        self.write("bad.yaml", BEAM.replace("{position: beam, s: L}", "{position: beam, \"力\": 1, fource: L}"))
        lines = self.zwang("check", "bad.yaml").stderr.splitlines()
        for number, line in enumerate(lines):
            if re.fullmatch(r" +\^", line) and "fource: " in lines[number - 2]:
                before = lines[number - 1][:lines[number - 1].index("fource")]
                self.assertEqual(len(line) - 1, len(before) + 1)  # one letter is two columns wide
                return
        self.fail("\n".join(lines))

    def test_failure_with_json_is_one_object_with_the_errors(self):
        self.write("bad.yaml", BEAM.replace("elements: 10", "elements: -3"))
        for verb in ("run", "check"):
            done = self.zwang(verb, "bad.yaml", "--json")
            self.assertEqual(done.returncode, 2)
            got = json.loads(done.stdout)
            self.assertEqual(got["outcome"], "error")
            self.assertEqual(got["errors"][0]["line"], 8)
            for key in ("file", "line", "col", "subject", "message", "remedy"):
                self.assertIn(key, got["errors"][0])

    def test_set_changes_the_model_and_refuses_unknown_keys(self):
        self.write("beam.yaml", BEAM)
        got = json.loads(self.succeed("run", "beam.yaml", "--set", "L=1", "--set", "run.until=0.01", "--json").stdout)
        self.assertEqual(got["t"], 0.01)
        done = self.zwang("check", "beam.yaml", "--set", "M=1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("M", done.stderr)

    def test_model_from_standard_input(self):
        got = json.loads(self.succeed("run", "-", "--json", "-o", "out", input=BEAM).stdout)
        self.assertEqual(got["outcome"], "reached")
        self.assertEqual(self.zwang("check", "-", input="zwang: [").returncode, 2)

    def test_nothing_that_moves_a_terminal_gets_through(self):
        (self.dir / "bad.yaml").write_bytes(b"zwang: 1\ntitle: a\nbodies: \x1b[2J\xff\xc2\x9b31m\n")
        done = subprocess.run([ZWANG, "check", "bad.yaml"], cwd=self.dir, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertNotIn(b"\xc2\x9b", done.stderr)
        done.stderr.decode("utf-8")

    def test_run_that_diverges_exits_with_1_and_tells_both_readers(self):
        self.write("wild.yaml", BEAM.replace("record:", "loads:\n  pull: {force: [0, \"exp(9000*t)\", 0], on: beam, s: L}\nrecord:"))
        done = self.zwang("run", "wild.yaml", "--json")
        self.assertEqual(done.returncode, 1)
        got = json.loads(done.stdout)
        self.assertEqual(got["outcome"], "diverged")
        self.assertIn("t = ", got["errors"][0]["message"])
        self.assertIn(got["errors"][0]["message"], done.stderr)
        self.assertTrue((self.dir / "wild.zw/results.h5").is_file())


class Runs(ProgramTest):
    def test_json_is_one_object_and_the_summary_file(self):
        self.write("beam.yaml", BEAM)
        done = self.succeed("run", "beam.yaml", "--json")
        got = json.loads(done.stdout)
        self.assertEqual(done.stderr, "")
        for key in ("version", "model", "outcome", "t", "steps", "wall_s", "energy", "momentum", "constraint", "zwang", "probes"):
            self.assertIn(key, got)
        self.assertEqual((got["outcome"], got["steps"]), ("reached", 1000))
        self.assertEqual(len(got["probes"]["tip"]["final"]), 3)
        self.assertEqual(json.loads((self.dir / "beam.zw/summary.json").read_text())["energy"], got["energy"])

    def test_summary_and_files(self):
        self.write("c.yaml", CANTILEVER)
        done = self.succeed("run", "c.yaml")
        for part in ("Cantilever under its weight", "reached at t = 0.2 of 0.2 s", "stability limit", "energy drift", "not conserved", "constraint residual",
                     "zwang", "tip", "c.zw/report.html"):
            self.assertIn(part, done.stdout)
        self.assertEqual(done.stderr, "")  # no progress when it is not a terminal
        self.assertNotIn(ESCAPE, done.stdout)
        for name in ("results.h5", "summary.json", "report.html", "model.yaml"):
            self.assertTrue((self.dir / "c.zw" / name).is_file(), name)
        self.assertEqual(self.succeed("run", "c.yaml", "--quiet", "--force").stdout, "")

    def test_results_are_not_overwritten_without_force(self):
        self.write("beam.yaml", BEAM)
        self.succeed("run", "beam.yaml", "--no-report")
        self.assertFalse((self.dir / "beam.zw/report.html").exists())
        done = self.zwang("run", "beam.yaml")
        self.assertEqual(done.returncode, 74)
        self.assertIn("--force", done.stderr)
        self.succeed("run", "beam.yaml", "--force")

    def test_diverging_or_unstable_step_is_refused(self):
        self.write("beam.yaml", BEAM)
        done = self.zwang("run", "beam.yaml", "--set", "run.step=0.05", "--json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("limit", json.loads(done.stdout)["errors"][0]["message"])

    def test_progress_only_on_a_terminal(self):
        self.write("beam.yaml", BEAM)
        words = [ZWANG, "run", "beam.yaml", "--force", "--set", "run.until=5"]
        code, out, seen = on_terminal(words, self.dir, self.environment(COLUMNS="100"))
        self.assertEqual(code, 0, seen)
        self.assertRegex(seen, r"\r\[.*%.*left")
        self.assertIn("\033[36m", seen)
        self.assertIn("reached", out)
        self.assertLess(max(len(re.sub("\033\\[[0-9;]*[mK]", "", part)) for part in seen.split("\r")), 100)
        code, out, seen = on_terminal(words, self.dir, self.environment(NO_COLOR="1"))
        self.assertNotRegex(seen, "\033\\[[0-9;]*m")
        self.assertIn("left", seen)
        code, out, seen = on_terminal(words, self.dir, self.environment(TERM="dumb"))
        self.assertNotIn(ESCAPE, seen)
        for option in ("--quiet", "--json"):
            self.assertEqual(on_terminal(words + [option], self.dir, self.environment())[2], "")

    def test_errors_are_coloured_on_a_terminal_unless_refused(self):
        self.write("bad.yaml", "zwang: 1\nbodies: 3\n")
        self.assertIn(ESCAPE, on_terminal([ZWANG, "check", "bad.yaml"], self.dir, self.environment())[2])
        self.assertNotIn(ESCAPE, on_terminal([ZWANG, "check", "bad.yaml"], self.dir, self.environment(NO_COLOR="1"))[2])
        self.assertNotIn(ESCAPE, on_terminal([ZWANG, "check", "bad.yaml"], self.dir, self.environment(TERM="dumb"))[2])

    def test_interrupt_writes_a_checkpoint_and_resume_finishes(self):
        self.write("beam.yaml", BEAM)
        whole = json.loads(self.succeed("run", "beam.yaml", "--set", "run.until=40", "-o", "whole", "--json").stdout)
        process = subprocess.Popen([ZWANG, "run", "beam.yaml", "--set", "run.until=40", "--json"], cwd=self.dir, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment())
        end = time.monotonic() + 20
        while not (self.dir / "beam.zw/journal.zwj").exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("--resume", err)
        part = json.loads(out)
        self.assertLess(part["t"], 40)
        resumed = json.loads(self.succeed("run", "beam.yaml", "--set", "run.until=40", "--json", "--resume").stdout)
        for key in ("outcome", "t", "steps", "energy", "momentum", "probes"):
            self.assertEqual(resumed[key], whole[key], key)

    def test_resume_refuses_another_model(self):
        self.write("beam.yaml", BEAM)
        self.succeed("run", "beam.yaml", "-q")
        self.assertEqual(self.zwang("run", "beam.yaml", "--resume", "--set", "L=1.5").returncode, 2)

    def test_closed_standard_output_exits_with_74(self):
        self.write("beam.yaml", BEAM)
        for words in ("help", "check beam.yaml", "run beam.yaml --force --json", "schema"):
            for redirect in (">&-", ">/dev/full"):
                done = subprocess.run(["sh", "-c", f'"$0" {words} {redirect}', ZWANG], cwd=self.dir, capture_output=True, text=True, env=self.environment())
                self.assertEqual(done.returncode, 74, (words, redirect, done.stderr))
                self.assertIn("standard output", done.stderr)
        json.loads((self.dir / "beam.zw/summary.json").read_text())  # the results are whole all the same

    def test_reader_that_goes_away_is_no_crash(self):
        done = subprocess.run(["bash", "-c", '"$0" schema | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}', ZWANG], cwd=self.dir, capture_output=True,
                              text=True)
        self.assertIn(done.returncode, (0, 74))


class Schema(ProgramTest):
    def test_schema_is_valid_and_accepts_the_examples(self):
        schema = json.loads(self.succeed("schema").stdout)
        self.assertIn("$schema", schema)
        self.assertEqual(schema, json.loads(self.succeed("schema", "--as", "json").stdout))
        self.assertTrue(self.succeed("schema", "--as", "markdown").stdout.startswith("#"))
        try:
            import jsonschema
            import yaml
        except ImportError as absent:
            self.skipTest(f"no module {absent.name}")
        class Loader(yaml.SafeLoader):  # YAML 1.2, in which `on` is a word
            yaml_implicit_resolvers = {k: [(tag, pattern) for tag, pattern in v if tag != "tag:yaml.org,2002:bool" or k in "tTfF"]
                                       for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}

        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        models = [BEAM, CANTILEVER] + [p.read_text() for folder in ("examples", "validation") for p in sorted((SOURCE / folder).glob("*.yaml"))
                                       if p.name != "cases.yaml"]
        for text in models:
            faults = [e.message for e in validator(schema).iter_errors(yaml.load(text, Loader))]
            self.assertEqual(faults, [], text)
        self.assertTrue(list(validator(schema).iter_errors({"zwang": 1, "bodies": {"b": {"rod": {"lenght": 1}}}})))


class Export(ProgramTest):
    def test_csv_tables_hold_every_frame(self):
        self.write("beam.yaml", BEAM)
        self.succeed("run", "beam.yaml", "-q")
        out = self.succeed("export", "beam.zw", "--as", "csv", "-o", "tables").stdout.strip()
        self.assertEqual(out, "tables")
        tables = sorted((self.dir / "tables").rglob("*.csv"))
        self.assertTrue(tables)
        for path in tables:
            with open(path, newline="", encoding="utf-8") as file:
                rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
            self.assertGreater(len(rows), 1, path)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, path)


if __name__ == "__main__":
    unittest.main()
