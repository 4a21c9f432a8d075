"""Pipelines and plans: the text of stages, bound to arrays, run, explained, streamed."""
from __future__ import annotations

import os
import threading
from collections import deque
from ctypes import byref, c_double, sizeof
from functools import lru_cache

from . import _abi as abi
from . import _arrays, errors, results
from ._library import Handle, call, context, device_number, lib, make, printed, text

TYPE_CHECKING = False
if TYPE_CHECKING:  # as typing has it, whose import takes a while
    from numpy import ndarray
    from os import PathLike
    from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

    from .batch import Done
    from .results import Results
    from .signal import Live

    Stages = Union[str, Sequence[str]]
    Progress = Optional[Callable[[int, int], Any]]

ALPHA = {"straight": abi.GF_ALPHA_STRAIGHT, "premul": abi.GF_ALPHA_PREMUL, "none": abi.GF_ALPHA_NONE}
KEPT_PLANS = 16  # of a pipeline, for as many shapes
KEPT_BYTES = 256 << 20  # an exec that holds more is not kept for the next run


class Pipeline:
    """A chain of stages, as `--stages` takes it: "gray,blur:2,hist", or a list of such texts and stages.

    device: "auto" (the CPU, or a GPU where that is likely to be faster), "cpu", "cuda", "cuda:1", "reference".
    threads: of the CPU; 0 is one a processor. memory_limit: bytes that a run may hold; 0 is no limit.
    alpha: what the last of 2 or 4 channels is: "none", data as the others, as the program takes an .npy;
    "premul", an alpha by which colour is weighed, as it takes a PNG; "straight". None: as a file says, and of
    an array "none". files: arrays for parameters that name files of numbers, {"k.npy": array}; others are read.

    Raises ParseError with the place in the text. Any number of threads may run one pipeline at a time.
    """

    def __init__(self, stages: Stages, *, device: Union[str, int] = "auto", threads: int = 0, memory_limit: int = 0,
                 alpha: Optional[str] = None, files: Optional[Mapping[str, Any]] = None):
        self.stages = stages if isinstance(stages, str) else ",".join(map(str, stages))
        self._files = files or {}
        if alpha is not None and alpha not in ALPHA:
            raise errors.ArgumentError(f"alpha {alpha!r}: must be {', '.join(ALPHA)}")
        self.alpha, self.device, self.threads, self.memory_limit = alpha, device, threads, memory_limit
        self._options = dict(device=device_number(device), threads=threads, memory_limit=memory_limit)
        self._handle = self._parse()
        self._settled = lib.gf_pipeline_unsettled(self._handle) < 0
        count = lib.gf_pipeline_input_count(self._handle)
        self._names = [text(lib.gf_pipeline_input_name(self._handle, i)) for i in range(1, count)]
        self._plans: dict = {}
        self._lock = threading.Lock()  # of plans that are added

    def __str__(self):
        return printed(lib.gf_pipeline_print, self._handle, abi.GF_PRINT_TEXT)

    def __repr__(self):
        return f"Pipeline({self.stages!r})"

    def _parse(self):
        handle = Handle(lib.gf_pipeline_parse, lib.gf_pipeline_destroy, self.stages.encode(), None, 0)
        for i in range(lib.gf_pipeline_file_count(handle)):
            name = text(lib.gf_pipeline_file_name(handle, i))
            table = self._files[name] if name in self._files else _numbers(name)
            rows, columns, values = _doubles(table)
            call(lib.gf_pipeline_set_file, handle, i, rows, columns, values)
        return handle

    def plan(self, shape: Sequence[int], dtype: Any, *, inputs: Optional[Mapping[str, Any]] = None,
             alpha: Optional[str] = None, stream_rows: int = 0) -> Plan:
        """The plan for an array of that shape and type, kept for the next call with the same.

        inputs: arrays by name, for their shapes. stream_rows: about how many rows a band has, -1 for as many as
        fit the caches, 0 for the whole picture at once; for `stream`.
        """
        depth = dtype if isinstance(dtype, int) else _arrays.depth_of(dtype)
        others = [_arrays.picture_array(a) for a in self._others(inputs)] if self._names else []
        return self._plan(_arrays.shape_of(tuple(shape), depth), others, alpha or self.alpha or "none", stream_rows)

    def _plan(self, shape, others, alpha, stream_rows=0, handle=None, device=None):
        if alpha not in ALPHA:
            raise errors.ArgumentError(f"alpha {alpha!r}: must be {', '.join(ALPHA)}")
        images = [_arrays.image(a) for a in others]
        key = (alpha, stream_rows, device, *((s.width, s.height, s.channels, s.depth)
                                             for s in (shape, *(i.shape for i in images))))
        plan = self._plans.get(key) if handle is None else None
        if plan is None:
            shapes = (abi.gf_shape * max(1, len(images)))(*(i.shape for i in images))
            options = make(abi.gf_plan_options, **self._options)
            options.alpha, options.stream_rows = ALPHA[alpha], stream_rows
            options.device = options.device if device is None else device
            options.n_other_inputs = len(images)
            options.other_inputs = shapes if images else None
            plan = Plan(handle or self._handle, shape, options)
            if handle is None:
                with self._lock:
                    while len(self._plans) >= KEPT_PLANS:
                        self._plans.pop(next(iter(self._plans)), None)
                    plan = self._plans.setdefault(key, plan)
        return plan

    def _others(self, inputs, whole=None):
        """The arrays of the inputs beside the first one, in their order: given, or read from their files."""
        from .files import read
        found, inputs = [], inputs or {}
        for name in self._names:
            if name in inputs or name.lstrip("@") in inputs:
                found.append(inputs[name] if name in inputs else inputs[name.lstrip("@")])
            elif name == "in" and whole is not None:
                found.append(whole)
            elif name.startswith("@"):
                found.append(read(name[1:]))
            else:
                raise errors.ArgumentError(f"a stage reads the picture {name!r}: give it as inputs={{{name!r}: array}}")
        return found

    def run(self, a: Any, out: Any = None, *, inputs: Optional[Mapping[str, Any]] = None, progress: Progress = None,
            stream: Optional[int] = None, rate: Optional[float] = None, axis: int = -1) -> tuple[Any, Results]:
        """Runs the stages over an array, or over the file of that path: (array, results).

        a: a picture, (height, width) or (height, width, channels), of uint8, uint16 or float32; other numbers
        are converted as those of an .npy. A row's samples must lie one behind the other, else `a` is copied.
        An array of one dimension, or with `rate`, in Hz, of two with time along `axis`, is a signal of float32
        (rate 0: unknown). Arrays of a GPU are those with __cuda_array_interface__ or __dlpack__: they stay
        there, work is queued on their stream, or on `stream`, and has ended when this returns.
        out: an array for the picture that comes out, of the plan's shape and type; None: a new one. Where all
        stages measure, that is `a` itself. inputs: pictures that stages read, by name. progress: called with
        steps done and their number; a true answer ends the run with CancelledError.

        Raises ArgumentError for arrays that do not fit, UnsupportedError, OutOfMemoryError, DeviceError. A
        failed run leaves `out` undefined.
        """
        import numpy
        alpha = self.alpha
        if not isinstance(a, numpy.ndarray):
            if isinstance(a, (str, os.PathLike)):
                from .files import open_array
                a, rate, said = open_array(a)
                alpha = alpha or said
            else:
                from . import device
                view = device.view_of(a, stream)
                if view is not None:
                    return device.run(self, view, out, inputs, progress)
                a = _arrays.host_array(a)
        if a.ndim == 1 or rate is not None:
            from .signal import run
            return run(self, a, rate or 0, axis, inputs)
        plan = self._plans.get((a.shape, a.dtype, alpha)) if not self._names and self._settled else None
        if plan is not None:
            return plan.run(a, out, progress=progress)
        a = _arrays.picture_array(a)
        if not self._settled:
            plan = self._settle(a, alpha or "none")
            return plan.run(a, out, progress=progress)
        others = [_arrays.picture_array(o) for o in self._others(inputs, a)] if self._names else []
        shape = _arrays.shape_of(a.shape, _arrays.DEPTHS_OF[a.dtype.str])
        plan = self._plan(shape, others, alpha or "none")
        if not others and len(self._plans) < KEPT_PLANS:
            with self._lock:
                self._plans[a.shape, a.dtype, alpha] = plan  # the short way for the next call
        return plan.run(a, out, inputs=others, progress=progress)

    def _settle(self, a, alpha):
        """A plan for this one array, of stages whose parameters only its pixels tell, as of trim."""
        from .stream import Source
        handle, shape = self._parse(), _arrays.shape_of(a.shape, _arrays.DEPTHS_OF[a.dtype.str])
        options = make(abi.gf_plan_options, alpha=ALPHA[alpha], **self._options)
        while lib.gf_pipeline_unsettled(handle) >= 0:
            source = Source([a], shape)
            source.call(lib.gf_pipeline_settle, context(), handle, byref(source.struct), byref(options))
        return self._plan(shape, [], alpha, handle=handle)

    def explain(self, shape: Optional[Sequence[int]] = None, dtype: Any = "uint8", *, json: bool = False,
                **options: Any) -> str:
        """What a run would do for an array of that shape: passes, memory, device. Without one: the stages with
        all their parameters."""
        if shape is None:
            return str(self)
        return self.plan(shape, dtype, **options).explain(json=json)

    def stream(self, rows: Iterable[Any], shape: Sequence[int], dtype: Any,
               sink: Optional[Callable[[ndarray], Any]] = None, *, stream_rows: int = -1,
               inputs: Optional[Mapping[str, Any]] = None, progress: Progress = None) -> Results:
        """Runs over rows that come bit by bit, and holds a few of them: returns the results.

        rows: arrays of rows from the top down, of any height, as a generator yields them, (n, width) or (n,
        width, channels). shape, dtype: of the whole picture. sink: called with each array of rows that comes
        out. Where the stages go over the picture more than once, rows that can be iterated over again, as a
        list, spare holding the input. What `rows` and `sink` raise ends the run and is raised here.
        """
        from .stream import run
        plan = self.plan(shape, dtype, inputs=inputs, stream_rows=stream_rows)
        return run(plan, rows, sink, [_arrays.picture_array(o) for o in self._others(inputs)], progress)

    def live(self, channels: int = 1, rate: float = 0, frames: int = -1) -> Live:
        """A signal that comes live: an object with feed(block) and end() (gpufilter.signal.Live)."""
        from .signal import Live
        return Live(self, channels, rate, frames)

    def batch(self, paths: Iterable[Union[str, PathLike]], to: Any = None, **options: Any) -> Iterator[Done]:
        """Runs over many files at once, on all processors: see gpufilter.batch.run."""
        from .batch import run
        return run(self, paths, to, **options)


