"""How much two pictures differ, where, and what a picture's hash is."""
from __future__ import annotations

from collections import namedtuple
from ctypes import byref, c_uint8, memmove

from . import _abi as abi
from . import _arrays, errors
from ._library import call, lib, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence

    from numpy import ndarray

BY = ("samples", "yiq", "ciede2000")
METRICS = {"ssim": "GF_COMPARE_SSIM", "ssim_uniform": "GF_COMPARE_SSIM_UNIFORM", "ms_ssim": "GF_COMPARE_MS_SSIM",
           "ciede2000": "GF_COMPARE_CIEDE2000"}
ROW = dict(abi.gf_compare_options._fields_)["row"]
WHITE = {"|u1": 255, "<u2": 65535, "<f4": 1}


def samples(a):
    """A picture as it is, also of uint32, uint64 and float64; others become one."""
    a = _arrays.host_array(a)
    plain = a.dtype.str in _arrays.DEPTHS_OF and a.ndim in (2, 3) and a.flags.aligned and \
        _arrays.pitch_of(a.shape, a.strides, a.itemsize)
    return a if plain else _arrays.picture_array(a)


def _image(a):
    a = samples(a)
    return a, _arrays.image(a)


def _plain(value):
    """A struct of C as a named tuple of numbers."""
    if hasattr(value, "_fields_"):
        names = [name for name, _ in value._fields_ if name != "struct_size"]
        return namedtuple(type(value).__name__.replace("gf_", ""), names)(*(_plain(getattr(value, n)) for n in names))
    return tuple(map(_plain, value)) if hasattr(value, "_length_") else value


def compare(a: Any, b: Any, *, max_diff: float = 0, by: str = "samples", mask: Any = None,
            area: Optional[Sequence[int]] = None, ignore: Sequence[Sequence[int]] = (), ignore_alpha: bool = False,
            antialias: bool = False, metrics: Sequence[str] = (), threads: int = 0, marks: Optional[ndarray] = None):
    """Compares two pictures of the same size and type: a named tuple with `identical`, `pixel_count`, `count`,
    `largest`, `mean`, `psnr`, `box`, `first`, `most` and others, as gpufilter/compare.h says.

    max_diff: what a pixel may differ by, in sample units, or in those of `by`: "samples", "yiq", "ciede2000".
    mask: a uint8 picture, 0 where nothing is compared. area, ignore: (x, y, width, height), and several of them.
    antialias: pixels that smooth an edge do not count. metrics: of "ssim", "ssim_uniform", "ms_ssim", "ciede2000".
    marks: a uint8 array (height, width) that gets what was found of each pixel of the area: 0 equal, 1 within
    max_diff, 2 smooths an edge, 3 ignored, 4 counts.
    Raises ArgumentError for pictures that cannot be compared.
    """
    for wrong in [by] * (by not in BY) + [m for m in metrics if m not in METRICS]:
        raise errors.ArgumentError(f"{wrong!r}: must be one of {', '.join(BY)}, of metrics {', '.join(METRICS)}")
    rectangles = (abi.gf_rect * max(1, len(ignore)))(*(abi.gf_rect(*r) for r in ignore))
    options = make(abi.gf_compare_options, by=BY.index(by), max_diff=max_diff, ignore_alpha=int(ignore_alpha),
                   antialias=int(antialias), metrics=sum(getattr(abi, METRICS[m]) for m in set(metrics)),
                   threads=threads, ignore=rectangles if len(ignore) else None, ignore_count=len(ignore))
    options.area = abi.gf_rect(*area) if area else options.area
    keep = [_image(a), _image(b), _image(mask) if mask is not None else (None, None)]
    options.row = _taker(marks, keep[0][0].shape, options.area) if marks is not None else options.row
    found = make(abi.gf_comparison)
    call(lib.gf_compare, *(byref(image) if image else None for _, image in keep), byref(options), byref(found))
    return _plain(found)


def _taker(marks, shape, area):
    """The function of C that copies the marks of a row to their place."""
    if marks.shape != shape[:2] or marks.dtype.str != "|u1" or not marks.flags.c_contiguous or not marks.flags.writeable:
        raise errors.ArgumentError(f"marks of shape {marks.shape} and type {marks.dtype}: must be {shape[:2]}, uint8, "
                                   "without gaps")
    place, width = _arrays.address(marks) + area.x, area.w or shape[1]

    def take(_, row, error):
        memmove(place + row.contents.y * shape[1], row.contents.marks, width)
        return abi.GF_OK

    return ROW(take)


def difference(a: Any, b: Any, **options: Any) -> ndarray:
    """Draws where two pictures differ, as `gpufilter compare --diff` does: `a`, faded, with red where a pixel counts,
    yellow where it smooths an edge, and bluish where it is ignored. options: of compare(). Of an area only that."""
    import numpy
    a, _ = _image(a)
    marks = numpy.empty(a.shape[:2], "u1")
    compared = compare(a, b, marks=marks, **options)
    area = compared.area
    place = slice(area.y, area.y + area.h), slice(area.x, area.x + area.w)
    a, marks, white = a.reshape(*a.shape[:2], -1)[place].astype("f8"), marks[place], WHITE.get(a.dtype.str)
    channels, light = a.shape[2], a[..., 0]
    if channels >= 3:
        light = 0.299 * light + 0.587 * a[..., 1] + 0.114 * a[..., 2]
    light = numpy.fmin(numpy.fmax(light / white, 0), 1) if white else numpy.ones_like(light)
    if white and channels % 2 == 0 and compared.channels % 2 == 0:
        light = 1 + (light - 1) * numpy.fmin(numpy.fmax(a[..., -1] / white, 0), 1)
    light = numpy.floor(255 * (1 - (1 - light) / 4) + 0.5).astype("u1")
    drawn = numpy.repeat(light[..., None], 3, 2)
    ignored = marks == abi.GF_MARK_IGNORED
    for channel, eighths in ((0, 6), (1, 7)):
        drawn[ignored, channel] = light[ignored].astype("u2") * eighths // 8
    drawn[marks == abi.GF_MARK_COUNTS] = 230, 0, 20
    drawn[marks == abi.GF_MARK_ANTIALIAS] = 255, 190, 0
    return drawn


def fingerprint(a: Any) -> str:
    """The hash of a picture, 64 hexadecimal digits: of its shape, type and samples, on every machine the same."""
    kept, image = _image(a)
    digest = (c_uint8 * 32)()
    call(lib.gf_compare_hash, byref(image), digest)
    return bytes(digest).hex()


# GF_COMPARE_SSIM GF_COMPARE_SSIM_UNIFORM GF_COMPARE_MS_SSIM GF_COMPARE_CIEDE2000 are named by METRICS.
