"""The expected values: one function a stage, each on float64 or exact integers, from an outside library.

Every function takes one channel (height, width) in its own depth and returns float64 in sample units, not
yet rounded to the depth. A second opinion is asked of another library or of a plain formula and handed to
`agree`, which keeps the largest difference for the printed table.
"""

from fractions import Fraction
from math import floor

import cv2
import numpy as np
import scipy.ndimage as ndi
import skimage.filters
import skimage.measure
from PIL import Image

from pictures import WHITE

BORDERS = ("replicate", "reflect101", "reflect", "wrap", "constant")
SCIPY = dict(replicate="nearest", reflect101="mirror", reflect="reflect", wrap="wrap", constant="constant")
NUMPY = dict(replicate="edge", reflect101="reflect", reflect="symmetric", wrap="wrap", constant="constant")
OPENCV = dict(replicate=cv2.BORDER_REPLICATE, reflect101=cv2.BORDER_REFLECT_101, reflect=cv2.BORDER_REFLECT)

agreements = {}  # what is compared -> [comparisons, largest difference, largest fraction differing]


def agree(what, a, b):
    """Notes how far two opinions on the same samples lie apart, in sample units."""
    difference = np.abs(np.asarray(a, np.float64) - np.asarray(b, np.float64))
    entry = agreements.setdefault(what, [0, 0.0, 0.0])
    entry[0] += 1
    entry[1] = max(entry[1], float(difference.max()))
    entry[2] = max(entry[2], float(np.mean(difference > 0)))


def white(x):
    return WHITE[x.dtype]


def rounded(v, dtype):
    """Real values in sample units as samples of a depth: clamped and rounded half to even."""
    dtype = np.dtype(dtype)
    return v.astype(dtype) if dtype.kind == "f" else np.rint(np.clip(v, 0, WHITE[dtype])).astype(dtype)


# Windows -------------------------------------------------------------------------------------------------


def padded(x, up, left, border, fill):
    more = dict(constant_values=fill) if border == "constant" else {}
    return np.pad(x.astype(np.float64), ((up, up), (left, left)), NUMPY[border], **more)


def separable(x, weights, border, fill):
    """The plain definition: the picture extended by the border mode, each axis a sum of shifted copies."""
    r = len(weights) // 2
    p = padded(x, r, r, border, fill)
    rows = sum(w * p[:, i : i + x.shape[1]] for i, w in enumerate(weights))
    return sum(w * rows[i : i + x.shape[0]] for i, w in enumerate(weights))


def gaussian(x, sigma, radius, border="replicate", fill=0.0):
    v = x.astype(np.float64)
    out = ndi.gaussian_filter(v, sigma, mode=SCIPY[border], cval=fill, radius=radius)
    taps = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    agree("blur: scipy, plain formula", out, separable(x, taps / taps.sum(), border, fill))
    if border in OPENCV and radius < min(x.shape):
        size = (2 * radius + 1, 2 * radius + 1)
        other = cv2.GaussianBlur(v, size, sigma, borderType=OPENCV[border])
        agree("blur: scipy, cv2.GaussianBlur f64", out, other)
    return out


def box(x, radius, border="replicate", fill=0.0):
    v, size = x.astype(np.float64), 2 * radius + 1
    out = ndi.uniform_filter(v, size, mode=SCIPY[border], cval=fill)
    agree("box: scipy, plain formula", out, separable(x, np.full(size, 1.0 / size), border, fill))
    if border in OPENCV and radius < min(x.shape):
        agree("box: scipy, cv2.blur f64", out, cv2.blur(v, (size, size), borderType=OPENCV[border]))
    return out


