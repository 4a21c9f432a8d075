"""Rows of median and rank."""
import cv2
import numpy as np
from compare import Row
from PIL import Image, ImageFilter
from scipy import ndimage, signal
from skimage import filters


def squares(n):
    return np.ones((n, n), np.uint8)


def pillow(kind):
    return lambda v: np.asarray(Image.fromarray(v).filter(kind))


ROWS = [
    Row("median", "gray u8", "cv2.medianBlur(v, 3)", lambda v: cv2.medianBlur(v, 3)),
    Row("median:2", "RGB u8", "cv2.medianBlur(v, 5)", lambda v: cv2.medianBlur(v, 5)),
    Row("median:2", "gray u16", "cv2.medianBlur(v, 5)", lambda v: cv2.medianBlur(v, 5)),
    Row("median:2", "gray f32", "cv2.medianBlur(v, 5)", lambda v: cv2.medianBlur(v, 5)),
    Row("median:15", "gray u8", "cv2.medianBlur(v, 31)", lambda v: cv2.medianBlur(v, 31)),
    Row("median:3", "gray u16", "ndimage.median_filter(v, 7, mode='nearest')",
        lambda v: ndimage.median_filter(v, 7, mode="nearest")),
    Row("median:3:border=reflect", "gray f32", "ndimage.median_filter(v, 7)", lambda v: ndimage.median_filter(v, 7)),
    Row("median:1:border=constant", "gray f32", "scipy.signal.medfilt2d(v, 3)", lambda v: signal.medfilt2d(v, 3)),
    Row("median:4", "gray u8", "skimage.filters.median(v, square(9))", lambda v: filters.median(v, squares(9))),
    Row("median", "gray u8", "ImageFilter.MedianFilter(3)", pillow(ImageFilter.MedianFilter(3))),
    Row("rank:2:percentile=25", "gray u8", "ndimage.rank_filter(v, 6, 5, mode='nearest')",
        lambda v: ndimage.rank_filter(v, 6, 5, mode="nearest")),
    Row("rank:2:percentile=25", "gray f32", "ndimage.percentile_filter(v, 25, 5, mode='nearest')",
        lambda v: ndimage.percentile_filter(v, 25, 5, mode="nearest")),
    Row("rank:2:percentile=90", "gray u8", "filters.rank.percentile(v, square(5), p0=0.9)",
        lambda v: filters.rank.percentile(v, squares(5), p0=0.9),
        "the least sample of which more than a share p0 is not greater; at the border only what lies in the picture"),
    Row("rank:1:percentile=75", "RGB u8", "ImageFilter.RankFilter(3, 6)", pillow(ImageFilter.RankFilter(3, 6))),
]
