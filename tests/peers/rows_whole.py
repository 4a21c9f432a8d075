"""Rows of stages that need the whole picture."""
import cv2
import numpy as np
from compare import Row
from scipy import fft, ndimage
from skimage import restoration
from skimage.feature import match_template
from skimage.registration import phase_cross_correlation

SLIGHT = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16


def beside_cv2(kind, mask):
    return lambda v: cv2.distanceTransform((v > 127).astype(np.uint8), kind, mask)



def by_blocks(function):
    """Blocks of 8 x 8, the last ones smaller."""
    def run(v):
        out = np.empty(v.shape, np.float32)
        for y in range(0, v.shape[0], 8):
            for x in range(0, v.shape[1], 8):
                out[y : y + 8, x : x + 8] = function(np.ascontiguousarray(v[y : y + 8, x : x + 8]))
        return out
    return run

def pair(z):
    return np.stack([z.real, z.imag], axis=-1)


def butterworth(v):
    """A low pass at a tenth of a cycle a pixel, the picture being a period."""
    d = np.hypot(*np.meshgrid(np.fft.fftfreq(v.shape[0]), np.fft.fftfreq(v.shape[1]), indexing="ij"))
    return np.fft.ifft2(np.fft.fft2(v.astype(np.float64)) / (1 + (d / 0.1) ** 4)).real


def fourier_gaussian(v):
    """frequency with a Gaussian that ends at f is one of 1 / (2 pi f) pixels."""
    return fft.ifft2(ndimage.fourier_gaussian(fft.fft2(v.astype(np.float64)), 1 / (2 * np.pi * 0.05))).real


