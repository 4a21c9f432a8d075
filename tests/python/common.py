"""What the tests share: the program beside the package, and arrays drawn at random."""
import os
import subprocess
import tempfile

import numpy as np

import gpufilter
import gpufilter.__main__

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = os.path.join(ROOT, "samples", "sample.png")
PROGRAM = os.environ.get("GPUFILTER_BIN", gpufilter.__main__.PROGRAM)


def program(*arguments, **settings):
    """Runs the program, which must succeed, and returns what it prints."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, **settings)
    if done.returncode:
        raise AssertionError(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def folder():
    """A folder that goes when the caller is done with it."""
    return tempfile.TemporaryDirectory(prefix="gpufilter-python-")


def picture(random, kinds=("u1", "<u2", "<f4", ">u2", ">f4", "?", "i1", "<i4", "<f2", "<f8", "<i8", "<u8")):
    """A picture of a shape, type and layout drawn at random: with gaps, backwards, turned, or as it is."""
    height, width, channels = (int(random.integers(1, 40)) for _ in range(3))
    channels = channels % 4 + 1
    dtype = np.dtype(random.choice(kinds))
    shape = (height, width) if channels == 1 and random.random() < 0.8 else (height, width, channels)
    layout = random.choice(["plain", "rows", "columns", "backwards", "fortran", "inside", "channels"])
    if layout == "channels" and len(shape) == 3:
        return values(random, shape[:2] + (channels + 2,), dtype)[..., 1:1 + channels]
    big = values(random, tuple(n * 2 for n in shape[:2]) + shape[2:], dtype)
    return {"plain": lambda: big[:height, :width].copy(), "rows": lambda: big[::2, :width],
            "columns": lambda: big[:height, ::2], "backwards": lambda: big[height - 1::-1, width - 1::-1],
            "fortran": lambda: np.asfortranarray(big[:height, :width]), "inside": lambda: big[height:, width:],
            "channels": lambda: big[:height, :width]}[layout]()


def values(random, shape, dtype):
    """Numbers of a type; of integers any, of floats about as those of pictures."""
    if dtype.kind == "b":
        return random.random(shape) < 0.5
    if dtype.kind == "f":
        return (random.random(shape) * 1.5 - 0.25).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, dtype.newbyteorder("="), endpoint=True).astype(dtype)


def same(case, got, want):
    """The same type, shape and bytes."""
    case.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
    case.assertEqual(got.tobytes(), want.tobytes())
