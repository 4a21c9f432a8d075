"""Rows of stages along time, beside SciPy and NumPy: the second table of docs/peers.md."""
import tempfile

import numpy as np
from compare import Row, difference, run, verdict
from scipy import integrate, ndimage
from scipy import signal as s

RATE = 48000
HEAD = """
## Signals

The same of two tones with noise at 48 kHz, 20 000 frames of f32, beside SciPy and NumPy in f64, rounded to f32 last. The
greatest difference is a part of the greatest frame; **rounded otherwise** is at most 1e-6 of it. tests/oracle/signals
compares kernels with SciPy in more ways.

| stage | beside | | greatest difference | frames that differ |
|---|---|---|---|---|
"""


def tones(seed):
    """As tests/oracle/signals/make_signals.py has them."""
    t = np.arange(20000)
    noise = (((t + 1) * 2654435761 * (2 * seed + 1)) % 4294967296) / 2147483648 - 1
    return (0.4 * np.sin(0.05 * t + seed) + 0.2 * np.sin(1.3 * t) + 0.3 * noise + 0.1).astype(np.float32)


X, BESIDE = tones(1), np.roll(tones(1), -100) + tones(2) / 4


def sos(x, design):
    return s.sosfilt(design, x)


def peaks(x):
    at, found = s.find_peaks(x, height=0.3, distance=20, prominence=float(np.float32(0.2)), width=3)
    return np.stack([at, found["prominences"], found["widths"] / RATE], axis=1)


def crossings(x):
    at = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    return at - x[at] / (x[at + 1] - x[at])


def correlate(x, y):
    x, y = x - x.mean(), y - y.mean()
    r = s.correlate(x, y) / np.sqrt((x**2).sum() * (y**2).sum())
    r[np.abs(s.correlation_lags(len(x), len(y))) > 240] = 0
    return [s.correlation_lags(len(x), len(y))[np.abs(r).argmax()], r[np.abs(r).argmax()]]


def spectrogram(x):
    return s.spectrogram(x, RATE, "hann", 1024, 768, detrend=False, scaling="spectrum")[2][::-1]


def comb(x):
    return s.lfilter([1] + 99 * [0] + [0.5], 1, x)


def part(share):
    return "0" if share == 0 else f"{100 * share:.2g} %" if share < 0.995 else "all"


def row(stages, call, theirs, why="", result=None, beside=None):
    return Row(stages, "", call, theirs, why, result, beside)


