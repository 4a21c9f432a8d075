"""Rows of the stages of morphology. Squares have odd sides: of even ones, places beside the middle differ."""
import cv2
import numpy as np
from compare import Row
from scipy import ndimage
from skimage import morphology

SQUARE = np.ones((5, 5), np.uint8)
CORNER = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]], np.uint8)
CROSS = morphology.disk(1)
# morphologyEx has a border of its own: what decides nothing in the first pass decides nothing in the second
DISK = morphology.disk(4)


def opencv(kind, kernel=SQUARE):
    return lambda v: cv2.morphologyEx(v, kind, kernel)


ROWS = [
    Row("erode:2", "gray u8", "cv2.erode(v, ones((5, 5)))", lambda v: cv2.erode(v, SQUARE)),
    Row("erode:2", "gray u16", "ndimage.grey_erosion(v, (5, 5))", lambda v: ndimage.grey_erosion(v, (5, 5))),
    Row("erode:4:shape=disk", "gray u8", "morphology.erosion(v, disk(4))", lambda v: morphology.erosion(v, DISK)),
    Row("erode:4:shape=disk", "gray u8", "cv2.erode(v, getStructuringElement(MORPH_ELLIPSE, (9, 9)))",
        lambda v: cv2.erode(v, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))),
        "its ellipse is not dx^2 + dy^2 <= r^2"),
    Row("erode:footprint=[0 1 0; 1 1 0; 0 0 0]", "gray f32", "ndimage.grey_erosion(v, footprint=..., mode='nearest')",
        lambda v: ndimage.grey_erosion(v, footprint=CORNER, mode="nearest")),
    Row("dilate:2", "RGB u8", "cv2.dilate(v, ones((5, 5)))", lambda v: cv2.dilate(v, SQUARE)),
    Row("dilate:2", "gray u8", "morphology.dilation(v, square(5))",
        lambda v: morphology.dilation(v, morphology.square(5))),
    Row("dilate:footprint=[0 1 0; 1 1 0; 0 0 0]", "gray u8", "ndimage.grey_dilation(v, footprint=..., mode='nearest')",
        lambda v: ndimage.grey_dilation(v, footprint=CORNER, mode="nearest")),
    Row("dilate:footprint=[0 1 0; 1 1 0; 0 0 0]", "gray u8", "cv2.dilate(v, ...)", lambda v: cv2.dilate(v, CORNER),
        "it does not turn the footprint"),
    Row("open:2", "gray u8", "cv2.morphologyEx(v, MORPH_OPEN, ones((5, 5)))", opencv(cv2.MORPH_OPEN)),
    Row("open:4:shape=disk", "gray u16", "morphology.opening(v, disk(4))", lambda v: morphology.opening(v, DISK)),
    Row("close:2", "RGB u8", "cv2.morphologyEx(v, MORPH_CLOSE, ones((5, 5)))", opencv(cv2.MORPH_CLOSE)),
    Row("close:1:shape=cross", "gray u8", "morphology.closing(v, disk(1))", lambda v: morphology.closing(v, CROSS)),
    Row("tophat:2", "gray u8", "cv2.morphologyEx(v, MORPH_TOPHAT, ones((5, 5)))", opencv(cv2.MORPH_TOPHAT)),
    Row("tophat:4:shape=disk", "gray f32", "morphology.white_tophat(v, disk(4))",
        lambda v: morphology.white_tophat(v, DISK)),
    Row("blackhat:2", "gray u8", "cv2.morphologyEx(v, MORPH_BLACKHAT, ones((5, 5)))", opencv(cv2.MORPH_BLACKHAT)),
    Row("blackhat:2", "gray u16", "ndimage.black_tophat(v, 5)", lambda v: ndimage.black_tophat(v, 5)),
]
