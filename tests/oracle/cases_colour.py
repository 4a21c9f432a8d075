"""Cases of make_oracle.py: tones and colours, written out in float64 or by NumPy, OpenCV and Pillow's conventions."""

import cv2
import numpy as np
from colour.algebra import table_interpolation_tetrahedral
from scipy import ndimage

import formulas as f

FORMULA = "formula, float64"
LUMA = np.array([0.299, 0.587, 0.114])
CURVE = [0, 0.15, 0.5, 0.85, 1]
YCBCR = np.array([[0.299, 0.587, 0.114], [-0.299 / 1.772, -0.587 / 1.772, 0.5], [0.5, -0.587 / 1.402, -0.114 / 1.402]])


def decode(x):
    """IEC 61966-2-1, of fractions of white, below 0 by symmetry."""
    a = np.abs(x)
    return np.sign(x) * np.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4)


def encode(x):
    a = np.abs(x)
    return np.sign(x) * np.where(a <= 0.0031308, a * 12.92, 1.055 * a ** (1 / 2.4) - 0.055)


def clamped(v, x):
    """Real values in sample units, inside what the depth of x holds."""
    return np.clip(v, 0, f.white(x)) if x.dtype.kind == "u" else v


def by_fractions(function):
    return lambda x: clamped(function(x.astype(np.float64) / f.white(x)) * f.white(x), x)


def pixels(o, label, name, stages, function, source=FORMULA):
    """A stage that mixes channels; alpha passes through. function: (height, width, colours) of fractions of white."""
    white = f.white(o.inputs[name])
    x = o.inputs[name].astype(np.float64) / white
    colours = x.shape[2] - (x.shape[2] % 2 == 0)
    out = np.concatenate([function(x[..., :colours]), x[..., colours:]], axis=-1) * white
    o.add(label, name, stages, "picture", clamped(out, o.inputs[name]), "int" if o.inputs[name].dtype.kind == "u" else "f32", source)


def samples(o):
    for name in ("gray8", "gray16", "grayf", "rgba8", "rgbaf"):
        o.picture("linear", name, "linear", by_fractions(decode), "IEC 61966-2-1, float64")
        o.picture("srgb", name, "srgb", by_fractions(encode), "IEC 61966-2-1, float64")
        o.picture("posterize", name, "posterize:6", by_fractions(lambda v: np.rint(np.maximum(v, 0) * 5) / 5), FORMULA)
        curve = lambda v: np.interp(v, np.linspace(0, 1, len(CURVE)), CURVE)
        o.picture("lut", name, "lut:[" + " ".join(map(str, CURVE)) + "]", by_fractions(curve), "numpy.interp")
        o.picture("expr", name, "expr:'if(v>0.5, 1-v, v)*2 - abs(v-0.25)^2'",
                  by_fractions(lambda v: np.where(v > 0.5, 1 - v, v) * 2 - np.abs(v - 0.25) ** 2), FORMULA)
    table = np.array([(v * 7 + 13) % 256 for v in range(256)], np.uint8)
    o.picture("lut256", "gray8", "lut:[" + " ".join(map(str, table)) + "]:scale=255",
              lambda x: cv2.LUT(x, table), "cv2.LUT", tolerance="exact")


def placed(o):
    """Formulas of places: columns and rows count from 0."""
    for name in ("gray8", "rgba8", "gray16", "rgbf"):
        x = o.inputs[name]
        height, width = x.shape[:2]
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float64)
        rows, columns = (v if x.ndim == 2 else v[..., None] for v in (rows, columns))
        white = f.white(x)
        v = x.astype(np.float64) / white
        colours = v.shape[2] - (v.shape[2] % 2 == 0) if v.ndim == 3 else None

        def add(label, stages, made, source=FORMULA):
            made = made if colours is None else np.concatenate([made[..., :colours], v[..., colours:]], axis=-1)
            o.add(label, name, stages, "picture", clamped(made * white, x), "int" if x.dtype.kind == "u" else "f32", source)

        add("expr_place", "expr:'if(x>y, v*x/width, 1-v*y/height)'",
            np.where(columns > rows, v * columns / width, 1 - v * rows / height))
        far = np.sqrt((((2 * columns + 1) / width - 1) ** 2 + ((2 * rows + 1) / height - 1) ** 2) / 2)
        part = np.clip((far - 0.2) / 0.8, 0, 1)
        add("vignette", "vignette:0.7:start=0.2", v * (1 - 0.7 * part * part * (3 - 2 * part)))


def tonemaps(o):
    for name in ("gray8", "rgbaf"):
        light = lambda v, stops: np.maximum(v * 2.0**stops, 0)
        curved = lambda e: e * (2.51 * e + 0.03) / (e * (2.43 * e + 0.59) + 0.14)
        for label, stages, function in (
                ("reinhard", "tonemap:exposure=1.5", lambda v: light(v, 1.5) / (1 + light(v, 1.5))),
                ("reinhard_white", "tonemap:white=1.2", lambda v: light(v, 0) * (1 + light(v, 0) / 1.44) / (1 + light(v, 0))),
                ("filmic", "tonemap:filmic:exposure=-1", lambda v: curved(light(v, -1))),
                ("clip", "tonemap:clip:exposure=2", lambda v: light(v, 2))):
            o.picture("tonemap_" + label, name, stages, by_fractions(lambda v, g=function: np.minimum(g(v), 1)), FORMULA)


