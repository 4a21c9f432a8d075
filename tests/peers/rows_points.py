"""Rows of stages that look at one pixel, or count."""
import cv2
import numpy as np
from compare import Row
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps
from scipy import signal
from skimage import color, exposure, filters, measure, util

IMAGE = Image.fromarray
ARRAY = np.asarray


def u8(values):
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def inside(low, high):
    return lambda g: np.argwhere((g >= low) & (g <= high))[:, ::-1]


def places(found):
    return np.array([[row["x"], row["y"]] for row in found.get("points", found.get("places"))])


def peaks(v):
    rows = [signal.find_peaks(row.astype(np.float64), height=0.5, prominence=float(np.float32(0.2))) for row in v]
    return np.concatenate([np.stack([at, found["prominences"]], axis=1) for at, found in rows])


def framed(v):
    out = IMAGE(v)
    ImageDraw.Draw(out).rectangle((20, 30, 139, 109), fill=(0, 255, 0), outline=(255, 0, 0), width=3)
    return ARRAY(out)


def lettered(v):
    out = IMAGE(v)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 24)
    ImageDraw.Draw(out).text((40, 30), "Lake", fill=255, font=font)
    return ARRAY(out)


def pasted(v, w):
    out = IMAGE(v)
    out.paste(IMAGE(w), (280, 190))
    return ARRAY(out)


