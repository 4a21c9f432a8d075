"""Cases of make_oracle.py: regions, by scikit-image, SciPy and OpenCV."""

import cv2
import numpy as np
import scipy.ndimage as ndi
import skimage.measure
import skimage.morphology
import skimage.segmentation

import formulas as f


def label(x, connectivity, equal=False):
    """Numbers of regions in the raster order of their first pixels."""
    steps = 1 if connectivity == 4 else 2
    out = skimage.measure.label(x if equal else x != 0, background=0, connectivity=steps)
    if not equal:
        f.agree("label: scikit-image, SciPy", out, ndi.label(x, ndi.generate_binary_structure(2, steps))[0])
    return out.astype(np.uint32)


def regions(x, numbers):
    """A row a region: area, x, y, w, h of its box, its centroid, its mean, least and greatest sample."""
    rows = []
    for region in skimage.measure.regionprops(numbers.astype(np.int64), intensity_image=x):
        top, left, bottom, right = region.bbox
        y, column = region.centroid
        rows.append([region.area, left, top, right - left, bottom - top, column, y, region.intensity_mean,
                     region.intensity_min, region.intensity_max])
    return np.array(rows, np.float64)


def areas(numbers, connectivity):
    """Of each region, of number 0 all the rest; OpenCV has them in an order of its own."""
    own = np.bincount(numbers.ravel())
    stats = cv2.connectedComponentsWithStats((numbers > 0).astype(np.uint8), connectivity=connectivity)[2]
    f.agree("areas: NumPy, OpenCV", np.sort(own[1:]), np.sort(stats[1:, cv2.CC_STAT_AREA]))
    return own


def only(numbers, kept):
    """Those of the regions kept, numbered without gaps in the order that they have."""
    return skimage.segmentation.relabel_sequential(np.where(np.isin(numbers, kept), numbers, 0))[0].astype(np.uint32)


def left_out(numbers, connectivity, least=1, most=None, largest=0, drop=False):
    """What min_area, max_area, largest and border=drop leave."""
    area = areas(numbers, connectivity)
    out = skimage.morphology.remove_small_objects(numbers.astype(np.int64), least) if least > 1 else numbers
    out = skimage.segmentation.clear_border(out.astype(np.int64)) if drop else out
    left = [n for n in np.unique(out) if n > 0 and (most is None or area[n] <= most)]
    if largest:
        left = sorted(left, key=lambda n: -area[n])[:largest]  # sorted keeps the order of equals
    return only(numbers, left)


LEFT_OUT = (("min_area=4", dict(least=4)), ("max_area=3", dict(most=3)), ("largest=1", dict(largest=1)),
            ("largest=7", dict(largest=7)), ("border=drop", dict(drop=True)),
            ("min_area=2:max_area=12:largest=5:border=drop", dict(least=2, most=12, largest=5, drop=True)))


def colours(numbers):
    """RGB of numbers, 0 being black: the formula of docs/exactness.md, in 64 bits."""
    n = numbers.astype(np.int64)
    a, b, c = (n * k % 2**32 for k in (3518319155, 2882110345, 2360945575))
    hue, greatest = 1536 * a // 2**32, 255 - 96 * b // 2**32
    least = greatest * (c // 2**24) // 512
    planes = []
    for k in range(3):
        away = np.abs(hue - 512 * k)
        share = np.clip(512 - np.minimum(away, 1536 - away), 0, 255)
        planes.append(least + (greatest - least) * share // 255)
    return np.where(numbers[..., None] > 0, np.stack(planes, axis=-1), 0).astype(np.uint8)


def labels(o):
    source = "skimage.measure.label, regionprops; scipy.ndimage.label agrees"
    for name in ("spots8", "spots16"):
        x = o.inputs[name]
        for text, words in (("", (8,)), (":4", (4,)), (":of=equal", (8, True)), (":4:of=equal", (4, True))):
            case = "label" + text.replace(":", "_").replace("=", "_")
            numbers = label(x, *words)
            o.add(case, name, "label" + text, "picture", numbers, "exact", source)
            o.add(case + "_regions", name, "label" + text, "regions", regions(x, numbers), "regions", source)
    x = o.inputs["spots8"]
    source = "skimage.measure.label, skimage.morphology, skimage.segmentation; areas of OpenCV agree"
    for connectivity in (8, 4):
        numbers = label(x, connectivity)
        for text, words in LEFT_OUT:
            case = f"label_{connectivity}_" + text.replace(":", "_").replace("=", "_")
            kept = left_out(numbers, connectivity, **words)
            o.add(case, "spots8", f"label:{connectivity}:{text}", "picture", kept, "exact", source)
            o.add(case + "_regions", "spots8", f"label:{connectivity}:{text}", "regions", regions(x, kept), "regions",
                  source)
    o.add("label_colours", "spots8", "label:4:output=colours", "picture", colours(label(x, 4)), "exact",
          "formula, integers")
