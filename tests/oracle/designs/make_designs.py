#!/usr/bin/env python3
"""Makes values.npy and designs.tsv: what SciPy designs, for the tests of filters/design.

    python3 make_designs.py            writes both beside this file
    python3 make_designs.py --check    recomputes them, and says how far the numbers here are off

Made with NumPy 1.24.2, SciPy 1.10.1 and mpmath. A line of designs.tsv: what it is, eight numbers that say how, where its
values start and how many there are. Frequencies are in cycles a sample.
"""

import math
import sys
from fractions import Fraction
from pathlib import Path

import mpmath as mp
import numpy as np
import scipy.signal as s
import scipy.signal._filter_design as fd

mp.mp.dps = 50

HERE = Path(__file__).resolve().parent
FAMILIES = ("butter", "cheby1", "cheby2", "ellip", "bessel")
KINDS = ("lowpass", "highpass", "bandpass", "bandstop")
# None has its middle at a quarter: there two poles are equally near to the circle, and rounding says which comes first.
PAIRS = ((0.05, 0.42), (0.2, 0.31), (0.0123, 0.0987), (0.31, 0.4711), (0.1, 0.1503), (0.003, 0.3))
FREQUENCIES = np.array((0.001, 0.03, 0.11, 0.2, 0.29, 0.4, 0.499))
LEVELS = ((1.0, 40.0), (0.1, 60.0), (3.0, 30.0), (0.01, 96.0), (0.5, 80.0))


class Values:
    def __init__(self):
        self.lines, self.parts, self.count = [], [], 0

    def add(self, what, how, values):
        values = np.ravel(np.asarray(values, np.float64))
        how = list(how) + [0] * (8 - len(how))
        self.lines.append("\t".join([what] + [f"{x:.17g}" for x in how] + [str(self.count), str(len(values))]))
        self.parts.append(values)
        self.count += len(values)


def elliptic(order, ripple, attenuation):
    """ellipap with 50 digits: SciPy's own is off by 1e-11 from order 11 on, where its modulus is nearly 1."""
    epsilon_square = mp.expm1(mp.log(10) * mp.mpf(ripple) / 10)
    m1 = epsilon_square / mp.expm1(mp.log(10) * mp.mpf(attenuation) / 10)
    ratio = mp.ellipk(1 - m1) / mp.ellipk(m1) / order
    m = mp.mfrom(q=mp.exp(-mp.pi * ratio))
    v = mp.ellipf(mp.atan(1 / mp.sqrt(epsilon_square)), 1 - m1) * mp.ellipk(m) / (order * mp.ellipk(m1))
    sv, cv, dv = (mp.ellipfun(f, u=v, m=1 - m) for f in ("sn", "cn", "dn"))
    z, p = [], []
    for j in range(1 - order % 2, order, 2):
        s, c, d = (mp.ellipfun(f, u=mp.ellipk(m) * j / order, m=m) for f in ("sn", "cn", "dn"))
        pole = -(c * d * sv * cv + 1j * s * dv) / (1 - (d * sv) ** 2)
        p += [pole, mp.conj(pole)] if j else [pole]
        z += [1j / (mp.sqrt(m) * s), -1j / (mp.sqrt(m) * s)] if j else []
    gain = mp.re(mp.fprod(-x for x in p) / mp.fprod(-x for x in z))
    gain = gain if order % 2 else gain / mp.sqrt(1 + epsilon_square)
    return np.array([complex(x) for x in z]), np.array([complex(x) for x in p]), float(gain)


SCIPYS = fd.ellipap
fd.ellipap = lambda *how: (elliptic if how[0] > 10 else SCIPYS)(*how)
fd.filter_dict["elliptic"] = [fd.ellipap]


