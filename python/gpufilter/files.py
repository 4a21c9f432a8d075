"""Pictures and signals from and to files."""
from __future__ import annotations

import os
from ctypes import POINTER, byref, c_int64, cast

from . import _abi as abi
from . import _arrays, errors
from ._library import Handle, call, lib, make, text

TYPE_CHECKING = False
if TYPE_CHECKING:  # as typing has it, whose import takes a while
    from numpy import ndarray
    from os import PathLike
    from typing import Any, Optional, Union

    Path = Union[str, PathLike]

ALPHAS = {abi.GF_ALPHA_NONE: "none", abi.GF_ALPHA_PREMUL: "premul", abi.GF_ALPHA_STRAIGHT: "straight"}


class _Samples:
    """A gf_picture as NumPy takes it in: the array holds it."""

    def __init__(self, handle):
        self.handle = handle
        self.picture = cast(handle.pointer, POINTER(abi.gf_picture)).contents
        image = self.picture.image
        shape, size = image.shape, _arrays.SIZES[image.shape.depth]
        dims = _arrays.array_shape(shape)
        self.__array_interface__ = {
            "version": 3, "shape": dims, "typestr": _arrays.TYPESTRS[shape.depth], "data": (image.data or 0, False),
            "strides": (image.pitch, shape.channels * size, size)[:len(dims)]}


def read_picture(path, *, page=0, result_depths=0):
    """(array, what its last of 2 or 4 channels is, what was left out) of a picture's file."""
    import numpy
    limits = make(abi.gf_io_limits, page=page, result_depths=result_depths)
    samples = _Samples(Handle(lib.gf_io_read, lib.gf_picture_destroy, os.fsencode(path), byref(limits)))
    return numpy.asarray(samples), ALPHAS[samples.picture.alpha], text(samples.picture.note)


def read(path: Path, *, page: int = 0) -> ndarray:
    """Reads a picture, of any format that the program reads: an array of uint8, uint16 or float32, of shape
    (height, width) or (height, width, channels).

    page: which of a TIFF, from 1; 0 is the first. Raises InputError, LimitError, OutOfMemoryError.
    """
    return read_picture(path, page=page)[0]


def write(path: Path, a: Any, *, format: Optional[str] = None, **options: int) -> None:
    """Writes an array as a picture, whole or not at all; the suffix says the format, unless `format` does.

    options: png_level, png_palette, jpeg_quality, jpeg_progressive, webp_quality, no_clobber, threads, as numbers.
    Raises UnsupportedError where the format does not hold the type (`convert:u8` makes another), OutputError.
    """
    a = _arrays.host_array(a)
    if a.dtype.str not in _arrays.DEPTHS_OF or a.ndim not in (2, 3) or \
            not _arrays.pitch_of(a.shape, a.strides, a.itemsize) or not a.flags.aligned:
        a = _arrays.picture_array(a)
    call(lib.gf_io_write, os.fsencode(path), byref(_arrays.image(a)), None, byref(write_options(format, options)))


def write_options(format, options):
    """A gf_write_options of keywords."""
    made = make(abi.gf_write_options)
    known = [name for name, kind in made._fields_[1:] if kind is dict(made._fields_)["threads"]]
    for name, value in options.items():
        if name not in known:
            raise errors.ArgumentError(f"no option {name!r}: must be {', '.join(known)}")
        setattr(made, name, int(value))
    made.format = format.encode() if format else None
    return made


def open_array(path):
    """(array, rate, alpha) of a file as the program takes it: a rate is of signals, and None of pictures."""
    fmt = POINTER(abi.gf_signal_format)()
    name = os.fsencode(path)
    kind = ""
    if lib.gf_signal_io_format_for(name, None, byref(fmt), None) == abi.GF_OK:
        kind = text(fmt.contents.name)
    if kind == "npy":
        import numpy
        kind = "npy" if numpy.load(path, mmap_mode="r").ndim == 1 else ""
    if kind:
        a, rate = read_signal(path)
        return a, rate, None
    a, alpha, _ = read_picture(path)
    return a, None, alpha


def read_signal(path: Path, *, format: Optional[str] = None, rate: float = 0,
                columns: Optional[str] = None) -> tuple[ndarray, float]:
    """Reads a signal: (array of float32, rate in Hz), of shape (frames,) or (channels, frames).

    Integers are fractions of full scale. rate: of a file that does not say it; 0 is unknown. format: of raw
    samples, "s16le:48000:2". columns: of a table, "2,ecg". Raises InputError, UnsupportedError.
    """
    import numpy
    options = make(abi.gf_signal_read_options, rate=rate, format=format.encode() if format else None,
                   columns=columns.encode() if columns else None)
    reader = Handle(lib.gf_signal_reader_open, lib.gf_signal_reader_close, os.fsencode(path), byref(options))
    info = lib.gf_signal_reader_info(reader).contents
    pieces, size, got = [], max(4096, min(info.frames + 1, 1 << 22)), c_int64()
    while True:
        piece = numpy.empty((info.channels, size), numpy.float32)
        call(lib.gf_signal_reader_read, reader, _arrays.address(piece), size, size, byref(got))
        pieces.append(piece[:, :got.value])
        if got.value < size:
            break
    a = pieces[0] if len(pieces) == 1 else numpy.concatenate(pieces, axis=1)
    return (a[0] if info.channels == 1 else a), info.rate


def write_signal(path: Path, a: Any, rate: float = 0, *, format: Optional[str] = None, sample: Optional[str] = None,
                 axis: int = -1) -> None:
    """Writes an array of shape (frames,), or with time along `axis`, as a signal. rate: in Hz, 0 is unknown.

    sample: "s16", "s24", "f32" and others; None is what the format has by itself. Raises UnsupportedError,
    OutputError.
    """
    from .signal import pitch, planar
    a = planar(a, axis)
    options = make(abi.gf_signal_write_options, format=format.encode() if format else None, frames=a.shape[1])
    if sample:
        names = [text(lib.gf_signal_sample_name(i)) for i in range(10)]
        if sample not in names:
            raise errors.ArgumentError(f"sample {sample!r}: must be one of {', '.join(names)}")
        options.sample = names.index(sample)
    writer = Handle(lib.gf_signal_writer_open, lib.gf_signal_writer_abort, os.fsencode(path), a.shape[0], float(rate),
                    byref(options))
    call(lib.gf_signal_writer_write, writer, _arrays.address(a), pitch(a), a.shape[1])
    call(lib.gf_signal_writer_commit, byref(writer.pointer))
