#!/usr/bin/env python3
"""What other libraries make of small pictures and signals, for tests/cli/tasks*.bats.

    python3 make_tasks.py            writes the files beside this one
    python3 make_tasks.py --check    recomputes them and compares with the ones that are here

Made with NumPy 1.24.2, SciPy 1.10.1, scikit-image 0.19.3, OpenCV 4.6.0 and Pillow 9.4.0.
"""

import io
import sys
from pathlib import Path

import cv2
import numpy as np
import scipy.ndimage
import scipy.signal
from PIL import Image
from skimage.filters import threshold_sauvola
from skimage.segmentation import watershed

HERE = Path(__file__).resolve().parent


def pattern(height, width, seed):
    """Numbers from 0 to 1, the same with every version of NumPy."""
    i = np.arange(height * width, dtype=np.uint64).reshape(height, width) + np.uint64(seed * 7919)
    return ((i * np.uint64(2654435761) >> np.uint64(7)) % np.uint64(65536)).astype(np.float64) / 65536


def scan():
    """Lines of dark marks on paper, in light that falls from left to right, with specks."""
    y, x = np.mgrid[:48, :72]
    ink = (y % 12 > 3) & (y % 12 < 9) & (x * 7 % 11 < 5)
    page = (220 - 2 * x) * np.where(ink, 0.4, 1) + 6 * pattern(48, 72, 1)
    page[pattern(48, 72, 2) < 0.02] = 0
    return page.astype(np.uint8)


def binarised(page):
    clean = scipy.ndimage.median_filter(page, 3, mode="nearest")
    level = threshold_sauvola(clean.astype(np.float64) / 255, window_size=25, k=0.2, r=0.5)
    return np.where(clean / 255 > level, 255, 0).astype(np.uint8)


def sharpened(page):
    v = page.astype(np.float64)
    soft = scipy.ndimage.gaussian_filter(v, 1.5, radius=6, mode="nearest")
    return np.clip(np.rint(v + 0.8 * (v - soft)), 0, 255).astype(np.uint8)


def upright(page):
    """The page by its corners, as float64."""
    corners = np.float32([[6, 5], [63, 9], [66, 42], [3, 39]])
    to = np.float32([[0, 0], [59, 0], [59, 39], [0, 39]])
    matrix = cv2.getPerspectiveTransform(corners, to)
    inverse = np.linalg.inv(matrix)
    y, x = np.mgrid[:40, :60].astype(np.float64)
    u, v, w = np.tensordot(inverse, np.stack([x, y, np.ones_like(x)]), 1)
    out = scipy.ndimage.map_coordinates(page.astype(np.float64), [v / w, u / w], order=1, mode="nearest")
    return np.rint(out).astype(np.uint8)


def lowpassed(sensor):
    sos = scipy.signal.butter(4, 8, fs=200, output="sos")
    return scipy.signal.sosfilt(sos, sensor)


def touching():
    """Two disks of equal size that overlap, and one alone."""
    y, x = np.mgrid[:64, :120]
    disk = lambda cx, cy, r: (x - cx) ** 2 + (y - cy) ** 2 < r * r
    return np.where(disk(30, 30, 18) | disk(58, 34, 18) | disk(98, 24, 16), 255, 0).astype(np.uint8)


def parted(cells):
    """The areas that a watershed of the distance gives, as scikit-image's documentation has it, largest first."""
    distance = scipy.ndimage.distance_transform_edt(cells)
    seeds, _ = scipy.ndimage.label(distance > 13)
    return sorted(np.bincount(watershed(-distance, seeds, mask=cells > 0).ravel())[1:], reverse=True)


def stack():
    return [(pattern(6, 9, 10 + k) * 65535).astype(np.uint16) for k in range(8)]


def rows(values):
    return "".join(f"{v:.9g}\n" for v in values).encode()


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def tiff(pages):
    out = io.BytesIO()
    first, *others = (Image.fromarray(p) for p in pages)
    first.save(out, "TIFF", save_all=True, append_images=others)
    return out.getvalue()


def files():
    page, pages = scan(), stack()
    t = np.arange(300) / 200
    sensor = np.float32(np.sin(2 * np.pi * 2 * t) + 0.3 * np.sin(2 * np.pi * 40 * t))
    half_up = lambda v: np.floor(v + 0.5).astype(np.uint16)
    return {
        "page.npy": npy(page), "page_binarised.npy": npy(binarised(page)), "page_sharpened.npy": npy(sharpened(page)),
        "page_upright.npy": npy(upright(page)), "sensor.csv": rows(sensor),
        "sensor_lowpassed.csv": rows(lowpassed(sensor.astype(np.float64))), "touching.npy": npy(touching()),
        "touching_areas.txt": rows(parted(touching())), "stack.tif": tiff(pages),
        "stack_max.npy": npy(np.max(pages, axis=0)), "stack_median.npy": npy(half_up(np.median(pages, axis=0))),
    }


def main():
    wrong = 0
    for name, content in files().items():
        if "--check" not in sys.argv[1:]:
            (HERE / name).write_bytes(content)
        elif not (HERE / name).exists() or (HERE / name).read_bytes() != content:
            print(f"make_tasks: {name} differs")
            wrong = 1
    sys.exit(wrong)


main()
