"""Cases of make_oracle.py: thresholds that neighbours make, by SciPy and, where its definition is the same, OpenCV."""

import cv2
import numpy as np
import scipy.ndimage as ndi

import formulas as f
from cases_conv import FILL, border_text
from pictures import WHITE

LEAST = 4e-6  # of full scale, that samples are apart from a level in real numbers: no rounding turns the comparison


def white_above(x, level):
    assert abs(x - level).min() > LEAST * f.white(x), abs(x - level).min()
    return f.threshold(x, level)


def mean(x, radius, offset, border, fill):
    """v n > S - offset n for integers, offset rounded; a signal has one row."""
    size = (1 if x.shape[0] == 1 else 2 * radius + 1, 2 * radius + 1)
    if x.dtype.kind == "f":
        return white_above(x, ndi.uniform_filter(x.astype(np.float64), size, mode=f.SCIPY[border], cval=fill) - offset)
    ones, n = np.ones(size, np.int64), size[0] * size[1]
    total = ndi.correlate(x.astype(np.int64), ones, mode=f.SCIPY[border], cval=int(fill))
    above = x.astype(np.int64) > total // n - int(np.rint(offset))
    if x.dtype == np.uint8 and border == "replicate" and size[0] > 1:
        mean_rounded = (2 * total + n) // (2 * n)
        other = cv2.adaptiveThreshold(x, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, size[1], np.rint(offset))
        here = x.astype(np.int64) > mean_rounded - int(np.rint(offset))
        f.agree("threshold by a mean that is rounded: scipy, cv2.adaptiveThreshold", here * 255.0, other)
    return np.where(above, f.white(x), 0)


def gaussian(x, sigma, offset, border, fill):
    radius = int(4 * sigma + 0.5)
    if x.shape[0] == 1:  # blurs of a signal go along it, and replicate has nothing else above and below
        assert border == "replicate"
    return white_above(x, f.gaussian(x, sigma, radius, border, fill) - offset)


def local(o, name, method, function, words, offset, border="replicate"):
    white = WHITE[o.inputs[name].dtype]
    fill = f.rounded(np.array(FILL * white), o.inputs[name].dtype)
    label = f"local_{method}" + ("" if border == "replicate" else f"_{border}")
    text = f":offset={offset}" if offset else ""
    o.picture(label, name, f"threshold:method={method}:{words}{text}" + border_text(border),
              lambda x: function(x, offset * white, border, fill),
              f"scipy.ndimage, mode={f.SCIPY[border]}, compared", border, "exact")


def levels(o):
    for name in ("gray8", "gray16", "grayf", "rgba8", "signal16"):
        local(o, name, "mean", lambda x, off, b, fill: mean(x, 3, off, b, fill), "radius=3", 0.0175)
    local(o, "small8", "mean", lambda x, off, b, fill: mean(x, 7, off, b, fill), "radius=7", 0)
    for name in ("gray16", "grayf"):
        local(o, name, "gaussian", lambda x, off, b, fill: gaussian(x, 1.5, off, b, fill), "sigma=1.5", 0.0175)
    for border in f.BORDERS:
        if border != "replicate":
            local(o, "tiny8", "mean", lambda x, off, b, fill: mean(x, 2, off, b, fill), "radius=2", -0.01, border)
            local(o, "tiny16", "gaussian", lambda x, off, b, fill: gaussian(x, 1, off, b, fill), "sigma=1", 0, border)