class Plan:
    """A pipeline bound to a shape, a type and a device. Any number of threads may run it at a time."""

    def __init__(self, pipeline, shape, options):
        import numpy
        self._handle = Handle(lib.gf_plan_create, lib.gf_plan_destroy, context(), pipeline, byref(shape),
                              byref(options))
        self.shape = shape
        self._shape, self._dtype = _arrays.array_shape(shape), numpy.dtype(_arrays.NAMES[shape.depth])
        self.output = lib.gf_plan_output(self._handle)
        self.output_shape = _arrays.array_shape(self.output)
        self.output_dtype = _arrays.NAMES[self.output.depth]
        self.device = lib.gf_plan_device(self._handle)
        self.memory = lib.gf_plan_memory(self._handle)
        self.measures_only = bool(lib.gf_plan_measures_only(self._handle))
        self.count = lib.gf_plan_result_count(self._handle)
        self._slots = deque()

    def __repr__(self):
        return f"<Plan {_arrays.array_shape(self.shape)} -> {self.output_shape} {self.output_dtype}>"

    def explain(self, *, json: bool = False) -> str:
        """What a run does: passes, memory, device and why."""
        return printed(lib.gf_plan_explain, self._handle, abi.GF_PRINT_JSON if json else abi.GF_PRINT_TEXT)

    def run(self, a: ndarray, out: Optional[ndarray] = None, *, inputs: Sequence[Any] = (),
            progress: Progress = None) -> tuple[ndarray, Results]:
        """Runs over an array of the host of the plan's shape and type: (array, results), as Pipeline.run."""
        from numpy import empty
        if a.shape != self._shape or a.dtype != self._dtype:
            self._check(a)
        pitch = _arrays.pitch_of(a.shape, a.strides, a.itemsize) if a.flags.aligned else 0
        if not pitch:
            a = a.copy(order="C")
            pitch = a.strides[0]
        if out is not None:
            _arrays.check_output(out)
        elif not self.measures_only:
            out = empty(self.output_shape, self.output_dtype)
        slot = self.take()
        slot.input.pitch, slot.input.data = pitch, _arrays.address(a)
        where = None
        if out is not None:
            where = slot.output
            where.pitch = _arrays.pitch_of(out.shape, out.strides, out.itemsize)
            where.data = _arrays.address(out)
            where.shape = _arrays.shape_of(out.shape, _arrays.DEPTHS_OF[out.dtype.str])
            where = slot.output_ref
        slot.set_inputs(inputs)
        if progress:
            slot.guarded(progress, lib.gf_exec_run, slot.exec, slot.input_ref, where)
        elif lib.gf_exec_run(slot.exec, slot.input_ref, where, slot.error_ref):
            raise errors.of(slot.error, slot.error.code)
        found = results.of_exec(slot.exec, self.count) if self.count else results.EMPTY
        self.give(slot)
        return (a if out is None else out), found

    def _check(self, a):
        """Refuses an array of another shape, but for one of a single channel with three dimensions, or type."""
        if a.shape != self._shape + (1,) * (len(self._shape) == 2) or a.dtype != self._dtype:
            raise errors.ArgumentError(f"an array of shape {a.shape} and type {a.dtype}: the plan is for "
                                       f"{self._shape} and {self._dtype}")

    def take(self):
        """An exec that nobody uses now."""
        try:
            return self._slots.pop()
        except IndexError:
            return Slot(self)

    def give(self, slot):
        """Keeps an exec for the next run, unless it holds much memory."""
        if self.memory <= KEPT_BYTES and len(self._slots) < 64:
            self._slots.append(slot)


