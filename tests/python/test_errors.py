"""What goes wrong: which exception, with which place."""
import unittest

import numpy as np

import gpufilter
from common import folder

GRAY = np.zeros((20, 30), "u1")
RGB = np.zeros((20, 30, 3), "u1")


class Errors(unittest.TestCase):
    def fails(self, kind, function, *arguments, **named):
        with self.assertRaises(kind) as caught:
            function(*arguments, **named)
        return caught.exception

    def test_place(self):
        """a wrong text has stage, offset, length and the caret"""
        error = self.fails(gpufilter.ParseError, gpufilter.Pipeline, "gray,blur:radiu=3")
        self.assertEqual((error.stage, error.offset, error.length, error.status, error.exit_code), (1, 10, 5, -2, 2))
        self.assertIsInstance(error, ValueError)
        self.assertIn("did you mean 'radius'?\n  gray,blur:radiu=3\n            ^~~~~\n", str(error))

    def test_shape(self):
        """what does not fit the picture names the stage"""
        error = self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "blur,crop:900x900")
        self.assertEqual((error.stage, error.offset), (1, 5))

    def test_arrays(self):
        """arrays that are no pictures, and outputs that do not fit, are refused"""
        for a in (np.zeros((2, 3, 5), "u1"), np.zeros((0, 3), "u1"), np.zeros((1, 1, 1, 1), "u1"),
                  np.zeros((3, 3), "c8"), np.array([["a"]]), np.zeros((2, 2), [("x", "u1")])):
            self.fails(gpufilter.ArgumentError, gpufilter.run, a, "invert")
        frozen = GRAY.copy()
        frozen.flags.writeable = False
        for out in (np.zeros((20, 31), "u1"), np.zeros((20, 30), "f4"), frozen, np.zeros((20, 60), "u1")[:, ::2],
                    np.zeros((20, 30), ">u2")):
            self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "invert", out)
        self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "invert", GRAY)
        self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "invert", GRAY[:])

    def test_options(self):
        """devices, alpha, inputs and depths that are none are refused"""
        self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "invert", device="gpu")
        self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "invert", alpha="maybe")
        self.fails(gpufilter.ArgumentError, gpufilter.Pipeline("invert").plan, (3, 3), "uint8", alpha="maybe")
        self.fails(gpufilter.ArgumentError, gpufilter.run, GRAY, "blend:top")
        self.fails(gpufilter.ArgumentError, gpufilter.Pipeline("invert").plan, (3, 3), "complex64")
        self.fails(gpufilter.OutOfMemoryError, gpufilter.run, np.zeros((900, 900), "u1"), "label", memory_limit=1000)
        self.fails(TypeError, gpufilter.run, GRAY, "invert", colour=3)

    def test_files(self):
        """files that are not there, no pictures, or in no format"""
        error = self.fails(gpufilter.InputError, gpufilter.read, "/no/such/file")
        self.assertEqual(error.errno, 2)
        self.assertIsInstance(error, OSError)
        with folder() as work:
            self.fails(gpufilter.UnsupportedError, gpufilter.write, f"{work}/a.xyz", GRAY)
            self.fails(gpufilter.OutputError, gpufilter.write, f"{work}/no/a.png", GRAY)
            self.fails(gpufilter.ArgumentError, gpufilter.write, f"{work}/a.png", GRAY, png_levels=3)
            gpufilter.write(f"{work}/a.png", GRAY)
            self.fails(gpufilter.OutputError, gpufilter.write, f"{work}/a.png", GRAY, no_clobber=True)
            error = self.fails(gpufilter.InputError, gpufilter.run, RGB, f"gray,conv:@{work}/k.txt")
            self.assertIn("files=", str(error))

    def test_results(self):
        """a result that is not there is a KeyError that names those there are"""
        _, results = gpufilter.run(GRAY, "stats:name=a,hist")
        self.assertIn("a, hist", str(self.fails(KeyError, results.__getitem__, "b")))

    def test_plan(self):
        """a plan refuses arrays of another shape or type, and takes one channel in three dimensions"""
        plan = gpufilter.Pipeline("invert").plan((20, 30), "uint8")
        for a in (GRAY[:19], GRAY.T, RGB, GRAY.astype("u2"), GRAY.astype("i1")):
            self.fails(gpufilter.ArgumentError, plan.run, a)
        self.assertTrue((plan.run(GRAY[..., None])[0] == 255).all())

    def test_after(self):
        """a pipeline that failed works on"""
        pipeline = gpufilter.Pipeline("invert")
        self.fails(gpufilter.ArgumentError, pipeline.run, GRAY, np.zeros((1, 1), "u1"))
        self.assertTrue((pipeline.run(GRAY)[0] == 255).all())


if __name__ == "__main__":
    unittest.main()
