"""Cases of make_oracle.py: colour weighed by alpha, by Pillow, and by SciPy and NumPy in float64."""

import math

import numpy as np
from PIL import Image

import formulas as f
from cases_geometry import warped
from pictures import WHITE

MODES = {2: ("LA", "La"), 4: ("RGBA", "RGBa")}


def resized(x, width, height, kind):
    """Pillow's bytes where it goes along rows first, as every version does but for some shapes in the newest."""
    straight, weighed = MODES[x.shape[2]]
    picture = Image.fromarray(x, straight).convert(weighed)
    across = picture.resize((width, x.shape[0]), f.PILLOW[kind])
    return np.asarray(across.resize((width, height), f.PILLOW[kind]).convert(straight))


def weighed(x, function):
    """The function on colour times alpha and on alpha, float64; colour divided by what alpha became."""
    v = x.astype(np.float64)
    v[..., :-1] *= v[..., -1:]
    out = function(v)
    seen = out[..., -1:] > 1e-9
    out[..., :-1] = np.where(seen, out[..., :-1] / np.where(seen, out[..., -1:], 1), 0)
    return np.clip(out, 0, WHITE[x.dtype]) if x.dtype.kind == "u" else out


def each(function):
    return lambda v: np.stack([function(v[..., c]) for c in range(v.shape[2])], axis=-1)


def turned(v, degrees):
    """What lies outside is transparent."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    h, w = v.shape[:2]
    width, height = math.ceil(abs(w * c) + abs(h * s)), math.ceil(abs(w * s) + abs(h * c))
    turn = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]]) @ np.array(
        [[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, -(w - 1) / 2], [0, 1, -(h - 1) / 2], [0, 0, 1]])
    return warped(v, turn, width, height, "linear", "constant", 0)


def within(x, function, left, top, width, height):
    """The rectangle of `function`'s result, in the picture."""
    out = x.astype(np.float64)
    rectangle = np.s_[top:top + height, left:left + width]
    out[rectangle] = function(x)[rectangle]
    return out


def alphas(o):
    for name, width, height in (("rgba8", 20, 20), ("rgba8", 61, 13), ("rgba8", 29, 8), ("rgba8", 7, 23), ("ga8", 20, 20),
                                ("disc8", 16, 16), ("disc8", 57, 50)):
        for kind in f.PILLOW:
            x = o.inputs[name]
            o.add(f"weighed{width}x{height}_{kind}", name, f"resize:{width}x{height}:filter={kind}", "picture",
                  resized(x, width, height, kind), "exact", "PIL.Image.resize")
    blur = lambda v: f.gaussian(v, 1.1, 2)
    for name in ("rgba8", "rgba16", "rgbaf", "ga8", "disc8"):
        x = o.inputs[name]
        tolerance = "f32" if x.dtype.kind == "f" else "int"
        blurred = lambda x: weighed(x, each(blur))
        o.add("weighed_blur1.1r2", name, "blur:sigma=1.1:radius=2", "picture", blurred(x), tolerance,
              "scipy.ndimage.gaussian_filter(float64, sigma=1.1, radius=2, mode=nearest), weighed", "replicate")
        o.add("weighed_roi", name, "blur:sigma=1.1:radius=2:roi=9x8+2+3", "picture", within(x, blurred, 2, 3, 9, 8), tolerance,
              "scipy.ndimage.gaussian_filter(float64, sigma=1.1, radius=2, mode=nearest), weighed", "replicate")
        o.add("weighed_box", name, "box:2", "picture", weighed(x, each(lambda v: f.box(v, 2))), tolerance,
              "scipy.ndimage.uniform_filter(float64, size=5, mode=nearest), weighed", "replicate")
        o.add("weighed_turn", name, "rotate:20", "picture", weighed(x, lambda v: turned(v, 20)), tolerance,
              "numpy, float64, weighed", "constant")
    o.add("weighed_channels", "rgba8", "blur:sigma=1.1:radius=2:channels=0+3", "picture",
          np.stack([blur(o.inputs["rgba8"][..., c]) if c % 3 == 0 else o.inputs["rgba8"][..., c].astype(np.float64)
                    for c in range(4)], axis=-1), "int",
          "scipy.ndimage.gaussian_filter(float64, sigma=1.1, radius=2, mode=nearest)", "replicate")
