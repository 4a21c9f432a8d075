"""Cases of make_oracle.py: what is made of histograms, by OpenCV and, for f32, written out in float64."""

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
