"""Cases of stages that make pictures of another size: resize by Pillow, and by its definition in whole numbers or float64
where Pillow has no such filter."""

import math

import cv2
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


def blocks(x, n, rounds):
    """Means of blocks of n x n pixels, along rows first; `rounds`: u8 is rounded in between."""
    for axis in (1, 0):
        edges = np.arange(0, x.shape[axis], n)
        count = np.diff(np.append(edges, x.shape[axis]))
        mean = np.add.reduceat(x.astype(np.float64), edges, axis=axis)
        mean = mean / count.reshape([-1 if i == axis else 1 for i in range(x.ndim)])
        x = np.repeat(np.floor(mean + 0.5) if rounds else mean, count, axis=axis)
    return x


def pixelates(o):
    for name in ("gray8", "gray16", "rgbf"):
        x = o.inputs[name]
        kind = "f32" if x.dtype.kind == "f" else "int"
        for n in (4, 7):
            o.add(f"pixelate{n}", name, f"pixelate:{n}", "picture", blocks(x, n, x.dtype == np.uint8), kind, "numpy.add.reduceat")
        part = x.astype(np.float64)
        part[3:18, 5:25] = blocks(x[3:18, 5:25], 6, x.dtype == np.uint8)
        o.add("pixelate_roi", name, "pixelate:6:roi=20x15+5+3", "picture", part, kind, "numpy.add.reduceat")


# ---- warp ----

BORDER = {"replicate": cv2.BORDER_REPLICATE, "reflect101": cv2.BORDER_REFLECT_101, "reflect": cv2.BORDER_REFLECT,
          "wrap": cv2.BORDER_WRAP}


def folded(i, n, border):
    """Indices into an axis, -1 outside with a constant border."""
    if border == "constant":
        return np.where((i >= 0) & (i < n), i, -1)
    return np.vectorize(lambda k: cv2.borderInterpolate(int(k), n, BORDER[border]))(i)


def keys(x):
    x = np.abs(x)
    return np.where(x < 1, (1.5 * x - 2.5) * x * x + 1, np.where(x < 2, ((2.5 - 0.5 * x) * x - 4) * x + 2, 0))


def lanczos6(x):
    w = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
    return w / w.sum(axis=0)


KERNELS = {"linear": (2, lambda x: 1 - np.abs(x)), "cubic": (4, keys), "lanczos": (6, lanczos6)}


def taps(t, kind):
    """First sample and weights, (taps, ...), for places t."""
    if kind == "nearest":
        return np.floor(t + 0.5).astype(int), np.ones((1,) + t.shape)
    n, at = KERNELS[kind]
    first = np.floor(t).astype(int) - (n // 2 - 1)
    return first, at(np.stack([first + i - t for i in range(n)]))


def warped(x, matrix, width, height, kind, border, fill):
    """float64: the matrix inverted, then weighted sums of samples."""
    inverse = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]) if len(matrix) == 2 else np.array(matrix, float))
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    u, v, w = np.tensordot(inverse, np.stack([columns, rows, np.ones_like(rows)]).astype(np.float64), 1)
    left, across = taps(u / w, kind)
    top, down = taps(v / w, kind)
    out = np.zeros((height, width) + x.shape[2:])
    for j, wy in enumerate(down):
        for i, wx in enumerate(across):
            ys, xs = folded(top + j, x.shape[0], border), folded(left + i, x.shape[1], border)
            outside = ((ys < 0) | (xs < 0)).reshape(ys.shape + (1,) * (x.ndim - 2))
            weight = (wx * wy).reshape(ys.shape + (1,) * (x.ndim - 2))
            out += weight * np.where(outside, fill, x[ys, xs].astype(np.float64))
    return np.clip(out, 0, WHITE[x.dtype]) if x.dtype.kind == "u" else out


def text_of(matrix):
    return "[" + "; ".join(" ".join(f"{v:g}" for v in row) for row in matrix) + "]"


AFFINE = [[1.1, 0.25, -3.5], [-0.2, 0.9, 6.25]]
PROJECTIVE = [[0.9, 0.2, 2], [-0.1, 1.2, 3], [0.002, 0.003, 1]]


def warps(o):
    for name in ("rgb8", "gray16", "grayf"):
        x = o.inputs[name]
        fill = 0.2 * WHITE[x.dtype]
        tolerance = "f32" if x.dtype.kind == "f" else "int"
        for label, matrix in (("affine", AFFINE), ("projective", PROJECTIVE)):
            for kind in ("nearest", "linear", "cubic", "lanczos"):
                border = "constant" if label == "affine" else "reflect101"
                out = warped(x, matrix, 40, 30, kind, border, fill)
                stages = f"warp:{text_of(matrix)}:width=40:height=30:filter={kind}:border={border}:value=0.2"
                exact = kind == "nearest"
                o.add(f"warp_{label}_{kind}", name, stages, "picture", out.astype(x.dtype) if exact else out,
                      "exact" if exact else tolerance, "numpy, float64", border)
    x = o.inputs["gray8"]
    for border in ("replicate", "reflect", "wrap"):
        o.add(f"warp_{border}", "gray8", f"warp:{text_of(AFFINE)}:border={border}", "picture",
              warped(x, AFFINE, 67, 45, "linear", border, 0), "int", "numpy, float64", border)
        theirs = cv2.warpAffine(x, np.array(AFFINE), (67, 45), flags=cv2.INTER_LINEAR, borderMode=BORDER[border])
        f.agree("warp linear: float64, cv2.warpAffine", warped(x, AFFINE, 67, 45, "linear", border, 0), theirs)
    for angle in (30, -45, 100.5):
        s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        w, h = 37, 31
        width, height = math.ceil(abs(w * c) + abs(h * s)), math.ceil(abs(w * s) + abs(h * c))
        turn = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]]) @ np.array(
            [[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, -(w - 1) / 2], [0, 1, -(h - 1) / 2], [0, 0, 1]])
        o.add(f"rotate_{angle}".replace("-", "m"), "rgb8", f"rotate:{angle}:filter=cubic", "picture",
              warped(o.inputs["rgb8"], turn, width, height, "cubic", "constant", 0), "int", "numpy, float64")


def perspectives(o):
    """Four corners that become those of the result, by OpenCV's matrix."""
    corners = np.float32([[6, 3], [58, 9], [50, 41], [2, 33]])
    width, height = math.floor(max(math.dist(corners[0], corners[1]), math.dist(corners[3], corners[2])) + 1.5), math.floor(
        max(math.dist(corners[0], corners[3]), math.dist(corners[1], corners[2])) + 1.5)
    for kind, name in (("linear", "gray8"), ("cubic", "gray16"), ("lanczos", "grayf")):
        for label, wide, high, more in (("", width, height, ""), ("_sized", 40, 25, ":width=40:height=25")):
            to = np.float32([[0, 0], [wide - 1, 0], [wide - 1, high - 1], [0, high - 1]])
            matrix = cv2.getPerspectiveTransform(corners, to)
            o.add(f"warp_corners{label}_{kind}", name,
                  "warp:corners=[" + " ".join(f"{v:g}" for v in corners.ravel()) + f"]:filter={kind}{more}", "picture",
                  warped(o.inputs[name], matrix, wide, high, kind, "constant", 0),
                  "f32" if kind == "lanczos" else "int", "cv2.getPerspectiveTransform, numpy")
