"""How much two pictures differ, and what a picture's hash is."""
from __future__ import annotations

from collections import namedtuple
from ctypes import byref, c_uint8

from . import _abi as abi
from . import _arrays, errors
from ._library import call, lib, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence

BY = ("samples", "yiq", "ciede2000")
METRICS = {"ssim": "GF_COMPARE_SSIM", "ssim_uniform": "GF_COMPARE_SSIM_UNIFORM", "ms_ssim": "GF_COMPARE_MS_SSIM",
           "ciede2000": "GF_COMPARE_CIEDE2000"}


def _image(a):
    """A picture as it is, also of uint32, uint64 and float64."""
    a = _arrays.host_array(a)
    if a.dtype.str in _arrays.DEPTHS_OF and a.ndim in (2, 3) and a.flags.aligned and \
            _arrays.pitch_of(a.shape, a.strides, a.itemsize):
        return a, _arrays.image(a)
    a = _arrays.picture_array(a)
    return a, _arrays.image(a)


def _plain(value):
    """A struct of C as a named tuple of numbers."""
    if hasattr(value, "_fields_"):
        names = [name for name, _ in value._fields_ if name != "struct_size"]
        return namedtuple(type(value).__name__.replace("gf_", ""), names)(*(_plain(getattr(value, n)) for n in names))
    return tuple(map(_plain, value)) if hasattr(value, "_length_") else value


def compare(a: Any, b: Any, *, max_diff: float = 0, by: str = "samples", mask: Any = None,
            area: Optional[Sequence[int]] = None, ignore: Sequence[Sequence[int]] = (), ignore_alpha: bool = False,
            antialias: bool = False, metrics: Sequence[str] = (), threads: int = 0):
    """Compares two pictures of the same size and type: a named tuple with `identical`, `pixel_count`, `count`,
    `largest`, `mean`, `psnr`, `box`, `first`, `most` and others, as gpufilter/compare.h says.

    max_diff: what a pixel may differ by, in sample units, or in those of `by`: "samples", "yiq", "ciede2000".
    mask: a uint8 picture, 0 where nothing is compared. area, ignore: (x, y, width, height), and several of them.
    antialias: pixels that smooth an edge do not count. metrics: of "ssim", "ssim_uniform", "ms_ssim", "ciede2000".
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
    found = make(abi.gf_comparison)
    call(lib.gf_compare, *(byref(image) if image else None for _, image in keep), byref(options), byref(found))
    return _plain(found)


def fingerprint(a: Any) -> str:
    """The hash of a picture, 64 hexadecimal digits: of its shape, type and samples, on every machine the same."""
    kept, image = _image(a)
    digest = (c_uint8 * 32)()
    call(lib.gf_compare_hash, byref(image), digest)
    return bytes(digest).hex()


# GF_COMPARE_SSIM GF_COMPARE_SSIM_UNIFORM GF_COMPARE_MS_SSIM GF_COMPARE_CIEDE2000 are named by METRICS.
