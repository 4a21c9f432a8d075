"""What script/compare-opencv compares: chains of ours, and what a program that uses OpenCV calls for the same.

A call gets the picture `x`, the output `o`, and a Spare with the picture `other` beside it, and memory for what lies
between: like ours, it allocates nothing while it is timed.
"""
import numpy as np

try:
    import cv2
except ImportError:  # then chains are only timed beside the judge
    cv2 = None


class Spare:
    def __init__(self, other):
        self.other, self.kept = other, {}

    def like(self, a, name, dtype=None, shape=None):
        key = name, np.dtype(dtype or a.dtype), shape or a.shape
        if key not in self.kept:
            self.kept[key] = np.ones(key[2], key[1])
        return self.kept[key]


def histogram(x, o, s):  # of each channel
    for channel in range(1 if x.ndim == 2 else x.shape[2]):
        cv2.calcHist([x], [channel], None, [256], [0, 256])


def statistics(x, o, s):
    cv2.minMaxLoc(x)
    cv2.meanStdDev(x)


def sums(axis):
    return lambda x, o, s: cv2.reduce(x, axis, cv2.REDUCE_SUM, dtype=cv2.CV_32S if x.dtype == np.uint8 else cv2.CV_64F)


def affine(x, factor, offset, o):  # by the fastest that Python has for convertTo; negative bytes lose their sign
    if x.dtype == np.uint8:
        cv2.convertScaleAbs(x, dst=o, alpha=factor, beta=offset)
    else:
        cv2.addWeighted(x, factor, x, 0, offset, dst=o)


def invert(x, o):
    if x.dtype == np.uint8:
        cv2.bitwise_not(x, dst=o)
    else:
        affine(x, -1, 1, o)


def chain(x, o, s):
    gray, smooth = s.like(o, "gray"), s.like(o, "smooth")
    cv2.cvtColor(x, cv2.COLOR_RGB2GRAY, dst=gray)
    cv2.GaussianBlur(gray, (5, 5), 1.1, dst=smooth)
    affine(smooth, 1.2, -0.2 * 127.5, gray)
    cv2.threshold(gray, 127, 255, cv2.THRESH_BINARY, dst=o)
    histogram(o, None, s)


def points(x, o, s):  # an invert, contrast, brightness, contrast, invert
    white = 255 if x.dtype == np.uint8 else 1
    invert(x, o)
    affine(o, 1.3, -0.3 * white / 2, o)
    affine(o, 1, 0.1 * white, o)
    affine(o, 0.8, 0.2 * white / 2, o)
    invert(o, o)


def bilateral(x, o, s):  # 5 pixels across
    cv2.bilateralFilter(x, 5, 25 if x.dtype == np.uint8 else 0.1, 2, dst=o)


def sobel(x, o, s):  # sqrt((gx^2 + gy^2) / 2), rounded
    gx, gy = s.like(x, "gx", np.float32), s.like(x, "gy", np.float32)
    cv2.Sobel(x, cv2.CV_32F, 1, 0, dst=gx, scale=0.25 * 0.5 ** 0.5)
    cv2.Sobel(x, cv2.CV_32F, 0, 1, dst=gy, scale=0.25 * 0.5 ** 0.5)
    cv2.magnitude(gx, gy, magnitude=gx)
    cv2.convertScaleAbs(gx, dst=o)


def distance(x, o, s):  # in 4.6 not exact from column 4096 on
    mask = s.like(x, "mask")
    cv2.threshold(x, 127, 255, cv2.THRESH_BINARY, dst=mask)
    cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE, dst=o)


def screen(x, o, s):  # white less the product of what is left to white
    a, b = s.like(x, "a"), s.like(x, "b")
    invert(x, a)
    invert(s.other, b)
    cv2.multiply(a, b, dst=o, scale=1 / 255)
    invert(o, o)


