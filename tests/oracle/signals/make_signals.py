#!/usr/bin/env python3
"""Makes values.npy and signals.tsv: what SciPy makes of signals, for the tests of kernels/signal.

    python3 make_signals.py            writes both beside this file
    python3 make_signals.py --check    recomputes them, and names each line that differs

Made with NumPy 1.24.2 and SciPy 1.10.1, in float64 of inputs that are f32. A line of signals.tsv: the kernel, four numbers
that say how, and where in values.npy, and how many, its coefficients, its input and its output are. `filter` has
coefficients alone: a cascade of sections, b0 b1 b2 a1 a2 each.
"""

import sys
from pathlib import Path

import numpy as np
import scipy.ndimage
import scipy.signal as s

HERE = Path(__file__).resolve().parent
parts, lines, total = [], [], 0


def put(values):
    global total
    values = np.ravel(np.asarray(values, np.float64))
    parts.append(values)
    total += len(values)
    return [total - len(values), len(values)]


def add(what, how, coefficients, x=(), y=()):
    how = list(how) + [0] * (4 - len(how))
    lines.append("\t".join([what] + [str(v) for v in how + put(coefficients) + put(x) + put(y)]))


def signal(n, seed):
    """f32 without a generator of a library: a few tones and a congruential noise."""
    t = np.arange(n)
    noise = (((t + 1) * 2654435761 * (2 * seed + 1)) % 4294967296) / 2147483648 - 1
    return (0.4 * np.sin(0.05 * t + seed) + 0.2 * np.sin(1.3 * t) + 0.3 * noise + 0.1).astype(np.float32)


def rows(sos):
    return np.asarray(sos)[:, [0, 1, 2, 4, 5]] / np.asarray(sos)[:, [3]]


FILTERS = {
    "lowpass_0.1": s.butter(2, 0.1, output="sos"),
    "elliptic_8": s.ellip(8, 0.1, 80, 0.3, output="sos"),
    "integrator": [[1.0, 0, 0, 1, -1, 0]],
    "bandpass_8": s.butter(4, (0.05, 0.2), "bandpass", output="sos"),
    "notch_50_q30": s.tf2sos(*s.iirnotch(50, 30, fs=48000)),
    "dcblock_0.9999": [[1, -1, 0, 1, -0.9999, 0]],
    "highpass_20_o4": s.butter(4, 20, "highpass", fs=48000, output="sos"),
    "highpass_0.5_o3": s.butter(3, 0.5, "highpass", fs=30000, output="sos"),
}
for number, (name, sos) in enumerate(FILTERS.items()):
    add("filter", (number,), rows(sos))
    x = signal(400, number)
    add("iir", (), rows(sos), x, s.sosfilt(sos, x.astype(np.float64)))
for order in (1, 3, 6):
    b, a = s.cheby1(order, 1, 0.2)
    x = signal(300, order)
    sos = s.cheby1(order, 1, 0.2, output="sos")
    add("iir", (), rows(sos), x, s.lfilter(b, a, x.astype(np.float64)))

for taps, centre, border in ((1, 0, 0), (5, 2, 1), (8, 0, 0), (31, 15, 1), (63, 31, 0), (300, 100, 1)):
    tap = s.firwin(taps, 0.3).astype(np.float32) if taps > 1 else np.float32([-0.75])
    x = signal(257, taps)
    wide = np.pad(x.astype(np.float64), taps, mode="edge" if border else "constant")
    full = s.lfilter(tap.astype(np.float64), 1, np.concatenate((wide, np.zeros(1))))
    add("fir", (centre, border), tap, x, full[taps + centre : taps + centre + len(x)])

