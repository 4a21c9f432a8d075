"""Cases of pictures that are put on, or beside, a picture: by Pillow's paste and resize where it knows the depth, else by
slices of NumPy's. All expected samples are exact but those of blends in float64."""

import numpy as np
from PIL import Image, ImageDraw
from pictures import WHITE


def part(n, at, length):
    """Where `length` samples that begin at `at` lie in n, and which of them: two slices."""
    first, end = max(at, 0), min(at + length, n)
    return slice(first, end), slice(first - at, end - at)


def placed(v, o, x, y, blend):
    """v with what blend makes of both, in fractions of white, where o lies; float64 sample units."""
    white = float(WHITE[v.dtype])
    (rows, of_rows), (columns, of_columns) = part(v.shape[0], y, o.shape[0]), part(v.shape[1], x, o.shape[1])
    out = v.astype(np.float64)
    out[rows, columns] = white * blend(out[rows, columns] / white, o[of_rows, of_columns].astype(np.float64) / white)
    return out


def over(v, o):
    """Porter and Duff's over of pictures with straight alpha."""
    w, r = o[..., -1:], v[..., -1:] * (1 - o[..., -1:])
    alpha = w + r
    colour = np.divide(o[..., :-1] * w + v[..., :-1] * r, alpha, out=np.zeros_like(v[..., :-1]), where=alpha > 0)
    return np.concatenate([colour, alpha], axis=-1)


def divided(v, o):
    return np.clip(np.divide(v, o, out=np.zeros_like(v), where=o != 0), 0, 1)


