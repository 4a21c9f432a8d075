"""Cases of make_oracle.py: windows that put samples in order, morphology and ranks, by SciPy."""

import numpy as np

import formulas as f
from cases_conv import FILL, border_text
from pictures import WHITE

RANK = "scipy.ndimage.rank_filter(rank={}, size={}, mode={})"


def morphology(o, name, stage, words, footprint, border="replicate"):
    fill = FILL * WHITE[o.inputs[name].dtype]
    label = stage + "".join(c if c.isalnum() else "_" for c in words) + ("" if border == "replicate" else f"_{border}")
    function = lambda x: f.morphology(x, stage, footprint, border, fill)
    source = f"scipy.ndimage.grey_erosion, grey_dilation(mode={f.SCIPY[border]})"
    o.picture(label, name, f"{stage}:{words}" + border_text(border), function, source, border, "exact")


def morphologies(o):
    square, disk, corner = np.ones((5, 5), int), f.disk(3), [[0, 1, 0, 0], [1, 1, 0, 1]]
    text = "footprint=[0 1 0 0; 1 1 0 1]"
    for stage in ("erode", "dilate", "open", "close", "tophat", "blackhat"):
        for name in ("rgba8", "tiny16", "signalf"):
            morphology(o, name, stage, "2", square)
        morphology(o, "small8", stage, "3:shape=disk", disk)
        morphology(o, "tiny8", stage, text, corner)
        for border in f.BORDERS[1:]:
            morphology(o, "small8", stage, "width=4:height=3", np.ones((3, 4), int), border)
            morphology(o, "tiny8", stage, text, corner, border)
            morphology(o, "tiny16", stage, "7:shape=disk", f.disk(7), border)


def rank(o, name, radius, percentile, border="replicate"):
    x = o.inputs[name]
    fill = f.rounded(np.array(FILL * WHITE[x.dtype]), x.dtype)
    n = (2 * radius + 1) ** (1 if x.ndim == 1 else 2)
    index = int(np.floor(percentile * (n - 1) / 100 + 0.5))
    label = (f"median{radius}" if percentile == 50 else f"rank{radius}p{percentile}")
    stages = f"median:{radius}" if percentile == 50 else f"rank:{radius}:percentile={percentile}%"
    label += "" if border == "replicate" else f"_{border}"
    function = lambda v: f.rank(v, radius, index, border, fill)
    source = RANK.format(index, 2 * radius + 1, f.SCIPY[border])
    o.picture(label, name, stages + border_text(border), function, source, border, "exact")


def ranks(o):
    for name in ("gray8", "gray16", "grayf"):
        for radius in (1, 2, 3, 6):
            rank(o, name, radius, 50)
        rank(o, name, 2, 22.5)
        rank(o, name, 5, 90)
    for name in ("rgb8", "rgb16", "rgbf", "rgba8", "rgba16", "rgbaf", "ga8"):
        rank(o, name, 2, 50)
    for name in ("signal16", "signalf"):
        rank(o, name, 4, 50)
        rank(o, name, 4, 75)
    for border in f.BORDERS:
        if border != "replicate":
            for name in ("small8", "tiny8", "tiny16"):
                rank(o, name, 3, 50, border)
                rank(o, name, 3, 30, border)
