"""Rows of stages that look at a pixel's neighbours."""
import cv2
import numpy as np
from compare import Row
from PIL import Image, ImageFilter
from scipy import ndimage
from skimage import feature, filters, restoration

IMAGE = Image.fromarray
ARRAY = np.asarray
REPLICATE = cv2.BORDER_REPLICATE
KERNEL = np.array([[3, -1, 4], [-1, 5, 9], [2, -6, 5]], np.float32)
CROSS = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)


def pillow(kind):
    return lambda v: ARRAY(IMAGE(v).filter(kind))


def xphoto_dct(v):
    around = cv2.copyMakeBorder(v, 8, 8, 8, 8, cv2.BORDER_REFLECT_101)  # those at its own edge have fewer blocks, or none
    out = np.zeros_like(around)
    cv2.xphoto.dctDenoising(around, out, 0.1, 8)
    return out[8:-8, 8:-8]


ROWS = [
    Row("blur:1.1:radius=2", "gray u8", "cv2.GaussianBlur(v, (5, 5), 1.1)",
        lambda v: cv2.GaussianBlur(v, (5, 5), 1.1, borderType=REPLICATE)),
    Row("blur:2", "gray u8", "ndimage.gaussian_filter(v, 2, mode='nearest')",
        lambda v: np.rint(ndimage.gaussian_filter(v.astype(float), 2, mode="nearest")).astype(np.uint8)),
    Row("blur:2", "gray f32", "skimage.filters.gaussian(v, 2, mode='nearest')",
        lambda v: filters.gaussian(v, 2, mode="nearest").astype(np.float32)),
    Row("blur:2", "RGB u8", "ImageFilter.GaussianBlur(2)", pillow(ImageFilter.GaussianBlur(2)), "three boxes"),
    Row("box:3", "gray u8", "cv2.blur(v, (7, 7))", lambda v: cv2.blur(v, (7, 7), borderType=REPLICATE)),
    Row("box:3", "gray f32", "ndimage.uniform_filter(v, 7, mode='nearest')",
        lambda v: ndimage.uniform_filter(v, 7, mode="nearest")),
    Row("box:3", "gray u8", "ImageFilter.BoxBlur(3)", pillow(ImageFilter.BoxBlur(3))),
    Row("unsharp:1.5:amount=0.7", "gray f32", "skimage.filters.unsharp_mask(v, 1.5, 0.7)",
        lambda v: filters.unsharp_mask(v.astype(np.float64), 1.5, 0.7).astype(np.float32),
        "clamped to [0, 1], and the border is reflected"),
    Row("unsharp:1.5:amount=0.7", "gray u8", "ImageFilter.UnsharpMask(1.5, 70, 0)",
        pillow(ImageFilter.UnsharpMask(1.5, 70, 0)), "its blur is three boxes, rounded"),
    Row("bilateral:2:range=25u8:radius=2", "gray u8", "cv2.bilateralFilter(v, 5, 25, 2)",
        lambda v: cv2.bilateralFilter(v, 5, 25, 2, borderType=REPLICATE)),
    Row("bilateral:2:range=25u8:radius=2", "RGB u8", "cv2.bilateralFilter(v, 5, 25, 2)",
        lambda v: cv2.bilateralFilter(v, 5, 25, 2, borderType=REPLICATE)),
    Row("bilateral:3:range=0.1", "gray f32", "cv2.bilateralFilter(v, 0, 0.1, 3)",
        lambda v: cv2.bilateralFilter(v, 0, 0.1, 3, borderType=REPLICATE)),
    Row("denoise_dct:0.1:border=reflect101", "gray f32", "cv2.xphoto.dctDenoising(v, sigma=0.1, psize=8), 8 pixels around",
        xphoto_dct),
    Row("bilateral:1:range=0.1:radius=3", "gray f32", "denoise_bilateral(v, 7, 0.1, 1, mode='edge')",
        lambda v: restoration.denoise_bilateral(v, 7, 0.1, 1, mode="edge").astype(np.float32),
        "the window is a square, and its weights, made in rows of 8, are read in rows of 7"),
    Row("threshold:mean:radius=7:offset=4u8", "gray u8", "cv2.adaptiveThreshold(v, 255, MEAN_C, BINARY, 15, 4)",
        lambda v: cv2.adaptiveThreshold(v, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 15, 4),
        "its mean is rounded before the comparison"),
    Row("threshold:mean:radius=7", "gray f32", "v > skimage.filters.threshold_local(v, 15, 'mean', mode='nearest')",
        lambda v: (v > filters.threshold_local(v.astype(np.float64), 15, "mean", mode="nearest")).astype(np.float32)),
    Row("threshold:sauvola:radius=7:border=reflect101", "gray u8", "v > skimage.filters.threshold_sauvola(v, 15)",
        lambda v: np.where(v > filters.threshold_sauvola(v, 15), 255, 0).astype(np.uint8)),
    Row("threshold:sauvola:radius=12:k=0.34:range=0.25:border=reflect101", "gray f32",
        "v > skimage.filters.threshold_sauvola(v, 25, 0.34, 0.25)",
        lambda v: (v > filters.threshold_sauvola(v.astype(np.float64), 25, 0.34, 0.25)).astype(np.float32)),
    Row("threshold:gaussian:sigma=3", "gray f32", "v > ndimage.gaussian_filter(v, 3, mode='nearest')",
        lambda v: (v > ndimage.gaussian_filter(v.astype(np.float64), 3, mode="nearest")).astype(np.float32)),
    Row("sobel", "gray f32", "skimage.filters.sobel(v)", filters.sobel),
    Row("sobel:operator=scharr", "gray f32", "skimage.filters.scharr(v)", filters.scharr),
    Row("sobel:operator=prewitt", "gray f32", "skimage.filters.prewitt(v)", filters.prewitt),
    Row("sobel:x", "gray f32", "cv2.Sobel(v, CV_32F, 1, 0) / 4",
        lambda v: cv2.Sobel(v, cv2.CV_32F, 1, 0, borderType=REPLICATE) / 4),
    Row("conv:[3 -1 4; -1 5 9; 2 -6 5]:scale=1/16", "gray u8", "cv2.filter2D(v, -1, k / 16)",
        lambda v: cv2.filter2D(v, -1, KERNEL / 16, borderType=REPLICATE)),
    Row("conv:[3 -1 4; -1 5 9; 2 -6 5]:scale=1/16", "gray f32", "ndimage.correlate(v, k / 16, mode='nearest')",
        lambda v: ndimage.correlate(v, KERNEL / 16, mode="nearest")),
    Row("sharpen", "RGB u8", "cv2.filter2D(v, -1, [[0, -1, 0], [-1, 5, -1], [0, -1, 0]])",
        lambda v: cv2.filter2D(v, -1, CROSS, borderType=REPLICATE)),
    Row("laplacian:negative=keep", "gray u8", "cv2.Laplacian(v, CV_8U)",
        lambda v: cv2.Laplacian(v, cv2.CV_8U, borderType=REPLICATE)),
    Row("laplacian", "gray f32", "ndimage.laplace(v, mode='nearest')",
        lambda v: ndimage.laplace(v, mode="nearest")),
    Row("canny:60u8:high=150u8:sigma=0", "gray u8", "cv2.Canny(v, 60, 150, L2gradient=True)",
        lambda v: cv2.Canny(v, 60, 150, L2gradient=True)),
    Row("canny:60u8:high=150u8:sigma=0", "RGB u8", "cv2.Canny(v, 60, 150, L2gradient=True)",
        lambda v: cv2.Canny(v, 60, 150, L2gradient=True)),
    Row("canny:0.05:high=0.1:sigma=2", "gray f32", "skimage.feature.canny(v, 2, 0.05, 0.1)",
        lambda v: feature.canny(v.astype(np.float64), 2, 0.05, 0.1, mode="nearest").astype(np.float32),
        "ridges are found between pixels, by interpolation, and none at the picture's edge"),
    Row("erode:2", "gray u8", "cv2.erode(v, ones((5, 5)))", lambda v: cv2.erode(v, np.ones((5, 5), np.uint8))),
    Row("erode:2", "gray u16", "ndimage.grey_erosion(v, (5, 5))", lambda v: ndimage.grey_erosion(v, (5, 5))),
    Row("erode", "gray u8", "ImageFilter.MinFilter(3)", pillow(ImageFilter.MinFilter(3))),
]