class Slot:
    """An exec with the structs for its calls, made once. One thread has it at a time."""

    def __init__(self, plan):
        self.handle = Handle(lib.gf_exec_create, lib.gf_exec_destroy, plan._handle)
        self.exec = self.handle.pointer
        self.input = abi.gf_image(sizeof(abi.gf_image), plan.shape, 0, None, abi.GF_DEVICE_CPU)
        self.output = abi.gf_image(sizeof(abi.gf_image), plan.output, 0, None, abi.GF_DEVICE_CPU)
        self.error = make(abi.gf_error)
        self.input_ref, self.output_ref, self.error_ref = map(byref, (self.input, self.output, self.error))

    def set_inputs(self, arrays):
        """Gives the other inputs, which must live until the run has ended."""
        for i, a in enumerate(arrays):
            image = a if isinstance(a, abi.gf_image) else _arrays.image(a)
            call(lib.gf_exec_set_input, self.exec, i + 1, byref(image))

    def guarded(self, progress, function, *arguments):
        """Calls a function of the exec with progress of the caller, and raises what that raises."""
        raised = []

        def told(_, done, steps):
            try:
                return bool(progress(done, steps))
            except BaseException as error:  # KeyboardInterrupt as well: ctypes would only print it
                raised.append(error)
                return 1

        keep = abi.PROTOTYPES["gf_exec_set_progress"][1][1](told)
        lib.gf_exec_set_progress(self.exec, keep, None)
        try:
            call(function, *arguments)
        except errors.CancelledError:
            if raised:
                raise raised[0] from None
            raise
        finally:
            lib.gf_exec_set_progress(self.exec, abi.PROTOTYPES["gf_exec_set_progress"][1][1](), None)


