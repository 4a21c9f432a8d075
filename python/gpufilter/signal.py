"""Signals: arrays of float32 with time along one axis, whole or live."""
from __future__ import annotations

from ctypes import byref, c_int64, pointer

from . import _abi as abi
from . import _arrays, errors, results
from ._library import Handle, call, context, lib, make, printed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy import ndarray

    from .results import Results


def planar(a, axis=-1):
    """A signal as the library has it: (channels, frames) of float32, each channel by itself in memory. Not
    copied where it lies so already."""
    import numpy
    a = _arrays.host_array(a)
    if a.ndim not in (1, 2) or a.dtype.kind not in "biuf":
        raise errors.ArgumentError(f"an array of shape {a.shape} and type {a.dtype}: a signal is numbers of one "
                                   "dimension, or of two with time along `axis`")
    a = numpy.atleast_2d(numpy.moveaxis(a, axis, -1))
    if a.dtype != numpy.float32:
        a = _arrays.float32(a)
    fits = a.strides[1] == 4 and a.strides[0] >= 4 * a.shape[1] and a.strides[0] % 4 == 0 and a.flags.aligned
    return a if fits else numpy.ascontiguousarray(a)


def pitch(a):
    """Elements from a channel of a planar array to the next."""
    return max(1, a.shape[1], a.strides[0] // 4)


def _input(a, rate):
    """A gf_signal_input over a planar array, which must outlive it."""
    return abi.gf_signal_input(abi.gf_signal_shape(a.shape[1], a.shape[0], rate), _arrays.address(a), pitch(a))


class Live:
    """A signal that comes live: feed blocks of time, and end it.

    channels and rate, in Hz, are of the input; frames, -1 where only the end will tell. What comes out does not
    depend on the blocks. For one thread at a time.
    """

    def __init__(self, pipeline, channels=1, rate=0, frames=-1, *, inputs=None, whole=None):
        names = pipeline._names
        options = make(abi.gf_signal_options, device=pipeline._options["device"], threads=pipeline.threads)
        others = [planar(a) for a in pipeline._others(inputs, whole)] if names else []
        tables = (abi.gf_signal_input * max(1, len(others)))(*(_input(a, rate) for a in others))
        options.other_inputs, options.n_other_inputs = tables if others else None, len(others)
        self._whole = _input(whole, rate) if whole is not None else None
        if whole is not None:
            setattr(options, "in", pointer(self._whole))
        shape = abi.gf_signal_shape(frames, channels, float(rate))
        self._plan = Handle(lib.gf_signal_plan_create, lib.gf_signal_plan_destroy, context(), pipeline._handle,
                            byref(shape), byref(options))
        self._exec = Handle(lib.gf_signal_exec_create, lib.gf_signal_exec_destroy, self._plan)
        self._keep = others, tables, whole  # their samples must outlive the exec
        self._in, self._out = channels, lib.gf_signal_plan_output(self._plan)
        self.channels, self.rate = self._out.channels, self._out.rate

    def explain(self, *, json: bool = False) -> str:
        """What runs: of recursive filters sections, poles and gains."""
        return printed(lib.gf_signal_plan_explain, self._plan, abi.GF_PRINT_JSON if json else abi.GF_PRINT_TEXT)

    def _made(self, frames, function, *arguments):
        import numpy
        out, made = numpy.empty((self.channels, max(1, frames)), numpy.float32), c_int64()
        call(function, self._exec, *arguments, _arrays.address(out), out.shape[1], byref(made))
        return out[:, :made.value]

    def feed(self, block: Any) -> ndarray:
        """Takes (frames,) or (channels, frames), and returns the frames that can be made now: (channels, frames)."""
        a = planar(block)
        if a.shape[0] != self._in:
            raise errors.ArgumentError(f"a block of {a.shape[0]} channels: the signal has {self._in}")
        return self._made(lib.gf_signal_exec_ready(self._exec, a.shape[1]), lib.gf_signal_exec_feed,
                          _arrays.address(a), pitch(a), a.shape[1])

    def end(self) -> tuple[ndarray, Results]:
        """The input has ended: (the rest of the output, results)."""
        import numpy
        pieces = []
        while True:
            pieces.append(self._made(lib.gf_signal_exec_left(self._exec), lib.gf_signal_exec_end))
            if lib.gf_signal_exec_left(self._exec) <= 0:
                break
        found = results.of_exec(self._exec, lib.gf_signal_exec_result_count(self._exec), lib.gf_signal_exec_result)
        return numpy.concatenate(pieces, axis=1), found


def run(pipeline, a, rate, axis, inputs):
    """Pipeline.run for a signal: (array, results); time lies along the same axis, a single channel of an array
    of one dimension is one of one dimension again. The last stage may make a picture, whose rows are channels."""
    import numpy
    flat = _arrays.host_array(a).ndim == 1
    whole = planar(a, axis)
    live = Live(pipeline, whole.shape[0], rate, whole.shape[1], inputs=inputs, whole=whole)
    first = live.feed(whole)
    rest, found = live.end()
    pieces = [piece for piece in (first, rest) if piece.shape[1]] or [first]
    out = pieces[0] if len(pieces) == 1 else numpy.concatenate(pieces, axis=1)
    if flat:
        return (out[0] if len(out) == 1 else out), found
    return numpy.moveaxis(out, -1, axis), found
