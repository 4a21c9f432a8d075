#!/usr/bin/env python3
"""Makes values.npy and fft.tsv: Fourier transforms by SciPy, for tests/array/test_fft.c.

    python3 make_fft.py            writes both beside this file
    python3 make_fft.py --check    recomputes them, and names what differs by more than 1e-12

Made with NumPy 1.24.2 and SciPy 1.10.1, in float64 of samples that are f32. A line of fft.tsv: real or not, dimensions,
rows, columns, and where in values.npy the samples and the spectrum begin.
"""

import sys
from pathlib import Path

import numpy as np
import scipy.fft

HERE = Path(__file__).resolve().parent
SHAPES = [(1, 1, 1), (1, 1, 2), (1, 2, 12), (1, 2, 35), (1, 1, 97), (1, 1, 143), (1, 2, 256), (1, 1, 300), (2, 6, 10), (2, 11, 15),
          (2, 16, 32)]
parts, lines, total = [], [], 0


def put(values):
    global total
    parts.append(np.ascontiguousarray(values).view(np.float64).ravel())
    total += len(parts[-1])
    return total - len(parts[-1])


def samples(count, seed):
    """f32 without a generator of a library."""
    t = np.arange(1, count + 1)
    return ((t * 2654435761 * (2 * seed + 1) % 4294967296) / 2147483648 - 1).astype(np.float32).astype(np.float64)


for real in 0, 1:
    for number, (dimensions, rows, columns) in enumerate(SHAPES):
        x = samples(rows * columns * (2 - real), number + 20 * real)
        x = (x if real else x.view(np.complex128)).reshape(rows, columns)
        transform = [[scipy.fft.fft, scipy.fft.fft2], [scipy.fft.rfft, scipy.fft.rfft2]][real][dimensions - 1]
        lines.append("\t".join(str(v) for v in (real, dimensions, rows, columns, put(x), put(transform(x)))))

values = np.concatenate(parts)
if "--check" in sys.argv:
    old = np.load(HERE / "values.npy")
    same = (HERE / "fft.tsv").read_text().split("\n")[:-1] == lines and old.shape == values.shape
    sys.exit(0 if same and np.abs(old - values).max() < 1e-12 else "values.npy or fft.tsv differs")
np.save(HERE / "values.npy", values)
(HERE / "fft.tsv").write_text("\n".join(lines) + "\n")