ROWS = [
    Row("threshold:0.5,distance", "gray u8", "ndimage.distance_transform_edt(v > 127)",
        lambda v: ndimage.distance_transform_edt(v > 127).astype(np.float32)),
    Row("threshold:0.5,distance", "gray u8", "cv2.distanceTransform(v, DIST_L2, DIST_MASK_PRECISE)",
        beside_cv2(cv2.DIST_L2, cv2.DIST_MASK_PRECISE)),
    Row("threshold:0.5,distance", "gray u8", "cv2.distanceTransform(v, DIST_L2, 5)", beside_cv2(cv2.DIST_L2, 5),
        "sums of steps of 1, 1.4 and 2.2"),
    Row("threshold:0.5,distance:squared", "gray u8", "rint(ndimage.distance_transform_edt(v > 127) ** 2)",
        lambda v: np.rint(ndimage.distance_transform_edt(v > 127) ** 2).astype(np.uint64)),
    Row("threshold:0.5,distance:l1", "gray u8", "ndimage.distance_transform_cdt(v > 127, 'taxicab')",
        lambda v: ndimage.distance_transform_cdt(v > 127, "taxicab").astype(np.float32)),
    Row("threshold:0.5,distance:chessboard", "gray u8", "cv2.distanceTransform(v, DIST_C, 3)", beside_cv2(cv2.DIST_C, 3)),
    Row("integral", "gray u8", "v.cumsum(0, uint64).cumsum(1)", lambda v: v.cumsum(0, np.uint64).cumsum(1)),
    Row("integral", "RGB u8", "cv2.integral(v)[1:, 1:]", lambda v: cv2.integral(v)[1:, 1:].astype(np.uint64)),
    Row("integral", "gray f32", "v.cumsum(0, float64).cumsum(1)", lambda v: v.cumsum(0, np.float64).cumsum(1)),
    Row("match:beside", "gray u8", "cv2.matchTemplate(v, t, TM_CCOEFF_NORMED)",
        lambda v, t: cv2.matchTemplate(v, t, cv2.TM_CCOEFF_NORMED), beside="template u8"),
    Row("match:beside", "RGB u8", "cv2.matchTemplate(v, t, TM_CCOEFF_NORMED)",
        lambda v, t: cv2.matchTemplate(v, t, cv2.TM_CCOEFF_NORMED), beside="template RGB u8"),
    Row("match:beside", "gray u8", "skimage.feature.match_template(v, t)",
        lambda v, t: match_template(v, t).astype(np.float32), beside="template u8"),
    Row("register:beside", "gray u8", "skimage.registration.phase_cross_correlation(t, v, upsample_factor=100)",
        lambda v, t: phase_cross_correlation(t, v, upsample_factor=100)[0][::-1],
        "no taper, and the top of a sharper peak; x and y in pixels", result=lambda r: np.ravel([r["x"], r["y"]]), beside="shifted u8"),
    Row("register:beside", "gray u8", "cv2.phaseCorrelate(v, t, cv2.createHanningWindow(size, CV_64F))",
        lambda v, t: cv2.phaseCorrelate(v.astype(np.float64), t.astype(np.float64), cv2.createHanningWindow(v.shape[::-1], cv2.CV_64F))[0],
        "the middle of 5 x 5 pixels; x and y in pixels", result=lambda r: np.ravel([r["x"], r["y"]]), beside="shifted u8"),
    Row("wiener:[1 2 1; 2 4 2; 1 2 1]:balance=0.1:border=wrap", "gray f32", "skimage.restoration.wiener(v, psf, 0.1, clip=False)",
        lambda v: restoration.wiener(v.astype(np.float64), SLIGHT, 0.1, clip=False)),
    Row("deconvolve:[1 2 1; 2 4 2; 1 2 1]:rounds=10:border=constant", "gray f32",
        "skimage.restoration.richardson_lucy(v, psf, 10, clip=False)",
        lambda v: restoration.richardson_lucy(v.astype(np.float64), SLIGHT, 10, clip=False)),
    Row("frequency:0.05:border=wrap", "gray f32", "fft.ifft2(ndimage.fourier_gaussian(fft.fft2(v), 1 / (2 pi 0.05)))",
        fourier_gaussian),
    Row("frequency:0.05:border=wrap", "gray f32", "ndimage.gaussian_filter(v, 1 / (2 pi 0.05), mode='wrap', truncate=8)",
        lambda v: ndimage.gaussian_filter(v.astype(np.float64), 1 / (2 * np.pi * 0.05), mode="wrap", truncate=8)),
    Row("frequency:0.1:shape=butterworth:border=wrap", "gray f32", "numpy.fft.ifft2(numpy.fft.fft2(v) / (1 + (d / 0.1)**4))",
        butterworth),
    Row("gain:[1/59899],fft", "gray f32", "numpy.fft.fft2(v / v.size)", lambda v: pair(np.fft.fft2(v.astype(np.float64) / v.size))),
    Row("gain:[1/59899],fft:centre=on", "gray f32", "fft.fftshift(fft.fft2(v / v.size))",
        lambda v: pair(fft.fftshift(fft.fft2(v / np.float32(v.size))))),
    Row("ifft", "gray f32", "numpy.fft.ifft2(v)", lambda v: pair(np.fft.ifft2(v.astype(np.float64)))),
    Row("gain:[1/59899],fft,magnitude", "gray f32", "abs(numpy.fft.fft2(v / v.size))",
        lambda v: abs(np.fft.fft2(v.astype(np.float64) / v.size))),
    Row("alpha:add,phase", "gray f32", "numpy.angle(v + 1j) / (2 pi)",
        lambda v: np.angle(v.astype(np.float64) + 1j) / (2 * np.pi)),
    Row("dct", "gray f32", "fft.dctn(block, norm='ortho') of each 8 x 8", by_blocks(lambda b: fft.dctn(b, norm="ortho"))),
    Row("idct", "gray f32", "fft.idctn(block, norm='ortho') of each 8 x 8",
        by_blocks(lambda b: fft.idctn(b, norm="ortho"))),
    Row("dct:whole", "gray f32", "fft.dctn(v, norm='ortho')", lambda v: fft.dctn(v, norm="ortho")),
    Row("transpose,transform:right=in", "gray f32", "v.T @ v", lambda v: v.T @ v),
]