def _numbers(name):
    from .files import read_picture
    try:
        return read_picture(name, result_depths=2)[0]
    except errors.InputError as error:
        raise errors.InputError(f"{error.message}\n  numbers are read from an .npy or a picture of one channel; "
                                f"of other files give them: files={{{name!r}: array}}") from None


def _doubles(table):
    import numpy
    table = numpy.atleast_2d(numpy.asarray(table, float))
    if table.ndim != 2:
        raise errors.ArgumentError(f"an array of shape {table.shape}: numbers of a parameter have two dimensions at "
                                   "most")
    return table.shape[0], table.shape[1], (c_double * table.size)(*table.ravel())


def _made(stages, options):
    return Pipeline(stages, **dict(options))


_kept = lru_cache(maxsize=32)(_made)
_of_parents = []


def run(a: Any, stages: Union[Stages, Pipeline], out: Any = None, *, inputs: Optional[Mapping[str, Any]] = None,
        progress: Progress = None, stream: Optional[int] = None, rate: Optional[float] = None, axis: int = -1,
        **options: Any) -> tuple[Any, Results]:
    """Runs stages over an array or a file: (array, results). See Pipeline.run for the arrays and Pipeline for
    the options; the pipelines of the last 32 texts are kept."""
    pipeline = stages
    if not isinstance(stages, Pipeline):
        stages = stages if isinstance(stages, str) else ",".join(map(str, stages))
        files = options.get("files")
        pipeline = Pipeline(stages, **options) if files else _kept(stages, tuple(options.items()))
    return pipeline.run(a, out, inputs=inputs, progress=progress, stream=stream, rate=rate, axis=axis)


def _after_fork():
    """Execs of the parent have no threads here, so others are made; and of a GPU they must not even be destroyed."""
    global _kept
    _of_parents.append(_kept)
    _kept = lru_cache(maxsize=32)(_made)


os.register_at_fork(after_in_child=_after_fork)
