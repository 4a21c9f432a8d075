"""The fixture of pytest for golden pictures, in a project of its own, and what differs as a picture."""
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import unittest

import numpy as np

import gpufilter
from common import SAMPLE, folder, program, same

PROJECT = """
import shutil
import gpufilter
import numpy as np
import pytest

A = np.load("a.npy")

def test_array(picture_regression):
    picture_regression.check(A)
    picture_regression.check(A / np.float64(3), "third")

def test_file(picture_regression):
    gpufilter.write("made.tiff", A)
    picture_regression.check("made.tiff")

@pytest.mark.parametrize("chain", ["blur:2", "invert"])
def test_chain(picture_regression, chain):
    picture_regression.check(gpufilter.run(A, chain)[0], mode="hash")

class TestNear:
    def test_near(self, picture_regression):
        picture_regression.check(A[..., :1], max_diff=3)

    def test_few(self, picture_regression):
        picture_regression.check(A, allow=2)
"""


def golden_files(work):
    return {path: open(f"{work}/{path}", "rb").read() for path in
            (os.path.relpath(os.path.join(at, name), work) for at, _, names in os.walk(work) for name in names)
            if path.startswith("test_")}


@unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
class Regression(unittest.TestCase):
    def setUp(self):
        self.folder = folder()
        self.addCleanup(self.folder.cleanup)
        self.work = self.folder.name
        self.array = np.ascontiguousarray(gpufilter.read(SAMPLE)[100:160, 200:280])
        self.project(PROJECT)

    def project(self, text):
        np.save(f"{self.work}/a.npy", self.array)
        with open(f"{self.work}/test_it.py", "w") as file:
            file.write(text)

    def pytest(self, code, *options):
        """What pytest prints, which must end with that code. An installed package brings its plugin by itself."""
        try:
            importlib.metadata.distribution("gpufilter")
            named, more = [], {}
        except importlib.metadata.PackageNotFoundError:
            named, more = ["-p", "gpufilter.pytest_plugin"], {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *named, "--basetemp", "run", *options],
                              cwd=self.work, env={**os.environ, **more, "COLUMNS": "200"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_update(self):
        """without golden pictures all fail; --picture-update writes them, once, and then all pass"""
        said = self.pytest(1)
        self.assertEqual(said.count("E       gpufilter.errors.MismatchError: there is no golden picture"), 4)
        self.assertEqual(len(re.findall("^E .* has no hash for test_chain-", said, re.M)), 2)
        self.assertIn("pytest --picture-update 'test_it.py::TestNear::test_few'", said)
        self.assertEqual([*golden_files(self.work)], ["test_it.py"])
        said = self.pytest(0, "--picture-update")
        self.assertIn("golden picture written: test_it/test_array-third.npy", said)
        files = golden_files(self.work)
        self.assertEqual(sorted(files), ["test_it.hashes", "test_it.py", "test_it/TestNear.test_few.png", "test_it/TestNear.test_near.png",
                                         "test_it/test_array-third.npy", "test_it/test_array.png", "test_it/test_file.tiff"])
        self.assertNotIn("written", self.pytest(0))
        self.assertNotIn("written", self.pytest(0, "--picture-update"))
        self.assertEqual(golden_files(self.work), files)
        same(self, gpufilter.read(f"{self.work}/test_it/test_array.png"), self.array)
        self.assertEqual(files["test_it/test_file.tiff"], open(f"{self.work}/made.tiff", "rb").read())

    def test_hashes(self):
        """the file of hashes is that of the program, sorted, and keeps what other tests have in it"""
        with open(f"{self.work}/test_it.hashes", "w") as file:
            file.write(f"{'0' * 64}  other\n")
        self.pytest(0, "--picture-update", "-k", "chain")
        with open(f"{self.work}/test_it.hashes") as file:
            lines = file.read().splitlines()
        self.assertEqual([line[66:] for line in lines], ["other", "test_chain-blur-2.png", "test_chain-invert.png"])
        made = gpufilter.run(self.array, "invert")[0]
        self.assertEqual(lines[2][:64], gpufilter.fingerprint(made))
        os.mkdir(f"{self.work}/made")
        gpufilter.write(f"{self.work}/made/test_chain-invert.png", made)
        with open(f"{self.work}/one", "w") as file:
            file.write(lines[2] + "\n")
        program("compare", f"{self.work}/made", "--expect", f"{self.work}/one")
        with open(f"{self.work}/test_it.hashes", "a") as file:
            file.write("no hash\n")
        self.assertIn("test_it.hashes: line 4 is no hash", self.pytest(1, "-k", "invert"))

    def test_differs(self):
        """what differs is told in numbers and drawn; tolerances let it pass"""
        self.pytest(0, "--picture-update")
        files, golden = golden_files(self.work), self.array.copy()
        self.array[10, 20, 1] ^= 64
        self.array[30, 40] ^= 3
        self.project(PROJECT)
        said = self.pytest(1, "--picture-results", "failed")
        self.assertIn("4 failed, 2 passed", said)  # both of TestNear pass
        self.assertIn("2 of 4800 pixels (0.0417 %) differ by more than 0; none may", said)
        self.assertIn(f"largest difference 64 at x 20, y 10, channel 1: golden {golden[10, 20, 1]}, made {golden[10, 20, 1] ^ 64}",
                      said)
        self.assertIn("all inside 21x21+20+10", said)
        drawn = re.search(r"difference drawn in (\S+/failed/test_it/test_array-difference.png)", said)[1]
        same(self, gpufilter.read(drawn), gpufilter.difference(golden, self.array))
        same(self, gpufilter.read(f"{self.work}/failed/test_it/test_array.png"), self.array)
        self.assertIn(f"made   {gpufilter.fingerprint(gpufilter.run(self.array, 'invert')[0])}", said)
        self.assertIn("80 x 60, 3 channels of uint8, min ", said)
        self.assertEqual({**golden_files(self.work), "test_it.py": b""}, {**files, "test_it.py": b""})
        self.array = self.array[:-1]
        self.project(PROJECT)
        self.assertIn("golden 80 x 60, 3 channels of uint8", self.pytest(1))
        self.pytest(0, "--picture-update")
        self.pytest(0)

    def test_refused(self):
        """two pictures of one name, unknown modes, and tolerances of a hash are errors of the test"""
        self.project("import numpy as np\nA = np.zeros((4, 4), 'u1')\n"
                     "def test_two(picture_regression):\n    picture_regression.check(A)\n    picture_regression.check(A)\n"
                     "def test_mode(picture_regression):\n    picture_regression.check(A, mode='eye')\n"
                     "def test_hash(picture_regression):\n    picture_regression.check(A, mode='hash', max_diff=1)\n")
        said = self.pytest(1, "--picture-update")
        for text in ("test_two is a picture of test_it.py::test_two already", "mode 'eye': must be picture or hash",
                     "a hash allows no difference: mode 'picture' takes max_diff"):
            self.assertIn(text, said)

    @unittest.skipUnless(importlib.util.find_spec("xdist"), "pytest-xdist is not installed")
    def test_processes(self):
        """processes at the same time lose no hash"""
        self.project("import numpy as np, pytest\n@pytest.mark.parametrize('i', range(60))\n"
                     "def test_i(picture_regression, i):\n    picture_regression.check(np.full((4, 4), i, 'u1'))\n")
        with open(f"{self.work}/pytest.ini", "w") as file:
            file.write("[pytest]\npicture_regression_mode = hash\n")
        self.pytest(0, "-p", "xdist", "-n", "4", "--picture-update")
        with open(f"{self.work}/test_it.hashes") as file:
            self.assertEqual(len(file.readlines()), 60)
        self.pytest(0)


class Difference(unittest.TestCase):
    def test_difference(self):
        """difference draws what the program draws, and marks say what was found of each pixel"""
        random = np.random.default_rng(3)
        with folder() as work:
            for shape, kind, white in (((40, 50, 3), "u1", 255), ((40, 50), "u2", 65535), ((40, 50, 4), "u2", 65535),
                                       ((40, 50, 2), "f4", 1), ((40, 50), "f8", 1)):
                a = (random.random(shape) * white).astype(kind)
                b = a.copy()
                b[10:20, 5:30] = a[11:21, 6:31]
                np.save(f"{work}/a.npy", a)
                np.save(f"{work}/b.npy", b)
                for options, flags in (({}, []), ({"ignore": [(0, 0, 20, 20)]}, ["--ignore", "20x20+0+0"]),
                                       ({"area": (3, 4, 20, 30)}, ["--roi", "20x30+3+4"]),
                                       ({"max_diff": white // 8 or 0.125}, ["--max-diff", str(white // 8 or 0.125)]),
                                       ({"antialias": True}, ["--antialias"]))[:4 if kind == "f8" else 5]:
                    program("compare", f"{work}/a.npy", f"{work}/b.npy", "-q", "--allow", "100%", "--diff", f"{work}/d.png", *flags)
                    same(self, gpufilter.difference(a, b, **options), gpufilter.read(f"{work}/d.png"))
        marks = np.full((40, 50), 9, "u1")
        found = gpufilter.compare(a, b, marks=marks, area=(3, 4, 20, 30))
        self.assertEqual((marks == 4).sum(), found.pixel_count)
        self.assertEqual((marks == 9).sum(), 40 * 50 - 20 * 30)
        for wrong in (np.zeros((40, 51), "u1"), np.zeros((40, 50), "u2"), np.zeros((40, 100), "u1")[:, ::2]):
            with self.assertRaises(gpufilter.ArgumentError):
                gpufilter.compare(a, b, marks=wrong)


if __name__ == "__main__":
    unittest.main()