def joined(a, b, gap, align, down, fill):
    """Two pictures of one depth and as many channels, in a row or in a column."""
    if down:
        a, b = a.swapaxes(0, 1), b.swapaxes(0, 1)
    high = max(a.shape[0], b.shape[0])
    out = np.empty((high, a.shape[1] + gap + b.shape[1]) + a.shape[2:], a.dtype)
    out[...] = np.array(fill, a.dtype)
    for picture, x in ((a, 0), (b, a.shape[1] + gap)):
        y = {"start": 0, "centre": (high - picture.shape[0]) // 2, "end": high - picture.shape[0]}[align]
        out[y:y + picture.shape[0], x:x + picture.shape[1]] = picture
    return out.swapaxes(0, 1) if down else out


def pastes(o):
    """The picture on its negative."""
    paste = "PIL.Image.paste"
    for name, word, column, row, dx, dy in (
            ("gray8", "30+21", None, None, 30, 21), ("gray8", "-7-11", None, None, -7, -11),
            ("gray8", "southeast+5+3", 2, 2, 5, 3), ("rgb8", "north-6+4", 1, 0, -6, 4), ("rgb8", "west+2-9", 0, 1, 2, -9),
            ("small8", "centre+1+2", 1, 1, 1, 2)):
        x = o.inputs[name]
        out = Image.fromarray(255 - x)
        left = dx if column in (None, 0) else -dx if column == 2 else dx  # of the picture's own size: no rest
        top = dy if row in (None, 0) else -dy if row == 2 else dy
        out.paste(Image.fromarray(x), (left, top))
        label = "place_" + word.replace("+", "p").replace("-", "m")
        o.add(label, name, f"invert,blend:in:at={word}", "picture", np.asarray(out), "exact", paste)
    for scale, word in ((0.5, "centre"), (0.3, "southeast+2+1"), (1.7, "northwest")):
        x = o.inputs["rgb8"]
        height, width = x.shape[:2]
        w, h = int(width * scale + 0.5), int(height * scale + 0.5)
        small = Image.fromarray(x).resize((w, h), Image.LANCZOS)
        at = {"centre": ((width - w) // 2, (height - h) // 2), "southeast+2+1": (width - w - 2, height - h - 1),
              "northwest": (0, 0)}[word]
        out = Image.fromarray(255 - x)
        out.paste(small, at)
        o.add(f"place_scale{scale}", "rgb8", f"invert,blend:in:at={word}:scale={scale}", "picture", np.asarray(out), "exact",
              "PIL.Image.resize, paste")


def blends(o):
    for name, mode, how in (("gray16", "multiply", lambda v, w: v * w), ("grayf", "multiply", lambda v, w: v * w),
                            ("gray8", "divide", divided), ("gray16", "divide", divided), ("rgba8", "over", over),
                            ("rgba16", "over", over)):
        x = o.inputs[name]
        out = placed(x, x, 9, -5, how)
        o.add(f"place_{mode}", name, f"blend:in:mode={mode}:at=9-5", "picture", out, "f32" if name[-1] == "f" else "int",
              "float64")
    x = o.inputs["small8"]
    kept = placed(255 - x, x, 2, 3, lambda v, w: v * w)
    o.add("place_mask", "small8", "invert,mask:in:at=2+3", "picture", kept, "int", "float64")


def rows(o):
    for name, stage, gap, align, given, fill in (
            ("gray8", "beside", 0, "start", "", 0), ("gray16", "beside", 3, "centre", "", 0),
            ("rgb8", "below", 2, "end", ":colour=[1 0 0.2]", (255, 0, 51)), ("rgba8", "beside", 1, "end", "", 0),
            ("rgba8", "below", 4, "centre", ":colour=1", 255), ("grayf", "below", 0, "centre", ":colour=0.5", 0.5)):
        x = o.inputs[name]
        small = x[5:16, 4:17]  # the first picture is the lesser one
        out = joined(small, x, gap, align, stage == "below", fill)
        o.add(f"{stage}_{align}", name, f"crop:13x11+4+5,{stage}:in:gap={gap}:align={align}{given}", "picture", out,
              "exact", "slices of NumPy's")


def edge(distance, width):
    """Coverage of an edge of that width, inside the form; distance 0 is the form's outline, less than 0 inside."""
    return np.clip(0.5 + width / 2 - np.abs(distance + width / 2), 0, 1)


def drawings(o):
    """Rectangles by Pillow, lines and circles by their distances in float64."""
    for name, fill, width in (("gray8", None, 3), ("gray8", 40, 2), ("rgb8", (0, 255, 51), 1)):
        x = o.inputs[name]
        out = Image.fromarray(x)
        ImageDraw.Draw(out).rectangle((5, 4, 5 + 17 - 1, 4 + 12 - 1), fill=fill, outline=255 if x.ndim == 2 else (255, 0, 0), width=width)
        given = "" if fill is None else f":fill={40 / 255}" if x.ndim == 2 else ":fill=[0 1 0.2]"
        o.add(f"draw_rect{width}", name, f"draw:rect:area=17x12+5+4:width={width}:colour={'1' if x.ndim == 2 else '#f00'}{given}",
              "picture", np.asarray(out), "exact", "PIL.ImageDraw.rectangle")
    for name in ("gray8", "gray16", "grayf"):
        x = o.inputs[name]
        white = float(WHITE[x.dtype])
        y, column = np.mgrid[0:x.shape[0], 0:x.shape[1]].astype(np.float64)
        p, q = np.array([3.0, 5.0]), np.array([24.5, 13.0])
        t = np.clip(((column - p[0]) * (q - p)[0] + (y - p[1]) * (q - p)[1]) / ((q - p) @ (q - p)), 0, 1)
        far = np.hypot(column - p[0] - t * (q - p)[0], y - p[1] - t * (q - p)[1])
        for label, stages, share in (
                ("line", "draw:line:from=[3 5]:to=[24.5 13]:width=2.5:colour=0.25", np.clip(0.5 - (far - 1.25), 0, 1)),
                ("circle", "draw:ellipse:area=15x15+4+3:width=2:colour=0.25", edge(np.hypot(column - 11, y - 10) - 7.5, 2))):
            out = x + share * (0.25 * white - x)
            o.add("draw_" + label, name, stages, "picture", out, "f32" if name[-1] == "f" else "int", "distance, float64")


def places(o):
    pastes(o)
    blends(o)
    rows(o)
    drawings(o)
