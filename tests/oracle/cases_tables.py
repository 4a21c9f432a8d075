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


def palette_of(x, colours):
    """Boxes of cells cut at their means, then eight rounds of k-means over the cells' means, in exact integers."""
    channels = x.shape[2]
    bits = np.array([5] * 3 + [3] if channels > 2 else [8, 3])[:channels]
    places, of = np.unique(x.reshape(-1, channels) >> (8 - bits), axis=0, return_inverse=True)
    order = np.lexsort(places.T)  # ties go by boxes and channels alone, so that any order of cells would do
    places = places[order].astype(np.int64)
    of = np.argsort(order)[of.ravel()]
    n = np.bincount(of)
    sums = np.stack([np.bincount(of, x.reshape(-1, channels)[:, c]) for c in range(channels)], 1).astype(np.int64)
    rounded = lambda total, count: (2 * total + count) // (2 * count)
    boxes = [np.arange(len(n))]
    while len(boxes) < colours:
        sides = [np.ptp(places[box], axis=0) << (8 - bits) for box in boxes]
        scores = np.array([n[box].sum() * side ** 2 for box, side in zip(boxes, sides)])
        which, c = np.unravel_index(scores.argmax(), scores.shape)
        if scores[which, c] == 0:
            break
        box = boxes[which]
        stays = places[box, c] <= (n[box] * places[box, c]).sum() // n[box].sum()
        boxes[which] = box[stays]
        boxes.append(box[~stays])
    palette = np.array([rounded(sums[box].sum(0), n[box].sum()) for box in boxes])
    means = rounded(sums, n[:, None])
    for _ in range(8):
        nearest = ((means[:, None] - palette) ** 2).sum(-1).argmin(1)
        for i in np.unique(nearest):
            palette[i] = rounded(sums[nearest == i].sum(0), n[nearest == i].sum())
    return palette


def diffused(x, palette):
    """Floyd and Steinberg's errors, pixel by pixel, pushed to the neighbours to come in sixteenths."""
    h, w, channels = x.shape
    n = channels - (channels % 2 == 0)
    errors, out = np.zeros((h + 1, w + 2, n), np.int64), np.empty_like(x)
    for y in range(h):
        for i in range(w):
            v = x[y, i].astype(np.int64)
            v[:n] = np.clip(v[:n] + (errors[y, i + 1] + 8 >> 4), 0, 255)
            out[y, i] = palette[((palette - v) ** 2).sum(-1).argmin()]
            lacks = v[:n] - out[y, i, :n]
            for down, right, part in ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)):
                errors[y + down, i + 1 + right] += part * lacks
    return out


def quantized(o):
    bayer = np.array([[0]])
    while len(bayer) < 8:
        bayer = np.block([[4 * bayer, 4 * bayer + 2], [4 * bayer + 3, 4 * bayer + 1]])
    for name, colours in (("gray8", 5), ("rgb8", 7), ("rgba8", 9), ("ga8", 256), ("disc8", 4)):
        x = o.inputs[name]
        pixels = x.reshape(*x.shape[:2], -1)
        palette = palette_of(pixels, colours)
        n = pixels.shape[2] - (pixels.shape[2] % 2 == 0)
        moved = pixels.astype(np.int64)
        offsets = (2 * np.tile(bayer, (9, 9))[: x.shape[0], : x.shape[1], None] - 63) * 90 // 128
        moved[..., :n] = np.clip(moved[..., :n] + offsets, 0, 255)
        nearest = lambda v: palette[((v[:, :, None] - palette) ** 2).sum(-1).argmin(-1)].astype(np.uint8)
        for label, stages, made in (
            ("none", "dither=none", nearest(pixels.astype(np.int64))),
            ("ordered", "dither=ordered:spread=90", nearest(moved)),
            ("floyd", "dither=floyd", diffused(pixels, palette)),
        ):
            o.add(f"quantize_{label}", name, f"quantize:{colours}:{stages}", "picture", made.reshape(x.shape), "exact",
                  "NumPy, cells, boxes and errors one by one")
