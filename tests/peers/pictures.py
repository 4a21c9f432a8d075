"""The pictures that script/peers compares over: samples/sample.png with noise, in each depth."""
import os

import cv2
import numpy as np
import PIL
import scipy
import skimage
from PIL import Image

VERSIONS = {"cv2": cv2.__version__, "scipy": scipy.__version__, "skimage": skimage.__version__, "PIL": PIL.__version__,
            "numpy": np.__version__}


def _noisy(picture):
    """Sixteen-bit samples: a picture of 8 bits, with noise so that all levels occur."""
    noise = np.random.RandomState(1).normal(0, 1500, picture.shape)
    return np.clip(picture * 257.0 + noise, 0, 65535).round().astype(np.uint16)


def _shifted(top):
    """What "gray u8" shows, 5 pixels further right and 3 further down in the scene, with other noise."""
    color = np.asarray(Image.open(os.path.join(top, "samples", "sample.png")).convert("RGB"))[3:202, 5:306]
    noise = np.random.RandomState(2).normal(0, 6, color.shape[:2])
    return np.clip(color[..., 1] + noise, 0, 255).round().astype(np.uint8)


def _pictures():
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    color = np.asarray(Image.open(os.path.join(top, "samples", "sample.png")).convert("RGB"))[:199, :301]
    rgb16 = _noisy(color)
    rgb8 = (rgb16 >> 8).astype(np.uint8)
    gray8 = rgb8[..., 1].copy()
    alpha = np.linspace(0, 255, gray8.size).reshape(gray8.shape).astype(np.uint8)
    return {
        "gray u8": gray8,
        "gray u16": rgb16[..., 1].copy(),
        "gray f32": (rgb16[..., 1] / 65535.0).astype(np.float32),
        "RGB u8": rgb8,
        "RGBA u8": np.dstack([rgb8, alpha]),
        "template u8": gray8[60:80, 90:125].copy(),
        "template RGB u8": rgb8[60:80, 90:125].copy(),
        "mask u8": ((gray8 > 140) * 255).astype(np.uint8),
        "shifted u8": _shifted(top),
        "other u8": np.ascontiguousarray(gray8[::-1, ::-1]),
        "other RGB u8": np.ascontiguousarray(rgb8[::-1, ::-1]),
        "other RGBA u8": np.ascontiguousarray(np.dstack([rgb8, alpha])[::-1, ::-1]),
    }


PICTURES = _pictures()
