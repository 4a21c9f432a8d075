"""Rows of stages that make a picture of another size or order."""
import cv2
import numpy as np
from compare import Row
from PIL import Image, ImageChops, ImageOps
from scipy import ndimage
from skimage import transform

IMAGE = Image.fromarray
ARRAY = np.asarray
AFFINE = [[1.1, 0.25, -3.5], [-0.2, 0.9, 6.25]]
PIL_FILTERS = {"box": Image.BOX, "triangle": Image.BILINEAR, "hamming": Image.HAMMING, "cubic": Image.BICUBIC,
               "lanczos": Image.LANCZOS}


def pillow(kind, size):
    return lambda v: ARRAY(IMAGE(v).resize(size, PIL_FILTERS[kind]))


def in_border(v):
    wide = ImageOps.expand(IMAGE(v), 20, (102, 102, 102))
    return wide, ImageChops.difference(wide, Image.new("RGB", wide.size, (102, 102, 102))).getbbox()


def trimmed(v):
    wide, box = in_border(v)
    return ARRAY(wide.crop(box))


def box_of(v):
    left, top, right, bottom = in_border(v)[1]
    return np.array([left, top, right - left, bottom - top])


STRIPES = "resize:1x199:filter=box,resize:301x199,rotate:4:expand=off:border=replicate"


def leaning(v):
    """A search over projections, each of a picture sheared by whole pixels, in tenths of a degree. The picture:
    stripes of the means of rows, turned by 4 degrees."""
    stripes = np.repeat(v.mean(1, keepdims=True), v.shape[1], 1)
    v = np.rint(ndimage.rotate(stripes, -4, reshape=False, order=1, mode="nearest"))
    steps = np.diff(v.astype(np.int64), axis=0, append=v[-1:].astype(np.int64))
    wide = np.pad(steps, ((0, len(v)), (0, 0)))
    from_middle = np.arange(v.shape[1]) - (v.shape[1] - 1) / 2

    def score(tenths):
        lean = np.floor(from_middle * np.tan(np.radians(tenths / 10)) + 0.5).astype(int)
        rows = (np.arange(len(wide))[:, None] + lean) % len(wide)
        return (np.take_along_axis(wide, rows, 0).sum(1) ** 2).sum()

    return np.array([max(sorted(range(-150, 151), key=abs), key=score) / 10])


def by_inverse(v):
    """The matrix undone, of rows before columns."""
    m = np.linalg.inv(np.array([*AFFINE, [0, 0, 1]]))[[1, 0, 2]][:, [1, 0, 2]]
    return ndimage.affine_transform(v, m, order=1, mode="grid-constant")


def by_corners(v):
    corners, (w, h) = np.float32([[20, 12], [170, 5], [160, 120], [8, 110]]), (153, 116)
    m = cv2.getPerspectiveTransform(corners, np.float32([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]]))
    return cv2.warpPerspective(v, m, (w, h), flags=cv2.INTER_NEAREST)


