#!/usr/bin/env python3
"""Makes the arrays of this folder: inputs, expected results and INDEX.tsv.

    python3 make_oracle.py            writes the arrays beside this file
    python3 make_oracle.py --check    recomputes them and compares with the ones that are here

Prints the versions of the libraries and, for every stage on which two of them have an opinion, how far
apart the opinions lie. README.md tells what the arrays are for.
"""

import sys
from pathlib import Path

import cv2
import numpy as np
import PIL
import scipy
import skimage

import cases_alpha
import cases_colour
import cases_conv
import cases_denoise
import cases_frequency
import cases_geometry
import cases_local
import cases_order
import cases_place
import cases_regions
import cases_roi
import cases_signals
import cases_tables
import cases_whole
import formulas as f
from pictures import WHITE, inputs

HERE = Path(__file__).resolve().parent
COLUMNS = ("id", "input", "stages", "expect", "kind", "tolerance", "border", "source")

BLUR = "scipy.ndimage.gaussian_filter(float64, sigma={}, radius={}, mode={})"
BOX = "scipy.ndimage.uniform_filter(float64, size={}, mode={})"
SOBEL = "scipy.ndimage.correlate, sqrt((gx^2+gy^2)/2), = skimage.filters.sobel(mode={})"
FILL = 0.2  # of full scale: 51, 13107, 0.2


class Oracle:
    """Collects the cases, and the arrays by file name."""

    def __init__(self):
        self.inputs = inputs()
        self.arrays = {f"in_{name}.npy": value for name, value in self.inputs.items()}
        self.rows = []

    def add(self, label, name, stages, kind, expected, tolerance, source, border="-"):
        """One line of the index and one expected array."""
        case = f"{label}_{name}"
        assert all(row[0] != case for row in self.rows), case
        self.arrays[f"{case}.npy"] = np.ascontiguousarray(expected)
        self.rows.append((case, f"in_{name}.npy", stages, f"{case}.npy", kind, tolerance, border, source))

    def picture(self, label, name, stages, function, source, border="-", tolerance=None):
        """A stage on the colour channels of an input; alpha passes through. Real values stay float64;
        exact ones take the depth of the picture."""
        x = self.inputs[name]
        depth = x.dtype if tolerance != "exact" else None
        out = per_channel(x, function)
        if depth is None:
            out = f.rounded(out, x.dtype)
        tolerance = tolerance or ("int" if x.dtype.kind == "u" else "f32")
        self.add(label, name, stages, "picture", out, tolerance, source, border)

    def table(self, label, name, stages, kind, function, tolerance, source):
        """A measurement: one row a colour channel."""
        rows = [function(channel) for channel in colour(self.inputs[name])]
        self.add(label, name, stages, kind, np.array(rows, np.float64), tolerance, source)


def colour(x):
    """The channels that a stage works on, as a list of (height, width)."""
    x = x[None, :, None] if x.ndim == 1 else x[..., None] if x.ndim == 2 else x
    count = x.shape[2] - (x.shape[2] % 2 == 0)  # the last of 2 or 4 channels is alpha
    return [np.ascontiguousarray(x[..., c]) for c in range(count)]


def per_channel(x, function):
    """The function on every colour channel, in the shape of x, alpha as it is."""
    planes = [function(channel) for channel in colour(x)]
    if x.ndim == 3 and x.shape[2] > len(planes):
        planes.append(x[..., -1].astype(np.float64))
    return np.stack(planes, axis=-1).reshape(x.shape) if x.ndim == 3 else planes[0].reshape(x.shape)


def border_text(border):
    text = "" if border == "replicate" else f":border={border}"
    return text + (f":value={FILL}" if border == "constant" else "")


