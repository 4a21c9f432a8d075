"""Cases of stages that make pictures of another size: resize by Pillow, and by its definition in whole numbers or float64
where Pillow has no such filter."""

import math

import formulas as f
import numpy as np
from PIL import Image
from pictures import WHITE, checker

TOLERANCE = {"u1": "exact", "u2": "int", "f4": "f32"}

# The vectors of Pillow's own tests (Tests/test_image_resample.py): the upper left quarter of what two light and two dark
# squares become. What lies right of or below it is the same in 255 less; the lower right quarter is the upper left mirrored.
PILLOW_VECTORS = (
    ("box", 8, 4, "e1e1 e1e1"), ("triangle", 8, 4, "e1c9 c9b7"), ("hamming", 8, 4, "e1da dad3"),
    ("cubic", 12, 6, "e1e3d4 e3e5d6 d4d6c9"), ("lanczos", 16, 8, "e1e0e4d7 e0dfe3d6 e4e3e7da d7d6d9ce"),
    ("box", 2, 4, "e1e1 e1e1"), ("triangle", 2, 4, "e1b0 b098"), ("hamming", 2, 4, "e1d2 d2c5"),
    ("cubic", 4, 8, "e1e5eeb9 e5e9f3bc eef3fdc1 b9bcc1a2"),
    ("lanczos", 6, 12, "e1e0dbedf5b8 e0dfdaecf3b7 dbdbd6e7eeb5 edece6fbffbf f5f4eeffffc4 b8b7b4bfc4a0"))


def unfolded(quarter):
    """The picture of which a vector is the upper left quarter."""
    q = np.array([list(bytes.fromhex(row)) for row in quarter.split()], np.uint8)
    top = np.hstack([q, 255 - q[:, ::-1]])
    return np.vstack([top, 255 - top[::-1]])


# ---- the definition ----

def sinc(x):
    return 1.0 if x == 0 else math.sin(math.pi * x) / (math.pi * x)


def mitchell(x):
    """B = C = 1/3, as the paper writes it."""
    b = c = 1 / 3
    x = abs(x)
    if x < 1:
        return ((12 - 9 * b - 6 * c) * x**3 + (-18 + 12 * b + 6 * c) * x**2 + 6 - 2 * b) / 6
    return ((-b - 6 * c) * x**3 + (6 * b + 30 * c) * x**2 + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6 if x < 2 else 0


FILTERS = {"lanczos": (3, lambda x: sinc(x) * sinc(x / 3) if abs(x) < 3 else 0), "mitchell": (2, mitchell),
           "triangle": (1, lambda x: max(0, 1 - abs(x)))}


def weights(n_in, n, kind):
    """A row of n_in weights for each of n outputs, of sum 1."""
    support, at = FILTERS[kind]
    scale = n_in / n
    wide = max(scale, 1)
    out = np.zeros((n, n_in))
    for i in range(n):
        centre = (i + 0.5) * scale
        first = max(int(centre - support * wide + 0.5), 0)
        for k in range(first, min(int(centre + support * wide + 0.5), n_in)):
            out[i, k] = at((k - centre + 0.5) / wide)
        out[i] /= out[i].sum()
    return out


def along(w, x, integers):
    """Weighted sums along the first axis: of u8 in units of 2^-22, rounded and clamped."""
    if not integers:
        return np.tensordot(w, x.astype(np.float64), 1)
    whole = np.trunc(w * 2**22 + np.where(w < 0, -0.5, 0.5)).astype(np.int64)
    return np.clip((np.tensordot(whole, x.astype(np.int64), 1) + 2**21) >> 22, 0, 255)


def defined(x, width, height, kind, integers):
    across = along(weights(x.shape[1], width, kind), np.swapaxes(x, 0, 1), integers)
    return along(weights(x.shape[0], height, kind), np.swapaxes(across, 0, 1), integers)


def light(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055)**2.4)


def srgb(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0)**(1 / 2.4) - 0.055)


def in_light(x, width, height, kind):
    white = WHITE[x.dtype]
    return np.clip(white * srgb(defined(light(x / white), width, height, kind, False)), 0, white)


# ---- cases ----

def by_pillow(o, name, width, height, kind):
    x = o.inputs[name]
    if x.dtype == np.uint8 and x.ndim == 3 and x.shape[2] == 3:
        source = "PIL.Image.resize of RGB"
    else:
        source = "PIL.Image.resize, channel by channel"
    if source.endswith("RGB"):
        out = f.resize(x, width, height, kind)
    else:
        planes = [f.resize(np.ascontiguousarray(plane), width, height, kind)
                  for plane in (np.moveaxis(x, 2, 0) if x.ndim == 3 else [x])]
        out = np.stack(planes, axis=-1) if x.ndim == 3 else planes[0]
    o.add(f"resize{width}x{height}_{kind}", name, f"resize:{width}x{height}:filter={kind}", "picture", out,
          TOLERANCE[x.dtype.str[1:]], source)


def resizes(o):
    sizes = {"small8": ((13, 40), (97, 12)), "rgba8": ((20, 20),), "gray16": ((31, 61),), "grayf": ((90, 17),),
             "rgbf": ((9, 9),), "one8": ((4, 3),), "rgb8": ((12, 50), (80, 9), (1, 1), (36, 31), (111, 93)),
             "tiny8": ((1, 1), (3, 4), (15, 11)), "column8": ((1, 12), (5, 40), (1, 90)), "rowrgb8": ((7, 1), (60, 2))}
    for name, wanted in sizes.items():
        for width, height in wanted:
            for kind in f.PILLOW:
                by_pillow(o, name, width, height, kind)
    for kind, n_in, n, quarter in PILLOW_VECTORS:
        expected = unfolded(quarter)
        assert np.array_equal(f.resize(checker(n_in), n, n, kind), expected), (kind, n_in)
        o.add(f"resize{n}_{kind}", f"checker{n_in}", f"resize:{n}x{n}:filter={kind}", "picture", expected, "exact",
              "Pillow, Tests/test_image_resample.py")
    for kind in ("lanczos", "triangle"): # the definition below is Pillow's
        for width, height in ((12, 50), (80, 9)):
            f.agree(f"resize {kind}: whole numbers, Pillow", defined(o.inputs["rgb8"], width, height, kind, True),
                    f.resize(o.inputs["rgb8"], width, height, kind))
    for name, width, height in (("gray8", 20, 70), ("rgb8", 80, 9), ("gray16", 31, 61), ("grayf", 90, 17)):
        x = o.inputs[name]
        integers = x.dtype == np.uint8
        out = defined(x, width, height, "mitchell", integers)
        out = out.astype(np.uint8) if integers else np.clip(out, 0, WHITE[x.dtype]) if x.dtype == np.uint16 else out
        o.add(f"resize{width}x{height}_mitchell", name, f"resize:{width}x{height}:filter=mitchell", "picture", out,
              TOLERANCE[x.dtype.str[1:]], "numpy, " + ("whole numbers" if integers else "float64"))
    for name, width, height, kind in (("rgb8", 12, 50, "lanczos"), ("checker8", 3, 5, "triangle"),
                                      ("gray16", 31, 61, "mitchell")):
        o.add(f"resize{width}x{height}_{kind}_light", name, f"resize:{width}x{height}:filter={kind}:light=linear",
              "picture", in_light(o.inputs[name], width, height, kind), "int", "numpy, float64")
