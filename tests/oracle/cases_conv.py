"""Cases of make_oracle.py: slopes and correlations, by SciPy, scikit-image and OpenCV."""

import numpy as np
import scipy.signal

import formulas as f
from pictures import WHITE

FILL = 0.2  # of full scale, as make_oracle.py has it


def border_text(border):
    fill = f":value={FILL}" if border == "constant" else ""
    return "" if border == "replicate" else f":border={border}{fill}"


CORRELATE = "scipy.ndimage.correlate(float64, mode={}), = {}"
KERNELS = {
    "square": np.array([[1, -2, 3], [0, 5, -1], [2, 2, -4]]) / 8,
    "even": np.array([[3, -1, 4, 1], [-5, 9, 2, -6]]) / 8,
    "factors": np.outer([1, 4, 6, 4, 1], [1, 2, 1]) / 64,
}


def slopes(o):
    for operator in ("sobel", "scharr", "prewitt"):
        for axis in "xy":
            for negative in ("absolute", "offset", "keep"):
                slope(o, "tiny8", operator, axis, negative)
        slope(o, "small8", operator, "x", "absolute")
        slope(o, "grayf", operator, "y", "keep")
        for border in f.SCIPY:
            if border != "replicate":
                slope(o, "tiny16", operator, "x", "absolute", border)
    o.picture("angle", "grayf", "sobel:angle", lambda x: f.angle(x, "sobel"), "numpy.arctan2 of the two", "replicate")


def slope(o, name, operator, axis, negative, border="replicate"):
    fill = FILL * WHITE[o.inputs[name].dtype]
    o.picture(f"{operator}_{axis}_{negative}" + ("" if border == "replicate" else f"_{border}"), name,
              f"sobel:{axis}:operator={operator}:negative={negative}" + border_text(border),
              lambda x: f.shown(f.gradient(x, operator, axis, border, fill), x, negative),
              CORRELATE.format(f.SCIPY[border], f"skimage.filters.{operator}"), border)


def correlations(o):
    for label, kernel in KERNELS.items():
        text = "; ".join(" ".join(f"{w:g}" for w in row) for row in kernel)
        for name in ("small8", "grayf", "tiny8"):
            conv_of(o, label, kernel, text, name, "replicate")
        for border in f.SCIPY:
            if border != "replicate":
                conv_of(o, label, kernel, text, "tiny16", border)
    large(o)
    binomial = np.outer([1, 2, 1], [1, 2, 1])
    for label, words, kernel in (("scaled", "scale=0.05", binomial * 0.05), ("normal", "normalize=on", binomial / 16)):
        for name in ("small8", "tiny16", "grayf"):
            conv_of(o, label, kernel, "1 2 1; 2 4 2; 1 2 1", name, "replicate", ":" + words)
    for name, negative in (("small8", "absolute"), ("grayf", "keep")):
        o.picture("laplacian", name, f"laplacian:negative={negative}", lambda x: f.shown(f.laplacian(x), x, negative),
                  "scipy.ndimage.laplace(float64, mode=nearest)", "replicate")


def large(o):
    """255 numbers, which f32 sums by transforms."""
    kernel = np.fromfunction(lambda j, i: ((7 * i + 5 * j) % 11 - 3) / 64, (15, 17))
    text = "; ".join(" ".join(f"{w * 64:g}" for w in row) for row in kernel)

    def sums(x):
        wide = np.pad(x.astype(np.float64), ((7, 7), (8, 8)), mode="reflect")
        return scipy.signal.fftconvolve(wide, kernel[::-1, ::-1], mode="valid")

    for name in ("grayf", "rgbf"):
        o.picture("conv_large", name, f"conv:[{text}]:scale=1/64:border=reflect101", sums,
                  "scipy.signal.fftconvolve(numpy.pad(v, mode=reflect), float64, mode=valid)", "reflect101")


def conv_of(o, label, kernel, text, name, border, words=""):
    fill = FILL * WHITE[o.inputs[name].dtype]
    o.picture(f"conv_{label}" + ("" if border == "replicate" else f"_{border}"), name,
              f"conv:[{text}]{words}" + border_text(border), lambda x: f.conv(x, kernel, border, fill),
              CORRELATE.format(f.SCIPY[border], "cv2.filter2D"), border)
