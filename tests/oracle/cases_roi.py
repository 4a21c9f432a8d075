"""Cases of make_oracle.py: regions of interest with a form, by scikit-image, SciPy and formulas in float64."""

import numpy as np
import skimage.draw

import formulas as f


def smooth(t):
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def ellipse(shape, w, h, x, y):
    """What skimage.draw.ellipse fills, of radii w / 2 and h / 2 around the middle of the rectangle."""
    inside = np.zeros(shape, bool)
    rows, columns = skimage.draw.ellipse(y + (h - 1) / 2, x + (w - 1) / 2, h / 2, w / 2, shape)
    inside[rows, columns] = True
    return inside


def ellipse_weights(shape, w, h, x, y, feather):
    """1 inside, 0 outside; with a feather by the way to the edge: of a circle the true one, else |F| / |grad F| of
    F = r, at most those along the axes; a signal has one."""
    inside = ellipse(shape, w, h, x, y).astype(np.float64)
    if feather == 0:
        return inside
    v, u = np.mgrid[0:shape[0], 0:shape[1]]
    u, v = u + 0.5 - x - w / 2, v + 0.5 - y - h / 2
    if w == h:
        way = w / 2 - np.hypot(u, v)
    else:
        a, b = w / 2, h / 2
        r = np.hypot(u / a, v / b)
        with np.errstate(invalid="ignore", divide="ignore"):
            way = (1 - r) * r / np.hypot(u / a**2, v / b**2)
        way = np.where(r == 0, np.inf, way)
        if shape[1] > 1:
            way = np.minimum(way, a * (np.sqrt(np.maximum(1 - (v / b) ** 2, 0)) - np.abs(u / a)))
        if shape[0] > 1:
            way = np.minimum(way, b * (np.sqrt(np.maximum(1 - (u / a) ** 2, 0)) - np.abs(v / b)))
    return inside * smooth(way / feather)


def rectangle_weights(shape, w, h, x, y, feather):
    """Along each axis the ramps of those sides behind which the picture goes on."""
    def along(n, at, size):
        place = np.arange(n) + 0.5 - at
        ramp = ((place > 0) & (place < size)).astype(np.float64)
        ramp = ramp * smooth(place / feather) if at > 0 else ramp
        return ramp * smooth((size - place) / feather) if at + size < n else ramp
    return along(shape[0], y, h)[:, None] * along(shape[1], x, w)[None, :]


def region(o, label, name, stage, function, rect, feather, is_ellipse, source, tolerance=None):
    """The stage, rounded to the depth, mixed with the picture by weights."""
    w, h, x, y = rect
    def mixed(v):
        weights = (ellipse_weights if is_ellipse else rectangle_weights)(v.shape, w, h, x, y, feather)
        made = f.rounded(function(v), v.dtype).astype(np.float64)
        return v + weights * (made - v)
    roi = f"roi={'ellipse@' if is_ellipse else ''}{w}x{h}+{x}+{y}" + (f":feather={feather}" if feather else "")
    o.picture(label, name, f"{stage}:{roi}", mixed, source, tolerance=tolerance)


def regions(o):
    drawn, first = "skimage.draw.ellipse", "distance to the first order, float64"
    for name, rect in (("gray8", (41, 23, 13, 8)), ("gray16", (53, 37, 0, 0)), ("grayf", (2, 31, 9, 3)),
                       ("rgb8", (30, 1, 5, 11)), ("rgba16", (4, 4, 17, 13)), ("ga8", (22, 18, 1, 1))):
        region(o, "inellipse", name, "invert", f.invert, rect, 0, True, drawn, "exact" if name[-1] != "f" else None)
    for name, rect, feather in (("gray8", (40, 40, 20, 3), 7.5), ("gray16", (31, 31, 11, 2), 40), ("rgbf", (22, 22, 0, 0), 3),
                                ("rgba8", (17, 17, 12, 6), 1)):
        region(o, "incircle", name, "invert", f.invert, rect, feather, True, "distance to a circle, float64")
    for name, rect, feather in (("gray8", (60, 21, 3, 20), 4), ("grayf", (40, 9, 5, 20), 20), ("rgb16", (13, 28, 6, 1), 5)):
        region(o, "softellipse", name, "invert", f.invert, rect, feather, True, first)
    for name, rect, feather in (("gray8", (30, 20, 10, 9), 6), ("rgb16", (31, 12, 0, 17), 4.5), ("rgbaf", (9, 19, 6, 0), 8),
                                ("wide8", (161, 71, 0, 0), 9)):
        region(o, "softrect", name, "invert", f.invert, rect, feather, False, "smoothstep to each side, float64")
    region(o, "softbox", "gray16", "box:radius=3", lambda x: f.box(x, 3, "replicate", 0), (45, 30, 4, 5), 10, True, first)
    region(o, "softsignal", "signal16", "invert", f.invert, (100, 1, 50, 0), 30, False, "smoothstep to each side, float64")
    region(o, "softsignalellipse", "signalf", "invert", f.invert, (301, 1, 100, 0), 60, True, "smoothstep to each side, float64")