def design(family, kind, order, edges, ripple, attenuation):
    edges = [2 * e for e in edges] if "band" in kind else 2 * edges[0]
    if family == "butter":
        return s.butter(order, edges, kind, output="sos")
    if family == "cheby1":
        return s.cheby1(order, ripple, edges, kind, output="sos")
    if family == "cheby2":
        return s.cheby2(order, attenuation, edges, kind, output="sos")
    if family == "ellip":
        return s.ellip(order, ripple, attenuation, edges, kind, output="sos")
    return s.bessel(order, edges, kind, output="sos")


def iir(v):
    def add(family, kind, order, edges, levels):
        sos = design(family, kind, order, edges, *levels)
        how = (FAMILIES.index(family), KINDS.index(kind), order, *edges, *levels)
        v.add("iir", how, np.delete(sos, 3, axis=1))
        if len(v.lines) % 10 == 0:
            v.add("steady", how, s.sosfilt_zi(sos))
            v.add("gain", how, [(h.real, h.imag) for h in s.sosfreqz(sos, 2 * np.pi * FREQUENCIES)[1]])

    for family in FAMILIES:
        for kind in KINDS:
            for order in range(1, 13):
                for turn in range(2):
                    edges = PAIRS[(order + 3 * turn + KINDS.index(kind)) % len(PAIRS)]
                    add(family, kind, order, edges, LEVELS[(order + turn) % len(LEVELS)])
            for order in (15, 20):
                add(family, kind, order, (0.11, 0.32), LEVELS[order % len(LEVELS)])
            for order, edges in ((2, (0.1, 0.1001)), (3, (0.25, 0.2503)), (4, (0.00021, 0.00023))):  # high Q
                add(family, kind, order, edges, (1.0, 40.0))
            add(family, kind, 4, (0.4985, 0.4991), (1.0, 40.0))


def cookbook(kind, frequency, q, gain):
    """Peak and shelves as R. Bristow-Johnson's "Audio EQ Cookbook" writes them."""
    a, w = 10 ** (gain / 40), 2 * np.pi * frequency
    alpha, c, root = np.sin(w) / (2 * q), np.cos(w), 2 * np.sqrt(a)
    if kind == 1:
        row = (1 + alpha * a, -2 * c, 1 - alpha * a, 1 + alpha / a, -2 * c, 1 - alpha / a)
    elif kind == 2:
        row = (a * (a + 1 - (a - 1) * c + root * alpha), 2 * a * (a - 1 - (a + 1) * c),
               a * (a + 1 - (a - 1) * c - root * alpha), a + 1 + (a - 1) * c + root * alpha,
               -2 * (a - 1 + (a + 1) * c), a + 1 + (a - 1) * c - root * alpha)
    else:
        row = (a * (a + 1 + (a - 1) * c + root * alpha), -2 * a * (a - 1 + (a + 1) * c),
               a * (a + 1 + (a - 1) * c - root * alpha), a + 1 - (a - 1) * c + root * alpha,
               2 * (a - 1 - (a + 1) * c), a + 1 - (a - 1) * c - root * alpha)
    return np.array(row)[[0, 1, 2, 4, 5]] / row[3]


def equalisers(v):
    for frequency, q, gain in ((0.1, 0.7, 6), (0.003, 12, -9), (0.37, 1.9, 14.5), (0.4991, 30, -3), (50 / 48000, 30, 20)):
        b, a = s.iirnotch(2 * frequency, q)
        v.add("equaliser", (0, frequency, q, gain), (*b, *a[1:]))
        for kind in (1, 2, 3):
            v.add("equaliser", (kind, frequency, q, gain), cookbook(kind, frequency, q, gain))
    for rate in (44100, 48000, 192000):
        w = 2 * np.pi * np.array((20, 100, 1000, 4000, 10000, 16000, 20000)) / rate
        f = 2 * np.pi * np.array((20.598997, 20.598997, 12194.217, 12194.217, 107.65265, 737.86223))
        for kind, poles in enumerate((f, f[:4])):
            zpk = s.bilinear_zpk(np.zeros(len(poles) - 2), -poles, 1.0, rate)
            h, one = (s.freqz_zpk(*zpk, at)[1] for at in (w, [2 * np.pi * 1000 / rate]))
            v.add("weighting", (kind, rate), 20 * np.log10(abs(h) / abs(one)))


