# SPDX-License-Identifier: Apache-2.0
"""view.html: what the program puts into the viewer's page. The page itself is tested in a browser (viewer/test); here a small stand-in with the same two marks."""
import base64
import json
import math
import os
import re
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import BEAM, CANTILEVER, SOURCE, ProgramTest  # noqa: E402

PAGE = "<html><title><!--zwang:title--></title>\n<!--zwang:data-->\n</html>\n"


class ViewTest(ProgramTest):
    def view(self, model, *options):
        """The data of the page and a reader of its arrays."""
        self.write("page.html", PAGE)
        if model:
            self.succeed("run", self.write("model.yaml", model), "-o", "out", "-q", "--no-report")
        done = self.succeed("view", "out", "--page", "page.html", *options)
        text = (self.dir / done.stdout.strip()).read_text(encoding="utf-8")
        parts = re.fullmatch(r'<html><title>(.*?)</title>\n<script type="application/json" id="zwang-data">(.*?)</script>\n'
                             r'<script type="text/plain" id="zwang-arrays">([A-Za-z0-9+/]*)</script>\n\n</html>\n', text, re.S)
        self.assertIsNotNone(parts, text[:300])
        self.assertNotIn("<", parts[2])
        block = base64.b64decode(parts[3], validate=True)

        def numbers(ref):
            code, size, most = {"f64": ("d", 8, 0), "f32": ("f", 4, 0), "u16": ("H", 2, 65534), "u8": ("B", 1, 254)}[ref["type"]]
            self.assertEqual(ref["at"] % 8, 0)
            raw = struct.unpack(f"<{ref['n']}{code}", block[ref["at"]:ref["at"] + size * ref["n"]])
            return [ref["lo"] + (ref["hi"] - ref["lo"]) * k / most for k in raw] if most else list(raw)

        return json.loads(parts[2]), numbers, parts[1], text

    def test_numbers_arrive(self):
        data, numbers, title, _ = self.view(CANTILEVER)
        self.assertEqual((title, data["title"], data["model"]), ("Cantilever under its weight", "Cantilever under its weight", CANTILEVER))
        self.assertEqual(data["frames"], {"total": 40, "kept": 40, "epochs": 1, "bits": 32, "samples": 40})
        time = numbers(data["time"])
        self.assertEqual((len(time), time[0]), (40, 0.0))
        self.assertAlmostEqual(time[-1], 0.2, delta=1e-12)
        channel = {c["name"]: c for c in data["channels"]}
        place = numbers(channel["rod/beam/position"]["data"])
        self.assertEqual((channel["rod/beam/position"]["shape"], len(place)), ([11, 3], 40 * 33))
        tip = numbers(next(p for p in data["plots"] if p["name"] == "probe/tip")["data"])
        for k in range(40):  # the last node is the probe
            for c in range(3):
                self.assertAlmostEqual(place[33 * k + 30 + c], tip[3 * k + c], delta=1e-6)
        self.assertLess(tip[-1], 0.0)
        body = data["bodies"][0]
        self.assertEqual((body["kind"], body["section"]["kind"], data["gravity"]), ("rod", "round", [0, 0, -9.81]))
        self.assertAlmostEqual(numbers(body["section"]["size"])[0], 0.02, delta=1e-8)
        area = 3.14159265 * 0.02**2
        self.assertAlmostEqual(numbers(body["stiffness"])[5] / (1e7 * area), 1.0, delta=1e-6)  # stretch
        self.assertEqual([(j["name"], j["kind"], j["a"]["body"], j["b"]) for j in data["joints"]], [("root", "clamp", 0, None)])

    def test_fewer_frames_keep_both_ends(self):
        data, numbers, _, _ = self.view(BEAM, "--frames", "7", "-o", "seven.html")
        time = numbers(data["time"])
        self.assertEqual((data["frames"]["total"], data["frames"]["kept"], len(time)), (20, 7, 7))
        self.assertEqual(time[0], 0.0)
        self.assertAlmostEqual(time[-1], 0.1, delta=1e-12)
        self.assertEqual(len(numbers(data["plot_time"])), 20)

    def test_large_results_stay_under_20_megabytes(self):
        model = BEAM.replace("elements: 10", "elements: 700").replace("until: 0.1, step: 1e-4", "until: 0.02, step: 1e-5").replace("frames: 20", "frames: 2000")
        data, numbers, _, text = self.view(model)
        self.assertLess(len(text), 20e6)
        self.assertEqual((data["frames"]["total"], data["frames"]["bits"]), (2000, 8))
        self.assertLess(data["frames"]["kept"], 2000)
        self.assertGreater(data["frames"]["kept"], 700)
        place = next(c for c in data["channels"] if c["name"] == "rod/beam/position")
        x = numbers(place["data"])
        tip = numbers(next(p for p in data["plots"] if p["name"] == "probe/tip")["data"])
        for c in range(3):  # rounded to a part of 65534 of the range of places
            self.assertAlmostEqual(x[-3 + c], tip[-3 + c], delta=(place["data"]["hi"] - place["data"]["lo"]) / 65534)
        parts = {(c["name"], c.get("part")) for c in data["channels"]}
        self.assertIn(("rod/beam/curvature", "bending"), parts)
        self.assertIn(("rod/beam/velocity", "speed"), parts)

    def test_texts_stay_texts(self):
        title = "</script><script>x()</script> <!-- \\\"quotes\\\" ' & 😀"
        data, _, head, _ = self.view(BEAM.replace("title: Bent beam", f'title: "{title}"') + "# </script> <b>\n")
        self.assertEqual(data["title"], title.replace('\\"', '"'))
        self.assertIn("# </script> <b>", data["model"])
        self.assertNotRegex(head, "[<>\"']")

    def test_events_have_places(self):
        model = (SOURCE / "examples" / "cradle-form.yaml").read_text(encoding="utf-8").replace("until: 2", "until: 0.6")
        data, numbers, _, _ = self.view(model)
        ledger = data["ledger"]
        place, row = numbers(ledger["place"]), numbers(ledger["data"])
        hits = [i for i in range(ledger["rows"]) if row[i * ledger["columns"] + 5] > 0]
        self.assertTrue(hits)
        for i in hits:
            self.assertAlmostEqual(place[6 * i + 2], -0.5, delta=0.01)  # all balls meet at the height of rest
            self.assertAlmostEqual(abs(place[6 * i + 3]), 1.0, delta=0.02)  # along x

    def test_loads_and_frames_of_reference(self):
        data, numbers, _, _ = self.view(CANTILEVER.replace("constraints:", """frames:
  hub: {at: [0, 0, 1], spin: [0, 0, 2]}
loads:
  push: {force: [0, 0, 3*t], on: beam, s: end}
  wind: {force: [0, "0.1*x", 0], on: beam, s: end}
constraints:"""))
        push, wind = data["loads"]
        self.assertEqual((push["name"], push["moment"], push["follower"], push["place"]), ("push", False, False, {"body": 0, "s": 1}))
        force, time = numbers(push["values"]), numbers(data["time"])
        for k, t in enumerate(time):
            self.assertAlmostEqual(force[3 * k + 2], 3 * t, delta=1e-6)
        self.assertNotIn("values", wind)  # it depends on where it acts
        pose = numbers(data["reference_frames"][0]["pose"])
        self.assertEqual((data["reference_frames"][0]["name"], len(pose)), ("hub", 12 * len(time)))
        for k, t in enumerate(time):
            self.assertAlmostEqual(pose[12 * k + 2], 1.0, delta=1e-6)
            self.assertAlmostEqual(pose[12 * k + 3], math.cos(2 * t), delta=1e-6)
            self.assertAlmostEqual(pose[12 * k + 6], math.sin(2 * t), delta=1e-6)

    def test_a_path_of_equilibria_has_its_loads(self):
        self.write("page.html", PAGE)
        self.succeed("statics", SOURCE / "examples/elastica.yaml", "-o", "out", "-q", "--no-report")
        data, numbers, _, _ = self.view(None)
        force = numbers(data["loads"][0]["values"])
        parameter = numbers(next(p for p in data["plots"] if p["name"] == "statics/parameter")["data"])
        self.assertEqual(len(force), 3 * len(parameter))
        for k, p in enumerate(parameter):
            self.assertAlmostEqual(force[3 * k + 2], -p, delta=1e-5)

    def test_every_run_leaves_its_page(self):
        self.write("model.yaml", BEAM)
        has = self.zwang("run", "model.yaml", "-o", "one", "-q").returncode == 0 and self.zwang("view", "one", "-o", "x.html").returncode == 0
        self.assertEqual((self.dir / "one/view.html").exists(), has)
        self.succeed("run", "model.yaml", "-o", "two", "-q", "--no-report")
        self.assertFalse((self.dir / "two/view.html").exists())
        self.succeed("run", "model.yaml", "-o", "one", "-q", "--no-report", "--force")  # a page of other results does not stay
        self.assertFalse((self.dir / "one/view.html").exists())
        said = self.succeed("run", "model.yaml", "-o", "one", "--force").stdout
        self.assertRegex(said, r"view +one/view\.html" if has else r"view +not written: this program was built without its viewer")

    def test_what_is_wrong_is_said(self):
        self.write("page.html", PAGE)
        self.write("bare.html", "<html></html>")
        done = self.zwang("view", "nowhere", "--page", "page.html")
        self.assertEqual(done.returncode, 66, done.stderr)
        self.succeed("run", self.write("model.yaml", BEAM), "-o", "out", "-q", "--no-report")
        done = self.zwang("view", "out", "--page", "bare.html")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("scripts/build-viewer", done.stderr)
        done = self.zwang("view", "out", "--page", "missing.html")
        self.assertEqual(done.returncode, 66, done.stderr)
        done = self.zwang("view", "out", "-o", "nowhere/view.html", "--page", "page.html")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nowhere", done.stderr)
        done = self.zwang("view", "out")  # with or without the viewer inside
        if done.returncode != 0:
            self.assertEqual(done.returncode, 1)
            self.assertIn("scripts/build-viewer", done.stderr)
        else:
            self.assertEqual(done.stdout, "out/view.html\n")
            self.assertGreater((self.dir / "out" / "view.html").stat().st_size, 300000)


if __name__ == "__main__":
    unittest.main()