def middle(v):
    h, w = v.shape[:2]
    return v[(h - (h + 1) // 2) // 2:, (w - (w + 1) // 2) // 2:][: (h + 1) // 2, : (w + 1) // 2]


def reduced(v):
    small = ARRAY(IMAGE(v).reduce(10))
    return np.repeat(np.repeat(small, 10, 0), 10, 1)[: v.shape[0], : v.shape[1]]


ROWS = [
    Row("crop:100x80+10+20", "RGB u8", "v[20:100, 10:110]", lambda v: v[20:100, 10:110]),
    Row("pad:20:border=constant:value=0.4,trim", "RGB u8", "v.crop(ImageChops.difference(v, border).getbbox())", trimmed),
    Row("pad:20:border=constant:value=0.4,bounds", "RGB u8", "ImageChops.difference(v, border).getbbox()", box_of,
        result=lambda found: np.array([found[key] for key in ("x", "y", "width", "height")]).ravel()),
    Row(STRIPES + ",skew", "gray u8", "projections of v, sheared by numpy.take_along_axis", leaning,
        result=lambda found: np.ravel(found["angle"])),
    Row("pad:8:border=reflect101", "RGB u8", "cv2.copyMakeBorder(v, 8, 8, 8, 8, BORDER_REFLECT_101)",
        lambda v: cv2.copyMakeBorder(v, 8, 8, 8, 8, cv2.BORDER_REFLECT_101)),
    Row("pad:8:border=wrap", "gray u16", "numpy.pad(v, 8, 'wrap')", lambda v: np.pad(v, 8, "wrap")),
    Row("flip:x", "RGB u8", "cv2.flip(v, 1)", lambda v: cv2.flip(v, 1)),
    Row("rotate:90", "RGB u8", "cv2.rotate(v, ROTATE_90_CLOCKWISE)", lambda v: cv2.rotate(v, cv2.ROTATE_90_CLOCKWISE)),
    Row("rotate:180", "RGB u8", "Image.transpose(ROTATE_180)", lambda v: ARRAY(IMAGE(v).transpose(Image.ROTATE_180))),
    Row("transpose", "RGB u8", "cv2.transpose(v)", cv2.transpose),
] + [
    Row(f"resize:150x100:filter={kind}", "RGB u8", f"Image.resize((150, 100), {word})", pillow(kind, (150, 100)))
    for kind, word in (("box", "BOX"), ("triangle", "BILINEAR"), ("hamming", "HAMMING"), ("cubic", "BICUBIC"),
                       ("lanczos", "LANCZOS"))
] + [
    Row("resize:150x100:filter=lanczos", "RGBA u8", "Image.resize((150, 100), LANCZOS)", pillow("lanczos", (150, 100))),
    Row("resize:400x300:filter=cubic", "RGB u8", "Image.resize((400, 300), BICUBIC)", pillow("cubic", (400, 300))),
    Row("resize:150x100:filter=cubic", "RGB u8", "cv2.resize(v, (150, 100), INTER_CUBIC)",
        lambda v: cv2.resize(v, (150, 100), interpolation=cv2.INTER_CUBIC), "not antialiased, and a = -0.75"),
    Row("resize:150x100:filter=box", "RGB u8", "cv2.resize(v, (150, 100), INTER_AREA)",
        lambda v: cv2.resize(v, (150, 100), interpolation=cv2.INTER_AREA), "pixels cut by an edge count in part"),
    Row("resize:150x150:fit=cover:gravity=west:filter=cubic", "RGB u8", "ImageOps.fit(v, (150, 150), BICUBIC, 0, (0, 0.5))",
        lambda v: ARRAY(ImageOps.fit(IMAGE(v), (150, 150), Image.BICUBIC, 0, (0, 0.5))), "cut off before, by fractions of a pixel"),
    Row("resize:150x100:filter=triangle", "gray f32", "transform.resize(v, (100, 150))",
        lambda v: transform.resize(v, (100, 150)).astype(np.float32), "a Gaussian, then linear between samples"),
    Row("warp:[1.1 0.25 -3.5; -0.2 0.9 6.25]", "RGB u8", "cv2.warpAffine(v, m, size)",
        lambda v: cv2.warpAffine(v, np.array(AFFINE), v.shape[1::-1]), "places rounded to 1/32 before OpenCV 5, weights of its own since"),
    Row("warp:[1.1 0.25 -3.5; -0.2 0.9 6.25]:filter=nearest", "RGB u8", "cv2.warpAffine(v, m, size, flags=INTER_NEAREST)",
        lambda v: cv2.warpAffine(v, np.array(AFFINE), v.shape[1::-1], flags=cv2.INTER_NEAREST)),
    Row("warp:[1.1 0.25 -3.5; -0.2 0.9 6.25; 0.0002 0.0003 1]", "RGB u8", "cv2.warpPerspective(v, m, size)",
        lambda v: cv2.warpPerspective(v, np.array([*AFFINE, [0.0002, 0.0003, 1]]), v.shape[1::-1]),
        "places rounded to 1/32 before OpenCV 5, weights of its own since"),
    Row("warp:[1.1 0.25 -3.5; -0.2 0.9 6.25]", "gray f32", "ndimage.affine_transform(v, inverse, order=1, mode='grid-constant')",
        by_inverse),
    Row("warp:corners=[20 12 170 5 160 120 8 110]:filter=nearest", "RGB u8", "cv2.warpPerspective(v, getPerspectiveTransform(c, to), size)", by_corners),
    Row("crop:50%", "RGB u8", "v[h // 4 : h // 4 + h // 2, ...]", middle),
    Row("pad:8:colour=#f80", "RGB u8", "ImageOps.expand(v, 8, '#f80')", lambda v: ARRAY(ImageOps.expand(IMAGE(v), 8, "#f80"))),
    Row("resize:900x900:fit=inside:enlarge=off", "RGB u8", "v.thumbnail((900, 900))", lambda v: v),
    Row("pixelate:10", "RGB u8", "v.reduce(10), np.repeat", reduced),
    Row("rotate:-30:expand=off", "RGB u8", "Image.rotate(30, BILINEAR)",
        lambda v: ARRAY(IMAGE(v).rotate(30, Image.BILINEAR)), "centres lie half a pixel apart; nothing beside the edge"),
    Row("deskew:angle=30:expand=off", "RGB u8", "Image.rotate(30, BILINEAR)",
        lambda v: ARRAY(IMAGE(v).rotate(30, Image.BILINEAR)), "centres lie half a pixel apart; nothing beside the edge"),
]