TAPERS = ("boxcar", "hann", "hamming", "blackman", "blackmanharris")


def savgol(window, order, derivative):
    """savgol_coeffs in fractions: SciPy's own are off by up to 2e-10 from order 5 on."""
    x = [Fraction(2 * i - window + 1, 2) for i in range(window)]
    rows = [[sum(v ** (i + j) for v in x) for j in range(order + 1)] for i in range(order + 1)]
    rows = [row + [Fraction(math.factorial(i) if i == derivative else 0)] for i, row in enumerate(rows)]
    for i in range(order + 1):
        pivot = next(r for r in range(i, order + 1) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [a / rows[i][i] for a in rows[i]]
        rows = [row if r == i else [a - row[i] * b for a, b in zip(row, rows[i])] for r, row in enumerate(rows)]
    own = np.array([float(sum(row[-1] * v**k for k, row in enumerate(rows))) for v in x])
    theirs = s.savgol_coeffs(window, order, derivative, use="dot")
    assert np.max(abs(own - theirs)) <= 1e-9 * np.max(abs(theirs)) + 1e-15
    return own


def fir(v):
    for count in (1, 2, 9, 32):
        for periodic in (0, 1):
            for kind, name in enumerate(TAPERS):
                v.add("taper", (kind, 0, periodic, count), s.get_window(name, count, fftbins=bool(periodic)))
            for beta in (0, 5.65, 14):
                v.add("taper", (5, beta, periodic, count), s.get_window(("kaiser", beta), count, fftbins=bool(periodic)))
    for n, taps in enumerate((1, 21, 63, 20, 101)):
        for kind, name in enumerate(KINDS):
            edges = PAIRS[(n + kind) % len(PAIRS)]
            if taps % 2 == 0 and kind in (1, 3):
                continue
            for taper, beta in ((n, 0), (5, 8.6)):
                window = ("kaiser", beta) if taper == 5 else TAPERS[taper]
                cut = [2 * e for e in edges] if kind > 1 else 2 * edges[0]
                how = (kind, taps, *edges, taper, beta)
                v.add("fir", how, s.firwin(taps, cut, window=window, pass_zero=name, scale=True))
    for attenuation in (12, 21, 30, 50, 60, 134.5):
        for width in (0.002, 0.07):
            v.add("kaiser", (attenuation, width), s.kaiserord(attenuation, 2 * width))
    for window, order in ((1, 0), (5, 2), (9, 3), (21, 3), (8, 2), (31, 7)):
        for derivative in range(0, min(order + 2, 4)):
            v.add("savgol", (window, order, derivative, (window - 1) / 2), savgol(window, order, derivative))
    for window, order, derivative in ((5, 2, 0), (11, 3, 0), (11, 3, 1), (7, 4, 2)):
        rows = s.savgol_filter(np.eye(window), window, order, derivative, axis=0, mode="interp")
        for at, row in enumerate(rows):
            v.add("savgol", (window, order, derivative, at), row)


def main():
    v = Values()
    iir(v)
    equalisers(v)
    fir(v)
    values, index = np.concatenate(v.parts), "\n".join(v.lines) + "\n"
    print(f"NumPy {np.__version__}, SciPy {scipy_version()}: {len(v.lines)} cases, {len(values)} values")
    if "--check" in sys.argv:
        here = np.load(HERE / "values.npy")
        same = (HERE / "designs.tsv").read_text() == index
        off = np.max(np.abs(here - values)) if len(here) == len(values) else np.inf
        print(f"index {'equal' if same else 'differs'}, values off by at most {off:.3g}")
        return 0 if same and off < 1e-11 else 1
    np.save(HERE / "values.npy", values)
    (HERE / "designs.tsv").write_text(index)
    return 0


def scipy_version():
    import scipy

    return scipy.__version__


if __name__ == "__main__":
    sys.exit(main())
