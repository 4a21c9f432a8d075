"""The array primitives: sort, scan, reduce and others, with the same bytes on the CPU and on GPUs.

Arrays are of one dimension, of uint8 to uint64, int16 to int64, float32 or float64; those without gaps in the
byte order of this machine are not copied. Arrays of a GPU, as device.py takes them, are worked on there, and
what comes out of sort, scan, top_k and histogram is a DeviceArray. Every function raises ArgumentError for
arrays that do not fit, and UnsupportedError for a type that the primitive does not take.
"""
from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p

from . import _abi as abi
from . import _arrays, device, errors
from ._library import call, lib, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from numpy import ndarray

KEEPS = {"nonzero": abi.GF_KEEP_NONZERO, "==": abi.GF_KEEP_EQ, "!=": abi.GF_KEEP_NE, "<": abi.GF_KEEP_LT,
         "<=": abi.GF_KEEP_LE, ">": abi.GF_KEEP_GT, ">=": abi.GF_KEEP_GE}
REDUCE = ("sum", "product", "min", "max", "argmin", "argmax", "and", "or", "mean", "var", "xor", "any", "all")
SCAN = ("sum", "min", "max")


class _Place:
    """An array as a primitive takes it, and memory beside it: of the host or of a GPU."""

    def __init__(self, a, dims=1):
        import numpy
        view = None if isinstance(a, numpy.ndarray) else device.view_of(a)
        if view is None:
            a = numpy.ascontiguousarray(_arrays.host_array(a))
            a = a.astype(a.dtype.newbyteorder("="), copy=False)
            self.shape, self.pointer, self.keep, number, stream = a.shape, _arrays.address(a), a, -1, None
            typestr = a.dtype.str
        else:
            self.shape, self.pointer, self.keep = view.shape, view.pointer, view
            typestr, number, stream = view.typestr, view.device, view.stream
            if view.strides != device._packed(view.shape, int(typestr[2:])):
                raise errors.ArgumentError("an array of a GPU must have no gaps")
        if typestr not in _arrays.DEPTHS_OF or len(self.shape) != dims:
            raise errors.ArgumentError(f"an array of shape {self.shape} and type {typestr}: must have {dims} "
                                       f"dimension{'s' * (dims > 1)} and one of {', '.join(_arrays.DEPTHS)}")
        self.depth, self.n = _arrays.DEPTHS_OF[typestr], self.shape[0]
        self.queue = abi.gf_queue(number, stream)

    def empty(self, shape, depth):
        """A new array there."""
        import numpy
        if self.queue.device < 0:
            return numpy.empty(shape, _arrays.NAMES[depth])
        return device.DeviceArray(shape, _arrays.NAMES[depth], self.queue.device)

    def call(self, name, options, sizes, *arguments):
        """Runs a primitive with the scratch memory that it needs, and waits."""
        size = c_size_t()
        call(getattr(lib, f"gf_{name}_scratch"), self.queue.device, byref(options), *sizes, byref(size))
        scratch = c_void_p()
        call(lib.gf_memory_allocate, self.queue.device, max(1, size.value), byref(scratch))
        try:
            call(getattr(lib, f"gf_{name}"), self.queue, byref(options), *arguments, scratch, size.value)
            call(lib.gf_queue_wait, self.queue)
        finally:
            lib.gf_memory_release(self.queue.device, scratch)


def _where(a):
    return a.pointer if isinstance(a, device.DeviceArray) else None if a is None else _arrays.address(a)


def _host(a):
    return a.to_host() if isinstance(a, device.DeviceArray) else a


def _options(struct, place, algo, **fields):
    made = make(struct, **fields)
    made.array.type = place.depth
    made.array.algo = algo.encode() if algo else None
    return made


def _element(place, value):
    """One number of the array's type in host memory."""
    import numpy
    return numpy.array(value).astype(_arrays.NAMES[place.depth])


def sort(keys: Any, values: Any = None, *, descending: bool = False, algo: Optional[str] = None) -> Any:
    """Sorted keys, or (keys, values) in the same order, values of 4 or 8 bytes each.

    Stable, -0 before +0, every NaN last in both directions.
    """
    place = _Place(keys)
    beside = None if values is None else _Place(values)
    if beside is not None and beside.shape != place.shape:
        raise errors.ArgumentError(f"{beside.n} values for {place.n} keys")
    size = 0 if beside is None else _arrays.SIZES[beside.depth]
    options = _options(abi.gf_sort_options, place, algo, descending=int(descending), value_size=size)
    out = place.empty(place.shape, place.depth)
    moved = None if beside is None else place.empty(place.shape, beside.depth)
    place.call("sort", options, (place.n,), place.pointer, beside.pointer if beside else None, place.n, _where(out),
               _where(moved))
    return out if beside is None else (out, moved)


def argsort(keys: ndarray, *, descending: bool = False, algo: Optional[str] = None) -> ndarray:
    """Indices that sort an array of the host, int64; stable."""
    import numpy
    return sort(keys, numpy.arange(len(keys), dtype="int64"), descending=descending, algo=algo)[1]


def scan(a: Any, op: str = "sum", *, inclusive: bool = False, dtype: Any = None, algo: Optional[str] = None) -> Any:
    """Prefix sums, minima or maxima: element i of what comes out is of a[:i], with `inclusive` of a[:i + 1].

    dtype: of the result, the array's own without it; sums may have a wider one. Integers wrap.
    """
    place = _Place(a)
    depth = place.depth if dtype is None else _arrays.depth_of(dtype)
    options = _options(abi.gf_scan_options, place, algo, op=_index(SCAN, op), inclusive=int(inclusive), out=depth)
    out = place.empty(place.shape, depth)
    place.call("scan", options, (place.n,), place.pointer, place.n, _where(out))
    return out


