# SPDX-License-Identifier: Apache-2.0
"""report.html: well formed, self-contained, nothing of the model's text gets through as markup, and the pictures are there."""
import html.parser
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import BEAM, CANTILEVER, SOURCE, ProgramTest  # noqa: E402

VOID = {"meta", "line", "path", "br", "link", "img", "hr", "input"}


class Page(html.parser.HTMLParser):
    """Collects tags and texts, and checks that every element is closed by its own end."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.texts, self.faults = [], [], {}, []
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"left open: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


OBSTACLES = """zwang: 1
title: Everything that can be in the way
gravity: [0, 0, -9.81]
bodies:
  ball:  {rigid: {sphere: {radius: 0.2}, mass: 1, at: [0, 0, 1], velocity: [0.5, 0.2, 0], points: {low: [0, 0, -0.2]}}}
  block: {rigid: {box: {size: [0.5, 0.3, 0.2]}, density: 100, at: [1, 0.5, 1], spin: [1, 0.5, 0]}}
  drum:  {rigid: {cylinder: {radius: 0.15, length: 0.5}, density: 100, at: [-1, 0.5, 1.2]}}
  pill:  {rigid: {capsule: {radius: 0.1, length: 0.5}, density: 100, at: [-1, -0.7, 1.4]}}
  tent:  {rigid: {hull: [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]], density: 100, at: [0.5, -0.7, 1.6]}}
  maul:  {rigid: {density: 100, compound: [{box: {size: [0.5, 0.1, 0.1]}}, {cylinder: {radius: 0.04, length: 0.6}, at: [0, 0, -0.3]}], at: [0, 0.7, 1.6]}}
obstacles:
  floor: {plane: {normal: [0, 0, 1]}}
  wall:  {plane: {normal: [-1, 0, 0.1], at: [2.2, 0, 0]}}
  lift:  {box: {size: [0.8, 0.8, 0.3], at: [0.5, 0.3, 0.15]}, motion: {shift: [0, 0, t/4], turn: [0, 0, t]}}
  pole:  {cylinder: {radius: 0.1, at: [-1.5, -1, 0]}}
  room:  {sphere: {radius: 3, at: [0, 0, 1], hollow: true}}
  pipe:  {cylinder: {radius: 4, axis: [1, 0, 0], hollow: true}}
  bar:   {capsule: {radius: 0.06, length: 1, axis: [1, 1, 0], at: [0, -1, 0.3]}}
  hill:  {gap: z - 0.2*exp(-4*((x + 1)^2 + y^2)) + 0.05*sin(t)}
  ramp:  {mesh: {points: [[-2, 1.2, 0.3], [2, 1.2, 0.3], [0, 2, 0.9]], triangles: [[0, 1, 2]]}}
contact: {pairs: []}
constraints:
  ground: {unilateral: z >= -0.02*t, on: ball, points: [low], restitution: 0.5}