def blur(o, name, sigma, radius, stages=None, border="replicate", label=None, tolerance=None):
    fill = FILL * WHITE[o.inputs[name].dtype]
    stages = (stages or f"blur:sigma={sigma}:radius={radius}") + border_text(border)
    label = label or f"blur{sigma}r{radius}" + ("" if border == "replicate" else f"_{border}")
    function = lambda x: f.gaussian(x, sigma, radius, border, fill)
    source = BLUR.format(sigma, radius, f.SCIPY[border])
    o.picture(label, name, stages, function, source, border, tolerance)


def box(o, name, radius, border="replicate"):
    fill = FILL * WHITE[o.inputs[name].dtype]
    label = f"box{radius}" + ("" if border == "replicate" else f"_{border}")
    function = lambda x: f.box(x, radius, border, fill)
    source = BOX.format(2 * radius + 1, f.SCIPY[border])
    o.picture(label, name, f"box:radius={radius}" + border_text(border), function, source, border)


def sobel(o, name, border="replicate"):
    fill = FILL * WHITE[o.inputs[name].dtype]
    label = "sobel" + ("" if border == "replicate" else f"_{border}")
    function = lambda x: f.sobel(x, border, fill)
    o.picture(label, name, "sobel" + border_text(border), function, SOBEL.format(f.SCIPY[border]), border)


def cannies(o):
    for name in ("gray8", "small8", "one8", "tiny8", "rgb8", "wide8"):
        for low, high in ((10, 40), (100, 300)):
            o.add(f"canny{low}_{high}", name, f"canny:{low}u8:high={high}u8:sigma=0", "picture",
                  f.canny(o.inputs[name], low, high), "exact", "cv2.Canny, L2gradient=True")


def bilateral(o, name, sigma, spread, radius, border="replicate"):
    """spread: of full scale. All colour channels at once."""
    x = o.inputs[name]
    white = WHITE[x.dtype]
    count = x.shape[2] - (x.shape[2] % 2 == 0) if x.ndim == 3 else 0
    colour = x[..., :count] if count else x
    out = f.bilateral(np.ascontiguousarray(colour), sigma, spread * white, radius, border, FILL * white)
    if x.ndim == 3 and x.shape[2] > count:
        out = np.concatenate([out, x[..., -1:].astype(np.float64)], axis=-1)
    label = f"bilateral{radius}" + ("" if border == "replicate" else f"_{border}")
    text = repr(spread * white) if x.dtype == np.float32 else f"{spread}"
    stages = f"bilateral:sigma={sigma}:range={text}:radius={radius}" + border_text(border)
    tolerance = "int" if x.dtype.kind == "u" else "f32"
    o.add(label, name, stages, "picture", out, tolerance, "formula, float64; cv2.bilateralFilter agrees", border)


def bilaterals(o):
    for name in ("gray8", "gray16", "grayf", "rgb8", "rgba8", "rgbf"):
        bilateral(o, name, 2, 0.1, 2)
    bilateral(o, "gray8", 3, 0.3, 5)
    for border in f.BORDERS:
        bilateral(o, "small8", 2.5, 0.2, 4, border)
        bilateral(o, "tiny16", 2.5, 0.2, 4, border)


def windows(o):
    for name in ("gray8", "gray16", "grayf"):
        for sigma in (0.6, 1, 2.5):
            radius = int(4 * sigma + 0.5)
            blur(o, name, sigma, radius, f"blur:sigma={sigma}", label=f"blur{sigma}")
        blur(o, name, 8, 32)
        for radius in (1, 3, 7):
            box(o, name, radius)
    for name in ("gray8", "gray16", "grayf", "rgb8", "rgb16", "rgbf", "ga8", "rgba8", "rgba16", "rgbaf"):
        blur(o, name, 1.1, 2)
        sobel(o, name)
    for name in ("rgb8", "rgb16", "rgbf", "rgba8", "rgbaf"):
        blur(o, name, 2.5, 10)
        box(o, name, 3)
    for border in f.BORDERS:
        # Whether windows of a signal reach up and down: one8 only where it does not matter.
        for name in ("small8", "tiny8", "tiny16") + (("one8",) if border != "constant" else ()):
            blur(o, name, 2.5, 10, border=border)
            box(o, name, 3, border)
            sobel(o, name, border)
        blur(o, "small8", 1.1, 2, border=border)
        if border != "replicate":
            for name in ("gray16", "grayf"):
                blur(o, name, 1.1, 2, border=border)
                box(o, name, 7, border)
                sobel(o, name, border)
            blur(o, "grayf", 8, 32, border=border)
    for name in ("signal16", "signalf"):
        blur(o, name, 2.5, 10)
        box(o, name, 7)
        sobel(o, name)


