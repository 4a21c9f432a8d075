"""Cases of make_oracle.py: stages that need the whole picture, by SciPy and NumPy."""

from fractions import Fraction

import numpy as np
import scipy.fft
import scipy.ndimage as ndi

LEVELS = {np.dtype(np.uint8): ("90u8", 90), np.dtype(np.uint16): ("30000u16", 30000), np.dtype(np.float32): ("0.4", np.float32(0.4))}


def nearest(away):
    """Of each pixel the first site in raster order among the nearest: all of them are looked at."""
    sites = np.argwhere(~away)
    y, x = np.mgrid[: away.shape[0], : away.shape[1]]
    squares = (y[..., None] - sites[:, 0]) ** 2 + (x[..., None] - sites[:, 1]) ** 2
    first = sites[np.argmin(squares, axis=-1)]
    assert (squares.min(axis=-1) == np.rint(ndi.distance_transform_edt(away) ** 2)).all()
    return (first[..., 0] * away.shape[1] + first[..., 1]).astype(np.uint32)


def distances(o):
    edt, cdt = ndi.distance_transform_edt, ndi.distance_transform_cdt
    for name in ("gray8", "gray16", "grayf", "spots8", "wide8", "small8", "tiny16", "signal16"):
        x = o.inputs[name]
        text, level = LEVELS[x.dtype]
        away = np.atleast_2d(x > level)
        assert not away.all()
        for metric, made, source in (
            ("l2", edt(away).astype(np.float32), "scipy.ndimage.distance_transform_edt"),
            ("squared", np.rint(edt(away) ** 2).astype(np.uint64), "scipy.ndimage.distance_transform_edt, squared"),
            ("l1", cdt(away, "taxicab").astype(np.float32), "scipy.ndimage.distance_transform_cdt(metric='taxicab')"),
            ("chessboard", cdt(away, "chessboard").astype(np.float32),
             "scipy.ndimage.distance_transform_cdt(metric='chessboard')"),
        ):
            o.add(f"distance_{metric}", name, f"threshold:{text},distance:{metric}", "picture", made.reshape(x.shape),
                  "exact", source)
        if away.size < 3000:
            o.add("nearest", name, f"threshold:{text},distance:output=nearest", "picture",
                  nearest(away).reshape(x.shape), "exact", "numpy.argmin over all sites")


def integrals(o):
    for name in ("gray8", "gray16", "grayf", "rgba8", "wide8", "tiny16", "widef"):
        x = o.inputs[name]
        if x.dtype.kind == "u":
            made, tolerance = x.astype(np.uint64).cumsum(axis=0).cumsum(axis=1), "exact"
        else:
            made, tolerance = x.astype(np.float64).cumsum(axis=0).cumsum(axis=1), "f32"
        o.add("integral", name, "integral", "picture", made, tolerance, "numpy.cumsum along both axes")


def nearest_root(n, square):
    """The f32 nearest to n / sqrt(square), ties to even, in fractions."""
    if n == 0 or square == 0:
        return np.float32(0)
    size, guess = Fraction(n * n, square), np.float32(abs(n) / float(square) ** 0.5)
    between = lambda a, b: ((Fraction(float(a)) + Fraction(float(b))) / 2) ** 2
    while True:
        above = between(guess, np.nextafter(guess, np.float32(2)))
        below = between(guess, np.nextafter(guess, np.float32(0)))
        odd = int(guess.view(np.uint32)) & 1
        if size > above or (size == above and odd):
            guess = np.nextafter(guess, np.float32(2))
        elif size < below or (size == below and odd):
            guess = np.nextafter(guess, np.float32(0))
        else:
            return guess if n > 0 else -guess


def scores(x, t):
    """Normalised correlation of each place, in integers of Python."""
    x, t = (np.atleast_3d(a).astype(object) for a in (x, t))
    h, w, n = *t.shape[:2], t.shape[0] * t.shape[1]
    products = lambda a, b: n * (a * b).sum() - (a.sum((0, 1)) * b.sum((0, 1))).sum()
    out = np.empty((x.shape[0] - h + 1, x.shape[1] - w + 1), np.float32)
    for y in range(out.shape[0]):
        for left in range(out.shape[1]):
            part = x[y : y + h, left : left + w]
            out[y, left] = nearest_root(products(part, t), products(part, part) * products(t, t))
    return out


def matches(o):
    """The picture in itself, with some of it repeated around."""
    for name, side in (("gray8", 6), ("gray16", 5), ("rgb8", 4), ("small8", 9), ("tiny16", 11)):
        x = o.inputs[name]
        wide = np.pad(x, [(side, side), (side, side)] + [(0, 0)] * (x.ndim - 2), "edge")
        o.add("match", name, f"pad:{side}:border=replicate,match:in", "picture", scores(wide, x), "exact",
              "integers and fractions of Python")


def blocks(x, size, function):
    """Each block of each channel by the function; those at the right and lower edge are what is left."""
    out = np.empty(x.shape, np.float64)
    for top in range(0, x.shape[0], size):
        for left in range(0, x.shape[1], size):
            part = np.s_[top : top + size, left : left + size]
            out[part] = function(x[part], axes=(0, 1), norm="ortho")
    return out


def dcts(o):
    for name, sizes in (("gray8", (8, 5, 64)), ("gray16", (16,)), ("grayf", (8, 32)), ("rgba8", (8,)), ("widef", (8,))):
        x = o.inputs[name]
        x = x.astype(np.float64) / (np.iinfo(x.dtype).max if x.dtype.kind == "u" else 1)
        for size in sizes:
            for stage, function in (("dct", scipy.fft.dctn), ("idct", scipy.fft.idctn)):
                o.add(f"{stage}{size}", name, f"{stage}:{size}", "picture", blocks(x, size, function), "f32",
                      f"scipy.fft.{stage}n(norm='ortho') of each block")
    for name in ("gray8", "grayf", "rgba8"):
        x = o.inputs[name]
        x = x.astype(np.float64) / (np.iinfo(x.dtype).max if x.dtype.kind == "u" else 1)
        for stage, function in (("dct", scipy.fft.dctn), ("idct", scipy.fft.idctn)):
            o.add(f"{stage}whole", name, f"{stage}:whole", "picture", function(x, axes=(0, 1), norm="ortho"), "f32",
                  f"scipy.fft.{stage}n(norm='ortho')")
