# SPDX-License-Identifier: Apache-2.0
"""Results as other programs read them: HDF5 by h5py, .npz by NumPy, VTK by its own bytes and by VTK or ParaView where installed; pack."""
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import CANTILEVER, SOURCE, ZWANG, ProgramTest  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    if os.environ.get("CI"):
        raise
    h5py = None

# an open rod and a ring, every field recorded
PAIR = """\
zwang: 1
title: A ring and a beam
gravity: [0, 0, -9.81]
bodies:
  ring:
    rod: {length: 3, elements: 12, section: {round: 0.03}, material: {density: 1000, young: 1e7, poisson: 0.35}, shape: {ring: [0, 1, 0]}}
  beam:
    rod: {length: 1, elements: 10, along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e7, poisson: 0.35}}
constraints:
  root: {clamp: beam, s: 0}
run: {until: 0.05}
record: {frames: 12, fields: [position, orientation, velocity, spin, curvature, strain, force, moment]}
"""
LINK_FIELDS = ("curvature", "strain", "force", "moment")


def arrays_of(path):
    """Every array of an epoch by name, as in results.h5."""
    with h5py.File(path) as f:
        epoch = f["epoch0"]
        found = {}
        epoch.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" else None)
        return found


def same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


class VtkFile:
    """A .vtp file with appended raw arrays: the text is XML up to the mark, the arrays follow it."""

    def __init__(self, path):
        whole = path.read_bytes()
        mark = whole.index(b'<AppendedData encoding="raw">')
        self.data = whole[whole.index(b"_", mark) + 1:]
        self.tree = ElementTree.fromstring(whole[:mark] + b"</VTKFile>")
        assert self.tree.attrib == {"type": "PolyData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}
        self.piece = self.tree.find("PolyData/Piece")
        self.end = 0

    def array(self, element):
        assert element.attrib["format"] == "appended"
        start = int(element.attrib["offset"])
        (size,) = struct.unpack_from("<Q", self.data, start)
        self.end = max(self.end, start + 8 + size)
        kind = {"Float64": "<f8", "Int64": "<i8"}[element.attrib["type"]]
        values = numpy.frombuffer(self.data, kind, size // 8, start + 8)
        components = int(element.attrib.get("NumberOfComponents", 1))
        return values.reshape(-1, components) if components > 1 else values

    def section(self, name):
        return {e.attrib["Name"]: self.array(e) for e in self.piece.find(name)}


@unittest.skipIf(h5py is None, "no module h5py or numpy")
class Results(ProgramTest):
    def simulate(self, text, name="pair"):
        self.write(name + ".yaml", text)
        self.succeed("run", name + ".yaml", "-q", "--no-report")
        return self.dir / (name + ".zw")


class Hdf5(Results):
    def test_layout_is_the_documented_one(self):
        place = self.simulate(CANTILEVER)
        with h5py.File(place / "results.h5") as f:
            self.assertEqual(f.attrs["format"], 1)
            self.assertEqual(set(f.attrs), {"format", "zwang_version", "model_hash", "title", "seed", "complete", "outcome", "epochs", "journal_size"})
            self.assertEqual((f.attrs["complete"], f.attrs["outcome"], f.attrs["epochs"], f.attrs["journal_size"]), (1, "reached", 1, 0))
            self.assertIn("Cantilever", f["model"].asstr()[()])
            self.assertEqual(f["summary"].asstr()[()], (place / "summary.json").read_text())
            names = list(f["epoch0/channel_names"].asstr())
            self.assertEqual(names[0], "time")
            frames = len(f["time"])
            for name in names:
                item = f["epoch0/" + name]
                self.assertEqual(item.dtype, numpy.dtype("<f8"), name)
                self.assertEqual(item.shape[0], frames, name)
                self.assertIsInstance(item.attrs["unit"], str)
                self.assertTrue(same_bits(item[()], f[name][()]), name)  # the links of the last epoch
                self.assertIsInstance(f.get(name.split("/")[0], getlink=True), h5py.SoftLink)
            for name in f["epoch0/constant_names"].asstr():
                self.assertIn("unit", f["constant/" + name].attrs)
            self.assertEqual(f["rod/beam/position"].shape, (frames, 11, 3))
            self.assertEqual(f["rod/beam/strain"].shape, (frames, 10, 3))
            self.assertEqual(f["constant/rod/beam/label"].shape, (11,))
            self.assertEqual(f["rod/beam/position"].attrs["unit"], "m")
            tip = f["rod/beam/position"][:, -1]
            self.assertTrue(same_bits(tip, f["probe/tip"][()]))

    def test_page_names_what_is_in_the_file(self):
        page = (SOURCE / "docs/results.md").read_text()
        place = self.simulate(PAIR)
        with h5py.File(place / "results.h5") as f:
            for name in list(f.attrs) + ["channel_names", "constant_names"] + list(f["rod/beam"]) + list(f["constant/rod/beam"]) + list(f["energy"]):
                self.assertRegex(page, rf"\b{name}\b")


class Numpy(Results):
    def test_every_array_has_the_bits_of_the_hdf5_file(self):
        place = self.simulate(PAIR)
        self.assertEqual(self.succeed("export", "pair.zw", "--as", "numpy").stdout, "pair.zw/results.npz\n")
        expected = arrays_of(place / "results.h5")
        with numpy.load(place / "results.npz", allow_pickle=False) as z:
            self.assertEqual(set(z.files), set(expected))
            for name, values in expected.items():
                self.assertTrue(same_bits(z[name], values), name)
                self.assertTrue(z[name].flags.c_contiguous)
            self.assertEqual(z["rod/ring/moment"].shape, (len(z["time"]), 12, 3))
        with zipfile.ZipFile(place / "results.npz") as z:
            self.assertIsNone(z.testzip())  # all checksums

    def test_same_results_give_the_same_file(self):
        self.simulate(PAIR)
        for out in ("a.npz", "b.npz"):
            self.succeed("export", "pair.zw", "--as", "numpy", "-o", out)
        self.assertEqual((self.dir / "a.npz").read_bytes(), (self.dir / "b.npz").read_bytes())

    def test_existing_file_is_kept_without_force(self):
        self.simulate(CANTILEVER)
        self.write("out.npz", "mine")
        done = self.zwang("export", "pair.zw", "--as", "numpy", "-o", "out.npz")
        self.assertEqual(done.returncode, 74)
        self.assertIn("--force", done.stderr)
        self.assertEqual((self.dir / "out.npz").read_text(), "mine")
        self.succeed("export", "pair.zw", "--as", "numpy", "-o", "out.npz", "--force")
        self.assertTrue(zipfile.is_zipfile(self.dir / "out.npz"))


class Vtk(Results):
    def expected(self, h5, rods, field, frame):
        """A point array of all rods; fields of links as the mean of the neighbours."""
        parts = []
        for rod in rods:
            values = h5[f"rod/{rod}/{field}"][frame]
            if field in LINK_FIELDS:
                if rod == "ring":
                    values = 0.5 * numpy.roll(values, 1, axis=0) + 0.5 * values
                else:
                    values = numpy.concatenate([values[:1], 0.5 * values[:-1] + 0.5 * values[1:], values[-1:]])
            parts.append(values)
        return numpy.concatenate(parts)

    def test_frames_have_the_bits_of_the_hdf5_file(self):
        place = self.simulate(PAIR)
        self.assertEqual(self.succeed("export", "pair.zw", "--as", "vtk").stdout, "pair.zw/vtk/rods.pvd\n")
        collection = ElementTree.parse(place / "vtk/rods.pvd").getroot()
        self.assertEqual(collection.attrib["type"], "Collection")
        h5 = arrays_of(place / "results.h5")
        sets = collection.findall("Collection/DataSet")
        self.assertEqual([float(e.attrib["timestep"]) for e in sets], list(h5["time"]))
        for frame, entry in enumerate(sets):
            f = VtkFile(place / "vtk" / entry.attrib["file"])
            names = bytes(map(int, f.tree.find("PolyData/FieldData/Array").text.split())).decode().split("\0")[:-1]
            self.assertEqual(sorted(names), ["beam", "ring"])
            self.assertEqual(f.array(f.tree.find("PolyData/FieldData/DataArray"))[0], h5["time"][frame])
            points = f.section("Points")["Points"]
            self.assertEqual(f.piece.attrib["NumberOfPoints"], "23")
            self.assertTrue(same_bits(points, self.expected(h5, names, "position", frame)))
            lines = f.section("Lines")
            start = names.index("beam") * 12
            ring = numpy.arange(12) + (0 if start else 11)
            parts = {"beam": numpy.arange(11) + start, "ring": numpy.append(ring, ring[0])}
            self.assertEqual(list(lines["connectivity"]), list(numpy.concatenate([parts[n] for n in names])))
            self.assertEqual(list(lines["offsets"]), list(numpy.cumsum([len(parts[n]) for n in names])))
            self.assertEqual(list(f.section("CellData")["rod"]), [0, 1])
            data = f.section("PointData")
            self.assertEqual(set(data), {"d1", "d2", "d3", "velocity", "spin", "label", "radius", *LINK_FIELDS})
            for field in ("velocity", "spin", *LINK_FIELDS):
                self.assertTrue(same_bits(data[field], self.expected(h5, names, field, frame)), field)
            for field in ("label", "radius"):
                self.assertTrue(same_bits(data[field], numpy.concatenate([h5[f"constant/rod/{n}/{field}"] for n in names])), field)
            w, x, y, z = self.expected(h5, names, "orientation", frame).T
            d3 = numpy.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
            d1 = numpy.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
            self.assertLess(abs(data["d3"] - d3).max(), 1e-15)  # measured 0: the same operations
            self.assertLess(abs(data["d1"] - d1).max(), 1e-15)  # measured 0
            self.assertLess(abs(numpy.cross(data["d3"], data["d1"]) - data["d2"]).max(), 1e-14)  # measured 1e-15
            self.assertEqual(f.data[f.end:], b"\n</AppendedData>\n</VTKFile>\n")

    def test_vtk_reads_it(self):
        try:
            import vtk
            from vtk.util.numpy_support import vtk_to_numpy
        except ImportError:
            self.skipTest("no module vtk")
        place = self.simulate(PAIR)
        self.succeed("export", "pair.zw", "--as", "vtk")
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(place / "vtk/rods_000007.vtp"))
        reader.Update()
        shape = reader.GetOutput()
        self.assertEqual((reader.GetErrorCode(), shape.GetNumberOfPoints(), shape.GetNumberOfLines()), (0, 23, 2))
        h5 = arrays_of(place / "results.h5")
        texts = shape.GetFieldData().GetAbstractArray("rod_names")
        names = [texts.GetValue(i) for i in range(2)]
        self.assertTrue((vtk_to_numpy(shape.GetPoints().GetData()) == self.expected(h5, names, "position", 7)).all())
        for field in ("velocity", "moment"):
            self.assertTrue((vtk_to_numpy(shape.GetPointData().GetArray(field)) == self.expected(h5, names, field, 7)).all(), field)
        self.assertEqual(shape.GetPointData().GetArray("moment").GetComponentName(2), "d3")

    def test_paraview_reads_it(self):
        if not shutil.which("pvpython"):
            self.skipTest("no pvpython")
        place = self.simulate(PAIR)
        self.succeed("export", "pair.zw", "--as", "vtk")
        script = self.write("look.py", "from paraview.simple import *\nr = PVDReader(FileName='pair.zw/vtk/rods.pvd')\nr.UpdatePipeline(r.TimestepValues[7])\n"
                                       "print(len(r.TimestepValues), r.GetDataInformation().GetNumberOfPoints(), sorted(r.PointData.keys()))\n")
        done = subprocess.run(["pvpython", script], cwd=self.dir, capture_output=True, text=True, timeout=100, check=True)
        frames = len(arrays_of(place / "results.h5")["time"])
        self.assertIn(f"{frames} 23 ['curvature', 'd1', 'd2', 'd3', 'force', 'label', 'moment', 'radius', 'spin', 'strain', 'velocity']", done.stdout)

    def test_earlier_export_is_kept_without_force(self):
        place = self.simulate(CANTILEVER)
        self.succeed("export", "pair.zw", "--as", "vtk", "-o", "out")
        done = self.zwang("export", "pair.zw", "--as", "vtk", "-o", "out")
        self.assertEqual(done.returncode, 74)
        self.assertIn("--force", done.stderr)
        self.write("out/notes.txt", "mine")
        self.succeed("export", "pair.zw", "--as", "vtk", "-o", "out", "--force")
        self.assertEqual((self.dir / "out/notes.txt").read_text(), "mine")
        self.assertEqual(len(list((self.dir / "out").glob("*.vtp"))), len(arrays_of(place / "results.h5")["time"]))


class Pack(Results):
    def test_packed_file_is_smaller_and_reads_the_same(self):
        place = self.simulate(CANTILEVER.replace("frames: 40", "frames: 400"))
        before, size = arrays_of(place / "results.h5"), (place / "results.h5").stat().st_size
        self.succeed("export", "pair.zw", "--as", "csv", "-o", "unpacked")
        said = self.succeed("pack", "pair.zw", "--deflate", "9").stdout
        packed = (place / "results.h5").stat().st_size
        self.assertLess(packed, 0.8 * size)
        self.assertRegex(said, rf"^pair.zw/results.h5: {size} bytes before, {packed} after \([0-9.]+ %\)\n$")
        after = arrays_of(place / "results.h5")
        self.assertEqual(set(after), set(before))
        for name, values in before.items():
            self.assertTrue(same_bits(after[name], values), name)
        with h5py.File(place / "results.h5") as f:
            item = f["rod/beam/position"]
            self.assertEqual((item.compression, item.compression_opts, item.shuffle), ("gzip", 9, True))
            self.assertEqual(item.attrs["unit"], "m")
            self.assertEqual(f.attrs["outcome"], "reached")
            self.assertEqual(f["summary"].asstr()[()], (place / "summary.json").read_text())
        self.succeed("export", "pair.zw", "--as", "csv", "-o", "packed")
        for table in (self.dir / "unpacked").iterdir():
            self.assertEqual(table.read_bytes(), (self.dir / "packed" / table.name).read_bytes())
        self.assertIn("as it was", self.succeed("pack", "pair.zw", "--deflate", "9").stdout)
        self.succeed("report", "pair.zw")


class Trouble(Results):
    def start(self):
        """A run that goes on for long, once its first frames are on the disk."""
        model = self.write("long.yaml", re.sub(r"until: [0-9.]+", "until: 1000", PAIR).replace("frames: 12", "interval: 0.001"))
        run = subprocess.Popen([ZWANG, "run", str(model), "-o", "long.zw", "-q"], cwd=self.dir, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        journal, end = self.dir / "long.zw/journal.zwj", time.monotonic() + 60
        while time.monotonic() < end and not (journal.exists() and journal.stat().st_size > 100000):
            time.sleep(0.02)
        return run

    def frames(self, name):
        with numpy.load(self.dir / name) as z:
            return {n: z[n] for n in z.files}

    def test_exports_while_running_and_after_a_kill(self):
        run = self.start()
        self.succeed("export", "long.zw", "--as", "numpy", "-o", "running.npz")
        self.succeed("export", "long.zw", "--as", "vtk", "-o", "running")
        self.assertEqual(self.zwang("pack", "long.zw").returncode, 74)  # in use
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.succeed("export", "long.zw", "--as", "numpy", "-o", "killed.npz")
        self.succeed("pack", "long.zw")
        self.succeed("export", "long.zw", "--as", "numpy", "-o", "packed.npz")
        running, killed = self.frames("running.npz"), self.frames("killed.npz")
        n = len(running["time"])
        self.assertGreater(n, 0)
        self.assertGreaterEqual(len(killed["time"]), n)
        self.assertEqual(set(running), set(killed))
        for name, values in running.items():
            self.assertTrue(same_bits(values, killed[name] if name.startswith("constant/") else killed[name][:n]), name)
        self.assertEqual((self.dir / "killed.npz").read_bytes(), (self.dir / "packed.npz").read_bytes())
        f = VtkFile(self.dir / "running/rods_000000.vtp")
        self.assertEqual(len(f.section("Points")["Points"]), 23)

    def test_limits_of_the_disk_are_said_and_leave_nothing(self):
        self.simulate(PAIR)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

        for words, left in ((("export", "pair.zw", "--as", "numpy", "-o", "out.npz"), "out.npz*"), (("export", "pair.zw", "--as", "vtk", "-o", "out"), "out/*")):
            done = subprocess.run([ZWANG, *words], cwd=self.dir, capture_output=True, text=True, stdin=subprocess.DEVNULL, preexec_fn=limit, timeout=60)
            self.assertEqual(done.returncode, 74, done.stderr)
            self.assertIn("File too large", done.stderr)
            self.assertIn("another place with -o", done.stderr)
            self.assertNotIn("--resume", done.stderr)
            self.assertEqual(list(self.dir.glob(left)), [])

    def test_places_that_cannot_be_written_are_said(self):
        self.simulate(CANTILEVER)
        self.write("file", "")
        for form, out in (("numpy", "file/out.npz"), ("vtk", "file/out"), ("vtk", "file"), ("numpy", ".")):
            done = self.zwang("export", "pair.zw", "--as", form, "-o", out)
            self.assertIn(done.returncode, (1, 74), done.stderr)
            self.assertIn("file", done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