def rank(x, radius, index, border="replicate", fill=0.0):
    size = 2 * radius + 1
    shape = (1 if x.shape[0] == 1 else size, size)  # a signal has one row
    out = ndi.rank_filter(x, index, size=shape, mode=SCIPY[border], cval=fill)
    if border == "replicate" and 2 * index == shape[0] * size - 1:
        agree("median: scipy rank_filter, median_filter", out, ndi.median_filter(x, size=shape, mode="nearest"))
        if size <= 5 and x.shape[0] > 1:
            agree("median: scipy, cv2.medianBlur", out, cv2.medianBlur(x, size))
    return out


def sauvola(x, radius, k, spread, border="replicate", fill=0.0):
    size = 2 * radius + 1
    rows = 0 if x.shape[0] == 1 else radius  # a signal has one row
    v = padded(x.astype(np.float64), rows, radius, border, fill)
    level = skimage.filters.threshold_sauvola(v, (2 * rows + 1, size), k, spread * white(x))
    return threshold(x, level[rows:rows + x.shape[0], radius:radius + x.shape[1]])


def bilateral(x, sigma, spread, radius, border="replicate", fill=0.0):
    """x: all channels that count, (height, width) or (height, width, channels)."""
    v = x.astype(np.float64).reshape(x.shape[:2] + (-1,))
    p = np.stack([padded(v[..., c], radius, radius, border, fill) for c in range(v.shape[2])], axis=-1)
    norm, total = np.zeros(x.shape[:2]), np.zeros(v.shape)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            if dx * dx + dy * dy <= radius * radius:
                at = p[radius + dy :, radius + dx :][: x.shape[0], : x.shape[1]]
                apart = np.abs(at - v).sum(axis=-1)
                w = np.exp(-(dx * dx + dy * dy) / (2 * sigma**2) - apart**2 / (2 * spread**2))
                norm += w
                total += w[..., None] * at
    out = (total / norm[..., None]).reshape(x.shape)
    if border in OPENCV and radius < min(x.shape[:2]) and v.shape[2] in (1, 3) and x.dtype != np.uint16:
        other = cv2.bilateralFilter(x, 2 * radius + 1, spread, sigma, borderType=OPENCV[border])
        agree(f"bilateral: plain formula, cv2 {x.dtype}", rounded(out, x.dtype) if x.dtype.kind == "u" else out, other)
    return out


def canny(x, low, high):
    """u8; low, high in levels. Canny's stripes by one thread and by several."""
    out = cv2.Canny(x, low, high, L2gradient=True)
    cv2.setNumThreads(1)
    agree("canny: cv2.Canny on one thread", out, cv2.Canny(x, low, high, L2gradient=True))
    cv2.setNumThreads(-1)
    return out


def gradient(x, name, axis, border="replicate", fill=0.0):
    """Along x or y: scikit-image's filters of that name, and OpenCV's where it has them."""
    v, mode = x.astype(np.float64), SCIPY[border]
    smooth = {"sobel": [1, 2, 1], "scharr": [3, 10, 3], "prewitt": [1, 1, 1]}[name]
    weights = np.outer(np.array(smooth) / sum(smooth), [-1, 0, 1])
    out = ndi.correlate(v, weights if axis == "x" else weights.T, mode=mode, cval=fill)
    more = dict(cval=fill) if border == "constant" else {}
    other = getattr(skimage.filters, name)(v, axis=1 if axis == "x" else 0, mode=mode, **more)
    agree(f"{name}: scipy, skimage", out, other)
    if border in OPENCV and name == "scharr":
        other = cv2.Scharr(v, cv2.CV_64F, int(axis == "x"), int(axis == "y"), borderType=OPENCV[border]) / 16
        agree("scharr: scipy, cv2.Scharr / 16", out, other)
    return out


def shown(v, x, negative):
    """Signed results as the words of negative= say, before rounding."""
    white = {"u": np.iinfo(x.dtype).max if x.dtype.kind == "u" else 1, "f": 1}[x.dtype.kind]
    v = {"absolute": abs(v), "offset": v / 2 + white / 2, "keep": v}[negative]
    return np.clip(v, 0, white) if x.dtype.kind == "u" else v