def wide_blurs(o):
    """Sigma 8 and more, with a radius and without: then nothing is cut off, and SciPy gets 8 sigma."""
    for name in ("wide8", "wide16", "widef", "signalf"):
        blur(o, name, 20, 80)
        blur(o, name, 20, 160, "blur:sigma=20", label="blur20")
    for name in ("gray8", "gray16", "rgbf", "signal16"):
        blur(o, name, 8, 64, "blur:sigma=8", label="blur8")
    for border in ("reflect101", "reflect", "wrap", "constant"):
        blur(o, "gray16", 20, 160, "blur:sigma=20", border, f"blur20_{border}")


def places(planes, fractions, tolerance):
    """x, y and values of the pixels of (height, width) planes that are all near their fractions of full scale."""
    near = [np.abs(x.astype(np.float64) - np.floor(part * f.white(x) + 0.5)) <= tolerance * f.white(x)
            for x, part in zip(planes, fractions)]
    y, column = np.nonzero(np.all(near, axis=0))
    return np.stack([column, y] + [x[y, column] for x in planes], axis=1).astype(np.float64)


def points(o):
    formula = "formula, float64"
    for name in ("gray8", "gray16", "grayf", "rgba8", "rgbaf"):
        o.picture("invert", name, "invert", f.invert, formula, tolerance="exact" if name[-1] != "f" else None)
        o.picture("brightness", name, "brightness:0.13", lambda x: f.brightness(x, 0.13), formula)
        o.picture("contrast", name, "contrast:1.3", lambda x: f.contrast(x, 1.3), formula)
        o.picture("gamma", name, "gamma:2.2", lambda x: f.gamma(x, 2.2), formula)
        level = lambda x: f.threshold(x, 0.41 * f.white(x))
        o.picture("threshold", name, "threshold:0.41", level, formula, tolerance="exact")
    for name in ("small8", "signal16"):
        o.picture("darker", name, "brightness:-0.27", lambda x: f.brightness(x, -0.27), formula)
        o.picture("flatter", name, "contrast:0.35", lambda x: f.contrast(x, 0.35), formula)
        o.picture("gamma05", name, "gamma:value=0.5", lambda x: f.gamma(x, 0.5), formula)
    bt601 = "0.299 R + 0.587 G + 0.114 B, float64; cv2.cvtColor(COLOR_RGB2GRAY) agrees"
    for name in ("rgb8", "rgb16", "rgbf", "rgba8"):
        x = o.inputs[name]
        out = f.gray(x[..., :3])
        if x.shape[2] == 4:
            out = np.stack([out, x[..., 3].astype(np.float64)], axis=-1)
        o.add("gray", name, "gray", "picture", out, "int" if x.dtype.kind == "u" else "f32", bt601)
    for name, depths in (("rgba8", "u16 f32"), ("rgba16", "u8 f32"), ("rgbf", "u8 u16"), ("widef", "u8")):
        for depth in depths.split():
            dtype = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}[depth]
            out = f.convert(o.inputs[name], dtype)
            tolerance = "f32" if depth == "f32" else "int"
            if (name, depth) == ("rgba8", "u16"):
                out, tolerance = out.astype(np.uint16), "exact"
            o.add(f"to_{depth}", name, f"convert:{depth}", "picture", out, tolerance, formula)