def balance(x, o, s):  # the means made one
    means = cv2.mean(x)[:3]
    cv2.multiply(x, (*(sum(means) / 3 / m for m in means), 0), dst=o)


def multiply(x, o, s):
    cv2.multiply(x, s.other, dst=o, scale=1 / 255)


def colour(name):
    return lambda x, o, s: cv2.cvtColor(x, getattr(cv2, "COLOR_" + name), dst=o)


def table(made):
    """A sample of u8 by what a function makes of it, as OpenCV's users do it."""
    levels = np.clip(np.rint([made(i) for i in range(256)]), 0, 255).astype(np.uint8)
    return lambda x, o, s: cv2.LUT(x, levels, dst=o)


def linear(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def srgb(v):
    return 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


def matrix(*rows):
    m = np.array(rows, np.float32)
    return lambda x, o, s: cv2.transform(x, m, dst=o)


def gaussian(x, o, s):
    cv2.GaussianBlur(x, (5, 5), 1.1, dst=o)


def box(x, o, s):
    cv2.blur(x, (15, 15), dst=o)


def erode(shape):
    return lambda x, o, s: cv2.erode(x, shape, dst=o)


def median(side):
    return lambda x, o, s: cv2.medianBlur(x, side, dst=o)


def canny(low, high):
    return lambda x, o, s: cv2.Canny(x, low, high, edges=o, L2gradient=True)


def clahe(x, o, s):
    cv2.createCLAHE(2, (8, 8)).apply(x, dst=o)


def integral(x, o, s):
    cv2.integral(x, sum=s.like(x, "sum", np.int32, (x.shape[0] + 1, x.shape[1] + 1)))


def warp(name):  # a turn by 10 degrees
    flag = "INTER_" + name
    return lambda x, o, s: cv2.warpAffine(x, TURN[:2], x.shape[1::-1], dst=o, flags=getattr(cv2, flag))


def projective(x, o, s):
    cv2.warpPerspective(x, TURN, x.shape[1::-1], dst=o, flags=cv2.INTER_LINEAR)


TURN = np.array([[0.985, -0.174, 430], [0.174, 0.985, -640], [1e-5, 2e-5, 1]])
WARP = "warp:[0.985 -0.174 430; 0.174 0.985 -640%s]"
NUMBERS = np.array([[1, 2, 0, -1, 3], [0, 4, 1, 2, 0], [2, -3, 9, 1, 1], [0, 2, 1, 5, 0], [1, 0, -2, 1, 2]])
CONV = "conv:[" + "; ".join(" ".join(map(str, row)) for row in NUMBERS) + "]:scale=1/32:border=reflect101"
WEIGHTS = (NUMBERS / 32).astype(np.float32)
GAUSSIAN, BOX = "blur:sigma=1.1:radius=2:border=reflect101", "box:radius=7:border=reflect101"
BILATERAL = "bilateral:sigma=2:range=%s:radius=2:border=reflect101"
POINTS = "invert,contrast:1.3,brightness:0.1,contrast:0.8,invert"
SQUARE = np.ones((15, 15), np.uint8)
DISK = np.array([[x * x + y * y <= 49 for x in range(-7, 8)] for y in range(-7, 8)], np.uint8)
LEVELS = [0, 26, 89, 178, 230, 255]


def rows(width, height):
    """(name, depth and channels of the picture, stages, call of OpenCV, whether both make the same, or nearly)"""
    w, h = width - 680, height - 320  # of a crop
    gray, rgb = "u8 1", "u8 3"
    return [
        ("chain", rgb, "gray,%s,contrast:1.2,threshold:0.5,hist" % GAUSSIAN, chain, False),
        ("gray", rgb, "gray", colour("RGB2GRAY"), True),
        *((f"gaussian 5x5 {name}", kind, GAUSSIAN, gaussian, True)
          for name, kind in (("u8", gray), ("u8 RGB", rgb), ("f32", "f32 1"))),
        *((f"box 15x15 {name}", kind, BOX, box, True)
          for name, kind in (("u8", gray), ("u8 RGB", rgb), ("u16", "u16 1"), ("f32", "f32 1"))),
        ("bilateral 5 u8", gray, BILATERAL % "25u8", bilateral, True),
        ("bilateral 5 u8 RGB", rgb, BILATERAL % "25u8", bilateral, True),
        ("bilateral 5 f32", "f32 1", BILATERAL % "0.1", bilateral, True),
        *((f"erode 15x15 {name}", kind, "erode:7", erode(SQUARE), True)
          for name, kind in (("u8", gray), ("u8 RGB", rgb), ("u16", "u16 1"), ("f32", "f32 1"))),
        ("erode disk 7 u8", gray, "erode:7:shape=disk", erode(DISK), True),
        ("canny u8, smooth", gray, "canny:20u8:high=60u8:sigma=0", canny(20, 60), True),
        ("canny u8, noise", gray, "canny:100u8:high=200u8:sigma=0", canny(100, 200), True),
        ("sobel u8", gray, "sobel:border=reflect101", sobel, True),
        ("conv 5x5 u8", gray, CONV, lambda x, o, s: cv2.filter2D(x, -1, WEIGHTS, dst=o), True),
        ("conv 5x5 f32", "f32 1", CONV, lambda x, o, s: cv2.filter2D(x, -1, WEIGHTS, dst=o), True),
        ("median 3x3 u8", gray, "median:1", median(3), True),
        *((f"median 5x5 {name}", kind, "median:2", median(5), True)
          for name, kind in (("u8", gray), ("u8 RGB", rgb), ("u16", "u16 1"), ("f32", "f32 1"))),
        ("median 31x31 u8", gray, "median:15", median(31), True),
        ("adaptive mean 15x15 u8", gray, "threshold:mean:radius=7",  # OpenCV rounds the mean first
         lambda x, o, s: cv2.adaptiveThreshold(x, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 15, 0, dst=o),
         False),
        ("histogram u8", gray, "hist", histogram, False),
        ("histogram rgb u8", rgb, "hist", histogram, False),
        ("statistics f32", "f32 1", "stats", statistics, False),
        *((f"{what} {name}", kind, stage, sums(axis), False)
          for name, kind in (("u8", gray), ("rgb u8", rgb), ("f32", "f32 1"))
          for axis, what, stage in ((0, "columns", "profile"), (1, "rows", "profile:y"))),
        ("otsu u8", gray, "threshold:otsu",
         lambda x, o, s: cv2.threshold(x, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU, dst=o), False),
        ("equalize u8", gray, "equalize", lambda x, o, s: cv2.equalizeHist(x, dst=o), True),
        ("clahe u8", gray, "clahe", clahe, True),
        ("clahe u16", "u16 1", "clahe", clahe, True),
        ("distance u8, smooth", gray, "threshold:0.5,distance", distance, False),
        ("distance u8, noise", gray, "threshold:0.5,distance", distance, False),
        ("integral u8", gray, "integral", integral, False),  # OpenCV's is of s32, with a row and a column more
        ("flip u8 RGB", rgb, "flip", lambda x, o, s: cv2.flip(x, 1, dst=o), True),
        ("flip y u8 RGB", rgb, "flip:y", lambda x, o, s: cv2.flip(x, 0, dst=o), True),
        ("transpose u8 RGB", rgb, "transpose", lambda x, o, s: cv2.transpose(x, dst=o), True),
        ("rotate 90 u8 RGB", rgb, "rotate:90", lambda x, o, s: cv2.rotate(x, cv2.ROTATE_90_CLOCKWISE, dst=o), True),
        ("matrix u8 RGB", rgb, "matrix:sepia",
         matrix([0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]), True),
        ("difference u8 RGB", rgb, "difference:other", lambda x, o, s: cv2.absdiff(x, s.other, dst=o), True),
        ("add u8 RGB", rgb, "blend:other:mode=add", lambda x, o, s: cv2.add(x, s.other, dst=o), True),
        ("greater u8 RGB", rgb, "blend:other:mode=max", lambda x, o, s: cv2.max(x, s.other, dst=o), True),
        ("multiply u8 RGB", rgb, "blend:other:mode=multiply", multiply, True),
        ("screen u8 RGB", rgb, "blend:other:mode=screen", screen, True),
        ("half over u8 RGB", rgb, "blend:other:amount=0.5",
         lambda x, o, s: cv2.addWeighted(x, 0.5, s.other, 0.5, 0, dst=o), True),
        ("posterize u8 RGB", rgb, "posterize:4", table(lambda i: (i * 3 + 127) // 255 * 85), True),
        ("gain u8 RGB", rgb, "gain:[1.2 0.9 1.1]", lambda x, o, s: cv2.multiply(x, (1.2, 0.9, 1.1, 0), dst=o), True),
        ("rgb of u8", gray, "rgb", colour("GRAY2RGB"), True),
        ("drop alpha u8 RGBA", "u8 4", "alpha:drop", colour("RGBA2RGB"), True),
        ("add alpha u8 RGB", rgb, "alpha:add", colour("RGB2RGBA"), True),
        ("bgr u8 RGB", rgb, "matrix:bgr", colour("RGB2BGR"), True),
        ("ycbcr u8 RGB", rgb, "matrix:ycbcr", colour("RGB2YCrCb"), False),  # OpenCV's has Cr before Cb
        ("saturation u8 RGB", rgb, "saturation:1.6",
         matrix(*(np.eye(3) * 1.6 - 0.6 * np.array([0.299, 0.587, 0.114]))), True),
        ("lut u8 RGB", rgb, "lut:[0 26 89 178 230 255]:scale=255",
         table(lambda i: np.interp(i, [0, 51, 102, 153, 204, 255], LEVELS)), True),
        ("linear u8 RGB", rgb, "linear", table(lambda i: 255 * linear(i / 255)), True),
        ("srgb u8 RGB", rgb, "srgb", table(lambda i: 255 * srgb(i / 255)), True),
        ("lab u8 RGB", rgb, "lab", colour("RGB2Lab"), True),  # OpenCV's is fixed point, by tables
        ("lab f32 RGB", "f32 3", "lab", colour("RGB2Lab"), False),  # of other units
        ("lab back u8 RGB", rgb, "lab:from", colour("Lab2RGB"), True),
        ("mask u8 RGB", rgb, "mask:other", multiply, True),
        ("whitebalance u8 RGB", rgb, "whitebalance", balance, True),
        ("crop u8 RGB", rgb, f"crop:{w}x{h}+340+160",
         lambda x, o, s: cv2.copyTo(x[160:160 + h, 340:340 + w], None, dst=o), True),
        ("pad u8 RGB", rgb, "pad:64",
         lambda x, o, s: cv2.copyMakeBorder(x, 64, 64, 64, 64, cv2.BORDER_REPLICATE, dst=o), True),
        ("resize box u8 RGB", rgb, f"resize:{width // 4}x{height // 4}:filter=box",  # OpenCV's others alias
         lambda x, o, s: cv2.resize(x, (width // 4, height // 4), dst=o, interpolation=cv2.INTER_AREA), True),
        ("warp nearest u8 RGB", rgb, WARP % "" + ":filter=nearest", warp("NEAREST"), False),
        ("warp linear u8 RGB", rgb, WARP % "", warp("LINEAR"), False),  # OpenCV's has 32 places between pixels
        ("warp cubic u8 RGB", rgb, WARP % "" + ":filter=cubic", warp("CUBIC"), False),
        ("warp projective u8", gray, WARP % "; 1e-5 2e-5 1", projective, False),
        ("5 points u8", gray, POINTS, points, False),
        ("5 points f32", "f32 1", POINTS, points, False),
    ]
