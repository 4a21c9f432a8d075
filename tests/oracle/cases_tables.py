"""Cases of make_oracle.py: what is made of histograms, by OpenCV and, for f32, written out in float64."""

from fractions import Fraction

import cv2
import numpy as np

import formulas as f


def clahe_real(x, clip, across, down):
    """As OpenCV's, of 65536 bins over [min, max], whose tables are not rounded; 1 is white."""
    index, bins = f.levels_of(x, 65536)
    height, width = x.shape
    extend = (-width % across or across, -height % down or down) if width % across or height % down else (0, 0)
    wide = np.pad(index, ((0, extend[1]), (0, extend[0])), "reflect")
    th, tw = wide.shape[0] // down, wide.shape[1] // across
    tables = np.empty((down, across, bins))
    for j in range(down):
        for i in range(across):
            counts = np.bincount(wide[j * th:(j + 1) * th, i * tw:(i + 1) * tw].ravel(), minlength=bins)
            if clip > 0:
                limit = max(int(clip * th * tw / bins), 1)
                over = np.maximum(counts - limit, 0).sum()
                counts = np.minimum(counts, limit) + over // bins
                rest = over % bins
                if rest:
                    counts[:bins // rest * rest:bins // rest] += 1
            tables[j, i] = np.cumsum(counts) / (th * tw)
    u, v = np.arange(width) / tw - 0.5, np.arange(height)[:, None] / th - 0.5
    left, above = np.floor(u).astype(int), np.floor(v).astype(int)
    u, v = u - left, v - above
    columns = np.maximum(left, 0), np.minimum(left + 1, across - 1)
    rows = np.maximum(above, 0), np.minimum(above + 1, down - 1)
    a, b = (tables[rows[0], c, index] for c in columns)
    c, d = (tables[rows[1], c, index] for c in columns)
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v


def clahes(o):
    for name in ("gray8", "small8", "tiny8", "one8", "wide8", "rgb8", "rgba8", "ga8", "gray16", "rgb16", "tiny16",
                 "signal16"):
        for clip, across, down in ((2, 8, 8), (0, 3, 2), (40, 4, 5)):
            label = f"clahe{clip}_{across}x{down}"
            function = lambda x: cv2.createCLAHE(clip, (across, down)).apply(np.ascontiguousarray(x))
            o.picture(label, name, f"clahe:{clip}:tiles={across}x{down}", function, "cv2.createCLAHE", tolerance="exact")
    o.picture("clahe300_3x2", "binsf", "clahe:300:tiles=3x2", lambda x: clahe_real(x, 300, 3, 2), "formula, float64")
    o.picture("clahe0_2x2", "binsf", "clahe:0:tiles=2x2", lambda x: clahe_real(x, 0, 2, 2), "formula, float64")


def percentile(x, p):
    """numpy.percentile's nearest sample, halves going up."""
    v = np.sort(x.ravel())
    return float(v[int(p / 100 * (v.size - 1) + 0.5)])


def normalize(x, low, high):
    lo, hi = percentile(x, low), percentile(x, high)
    return np.clip((x - lo) * f.white(x) / (hi - lo), 0, f.white(x)) if hi > lo else x.astype(np.float64)


def shades(x):
    """Three classes of u8 by trying all pairs of levels, in exact fractions; scikit-image's scores are of float32."""
    counts = np.bincount(x.ravel(), minlength=256)
    n, s = np.concatenate([[0], np.cumsum(counts)]), np.concatenate([[0], np.cumsum(counts * np.arange(256))])
    worth = lambda i, j: Fraction(int(s[j] - s[i]) ** 2, int(n[j] - n[i])) if n[j] > n[i] else Fraction(0)
    first = [worth(0, i) for i in range(257)]
    last = [worth(j, 256) for j in range(257)]
    best = max(((first[i] + worth(i, j) + last[j], -j, -i) for i in range(1, 255) for j in range(i + 1, 256)))
    i, j = -best[2], -best[1]
    k = (x >= i).astype(np.int64) + (x >= j)
    return np.floor(k * f.white(x) / 2 + 0.5)


def solved(o):
    for name in ("small8", "rgba8", "signal16"):
        for low, high in ((1, 99), (0, 100), (30, 60)):
            o.picture(f"normalize{low}_{high}", name, f"normalize:low={low}:high={high}",
                      lambda x: normalize(x, low, high), "numpy.sort, formula, float64")
    for name in ("gray8", "small8", "rgb8"):
        o.picture("classes3", name, "threshold:otsu:classes=3", shades, "all pairs of levels", tolerance="exact")
