"""Arrays in memory of a GPU: taken from others and given to them without a copy.

Whatever has __cuda_array_interface__ (CuPy, Numba, PyTorch) or __dlpack__ is taken as it lies there. With the
interface, version 3, work goes to the stream that it names; with DLPack to the default stream, with which the
producer has synchronised. What comes out is a DeviceArray, which has both for others to take.
"""
from __future__ import annotations

from ctypes import byref, c_void_p, sizeof
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _abi as abi
from . import _arrays, _dlpack, errors, results
from ._library import call, device_number, lib

LEGACY = 1  # the number of the default stream in both interfaces


class View(NamedTuple):
    """Where an array of a GPU lies. The owner keeps it alive; strides in bytes; stream as the library takes it."""

    pointer: int
    shape: tuple
    strides: tuple
    typestr: str
    device: int
    stream: object
    owner: object


def _packed(shape, size):
    strides = []
    for n in reversed(shape):
        strides.insert(0, size)
        size *= max(n, 1)
    return tuple(strides)


def _stream(number):
    """A stream of the library: its handle, or None for the default stream."""
    return None if number in (None, LEGACY) else int(number)


def view_of(a: Any, stream: Optional[int] = None) -> Optional[View]:
    """A View of an array of a GPU; None for any other object."""
    interface = getattr(a, "__cuda_array_interface__", None)
    place = getattr(a, "__dlpack_device__", None)
    if interface is not None:
        shape, text = tuple(interface["shape"]), interface["typestr"]
        if interface.get("mask") is not None:
            raise errors.ArgumentError("an array with a mask cannot be taken")
        given = interface.get("stream")
        if given == 0:
            raise errors.ArgumentError("__cuda_array_interface__ names stream 0, which its version 3 forbids")
        return View(interface["data"][0], shape, interface.get("strides") or _packed(shape, int(text[2:])), text,
                    place()[1] if place else 0, _stream(given if stream is None else stream), a)
    if place is not None and place()[0] in (_dlpack.CUDA, _dlpack.MANAGED):
        taken = _dlpack.Taken(a.__dlpack__(stream=LEGACY if stream is None else stream))
        strides = taken.strides or _packed(taken.shape, int(taken.typestr[2:]))
        return View(taken.pointer, taken.shape, strides, taken.typestr, taken.device, _stream(stream), taken)
    return None


def image(view, what="an array of a GPU"):
    """A gf_image over a View, which is never copied."""
    size = int(view.typestr[2:])
    pitch = _arrays.pitch_of(view.shape, view.strides, size) if len(view.shape) in (2, 3) else 0
    if view.typestr not in _arrays.DEPTHS_OF or not pitch or (len(view.shape) == 3 and not 1 <= view.shape[2] <= 4):
        raise errors.ArgumentError(f"{what} has shape {view.shape}, strides {view.strides} and type {view.typestr}: "
                                   "a picture has (height, width) or (height, width, channels), and the samples of "
                                   "a row one behind the other")
    shape = _arrays.shape_of(view.shape, _arrays.DEPTHS_OF[view.typestr])
    return abi.gf_image(sizeof(abi.gf_image), shape, pitch, view.pointer, view.device)


class DeviceArray:
    """An array of a GPU without gaps, in memory of the library.

    shape, and dtype by its name as NumPy has it. Take it by __cuda_array_interface__ or __dlpack__, as
    torch.from_dlpack(array) and cupy.asarray(array) do, or copy it with to_host().
    """

    def __init__(self, shape: Sequence[int], dtype: Any, device: Union[str, int] = "cuda"):
        self.shape, self.device = tuple(shape), device_number(device)
        self.depth = _arrays.depth_of(dtype)
        self.dtype, self.typestr = _arrays.NAMES[self.depth], _arrays.TYPESTRS[self.depth]
        self.nbytes = _arrays.SIZES[self.depth]
        for n in self.shape:
            self.nbytes *= n
        self.pointer = c_void_p()
        call(lib.gf_memory_allocate, self.device, max(1, self.nbytes), byref(self.pointer))
        self._release = lib.gf_memory_release

    def __del__(self):
        if getattr(self, "pointer", None):
            self._release(self.device, self.pointer)

    def __repr__(self):
        return f"<DeviceArray {self.shape} {self.dtype} on GPU {self.device}>"

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.typestr, "data": (self.pointer.value, False), "strides": None,
                "version": 3, "stream": None}

    def __dlpack_device__(self):
        return _dlpack.CUDA, self.device

    def __dlpack__(self, *, stream=None, **_):
        # Nothing is under way: whoever filled it has waited.
        return _dlpack.capsule(self, self.pointer.value, self.shape, self.typestr, self.device)

    def _copy(self, kind, to, source):
        queue = abi.gf_queue(self.device, None)
        call(lib.gf_memory_copy, queue, kind, to, source, self.nbytes)
        call(lib.gf_queue_wait, queue)

    def to_host(self):
        """A copy as a NumPy array."""
        import numpy
        out = numpy.empty(self.shape, self.dtype)
        self._copy(abi.GF_COPY_DOWNLOAD, _arrays.address(out), self.pointer)
        return out


def to_device(a: Any, device: Union[str, int] = "cuda") -> DeviceArray:
    """A copy of an array of the host in memory of a GPU."""
    import numpy
    a = numpy.ascontiguousarray(a)
    made = DeviceArray(a.shape, a.dtype, device)
    made._copy(abi.GF_COPY_UPLOAD, made.pointer, _arrays.address(a))
    return made


def run(pipeline, view, out, inputs, progress):
    """Pipeline.run for an array of a GPU: queued on its stream, ended when this returns. `out`: an array of the
    same GPU, or None for a DeviceArray."""
    source = image(view)
    if not pipeline._settled or pipeline._names:
        raise errors.UnsupportedError("stages that read other pictures, or find their parameters in the picture, "
                                      "take arrays of the host")
    del inputs
    plan = pipeline._plan(source.shape, [], pipeline.alpha or "none", device=view.device)
    given = view_of(out, view.stream or LEGACY) if out is not None else None
    if out is not None and given is None:
        raise errors.ArgumentError("out is not an array of a GPU")
    if out is None and not plan.measures_only:
        out = DeviceArray(plan.output_shape, plan.output_dtype, view.device)
        given = view_of(out)
    target = image(given, "out") if given else None
    slot = plan.take()
    arguments = slot.exec, byref(source), byref(target) if target else None, view.stream
    if progress:
        slot.guarded(progress, lib.gf_exec_enqueue, *arguments)
    else:
        call(lib.gf_exec_enqueue, *arguments)
    call(lib.gf_exec_finish, slot.exec)
    found = results.of_exec(slot.exec, plan.count)
    plan.give(slot)
    return (view.owner if out is None else out), found