def measures(o):
    bins = "numpy.histogram, exact fractions"
    for name in ("gray8", "gray16", "rgb8", "rgba16", "ga8", "signal16", "awkwardf"):
        o.table("hist", name, "hist", "hist", f.histogram, "exact", bins)
        ten = lambda x: f.histogram(x, 10, 0.2, 0.7)
        o.table("hist10", name, "hist:bins=10:min=0.2:max=0.7", "hist", ten, "exact", bins)
    exact = "numpy min, max, argmin, argmax; mean, population stddev and sum in exact fractions"
    names = "gray8 gray16 grayf rgb8 rgbf rgba16 ga8 wide8 widef one8 signalf"
    for name in names.split():
        o.table("stats", name, "stats", "stats", f.statistics, "stats", exact)
    for name in "gray8 gray16 grayf rgb8 rgbf rgba16 ga8 one8 signalf".split():
        for axis in range(2):
            rows = f.profile(colour(o.inputs[name]), axis)
            o.add(f"profile_{'xy'[axis]}", name, f"profile:{'xy'[axis]}", "profile", rows, "stats", "numpy.nansum")


def histogram_based(o):
    cdf = "round((cdf-cdf_min)*max/(N-cdf_min)), float64; cv2.equalizeHist agrees on u8"
    for name in ("gray8", "gray16", "binsf", "rgb8", "rgb16", "rgba8", "ga8", "flat8", "signal16", "one8"):
        o.picture("equalize", name, "equalize", f.equalize, cdf)
    split = "skimage.filters.threshold_otsu(nbins=256), exact integers"
    for name in ("gray8", "gray16", "levelsf", "rgb8", "rgb16", "rgba8", "ga8", "signal16"):
        levels = lambda x: np.array(f.otsu(x))
        o.table("otsu_level", name, "threshold:method=otsu", "level", levels, "level", split)
        white_above = lambda x: f.threshold(x, f.otsu(x)[0])
        o.picture("otsu", name, "threshold:method=otsu", white_above, split, tolerance="exact")


def tables(o):
    for name in ("gray8", "gray16", "grayf", "spots8"):
        rows = f.points(o.inputs[name], 0.3, 0.5)
        o.add("points", name, "points:0.3:max=0.5", "points", rows, "exact", "numpy.nonzero")
    for name in ("gray8", "gray16"):
        rows = places([o.inputs[name]], [0.4], 0.05)
        o.add("find", name, "find:0.4:tolerance=0.05:mode=all", "places", rows, "exact", "numpy.nonzero")
    rows = places(colour(o.inputs["rgba8"]), [0.6, 0.5, 0.4], 0.3)
    o.add("find", "rgba8", "find:[0.6 0.5 0.4]:tolerance=0.3:mode=all", "places", rows, "exact", "numpy.nonzero")


def all_channels(x, function):
    """The function on every channel, alpha among them, stacked again."""
    return function(x) if x.ndim == 2 else np.stack([function(x[..., c]) for c in range(x.shape[2])], axis=-1)


def moves(o):
    for name in ("tiny8", "tiny16", "rgba8"):
        x = o.inputs[name]
        cases = [("crop", "crop:3x2+1+1", x[1:3, 1:4]), ("flip_x", "flip:x", x[:, ::-1]),
                 ("flip_y", "flip:y", x[::-1]), ("rotate90", "rotate:90", np.rot90(x, -1)),
                 ("rotate180", "rotate:180", np.rot90(x, 2)), ("rotate270", "rotate:-90", np.rot90(x, 1)),
                 ("transpose", "transpose", np.swapaxes(x, 0, 1))]
        for border in f.BORDERS[:4]:
            wide = np.pad(x, ((8, 2), (13, 1)) + ((0, 0),) * (x.ndim - 2), f.NUMPY[border])
            cases.append((f"pad_{border}", f"pad:1:top=8:bottom=2:left=13:border={border}", wide))
        for label, stages, out in cases:
            o.add(label, name, stages, "picture", out, "exact", "numpy")


