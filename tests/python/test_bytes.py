"""What the package makes beside what the program makes: the same bytes."""
import os
import subprocess
import unittest

import numpy as np

import gpufilter
from common import PROGRAM, SAMPLE, folder, picture, program, same, values

CHAINS = ["invert", "blur:1.3", "median:1", "sobel", "flip:x", "rotate:90", "resize:50%", "crop:1x1", "gamma:0.7",
          "sharpen", "erode:2,dilate:1", "normalize", "convert:f32,gain:2", "convert:u16", "transpose",
          "blur:2:border=wrap,threshold:0.3", "stats", "box:2,hist", "pad:3", "equalize"]


class Bytes(unittest.TestCase):
    def test_pictures(self):
        """1000 arrays of any shape, type and layout give the bytes of the program"""
        random = np.random.default_rng(int(os.environ.get("GPUFILTER_TEST_SEED", "7")))
        failed = 0
        for chain in CHAINS:
            arrays = [picture(random) for _ in range(1000 // len(CHAINS))]
            with folder() as work:
                os.makedirs(f"{work}/in")
                for i, a in enumerate(arrays):
                    np.save(f"{work}/in/{i}.npy", a)
                subprocess.run([PROGRAM, "batch", f"{work}/in", "-q", "-o", f"{work}/out", "--stages", chain],
                               capture_output=True, check=False)  # what fails is looked at below
                failed += sum(not self.agree(chain, a, f"{work}/out/{i}.npy") for i, a in enumerate(arrays))
        self.assertLess(failed, 200)  # a part of the chains cannot take some types

    def agree(self, chain, a, path):
        """Whether both make a picture, the same one; or both fail."""
        kept = a.copy()
        try:
            got, _ = gpufilter.run(a, chain)
        except gpufilter.Error:
            self.assertFalse(os.path.exists(path), f"{chain} of {a.shape} {a.dtype}")
            return False
        np.testing.assert_array_equal(a, kept)
        want = np.load(path)  # (n,) is a single row; and (height, width, 1) stays so where all stages measure
        same(self, got, want.reshape(got.shape) if want.ndim == 1 or got.shape == want.shape + (1,) else want)
        return True

    def test_file(self):
        """a path gives the bytes that the program writes, of PNG, TIFF and .npy, with alpha as files have it"""
        with folder() as work:
            for name in ("in.png", "in.tiff", "in.npy"):
                program(SAMPLE, f"{work}/{name}", "-q", "--stages", "crop:60x40+10+20,rgb,alpha:add:value=0.3")
                program(f"{work}/{name}", f"{work}/out.npy", "-q", "--stages", "blur:2,rotate:90")
                same(self, gpufilter.run(f"{work}/{name}", "blur:2,rotate:90")[0], np.load(f"{work}/out.npy"))

    def test_signals(self):
        """100 signals of any length, layout and type give the bytes of the program"""
        random = np.random.default_rng(5)
        chains = ["gain:-3dB", "lowpass:100Hz", "median:2", "rms:10", "resample:2kHz", "normalize", "detrend"]
        with folder() as work:
            for i in range(100):
                chain, kind = chains[i % len(chains)], random.choice(["<f4", "<f8", "<i2", ">f4"])
                a = values(random, (int(random.integers(64, 3000)), int(random.integers(1, 4))), np.dtype(kind))
                a = a[::int(random.integers(1, 3))]
                axis = 0 if a.shape[1] > 1 else -1
                a = a if axis == 0 else a[:, 0]
                np.save(f"{work}/in.npy", a)
                flags = ["--signal", "columns"] if axis == 0 else []
                program(f"{work}/in.npy", f"{work}/out.npy", *flags, "--rate", "1000", "-q", "--stages", chain)
                want = np.load(f"{work}/out.npy")  # of f64 where the input was
                same(self, gpufilter.run(a, chain, rate=1000, axis=axis)[0], want.astype("f4"))


if __name__ == "__main__":
    unittest.main()