run: {until: 1, integrator: gauss}
record: {frames: 60}
"""


class Report(ProgramTest):
    def page(self, model, *words):
        self.write("m.yaml", model)
        self.succeed("run", "m.yaml", "--force", "-q", *words)
        self.text = (self.dir / "m.zw/report.html").read_text(encoding="utf-8")
        page = Page(self.text)
        self.assertEqual(page.faults, [])
        return page

    def captions(self, page):
        return page.texts.get("figcaption", [])

    def test_obstacles_and_impacts_are_in_the_pictures(self):
        page = self.page(OBSTACLES)
        self.assertEqual(self.captions(page)[:4], ["seen from the side and above", "along y", "along x", "along z, from above"])
        self.assertIn("\u00d7 impacts", self.text)
        classes = [attributes.get("class", "") for tag, attributes in page.tags if tag == "path"]
        for klass, least in (("solid", 10), ("solid patch", 2), ("solid facet", 4), ("edge wall", 10), ("body wall", 4 * 3), ("body c0", 4 * 8), ("hit", 4)):
            self.assertGreaterEqual(classes.count(klass), least, klass)
        for picture in re.findall(r"<svg .*?</svg>", self.text, re.S):
            for number in re.findall(r' d="([^"]*)"', picture):
                self.assertRegex(number, r"^[MLZ0-9. -]*$")
        self.assertLess(len(self.text), 1500000)

    def test_motion_across_thick_bodies_has_one_picture(self):
        page = self.page(OBSTACLES[:OBSTACLES.index("  block")].replace("[0.5, 0.2, 0]", "[0.5, 0, 0]") + "run: {until: 0.3}\n")
        self.assertEqual(self.captions(page)[0], "in the plane of x and z")

    def test_free_rod_has_its_plots(self):
        page = self.page(BEAM)
        captions = " / ".join(self.captions(page))
        for part in ("Probe tip", "Energy", "Energy drift", "Linear momentum", "Angular momentum"):
            self.assertIn(part, captions)
        self.assertNotIn("Constraint residual", captions)
        self.assertIn("Bent beam", page.texts["h1"])
        self.assertIn("How to cite", page.texts["h2"])
        self.assertTrue(any("elements: 10" in t for t in page.texts["pre"]))
        rods = [a for tag, a in page.tags if tag == "path" and a.get("class", "").startswith("rod")]
        self.assertGreaterEqual(len(rods), 8)

    def test_constraints_have_a_residual_plot(self):
        page = self.page(CANTILEVER)
        self.assertIn("Constraint residual", self.captions(page))
        self.assertIn("Probe hold", self.captions(page))
        self.assertIn("in the plane of x and z", self.captions(page))

    def test_pictures_are_well_formed_and_drawn_inside(self):
        self.page(CANTILEVER)
        pictures = re.findall(r"<svg.*?</svg>", self.text, re.S)
        self.assertGreaterEqual(len(pictures), 6)
        for picture in pictures:
            root = xml.etree.ElementTree.fromstring(picture)
            width, height = map(float, root.get("viewBox").split()[2:])
            for path in root.iter("{http://www.w3.org/2000/svg}path"):
                numbers = [float(x) for x in re.findall(r"-?[0-9.]+", path.get("d"))]
                self.assertTrue(numbers)
                self.assertTrue(all(-1 <= x <= width + 1 for x in numbers[0::2]), path.get("d")[:80])
                self.assertTrue(all(-1 <= y <= height + 1 for y in numbers[1::2]), path.get("d")[:80])
                self.assertLessEqual(len(numbers), 2 * 1000)
            for text in root.iter("{http://www.w3.org/2000/svg}text"):
                half = 0.62 * 13 * len(text.text or "")
                x = float(text.get("x"))
                left, right = {"start": (x, x + half), "middle": (x - half / 2, x + half / 2), "end": (x - half, x)}[text.get("text-anchor")]
                self.assertGreater(left, -6, text.text)
                self.assertLess(right, width + 6, text.text)

    def figure(self, caption):
        return re.search(rf"<figure[^>]*><figcaption>{caption}</figcaption>.*?</figure>", self.text, re.S).group(0)

    def test_figures_1_to_3_of_the_poisson_paper(self):
        page = self.page((SOURCE / "examples/poisson-beam.yaml").read_text(encoding="utf-8"))
        captions = self.captions(page)
        for caption, names in (("Energy", ["total", "kinetic", "elastic"]), ("Linear momentum", ["x", "y", "z"]), ("Angular momentum about the origin", ["x", "y", "z"])):
            self.assertEqual(captions.count(caption), 1)
            figure = self.figure(caption)
            self.assertEqual(re.findall(r"</i>([^<]*)</span>", figure), names)
            self.assertEqual(len(re.findall(r'<path class="curve', figure)), 3)
        energy = self.figure("Energy")
        self.assertIn('class="grid zero"', energy)  # the axis begins at zero although the least value is 16 J
        ticks = re.findall(r'class="tick" text-anchor="end"[^>]*>([^<]*)<', energy)
        self.assertEqual(ticks, ["0", "20", "40", "60", "80", "100"])
        band = [float(x) for x in re.search(r'<td>energy</td><td class="n">[^<]*</td><td class="n">([^<]*)</td><td class="n">([^<]*)<', self.text).groups()]
        self.assertAlmostEqual(band[0] - 103.0791, -0.316, delta=1e-3)  # measured: 102.763 and 103.504
        self.assertAlmostEqual(band[1] - 103.0791, 0.425, delta=1e-3)

    def test_pictures_can_be_taken_out(self):
        script = str(SOURCE / "scripts/picture-from-report")
        spatial = BEAM.replace("      shape:", "      velocity: [0, 5*s, 0]\n      shape:")
        for model, first in ((spatial, "seen from the side and above"), (CANTILEVER, "in the plane of x and z")):
            self.page(model)
            for words, label in (((), first), (("Energy",), "Energy"), (("Energy drift",), "Energy drift: change minus work plus dissipation")):
                out = str(self.dir / "picture.svg")
                subprocess.run([sys.executable, script, str(self.dir / "m.zw/report.html"), out, *words], check=True)
                root = xml.etree.ElementTree.parse(out).getroot()
                self.assertEqual(root.get("aria-label"), label)
                texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
                if words == ("Energy",):
                    self.assertEqual(texts[:3], ["Energy", "total", "kinetic"])
        wrong = subprocess.run([sys.executable, script, str(self.dir / "m.zw/report.html"), out, "Nothing"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("no figure 'Nothing'", wrong.stderr)

    def test_markup_in_titles_stays_text(self):
        title = "<script>alert(1)</script> \"quoted\" & 'more' \U0001f40d</title></h1>"
        page = self.page(BEAM.replace("title: Bent beam", "title: " + "'" + title.replace("'", "''") + "'"))
        self.assertIn(title, "".join(page.texts["h1"]))
        self.assertNotIn("script", {tag for tag, _ in page.tags})
        self.assertNotIn("<script", self.text)

    def test_page_needs_nothing_else(self):
        page = self.page(BEAM)
        for tag, attributes in page.tags:
            self.assertNotIn(tag, {"script", "link", "img", "iframe"})
            self.assertNotIn("src", attributes, tag)
            self.assertIn(attributes.get("href", "view.html"), {"view.html"}, tag)  # only its neighbour, where the program has a viewer
        self.assertNotIn("url(", self.text)
        self.assertIn("prefers-color-scheme:dark", self.text)

    def test_begins_with_what_a_reader_wants_to_know(self):
        page = self.page("# SPDX-License-Identifier: none\n# A <b>bent</b> beam\n# flies.\n#\n#     zwang run it\n" + BEAM)
        words = " ".join(page.texts["p"])
        self.assertIn("A <b>bent</b> beam flies.", words)
        self.assertNotIn("SPDX", words)
        self.assertIn("One rod (10 elements), free of joints, loads and gravity.", words)
        self.assertIn("0.1\u00a0s of its motion, in 1000 steps of the integrator verlet", words)
        self.assertEqual(page.texts["dt"], ["Outcome", "Energy", "Momentum", "Angular momentum", "Time", "Warnings"])
        facts = re.search(r'<dl class="facts">.*?</dl>', self.text, re.S).group(0)
        self.assertIn("ran to its end", facts)
        self.assertRegex(facts, r"Momentum</dt><dd>kept to round-off")
        self.assertEqual('href="view.html"' in self.text, (self.dir / "m.zw/view.html").exists())
        self.assertIn("@software{zwang", "".join(page.texts["pre"]))
        page = self.page(CANTILEVER)
        self.assertIn("with one joint or constraint and gravity", " ".join(page.texts["p"]))
        self.assertRegex(self.text, r"Constraints</dt><dd>6 equations, kept to [0-9.e\u2212]+ in place")

    def test_round_off_in_probes_is_zero(self):
        page = self.page(CANTILEVER)
        self.assertNotRegex(re.search(r"<h2>Probes.*?</table>", self.text, re.S).group(0), r"e\u2212(1[5-9]|[2-9]\d)")
        self.assertEqual(page.faults, [])

    def test_many_frames_are_thinned(self):
        self.page(BEAM, "--set", "record.frames=1000", "--set", "run.until=0.5")
        self.assertLess(len(self.text), 2_000_000)
        points = [len(re.findall("[ML]", d)) for d in re.findall(r'class="curve[^"]*" d="([^"]*)"', self.text)]
        self.assertLessEqual(max(points), 1000)  # measured: 1000 of 1001 frames in stretches of two
        self.assertGreater(max(points), 900)
        self.assertNotIn("nan", self.text.lower().replace("finance", ""))

    def test_run_that_diverged_says_why(self):
        wild = BEAM.replace("record:", "loads:\n  pull: {force: [0, \"exp(9000*t)\", 0], on: beam, s: L}\nrecord:")
        self.write("m.yaml", wild)
        self.assertEqual(self.zwang("run", "m.yaml", "-q").returncode, 1)
        page = Page((self.dir / "m.zw/report.html").read_text(encoding="utf-8"))
        self.assertEqual(page.faults, [])
        self.assertIn("diverged", page.texts["span"])
        self.assertRegex(" ".join(page.texts["p"]), "rod 'beam'.* t = ")

    def test_report_can_be_written_anew(self):
        self.page(BEAM)
        (self.dir / "m.zw/report.html").unlink()
        self.assertEqual(self.succeed("report", "m.zw").stdout, "m.zw/report.html\n")
        self.assertEqual((self.dir / "m.zw/report.html").read_text(encoding="utf-8"), self.text)


if __name__ == "__main__":
    unittest.main()