ROWS = [
    row("lowpass:1kHz:order=6", "sosfilt(butter(6, 1000, output='sos', fs=48000), x)",
        lambda x: sos(x, s.butter(6, 1000, output="sos", fs=RATE))),
    row("highpass:2kHz:type=elliptic:order=5", "sosfilt(ellip(5, 1, 60, 2000, 'highpass', output='sos', fs=48000), x)",
        lambda x: sos(x, s.ellip(5, 1, 60, 2000, "highpass", output="sos", fs=RATE))),
    row("bandpass:300Hz-3.4kHz:phase=zero", "sosfiltfilt(butter(4, (300, 3400), 'bandpass', output='sos', fs=48000), x)",
        lambda x: s.sosfiltfilt(s.butter(4, (300, 3400), "bandpass", output="sos", fs=RATE), x)),
    row("notch:50Hz:q=30", "lfilter(*iirnotch(50, 30, 48000), x)", lambda x: s.lfilter(*s.iirnotch(50, 30, RATE), x)),
    row("comb:frames=100:gain=0.5", "lfilter([1] + 99 * [0] + [0.5], 1, x)", comb),
    row("fir:lowpass=1kHz:window=hamming", "convolve(x, firwin(255, 1000, fs=48000), 'same')",
        lambda x: s.convolve(x, s.firwin(255, 1000, fs=RATE), "same")),
    row("fir:lowpass=1kHz:window=hamming:centre=0", "lfilter(firwin(255, 1000, fs=48000), 1, x)",
        lambda x: s.lfilter(s.firwin(255, 1000, fs=RATE), 1, x)),
    row("fir:lowpass=1kHz:window=hamming:taps=1023", "oaconvolve(x, firwin(1023, 1000, fs=48000), 'same')",
        lambda x: s.oaconvolve(x, s.firwin(1023, 1000, fs=RATE), "same")),
    row("fir:[1 2 3 2 1]:centre=0", "upfirdn([1, 2, 3, 2, 1], x)[:20000]", lambda x: s.upfirdn([1, 2, 3, 2, 1], x)[:20000]),
    row("savgol:21:order=3", "savgol_filter(x, 21, 3, mode='nearest')", lambda x: s.savgol_filter(x, 21, 3, mode="nearest")),
    row("savgol:21:order=3", "savgol_filter(x, 21, 3)", lambda x: s.savgol_filter(x, 21, 3),
        "mode='interp', the last polynomial goes on to the ends"),
    row("detrend", "detrend(x)", s.detrend),
    row("detrend:constant", "detrend(x, type='constant')", lambda x: s.detrend(x, type="constant")),
    row("median:3", "ndimage.median_filter(x, 7, mode='nearest')", lambda x: ndimage.median_filter(x, 7, mode="nearest")),
    row("median:3", "medfilt(x, 7)", lambda x: s.medfilt(x, 7), "zeros beyond the ends"),
    row("blur:8:radius=32", "ndimage.gaussian_filter1d(x, 8, mode='nearest')",
        lambda x: ndimage.gaussian_filter1d(x, 8, mode="nearest")),
    row("resample:32kHz", "resample_poly(x, 2, 3)", lambda x: s.resample_poly(x, 2, 3),
        "a shorter filter, which is 6 dB down at half the new rate"),
    row("decimate:4", "decimate(x, 4, ftype='fir')", lambda x: s.decimate(x, 4, ftype="fir"), "another filter"),
    row("integrate", "integrate.cumulative_trapezoid(x, dx=1 / 48000, initial=0) + x[0] / 96000",
        lambda x: integrate.cumulative_trapezoid(x, dx=1 / RATE, initial=0) + x[0] / 2 / RATE),
    row("differentiate", "numpy.gradient(x, 1 / 48000)", lambda x: np.gradient(x, 1 / RATE), "whole differences at the ends"),
    row("envelope", "abs(hilbert(x))", lambda x: np.abs(s.hilbert(x)), "a transformer as long as the signal"),
    row("rms:frames=101", "sqrt(ndimage.uniform_filter1d(x**2, 101, mode='constant'))",
        lambda x: np.sqrt(ndimage.uniform_filter1d(x**2, 101, mode="constant")), "frames outside count as zeros"),
    row("delay:frames=100", "concatenate((zeros(100), x))[:20000]", lambda x: np.concatenate((np.zeros(100), x))[:20000]),
    row("peaks:0.2:min=0.3:distance=20:width=3", "find_peaks(x, 0.3, distance=20, prominence=0.2, width=3)", peaks,
        result=lambda found: [[p["frame"], p["prominence"], p["width_s"]] for p in found["peaks"]]),
    row("crossings", "at - x[at] / (x[at + 1] - x[at]), at where x < 0 comes before x >= 0", crossings,
        result=lambda found: [c["frame"] for c in found["crossings"]]),
    row("percentiles:[0 1 5 50 90 100]", "percentile(x, (0, 1, 5, 50, 90, 100), method='nearest')",
        lambda x: np.percentile(x, (0, 1, 5, 50, 90, 100), method="nearest"), result=lambda found: found["value"][0]),
    row("stats", "x.mean(), x.std()", lambda x: [x.mean(), x.std()],
        result=lambda found: [found["mean"][0], found["stddev"][0]]),
    row("correlate:beside:frames=240", "correlate(x - x.mean(), y - y.mean()), where it is greatest in size", correlate,
        result=lambda found: [found["frames"][0], found["coefficient"][0]], beside=BESIDE),
    row("spectrum:256", "welch(x, 48000)[1]", lambda x: s.welch(x, RATE)[1],
        result=lambda found: [line["power"] for line in found["spectrum"]]),
    row("spectrum:1000:window=blackman:scaling=power:detrend=none",
        "welch(x, 48000, 'blackman', 1000, detrend=False, scaling='spectrum')[1]",
        lambda x: s.welch(x, RATE, "blackman", 1000, detrend=False, scaling="spectrum")[1],
        result=lambda found: [line["power"] for line in found["spectrum"]]),
    row("spectrogram:scale=power", "spectrogram(x, 48000, 'hann', 1024, 768, detrend=False, scaling='spectrum')[2][::-1]",
        spectrogram),
    row("spectrogram:scale=magnitude", "abs(stft(x, 48000, 'hann', 1024, 768, boundary=None, padded=False)[2])[::-1]",
        lambda x: np.abs(s.stft(x, RATE, "hann", 1024, 768, boundary=None, padded=False)[2])[::-1],
        "half of a tone's peak, and not its rms"),
]
OTHERS = """
`lowpass` stands for the other filters of sections but `weighting` and `deemphasis`. Nobody there has those, `loudness`
(tests/signal/test_signal_measure.c: the signals of EBU Tech 3341 and 3342), `gate`, `fade` or `dither`; `mix` is a
product of matrices. `spectrogram:mel=` is a product of a matrix and a spectrogram, which librosa has and these have not
(tests/oracle/signals).
"""


def document(program):
    text = HEAD
    for line in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            ours = run(program, line.stages, X, folder, line.beside, line.result is not None, ("--rate", str(RATE)))
        both = [X.astype(np.float64)] + ([] if line.beside is None else [line.beside.astype(np.float64)])
        theirs = np.asarray(line.theirs(*both))
        ours = np.asarray(ours if line.result is None else line.result(ours), theirs.dtype)
        theirs = theirs if line.result else theirs.astype(np.float32)
        greatest, share = difference(ours, theirs, 1 / np.abs(theirs).max())
        said = verdict(line, greatest * 1e6)
        said += f": {line.why}" if line.why else ""
        text += f"| `{line.stages}` | `{line.call}` | {said} | {greatest:.1g} | {part(share)} |\n"
    return text + OTHERS