def reduce(a: Any, op: str = "sum", *, algo: Optional[str] = None) -> Any:
    """One number of an array: sum, product, min, max, argmin, argmax, and, or, xor, any, all, mean; var gives
    (mean, variance). Sums of floats have one order, so the same bits everywhere; NaN is skipped by min and max.
    """
    place = _Place(a)
    number = _index(REDUCE, op)
    depth = lib.gf_reduce_result(number, place.depth)
    options = _options(abi.gf_reduce_options, place, algo, op=number)
    out = place.empty((2,), depth)
    place.call("reduce", options, (place.n,), place.pointer, place.n, _where(out))
    found = _host(out)
    return tuple(found.tolist()) if op == "var" else bool(found[0]) if op in ("any", "all") else found[0].item()


def top_k(a: Any, k: int, *, least: bool = False, algo: Optional[str] = None) -> tuple[Any, Any]:
    """(values, places): the k greatest elements, the greatest first, or the k least."""
    place = _Place(a)
    options = _options(abi.gf_top_k_options, place, algo, least=int(least))
    out, places = place.empty((k,), place.depth), place.empty((k,), lib.gf_top_k_places(place.n))
    place.call("top_k", options, (place.n, k), place.pointer, place.n, k, _where(out), _where(places))
    return out, places


def histogram(a: Any, bins: int = 256, range: Any = None, *, algo: Optional[str] = None) -> ndarray:
    """Counts of even bins, uint64: of [low, high), by default the whole range of the type, [0, 1) of floats.
    Elements outside, and NaN, are left out."""
    place = _Place(a)
    low, high = range or (0, 0)
    options = _options(abi.gf_histogram_options, place, algo, bins=bins, lo=low, hi=high)
    out = place.empty((bins + abi.GF_HISTOGRAM_EXTRA,), abi.GF_U64)
    place.call("histogram", options, (place.n,), place.pointer, place.n, _where(out))
    return _host(out)[:bins]


def search(a: Any, value: Any, to: Any = None, *, algo: Optional[str] = None) -> ndarray:
    """Ascending indices of the elements equal to a value, or within [value, to]; of -0 and 0 both, and a NaN
    finds every NaN."""
    place = _Place(a)
    ends = [_element(place, v) for v in (value, to) if v is not None]
    options = _options(abi.gf_search_options, place, algo, mode=abi.GF_SEARCH_ALL, value=_arrays.address(ends[0]))
    options.to = _arrays.address(ends[1]) if to is not None else None
    found = place.empty((1,), abi.GF_S64)
    indices = place.empty((place.n,), abi.GF_U32 if place.n <= 1 << 32 else abi.GF_U64)
    place.call("search", options, (place.n,), place.pointer, place.n, _where(found), _where(indices), place.n)
    return _host(indices)[:_host(found)[0]]


def compact(a: Any, keep: str = "nonzero", value: Any = 0, *, indices: bool = False,
            algo: Optional[str] = None) -> ndarray:
    """Elements that are kept, in their order: nonzero, or ==, !=, <, <=, >, >= a value; or their indices."""
    place = _Place(a)
    if keep not in KEEPS:
        raise errors.ArgumentError(f"keep {keep!r}: must be {', '.join(KEEPS)}")
    element = _element(place, value)
    options = _options(abi.gf_compact_options, place, algo, keep=KEEPS[keep], indices=int(indices),
                       value=_arrays.address(element))
    out = place.empty(place.shape, lib.gf_compact_result(byref(options), place.n))
    count = place.empty((1,), abi.GF_U64)
    place.call("compact", options, (place.n,), place.pointer, place.n, _where(out), place.n, _where(count))
    return _host(out)[:int(_host(count)[0])]


def matmul(a: Any, b: Any, *, algo: Optional[str] = None) -> Any:
    """The product of two matrices of float32, float64 or uint8, whose products are int32. Sums have one order."""
    left, right = _Place(a, 2), _Place(b, 2)
    if left.shape[1] != right.shape[0] or left.depth != right.depth:
        raise errors.ArgumentError(f"matrices of {left.shape} {_arrays.NAMES[left.depth]} and {right.shape} "
                                   f"{_arrays.NAMES[right.depth]} have no product")
    sizes = left.shape[0], left.shape[1], right.shape[1]
    out = left.empty((sizes[0], sizes[2]), lib.gf_matmul_result(left.depth))
    options = _options(abi.gf_matmul_options, left, algo)
    left.call("matmul", options, sizes, left.pointer, right.pointer, *sizes, _where(out))
    return out


def _index(words, word):
    if word not in words:
        raise errors.ArgumentError(f"op {word!r}: must be one of {', '.join(words)}")
    return words.index(word)


# Named by call() above as gf_NAME and gf_NAME_scratch: lib.gf_sort lib.gf_sort_scratch lib.gf_scan lib.gf_scan_scratch
# lib.gf_reduce lib.gf_reduce_scratch lib.gf_top_k lib.gf_top_k_scratch lib.gf_histogram lib.gf_histogram_scratch
# lib.gf_search lib.gf_search_scratch lib.gf_compact lib.gf_compact_scratch lib.gf_matmul lib.gf_matmul_scratch