def colours(o):
    gains = np.array([1.15, 1, 0.85])
    for name in ("rgb8", "rgb16", "rgbf", "rgba8"):
        pixels(o, "gain", name, "gain:[1.15 1 0.85]", lambda v: v * gains)
        pixels(o, "saturation", name, "saturation:1.6", lambda v: v @ LUMA[:, None] * -0.6 + v * 1.6)
        pixels(o, "expr3", name, "expr:'(r+g)/2; min(g, b, 0.5); sqrt(r*b)'", lambda v: np.stack(
            [(v[..., 0] + v[..., 1]) / 2, np.minimum(np.minimum(v[..., 1], v[..., 2]), 0.5),
             np.sqrt(np.maximum(v[..., 0] * v[..., 2], 0))], axis=-1)) if name != "rgbf" else None
        pixels(o, "ycbcr", name, "matrix:ycbcr", lambda v: v @ YCBCR.T + [0, 0.5, 0.5],
               "Y'CbCr of ITU-T T.871 (JFIF), float64")
    x = o.inputs["rgba8"].astype(np.float64)
    a = x[..., 3:] / 255
    o.add("overblue", "rgba8", "alpha:over:colour=[0.2 0.4 0.8]", "picture",
          a * x[..., :3] + (1 - a) * 255 * np.array([0.2, 0.4, 0.8]), "int", FORMULA)


def xyz_of_light():
    """Of the primaries and the white of sRGB (IEC 61966-2-1), rows in parts of white's."""
    column = lambda x, y: np.array([x / y, 1, (1 - x - y) / y])
    primaries = np.array([column(0.64, 0.33), column(0.30, 0.60), column(0.15, 0.06)]).T
    white = column(0.3127, 0.3290)
    return primaries * np.linalg.solve(primaries, white) / white[:, None]


def to_lab(v):
    t = decode(v) @ xyz_of_light().T
    x, y, z = np.moveaxis(np.where(t > (6 / 29) ** 3, np.cbrt(t), t * 841 / 108 + 4 / 29), -1, 0)
    return np.stack([1.16 * y - 0.16, (500 * (x - y) + 128) / 255, (200 * (y - z) + 128) / 255], axis=-1)


def from_lab(v):
    y = (v[..., 0] + 0.16) / 1.16
    root = np.stack([y + (255 * v[..., 1] - 128) / 500, y, y - (255 * v[..., 2] - 128) / 200], axis=-1)
    xyz = np.where(root > 6 / 29, root**3, (root - 4 / 29) * 108 / 841)
    return encode(xyz @ np.linalg.inv(xyz_of_light()).T)


def cube_text(colours):
    return "lut:[" + "; ".join(" ".join(map(str, row)) for row in colours) + "]"


def labs(o):
    for name in ("rgb8", "rgb16", "rgbf", "rgba8"):
        pixels(o, "lab", name, "lab", to_lab, "CIE 15 and IEC 61966-2-1, float64")
    for name in ("rgb8", "rgb16", "rgba8"):
        pixels(o, "lab_from", name, "lab:from", from_lab, "CIE 15 and IEC 61966-2-1, float64")


def cubes(o):
    random = np.random.default_rng(20)
    for side in (2, 3):
        colours = np.round(random.uniform(0, 1, (side**3, 3)), 2)
        table = colours.reshape(side, side, side, 3).transpose(2, 1, 0, 3)  # a file's red changes fastest
        function = lambda v, table=table: table_interpolation_tetrahedral(np.clip(v, 0, 1), table)
        for name in ("rgb8", "rgb16", "rgbf", "rgba8"):
            pixels(o, f"cube{side}", name, cube_text(colours), function, "colour.algebra.table_interpolation_tetrahedral")


def by_luma(o, label, name, stages, function, source):
    """A change of luma, of which all colours get as much: in integers."""
    x = o.inputs[name].astype(np.int64)
    y = (9798 * x[..., 0] + 19235 * x[..., 1] + 3735 * x[..., 2] + 16384) >> 15
    change = function(y.astype(np.uint8)).astype(np.int64) - y
    out = np.concatenate([np.clip(x[..., :3] + change[..., None], 0, 255), x[..., 3:]], axis=-1)
    o.add(label, name, stages, "picture", out.astype(np.uint8), "exact", source)


def lumas(o):
    for name in ("rgb8", "rgba8"):
        by_luma(o, "luma_equalize", name, "equalize:channels=luma", cv2.equalizeHist, "cv2.equalizeHist of luma")
    by_luma(o, "luma_median", "rgb8", "median:2:channels=luma",
            lambda y: ndimage.median_filter(y, 5, mode="nearest"), "scipy.ndimage.median_filter of luma")


def balances(o):
    for name in ("rgb8", "rgb16", "rgba8", "rgbf"):
        colours = o.inputs[name][..., :3].astype(np.float64).reshape(-1, 3)
        mean = colours.mean(axis=0)
        white = f.white(o.inputs[name])
        pixels(o, "wb_gray", name, "whitebalance:gray", lambda v: v * (mean.mean() / mean), FORMULA)
        if name != "rgbf":
            level = np.sort(colours, axis=0)[int(0.97 * (len(colours) - 1) + 0.5)]
            pixels(o, "wb_white", name, "whitebalance:white:percentile=97", lambda v: v * (white / level), FORMULA)