def pasted_half(v, w):
    small = IMAGE(w).resize(((w.shape[1] + 1) // 2, (w.shape[0] + 1) // 2), Image.LANCZOS)
    out = IMAGE(v)
    out.paste(small, ((v.shape[1] - small.width) // 2, (v.shape[0] - small.height) // 2))
    return ARRAY(out)


def equalized_luma(v):
    y = cv2.cvtColor(v, cv2.COLOR_RGB2YCrCb)
    y[..., 0] = cv2.equalizeHist(np.ascontiguousarray(y[..., 0]))
    return cv2.cvtColor(y, cv2.COLOR_YCrCb2RGB)


def sums(found):
    return np.array([row["sum"] for row in found["profile"]])


def grayworld(v):
    means = v.mean(axis=(0, 1))
    return u8(v * np.float32(means.mean() / means))


CUBE = [[0, 0, 0.1], [1, 0, 0], [0, 0.9, 0], [1, 0.7, 0], [0, 0, 1], [1, 0, 0.6], [0, 0.9, 1], [1, 1, 0.9]]
CUBE_TEXT = "lut:[" + "; ".join(" ".join(str(v) for v in colour) for colour in CUBE) + "]"
CURVE = [0, 26, 89, 178, 230, 255]
MIX = [0.4, 0.3, 0.2, 0, 0.1, 0.8, 0, 0, 0, 0.25, 0.75, 0]
MATRIX = np.array(MIX).reshape(3, 4)
MATRIX_TEXT = "matrix:[" + "; ".join(" ".join(str(v) for v in row[:3]) for row in MATRIX) + "]"

def vignetted(v):
    y, x = np.mgrid[0:v.shape[0], 0:v.shape[1]]
    far = np.hypot((2 * x + 1) / v.shape[1] - 1, (2 * y + 1) / v.shape[0] - 1) / np.sqrt(2)
    t = np.clip((far - 0.3) / 0.7, 0, 1)[..., None]
    return u8(np.rint(v * (1 - t * t * (3 - 2 * t) / 2)))


ROWS = [
    Row("gray", "RGB u8", "cv2.cvtColor(v, COLOR_RGB2GRAY)", lambda v: cv2.cvtColor(v, cv2.COLOR_RGB2GRAY)),
    Row("gray", "RGB u8", "Image.convert('L')", lambda v: ARRAY(IMAGE(v).convert("L"))),
    Row("gray", "RGB u8", "skimage.color.rgb2gray", lambda v: u8(255 * color.rgb2gray(v)), "weights of BT.709, not BT.601"),
    Row("rgb", "gray u8", "cv2.cvtColor(v, COLOR_GRAY2RGB)", lambda v: cv2.cvtColor(v, cv2.COLOR_GRAY2RGB)),
    Row("alpha:drop", "RGBA u8", "Image.convert('RGB')", lambda v: ARRAY(IMAGE(v).convert("RGB"))),
    Row("alpha:over:value=1", "RGBA u8", "Image.alpha_composite(white, v).convert('RGB')",
        lambda v: ARRAY(Image.alpha_composite(Image.new("RGBA", v.shape[1::-1], "white"), IMAGE(v)).convert("RGB"))),
    Row("alpha:add", "RGB u8", "cv2.cvtColor(v, COLOR_RGB2RGBA)", lambda v: cv2.cvtColor(v, cv2.COLOR_RGB2RGBA)),
    Row(MATRIX_TEXT, "RGB u8", "cv2.transform(v, m)", lambda v: cv2.transform(v, MATRIX[:, :3])),
    Row(MATRIX_TEXT, "RGB u8", "Image.convert('RGB', m)", lambda v: ARRAY(IMAGE(v).convert("RGB", MIX)),
        "the sum is cut off, not rounded"),
    Row("invert", "gray u8", "cv2.bitwise_not(v)", cv2.bitwise_not),
    Row("invert", "gray u16", "skimage.util.invert(v)", util.invert),
    Row("invert", "RGB u8", "ImageOps.invert(v)", lambda v: ARRAY(ImageOps.invert(IMAGE(v)))),
    Row("brightness:0.1", "gray u8", "cv2.convertScaleAbs(v, beta=25.5)", lambda v: cv2.convertScaleAbs(v, alpha=1, beta=25.5)),
    Row("brightness:0.1", "gray u8", "ImageEnhance.Brightness(v).enhance(1.1)",
        lambda v: ARRAY(ImageEnhance.Brightness(IMAGE(v)).enhance(1.1)), "multiplies"),
    Row("contrast:1.3", "gray u8", "cv2.convertScaleAbs(v, alpha=1.3, beta=-38.25)",
        lambda v: cv2.convertScaleAbs(v, alpha=1.3, beta=-38.25),
        "takes the absolute value of what is below black"),
    Row("contrast:1.3", "gray u8", "ImageEnhance.Contrast(v).enhance(1.3)",
        lambda v: ARRAY(ImageEnhance.Contrast(IMAGE(v)).enhance(1.3)), "about the mean of the picture, and cut off"),
    Row("gamma:2.2", "gray u8", "exposure.adjust_gamma(v, 1 / 2.2)", lambda v: exposure.adjust_gamma(v, 1 / 2.2),
        "the result is cut off, not rounded"),
    Row("gamma:2.2", "gray f32", "exposure.adjust_gamma(v, 1 / 2.2)", lambda v: exposure.adjust_gamma(v, 1 / 2.2)),
    Row("levels:0.2:high=0.8", "gray f32", "exposure.rescale_intensity(v, (0.2, 0.8))",
        lambda v: exposure.rescale_intensity(v, (0.2, 0.8)).astype(np.float32), "values outside are clamped"),
    Row("gain:[1.15]", "gray u8", "cv2.convertScaleAbs(v, alpha=1.15)", lambda v: cv2.convertScaleAbs(v, alpha=1.15)),
    Row("saturation:1.6", "RGB u8", "ImageEnhance.Color(v).enhance(1.6)",
        lambda v: ARRAY(ImageEnhance.Color(IMAGE(v)).enhance(1.6)), "the gray is rounded first, and the sum cut off"),
    Row("matrix:ycbcr", "RGB u8", "Image.convert('YCbCr')", lambda v: ARRAY(IMAGE(v).convert("YCbCr"))),
    Row("matrix:bgr", "RGB u8", "cv2.cvtColor(v, COLOR_RGB2BGR)", lambda v: cv2.cvtColor(v, cv2.COLOR_RGB2BGR)),
    Row("lut:[0 0.15 0.5 0.85 1]", "gray f32", "numpy.interp(v, [0, 0.25, 0.5, 0.75, 1], [0, 0.15, 0.5, 0.85, 1])",
        lambda v: np.interp(v, np.linspace(0, 1, 5), [0, 0.15, 0.5, 0.85, 1]).astype(np.float32)),
    Row("lut:[0 26 89 178 230 255]:scale=255", "RGB u8", "cv2.LUT(v, numpy.rint(numpy.interp(...)))",
        lambda v: cv2.LUT(v, u8(np.interp(np.arange(256), np.linspace(0, 255, 6), CURVE)))),
    Row(CUBE_TEXT, "RGB u8", "v.filter(ImageFilter.Color3DLUT(2, colours))",
        lambda v: ARRAY(IMAGE(v).filter(ImageFilter.Color3DLUT(2, CUBE))), "between all eight corners of a cell"),
    Row("lab", "RGB u8", "cv2.cvtColor(v, COLOR_RGB2LAB)", lambda v: cv2.cvtColor(v, cv2.COLOR_RGB2LAB),
        "fixed point, by tables"),
    Row("convert:f32,lab", "RGB u8", "skimage.color.rgb2lab(v)",
        lambda v: ((color.rgb2lab(v) + [0, 128, 128]) / [100, 255, 255]).astype(np.float32)),
    Row("lab:from", "RGB u8", "cv2.cvtColor(v, COLOR_LAB2RGB)", lambda v: cv2.cvtColor(v, cv2.COLOR_LAB2RGB),
        "fixed point, by tables"),
    Row("whitebalance:white:percentile=100", "RGB u8", "v * 255 / v.max(axis=(0, 1))",
        lambda v: np.rint(v * (255 / v.max(axis=(0, 1)))).astype(np.uint8)),
    Row("whitebalance:gray", "RGB u8", "v * (means.mean() / means)", grayworld),
    Row("equalize:channels=luma", "RGB u8", "cv2.equalizeHist(Y), cv2.cvtColor(YCrCb2RGB)", equalized_luma,
        "by way of rounded Y'CbCr"),
    Row("posterize:4", "gray u8", "ImageOps.posterize(v, 2)", lambda v: ARRAY(ImageOps.posterize(IMAGE(v), 2)),
        "low bits are cleared, so white becomes 192"),
    Row("posterize:4", "gray u8", "numpy.rint(v * 3 / 255) * 85", lambda v: u8(np.rint(v * (3 / 255)) * 85)),
    Row("linear", "gray f32", "numpy.where(v > 0.04045, ((v + 0.055) / 1.055)**2.4, v / 12.92)",
        lambda v: np.where(v > 0.04045, ((v + 0.055) / 1.055) ** 2.4, v / 12.92).astype(np.float32)),
    Row("srgb", "gray f32", "numpy.where(v > 0.0031308, 1.055 * v**(1 / 2.4) - 0.055, 12.92 * v)",
        lambda v: np.where(v > 0.0031308, 1.055 * np.abs(v) ** (1 / 2.4) - 0.055, v * 12.92).astype(np.float32)),
    Row("expr:\"v*0.8+0.1\"", "gray f32", "v * 0.8 + 0.1", lambda v: v * np.float32(0.8) + np.float32(0.1)),
    Row("expr:\"v*x/width\"", "gray f32", "v * arange(width) / width",
        lambda v: v * np.arange(v.shape[1], dtype=np.float32) / np.float32(v.shape[1])),
    Row("draw:area=120x80+20+30:width=3:fill=lime", "RGB u8", "ImageDraw.rectangle(box, fill, outline, width=3)", framed),
    Row("text:Lake:at=40+30", "gray u8", "ImageDraw.text(place, 'Lake', font=truetype(DejaVuSans, 24))", lettered,
        "letters are hinted, and stand on whole pixels"),
    Row("vignette", "RGB u8", "v * (1 - t*t*(3 - 2*t) / 2), float64", vignetted),
    Row("tonemap", "gray f32", "v / (1 + v)", lambda v: v / (1 + v)),
    Row("threshold:0.5", "gray u8", "cv2.threshold(v, 127, 255, THRESH_BINARY)",
        lambda v: cv2.threshold(v, 127, 255, cv2.THRESH_BINARY)[1]),
    Row("threshold:otsu", "gray u8", "cv2.threshold(v, 0, 255, THRESH_OTSU)",
        lambda v: cv2.threshold(v, 0, 255, cv2.THRESH_OTSU)[1]),
    Row("threshold:otsu", "gray u8", "filters.threshold_otsu(v)",
        lambda v: filters.threshold_otsu(v), result=lambda found: found["level"][0]),
    Row("convert:u16", "gray u8", "skimage.util.img_as_uint(v)", util.img_as_uint),
    Row("convert:u8", "gray u16", "skimage.util.img_as_ubyte(v)", util.img_as_ubyte, "the low byte is cut off"),
    Row("convert:f32", "gray u16", "skimage.util.img_as_float32(v)", util.img_as_float32),
    Row("convert:u8", "gray f32", "skimage.util.img_as_ubyte(v)", util.img_as_ubyte),
    Row("blend:beside:amount=0.3", "gray u8", "cv2.addWeighted(v, 0.7, other, 0.3, 0)",
        lambda v, w: cv2.addWeighted(v, 0.7, w, 0.3, 0), beside="other u8"),
    Row("blend:beside:amount=0.3", "gray u8", "Image.blend(v, other, 0.3)",
        lambda v, w: ARRAY(Image.blend(IMAGE(v), IMAGE(w), 0.3)), beside="other u8"),
    Row("blend:beside:mode=multiply", "gray u8", "ImageChops.multiply(v, other)",
        lambda v, w: ARRAY(ImageChops.multiply(IMAGE(v), IMAGE(w))), beside="other u8"),
    Row("blend:beside:mode=screen", "gray u8", "ImageChops.screen(v, other)",
        lambda v, w: ARRAY(ImageChops.screen(IMAGE(v), IMAGE(w))), beside="other u8"),
    Row("blend:beside:mode=add", "gray u8", "cv2.add(v, other)", cv2.add, beside="other u8"),
    Row("blend:beside:mode=subtract", "gray u8", "cv2.subtract(v, other)", cv2.subtract, beside="other u8"),
    Row("blend:beside:mode=max", "gray u8", "numpy.maximum(v, other)", np.maximum, beside="other u8"),
    Row("blend:beside", "RGBA u8", "Image.alpha_composite(v, other)",
        lambda v, w: ARRAY(Image.alpha_composite(IMAGE(v), IMAGE(w))), beside="other RGBA u8"),
    Row("blend:beside:mode=divide", "gray u8", "cv2.divide(v, other, scale=255)",
        lambda v, w: cv2.divide(v, w, scale=255), beside="other u8"),
    Row("blend:beside:at=280+190", "RGB u8", "Image.paste(other, (280, 190))", pasted, beside="template RGB u8"),
    Row("blend:beside:at=centre:scale=0.5", "gray u8", "Image.resize(LANCZOS), paste", pasted_half, beside="other u8"),
    Row("beside:beside", "RGB u8", "cv2.hconcat([v, other])", lambda v, w: cv2.hconcat([v, w]), beside="other RGB u8"),
    Row("below:beside", "gray u16", "numpy.vstack([v, other])", lambda v, w: np.vstack([v, w]), beside="gray u16"),
    Row("mask:beside", "gray u8", "Image.composite(v, black, mask)",
        lambda v, w: ARRAY(Image.composite(IMAGE(v), Image.new("L", v.shape[::-1]), IMAGE(w))), beside="other u8"),
    Row("difference:beside", "RGB u8", "cv2.absdiff(v, other)", cv2.absdiff, beside="other RGB u8"),
    Row("difference:beside", "RGB u8", "ImageChops.difference(v, other)",
        lambda v, w: ARRAY(ImageChops.difference(IMAGE(v), IMAGE(w))), beside="other RGB u8"),
    Row("hist", "gray u8", "cv2.calcHist([v], [0], None, [256], (0, 256))",
        lambda v: cv2.calcHist([v], [0], None, [256], (0, 256)).ravel().astype(np.int64),
        result=lambda found: found["counts"][0]),
    Row("hist", "RGB u8", "Image.histogram()", lambda v: IMAGE(v).histogram(),
        result=lambda found: ARRAY(found["counts"]).ravel()),
    Row("hist", "gray u8", "skimage.measure.shannon_entropy(v)", lambda v: [measure.shannon_entropy(v)],
        result=lambda found: found["entropy"]),
    Row("stats", "gray u16", "v.mean(), v.std(), v.min(), v.max()", lambda v: [v.mean(), v.std(), v.min(), v.max()],
        result=lambda found: [found[key][0] for key in ("mean", "stddev", "min", "max")]),
    Row("stats", "gray u8", "cv2.minMaxLoc(v)", lambda v: [n for pair in cv2.minMaxLoc(v)[2:] for n in pair],
        result=lambda found: found["argmin"][0] + found["argmax"][0]),
    Row("points:0.9", "gray u8", "numpy.argwhere(v >= 229.5)", inside(229.5, 255), result=places),
    Row("find:128u8:mode=all", "gray u8", "numpy.argwhere(v == 128)", inside(128, 128), result=places),
    Row("find:128u8", "gray u8", "numpy.unravel_index(numpy.argmax(v == 128), v.shape)",
        lambda v: [np.unravel_index(np.argmax(v == 128), v.shape)[::-1]], result=places),
    Row("find:128u8:tolerance=9u8:mode=count", "gray u8", "cv2.countNonZero(cv2.inRange(v, 119, 137))",
        lambda v: [cv2.countNonZero(cv2.inRange(v, 119, 137))], result=lambda found: found["count"]),
    Row("peaks:0.2:min=0.5", "gray f32", "scipy.signal.find_peaks(row, height=0.5, prominence=0.2), of each row", peaks,
        result=lambda found: np.array([[row["x"], row["prominence"]] for row in found["peaks"]])),
    Row("profile", "gray u8", "cv2.reduce(v, 0, REDUCE_SUM, dtype=CV_32S)",
        lambda v: cv2.reduce(v, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S).ravel(), result=sums),
    Row("profile:y", "gray u16", "v.sum(axis=1)", lambda v: v.sum(axis=1), result=sums),
    Row("profile:y", "gray f32", "v.sum(axis=1, dtype=float64)", lambda v: v.sum(axis=1, dtype=np.float64), result=sums),
    Row("equalize", "gray u8", "cv2.equalizeHist(v)", cv2.equalizeHist),
    Row("equalize", "gray u8", "ImageOps.equalize(v)", lambda v: ARRAY(ImageOps.equalize(IMAGE(v))),
        "steps of whole pixels a level"),
    Row("equalize", "gray u8", "exposure.equalize_hist(v)", lambda v: u8(255 * exposure.equalize_hist(v)),
        "the least value is not made black"),
    Row("percentiles:[1 25 50 99]", "gray u8", "numpy.percentile(v, [1, 25, 50, 99], method='nearest')",
        lambda v: np.percentile(v, [1, 25, 50, 99], method="nearest"), result=lambda found: ARRAY(found["value"]).ravel()),
    Row("normalize", "gray u8", "exposure.rescale_intensity(v, tuple(numpy.percentile(v, (1, 99))))",
        lambda v: exposure.rescale_intensity(v, tuple(np.percentile(v, (1, 99)))), "cut off, not rounded"),
    Row("normalize:low=0:high=100", "gray f32", "exposure.rescale_intensity(v)",
        lambda v: exposure.rescale_intensity(v, out_range=(0, 1)).astype(np.float32)),
    Row("threshold:otsu:classes=3", "gray u8", "filters.threshold_multiotsu(v)",
        lambda v: filters.threshold_multiotsu(v), result=lambda found: ARRAY(found["level"]).ravel()),
    Row("clahe", "gray u8", "cv2.createCLAHE(2, (8, 8)).apply(v)", lambda v: cv2.createCLAHE(2, (8, 8)).apply(v)),
    Row("quantize:16:dither=none", "RGB u8", "Image.quantize(16, dither=0).convert('RGB')",
        lambda v: ARRAY(IMAGE(v).quantize(16, dither=0).convert("RGB")),
        "boxes are cut at their medians, and no rounds of k-means follow: `kmeans` of Image.quantize is 0"),
    Row("clahe:4:tiles=5x3", "gray u16", "cv2.createCLAHE(4, (5, 3)).apply(v)",
        lambda v: cv2.createCLAHE(4, (5, 3)).apply(v)),
    Row("clahe:2.56", "gray u8", "exposure.equalize_adapthist(v, clip_limit=0.01)",
        lambda v: u8(255 * exposure.equalize_adapthist(v, clip_limit=0.01)),
        "what is beyond the limit is handed out again until nothing is, over the whole range of the picture"),
]
