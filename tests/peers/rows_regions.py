"""Rows of label."""
import cv2
import numpy as np
from compare import Row
from scipy import ndimage
from skimage import color, measure, morphology, segmentation

KEYS = ("CC_STAT_AREA", "CC_STAT_LEFT", "CC_STAT_TOP", "CC_STAT_WIDTH", "CC_STAT_HEIGHT")


def numbers(v):
    return ndimage.label(v > 127, np.ones((3, 3)))[0]


def in_order(v):
    return segmentation.relabel_sequential(v)[0]


def areas_and_boxes(v):
    """A row a region, in the raster order of their first pixels, which CCL_WU numbers by."""
    mask = (v > 127).astype(np.uint8)
    stats = cv2.connectedComponentsWithStatsWithAlgorithm(mask, 8, cv2.CV_32S, cv2.CCL_WU)[2]
    return np.array([[row[getattr(cv2, key)] for key in KEYS] for row in stats[1:]])


def largest(v, n):
    areas = ndimage.sum_labels(np.ones_like(v), v, np.arange(1, v.max() + 1))
    return in_order(np.where(np.isin(v, np.argsort(-areas, kind="stable")[:n] + 1), v, 0))


ROWS = [
    Row("threshold:0.5,label", "gray u8", "ndimage.label(v > 127, ones((3, 3)))", numbers),
    Row("threshold:0.5,label:connectivity=4", "gray u8", "cv2.connectedComponentsWithAlgorithm(v, 4, CV_32S, CCL_WU)",
        lambda v: cv2.connectedComponentsWithAlgorithm((v > 127).astype(np.uint8), 4, cv2.CV_32S, cv2.CCL_WU)[1]),
    Row("threshold:0.5,label", "gray u8", "cv2.connectedComponentsWithStatsWithAlgorithm(v, 8, CV_32S, CCL_WU)",
        areas_and_boxes,
        result=lambda found: np.array([[row["area"]] + row["box"] for row in found["regions"]])),
    Row("threshold:0.5,label:min_area=5", "gray u8", "remove_small_objects(ndimage.label(v > 127, ones((3, 3))), 5)",
        lambda v: in_order(morphology.remove_small_objects(numbers(v), 5))),
    Row("threshold:0.5,label:border=drop", "gray u8", "segmentation.clear_border(ndimage.label(v > 127, ones((3, 3))))",
        lambda v: in_order(segmentation.clear_border(numbers(v)))),
    Row("threshold:0.5,label:largest=3", "gray u8", "the regions that argsort(-areas, kind='stable')[:3] names",
        lambda v: largest(numbers(v), 3)),
    Row("threshold:0.5,label:4:output=colours", "gray u8", "skimage.color.label2rgb(measure.label(v > 127, 1), bg_label=0)",
        lambda v: np.rint(255 * color.label2rgb(measure.label(v > 127, connectivity=1), bg_label=0)).astype(np.uint8),
        "ten colours in turn"),
]