for up, down, taps in ((2, 1, 9), (1, 3, 40), (3, 2, 12), (160, 147, 8), (147, 160, 10)):
    h = (up * s.firwin(up * taps, 0.9 / max(up, down))).astype(np.float32)
    centre = taps // 2
    x = signal(200, up)
    length = -(-len(x) * up // down)
    full = s.upfirdn(h.astype(np.float64), np.concatenate((x.astype(np.float64), np.zeros(2 * taps))), up, 1)
    phase = h.reshape(taps, up).T
    add("resample", (up, down, centre), phase, x, full[centre * up :][: length * down : down][:length])

for size, rank in ((1, 0), (3, 1), (5, 2), (7, 0), (9, 8), (31, 15), (33, 16), (101, 50), (101, 7)):
    x = signal(150, size)
    if rank == size // 2:
        y = scipy.ndimage.median_filter(x, size, mode="nearest")
    else:
        y = scipy.ndimage.rank_filter(x, rank, size, mode="nearest")
    add("rank", (size, rank), (), x, y)

# What needs the whole signal; the number is that of a text in test_signal_exec.
ZERO_PHASE = [
    (s.butter(8, (300, 3400), "bandpass", fs=48000, output="sos"), (500, 30)),
    (s.butter(3, 1000, fs=48000, output="sos"), (300, 5)),
    (s.ellip(5, 1, 60, 2000, "highpass", fs=48000, output="sos"), (300, 1, 2)),
    (s.tf2sos(*s.iirnotch(50, 30, fs=48000)), (300, 10, 9)),
]
for number, (sos, lengths) in enumerate(ZERO_PHASE):
    for n in lengths:
        x = signal(n, number + 1)
        sections = len(sos)
        pad = 3 * (2 * sections + 1 - min((sos[:, 2] == 0).sum(), (sos[:, 5] == 0).sum()))
        add("whole", (number,), (), x, s.sosfiltfilt(sos, x.astype(np.float64), padlen=min(pad, n - 1)))
for number, how in ((4, "linear"), (5, "constant")):
    for n in (300, 2, 1):
        x = signal(n, number) + np.float32(3) + (0.01 * np.arange(n)).astype(np.float32)
        add("whole", (number,), (), x, s.detrend(x.astype(np.float64), type=how))

for delay, own, earlier, back in ((1, 0, 1, 0), (7, 1, -0.75, 0), (7, 1, 0, 0.5), (40, 1, 0.25, -0.5), (300, 0, 1, 0)):
    x = signal(150, delay)
    b, a = np.zeros(delay + 1), np.zeros(delay + 1)
    b[0], b[delay], a[0], a[delay] = own, earlier, 1, -back
    add("comb", (delay,), (own, earlier, back), x, s.lfilter(b, a, x.astype(np.float64)))

for size in (1, 5, 31, 101):
    x = signal(150, size)
    count = scipy.ndimage.uniform_filter1d(np.ones(len(x)), size, mode="constant")
    mean = scipy.ndimage.uniform_filter1d(x.astype(np.float64) ** 2, size, mode="constant") / count
    add("rms", (size,), (), x, np.sqrt(mean))

m = np.arange(-127, 128)
tap = np.where(m % 2, 2 / (np.pi * np.where(m, m, 1)), 0) * np.kaiser(255, 6)
x = signal(300, 3)
h = scipy.ndimage.convolve1d(x.astype(np.float64), tap.astype(np.float32).astype(np.float64), mode="constant")
add("envelope", (), tap.astype(np.float32), x, np.hypot(x.astype(np.float64), h))

for size, distance, prominence, width in ((200, 1, 0, 0), (200, 1, 400, 0), (333, 7, 0, 0), (400, 20, 250, 0), (90, 3, 100, 0),
                                          (400, 1, 0, 1500), (400, 5, 200, 2250), (300, 1, 0, 40000)):
    x = signal(size, distance)
    at, found = s.find_peaks(x.astype(np.float64), distance=distance, prominence=prominence / 1000, width=width / 1000)
    add("peaks", (distance, prominence, width), (), x,
        np.stack([at, x[at].astype(np.float64), found["prominences"], found["widths"]], 1))

for n in (1, 37, 201, 333):  # none of these ranks lies half way between two
    x = signal(n, n)
    add("percents", (), (), x, np.percentile(x, (0, 1, 5, 25, 50, 75, 95, 99, 100), method="nearest"))

for n, m, most, moved, sign in ((300, 300, 50, 37, 1), (250, 400, 399, -120, 1), (400, 90, 399, 201, -1), (2, 3, 5, 1, 1)):
    whole = signal(n + m + 500, 5)  # the signal is `moved` frames later than the other one, and has noise of its own
    y = whole[250 : 250 + m] + np.float32(2)
    x = (sign * whole[250 - moved : 250 - moved + n] + np.float32(0.2) * signal(n, 9)).astype(np.float32)
    a, b = ((v - v.mean()).astype(np.float32).astype(np.float64) for v in (x.astype(np.float64), y.astype(np.float64)))
    lags = s.correlation_lags(n, m)
    r = np.where(np.abs(lags) <= most, s.correlate(a, b, method="direct"), 0) / np.sqrt((a**2).sum() * (b**2).sum())
    at = np.argmax(np.abs(r))
    add("correlate", (most,), y, x, (lags[at], r[at]))

WINDOWS = ["hann", "hamming", "blackman", ("kaiser", 8), "boxcar"]  # in the order of the stages' words
for n, size, shared, window, detrend, scaling in ((900, 64, 32, 0, "constant", "density"), (700, 100, 25, 1, False, "spectrum"),
                                                  (800, 81, 40, 2, "constant", "spectrum"), (600, 128, 64, 3, False, "density"),
                                                  (500, 97, 0, 4, False, "density"), (64, 64, 32, 0, "constant", "density")):
    x = signal(n, size)
    f, p = s.welch(x.astype(np.float64), 1000, WINDOWS[window], size, shared, detrend=detrend, scaling=scaling)
    add("welch", (size, shared, window, (not detrend) + 2 * (scaling == "spectrum")), f, x, p)

for n, size, hop, window in ((900, 64, 16, 0), (700, 100, 77, 1), (800, 81, 81, 2), (640, 128, 16, 3), (300, 33, 8, 4)):
    x = signal(n, hop)
    f, t, p = s.spectrogram(x.astype(np.float64), 1000, WINDOWS[window], size, size - hop, detrend=False, scaling="spectrum")
    add("spectrogram", (size, hop, window), (), x, p[::-1])

for taps, centre, n in ((600, 300, 4000), (1025, 0, 1500)):
    tap = s.firwin(taps, 0.3).astype(np.float32)
    x = signal(n, taps)
    full = s.oaconvolve(np.concatenate((x.astype(np.float64), np.zeros(taps))), tap.astype(np.float64))
    add("overlap", (centre,), tap, x, full[centre : centre + n])

# Gains at some frequencies; the number is that of a text in test_signal_response.
AT = np.concatenate((np.geomspace(0.7, 23900, 60), (50, 1000, 3400, 8000, 24000)))


def gain_of(b, a=1, fs=48000):
    return np.abs(s.freqz(b, a, AT, fs=fs)[1])


def gain_of_sos(sos, fs=48000):
    return np.abs(s.sosfreqz(sos, AT, fs=fs)[1])


third = s.butter(3, 1000, fs=48000, output="sos")
notch = s.tf2sos(*s.iirnotch(60, 30, fs=48000))
speech = s.butter(4, (300, 3400), "bandpass", fs=48000, output="sos")
comb = np.zeros(97)
comb[[0, 96]] = 1, 0.5
echo = np.zeros(481)
echo[[0, 480]] = 1, -0.25
for number, gains in enumerate((
    gain_of_sos(third) * gain_of_sos(notch),
    gain_of_sos(speech) ** 2,
    gain_of(s.firwin(63, 8000, fs=48000, window=("kaiser", 8)).astype(np.float32)),
    gain_of(s.firwin(1001, 500, fs=48000, window=("kaiser", 8)).astype(np.float32)),
    gain_of(comb) / gain_of(echo),
    np.where(AT > 12000, 0, gain_of_sos(s.butter(2, 3000, fs=24000, output="sos"), 24000)) * np.float32(10**-0.3),
)):
    add("gain", (number,), AT, (), gains)



def mel_bank(bands, size, low, high, htk, rate=16000):
    """Triangles over the lines of a transform: Slaney's Auditory Toolbox, and the HTK book, 5.4."""
    if htk:
        ends = 2595 * np.log10(1 + np.array((low, high)) / 700)
        edges = 700 * (10 ** (np.linspace(*ends, bands + 2) / 2595) - 1)
    else:
        step = np.log(6.4) / 27
        ends = [3 * f / 200 if f < 1000 else 15 + np.log(f / 1000) / step for f in (low, high)]
        mels = np.linspace(*ends, bands + 2)
        edges = np.where(mels < 15, 200 * mels / 3, 1000 * np.exp((mels - 15) * step))
    lines = np.arange(size // 2 + 1) * rate / size
    up = (lines - edges[:-2, None]) / np.diff(edges)[:-1, None]
    down = (edges[2:, None] - lines) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(up, down))


for n, size, hop, bands, low, high, htk in ((3000, 512, 128, 40, 0, 8000, 0), (2000, 400, 160, 23, 20, 7600, 1),
                                            (900, 101, 50, 64, 0, 8000, 0), (700, 128, 100, 1, 300, 900, 1)):
    x = signal(n, bands)
    p = s.spectrogram(x.astype(np.float64), 16000, "hann", size, size - hop, detrend=False, scaling="spectrum")[2]
    add("mel", (size, hop, bands, htk), (low, high), x, (mel_bank(bands, size, low, high, htk) @ p)[::-1])

values = np.concatenate(parts)
text = "\n".join(lines) + "\n"
if "--check" in sys.argv:
    old = np.load(HERE / "values.npy")
    same = (HERE / "signals.tsv").read_text() == text and old.shape == values.shape
    far = float(np.max(np.abs(old - values))) if same else np.inf
    print(f"{len(lines)} lines; the numbers here are at most {far:.2g} off")
    sys.exit(not far < 1e-9)
np.save(HERE / "values.npy", values)
(HERE / "signals.tsv").write_text(text)
