#!/usr/bin/env python3
"""Makes tones.csv: two tones and what SciPy makes of them, for tests/cli/signal_files.bats.

    python3 make_tones.py            writes it beside this file
    python3 make_tones.py --check    recomputes it, and fails where it differs

Made with NumPy 1.24.2 and SciPy 1.10.1, in float64 of inputs that are f32. A row is a frame, of 8000 a second: `low`,
100 Hz, and `high`, 3 kHz, each for itself; their sum `both`; and of that butter(4, 1000), ellip(3, 1, 60, [300, 3400])
as a bandpass, iirnotch(100, 30) and a median of 5.
"""

import sys
from pathlib import Path

import numpy as np
import scipy.ndimage
import scipy.signal as s

n = np.arange(400)
low = (0.5 * np.sin(2 * np.pi * 100 * n / 8000)).astype(np.float32)
high = (0.25 * np.sin(2 * np.pi * 3000 * n / 8000)).astype(np.float32)
both = (low + high).astype(np.float32)
x = both.astype(np.float64)
columns = [
    low, high, both,
    s.sosfilt(s.butter(4, 1000, fs=8000, output="sos"), x),
    s.sosfilt(s.ellip(3, 1, 60, [300, 3400], btype="bandpass", fs=8000, output="sos"), x),
    s.lfilter(*s.iirnotch(100, 30, fs=8000), x),
    scipy.ndimage.median_filter(x, 5, mode="nearest"),
]
rows = [",".join("%.9g" % v for v in row) for row in np.array(columns, np.float64).T]
text = "low,high,both,lowpass,bandpass,notch,median\n" + "\n".join(rows) + "\n"
path = Path(__file__).resolve().parent / "tones.csv"
if "--check" in sys.argv:
    sys.exit(path.read_text() != text and "tones.csv differs")
path.write_text(text)