def angle(x, name, border="replicate", fill=0.0):
    white = np.iinfo(x.dtype).max if x.dtype.kind == "u" else 1
    gx, gy = (gradient(x, name, axis, border, fill) for axis in "xy")
    return np.arctan2(gy, gx) / (2 * np.pi) % 1 * white


def conv(x, kernel, border="replicate", fill=0.0):
    """Even sides: the pixel lies left of and above the middle."""
    origin = [-1 if side % 2 == 0 else 0 for side in kernel.shape]
    v = x.astype(np.float64)
    out = ndi.correlate(v, kernel, mode=SCIPY[border], cval=fill, origin=origin)
    if border in OPENCV:
        anchor = tuple((side - 1) // 2 for side in kernel.shape[::-1])
        other = cv2.filter2D(v, cv2.CV_64F, kernel, anchor=anchor, borderType=OPENCV[border])
        agree("conv: scipy.ndimage.correlate, cv2.filter2D", out, other)
    return np.clip(out, 0, np.iinfo(x.dtype).max) if x.dtype.kind == "u" else out


def laplacian(x, border="replicate", fill=0.0):
    return ndi.laplace(x.astype(np.float64), mode=SCIPY[border], cval=fill)


def sobel(x, border="replicate", fill=0.0):
    v, smooth, edge = x.astype(np.float64), np.array([1, 2, 1]) / 4, np.array([-1, 0, 1])
    gx = ndi.correlate(v, np.outer(smooth, edge), mode=SCIPY[border], cval=fill)
    gy = ndi.correlate(v, np.outer(edge, smooth), mode=SCIPY[border], cval=fill)
    out = np.sqrt((gx * gx + gy * gy) / 2)
    more = dict(cval=fill) if border == "constant" else {}
    agree("sobel: scipy, skimage", out, skimage.filters.sobel(v, mode=SCIPY[border], **more))
    if border in OPENCV:
        cx = cv2.Sobel(v, cv2.CV_64F, 1, 0, ksize=3, borderType=OPENCV[border]) / 4
        cy = cv2.Sobel(v, cv2.CV_64F, 0, 1, ksize=3, borderType=OPENCV[border]) / 4
        agree("sobel: scipy, cv2.Sobel / 4", out, np.sqrt((cx * cx + cy * cy) / 2))
    return out


def disk(radius):
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return (x * x + y * y <= radius * radius).astype(int)


def morphology(x, stage, footprint, border, fill):
    """Erosion and dilation as SciPy has them, which turns the footprint of a dilation; of even sides the pixel lies left
    of and above the middle."""
    footprint = np.array(footprint)
    if x.shape[0] == 1:
        footprint = footprint[(footprint.shape[0] - 1) // 2 :][:1]
    origin = tuple(-(side % 2 == 0) for side in footprint.shape)
    how = dict(footprint=footprint, mode=SCIPY[border], cval=fill, origin=origin)
    least, greatest = (lambda v: ndi.grey_erosion(v, **how)), (lambda v: ndi.grey_dilation(v, **how))
    v = x.astype(np.float64)
    made = dict(erode=lambda: least(v), dilate=lambda: greatest(v), open=lambda: greatest(least(v)),
                close=lambda: least(greatest(v)), tophat=lambda: v - greatest(least(v)),
                blackhat=lambda: least(greatest(v)) - v)[stage]()
    if border == "replicate" and stage in ("erode", "dilate") and footprint.shape[0] % 2 and footprint.shape[1] % 2:
        named = cv2.erode if stage == "erode" else cv2.dilate
        kernel = footprint if stage == "erode" else footprint[::-1, ::-1]
        if footprint[(footprint.shape[0] - 1) // 2, (footprint.shape[1] - 1) // 2]:
            agree("erode, dilate: SciPy and OpenCV", made, named(v, kernel.astype(np.uint8)))
    return made


# Points --------------------------------------------------------------------------------------------------


def gray(x):
    """BT.601 from three channels."""
    out = x.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
    other = cv2.cvtColor(np.ascontiguousarray(x), cv2.COLOR_RGB2GRAY)
    agree(f"gray {x.dtype}: formula, cv2.cvtColor", rounded(out, x.dtype), other)
    return out


def invert(x):
    return white(x) - x.astype(np.float64)


def brightness(x, amount):
    return clamped(x.astype(np.float64) + amount * white(x), x.dtype)


def contrast(x, factor):
    half = white(x) / 2
    return clamped(half + factor * (x.astype(np.float64) - half), x.dtype)


def gamma(x, value):
    return white(x) * (x.astype(np.float64) / white(x)) ** (1.0 / value)


def threshold(x, level):
    """White where the sample is above `level`, in sample units."""
    return np.where(x.astype(np.float64) > level, white(x), 0.0)


def convert(x, dtype):
    """Scaled by the quotient of the full scales: times 257 from u8 to u16."""
    return clamped(x.astype(np.float64) * (WHITE[np.dtype(dtype)] / white(x)), dtype)


def clamped(v, dtype):
    """Integer depths saturate; float32 keeps values beyond [0, 1]."""
    return v if np.dtype(dtype).kind == "f" else np.clip(v, 0, WHITE[np.dtype(dtype)])


# Histograms ----------------------------------------------------------------------------------------------


def levels_of(x, bins_f32):
    """Bin of each sample and number of bins: one a value for integers, equal bins of [min, max] for f32."""
    if x.dtype.kind == "u":
        return x.astype(np.int64), int(WHITE[x.dtype]) + 1
    v = x.astype(np.float64)
    position = (v - v.min()) * (bins_f32 / (v.max() - v.min()))
    return np.minimum(np.floor(position).astype(np.int64), bins_f32 - 1), bins_f32


def equalize(x):
    """round((cdf - cdf_min) max / (N - cdf_min)) before the rounding; a channel of one value is kept."""
    index, bins = levels_of(x, 65536)
    cdf = np.cumsum(np.bincount(index.ravel(), minlength=bins))
    first = cdf[index.min()]
    if first == x.size:
        return x.astype(np.float64)
    out = (cdf[index] - first) * white(x) / (x.size - first)
    if x.dtype == np.uint8:
        agree("equalize u8: formula, cv2.equalizeHist", rounded(out, x.dtype), cv2.equalizeHist(x))
    return out


def best_split(counts):
    """The lowest k that maximises the variance between bins <= k and bins > k, in exact integers."""
    total, moment = int(counts.sum()), int(counts @ np.arange(len(counts)))
    best, k, below, sum_below = Fraction(-1), 0, 0, 0
    for i in np.flatnonzero(counts):  # empty bins only repeat a value: they never win a tie
        below, sum_below = below + int(counts[i]), sum_below + int(counts[i]) * int(i)
        if below == total:
            break
        variance = Fraction((sum_below * total - moment * below) ** 2, below * (total - below))
        if variance > best:
            best, k = variance, int(i)
    return k


def otsu(x):
    """(level as skimage gives it, upper edge of the level's bin), in sample units."""
    index, bins = levels_of(x, 256)
    k = best_split(np.bincount(index.ravel(), minlength=bins))
    outside = float(skimage.filters.threshold_otsu(x, nbins=256))
    if x.dtype.kind == "u":
        agree(f"otsu {x.dtype} level: exact integers, skimage", k, outside)
        level, _ = cv2.threshold(x, 0, white(x), cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        agree(f"otsu {x.dtype} level: exact integers, cv2", k, level)
        return float(k), float(k)
    low, width = float(x.min()), (float(x.max()) - float(x.min())) / 256
    agree("otsu float32 level: bin centre, skimage", low + (k + 0.5) * width, outside)
    return low + (k + 0.5) * width, low + (k + 1) * width


def histogram(x, bins=256, low=0.0, high=1.0):
    """bins counts, then below, above and NaN. The bounds are fractions of full scale; the last bin holds its
    upper edge. Integers are binned in exact fractions."""
    flat = x.ravel().astype(np.float64)
    lo, hi = low * white(x), high * white(x)
    with np.errstate(invalid="ignore"):
        inside, below, above = (flat >= lo) & (flat <= hi), flat < lo, flat > hi
    counts, _ = np.histogram(flat[inside], bins=bins, range=(lo, hi))
    if x.dtype.kind == "u":
        exact_lo = Fraction(str(low)) * int(white(x))
        step = (Fraction(str(high)) * int(white(x)) - exact_lo) / bins
        exact = np.zeros(bins, np.int64)
        for value, n in zip(*np.unique(flat[inside], return_counts=True)):
            exact[min(floor((int(value) - exact_lo) / step), bins - 1)] += n
        agree("hist: numpy, exact fractions", counts, exact)
        counts = exact
    if x.dtype == np.uint8 and (bins, low, high) == (256, 0.0, 1.0):
        agree("hist u8: numpy, cv2.calcHist", counts, cv2.calcHist([x], [0], None, [256], [0, 256]).ravel())
    return np.concatenate([counts, [below.sum(), above.sum(), np.isnan(flat).sum()]]).astype(np.float64)


def statistics(x):
    """min, max, mean, population stddev, sum, count, raster index of the first min, of the first max."""
    flat = x.ravel().astype(np.float64)
    total = sum((Fraction(float(v)) for v in flat), Fraction(0))
    mean = total / len(flat)
    variance = sum(((Fraction(float(v)) - mean) ** 2 for v in flat), Fraction(0)) / len(flat)
    deviation = float(np.sqrt(float(variance)))
    agree("stats mean, stddev: exact fractions, numpy", [float(mean), deviation], [flat.mean(), flat.std()])
    other = np.concatenate(cv2.meanStdDev(flat)).ravel()
    agree("stats mean, stddev: exact fractions, cv2", [float(mean), deviation], other)
    ends = [flat.min(), flat.max(), float(mean), deviation, float(total), len(flat)]
    return np.array(ends + [int(flat.argmin()), int(flat.argmax())], np.float64)


def points(x, low, high):
    """x, y and value of the samples in [low, high] of full scale."""
    y, column = np.nonzero((x >= low * white(x)) & (x <= high * white(x)))
    return np.stack([column, y, x[y, column]], axis=1).astype(np.float64)


def profile(planes, axis):
    """Place, sums, means and counts of the columns (axis 0) or rows (axis 1) of (height, width) planes, without NaN."""
    wide = [plane.astype(np.float64) for plane in planes]
    sums = [np.nansum(plane, axis=axis) for plane in wide]
    counts = [np.sum(~np.isnan(plane), axis=axis) for plane in wide]
    means = [total / count for total, count in zip(sums, counts)]
    return np.stack([np.arange(len(sums[0]))] + sums + means + counts, axis=1).astype(np.float64)


PILLOW = dict(box=Image.BOX, triangle=Image.BILINEAR, hamming=Image.HAMMING, cubic=Image.BICUBIC,
              lanczos=Image.LANCZOS)


def resize(x, width, height, kind):
    """Pillow's, rows first in every version of it: u8 its bytes; else sums in float64, stored as f32."""
    across = (width, x.shape[0])
    if x.dtype == np.uint8:
        first = Image.fromarray(x).resize(across, PILLOW[kind])
        return np.asarray(first.resize((width, height), PILLOW[kind]))
    first = Image.fromarray(x.astype(np.float32)).resize(across, PILLOW[kind])
    out = np.asarray(first.resize((width, height), PILLOW[kind]), np.float64)
    return np.clip(out, 0, white(x)) if x.dtype.kind == "u" else out