def sauvola(o, name, radius, k=0.2, spread=0.5, border="replicate"):
    fill = FILL * WHITE[o.inputs[name].dtype]
    label = f"sauvola{radius}" + ("" if border == "replicate" else f"_{border}")
    stages = f"threshold:sauvola:radius={radius}:k={k}:range={spread}" + border_text(border)
    function = lambda x: f.sauvola(x, radius, k, spread, border, fill)
    source = f"skimage.filters.threshold_sauvola(float64, {2 * radius + 1}, {k}, {spread} white)"
    o.picture(label, name, stages, function, source, border, "exact")


def sauvolas(o):
    for name in ("gray8", "gray16", "grayf", "rgb8", "rgba8", "rgbaf", "signal16", "signalf"):
        sauvola(o, name, 7)
        sauvola(o, name, 2, 0.34, 0.25)
    for name in ("small8", "tiny16"):
        for border in f.BORDERS:
            sauvola(o, name, 3, border=border)


def versions():
    libraries = (("numpy", np), ("scipy", scipy), ("scikit-image", skimage), ("OpenCV", cv2), ("Pillow", PIL))
    return ", ".join(f"{name} {library.__version__}" for name, library in libraries)


def index_text(rows):
    return "\n".join("\t".join(row) for row in [COLUMNS] + rows) + "\n"


def write(o):
    for old in HERE.glob("*.npy"):
        old.unlink()
    for name, array in o.arrays.items():
        with open(HERE / name, "wb") as file:
            np.lib.format.write_array(file, array, version=(1, 0))
    (HERE / "INDEX.tsv").write_text(index_text(o.rows))


def check(o):
    """Names every array that differs from the one in the folder by more than float64 noise."""
    wrong = [] if (HERE / "INDEX.tsv").read_text() == index_text(o.rows) else ["INDEX.tsv"]
    here = {path.name for path in HERE.glob("*.npy")}
    wrong += sorted(here ^ set(o.arrays))
    for name in sorted(here & set(o.arrays)):
        old, new = np.load(HERE / name), o.arrays[name]
        same = old.dtype == new.dtype and old.shape == new.shape
        if not (same and np.allclose(old, new, rtol=1e-12, atol=1e-9, equal_nan=True)):
            wrong.append(name)
    return wrong


def main():
    o = Oracle()
    for part in (windows, cases_conv.slopes, cases_conv.correlations, cases_local.levels, bilaterals, cannies,
                 cases_order.morphologies, wide_blurs, points, cases_colour.samples, cases_colour.colours, cases_colour.labs,
                 cases_colour.cubes, cases_colour.lumas, cases_colour.balances, measures,
                 histogram_based, tables, moves, cases_geometry.resizes,
                 cases_geometry.warps,
                 cases_order.ranks, sauvolas, cases_whole.distances, cases_tables.clahes, cases_whole.integrals,
                 cases_whole.matches, cases_whole.dcts, cases_denoise.denoisings, cases_frequency.frequencies, cases_frequency.notches, cases_frequency.ffts, cases_frequency.restored,
                 cases_tables.solved, cases_tables.quantized, cases_regions.labels,
                 cases_signals.peaks, cases_roi.regions, cases_colour.placed, cases_colour.tonemaps,
                 cases_geometry.pixelates, cases_geometry.perspectives, cases_place.places, cases_alpha.alphas):
        part(o)
    print(versions())
    print(f"{'runs':>5} {'largest difference':>20} {'differing':>10}  opinions, in sample units")
    for what, (runs, largest, share) in sorted(f.agreements.items()):
        print(f"{runs:5d} {largest:20.3g} {100 * share:9.3f}%  {what}")
    if "--check" in sys.argv[1:]:
        wrong = check(o)
        print("differs: " + ", ".join(wrong) if wrong else f"{len(o.arrays)} arrays as committed")
        return 1 if wrong else 0
    write(o)
    size = sum(path.stat().st_size for path in HERE.glob("*.npy"))
    print(f"{len(o.rows)} cases, {len(o.arrays)} arrays, {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
