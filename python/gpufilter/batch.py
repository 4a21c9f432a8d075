"""Many files through one pipeline, on all processors and GPUs."""
from __future__ import annotations

import os
import queue
from ctypes import addressof, byref, c_int32, c_void_p, sizeof
from functools import partial
from typing import Any, Iterable, Iterator, NamedTuple, Optional

from . import _abi as abi
from . import _arrays, errors, results
from ._library import Handle, call, context, lib, make
from .files import write_options
from .stream import ROWS_OUT, Guard

ITEM = dict(abi.gf_batch_item._fields_)
PLAN = dict(abi.gf_batch_options._fields_)["plan"]


class Done(NamedTuple):
    """A file that has ended: its path; the array that came out, or the path that it was written to, or None;
    results; and the Error by which it failed, or None."""

    path: Any
    output: Any
    results: tuple
    error: Optional[Exception]


class _Item(Guard):
    """A picture on its way. Its functions run on threads of the batch."""

    def __init__(self, path, target, options, ended):
        super().__init__()
        self.path, self.target, self.output, self.results = path, target, None, results.EMPTY
        self._options, self._ended, self.alpha = options, ended, c_int32()
        self._reader, self._writer, self._sink = c_void_p(), c_void_p(), None

    def open(self, source):
        call(lib.gf_reader_open, os.fsencode(self.path), None, byref(self._reader))
        alpha = self._options["alpha"]
        self.alpha.value = lib.gf_reader_info(self._reader).contents.alpha if alpha is None else alpha
        source[0] = lib.gf_reader_source(self._reader)

    def to(self, plan, sink):
        shape = lib.gf_plan_output(plan)
        if self.target is not None:
            call(lib.gf_writer_open, os.fsencode(self.target), byref(shape), lib.gf_reader_metadata(self._reader),
                 byref(self._options["write"]), byref(self._writer))
            sink[0] = lib.gf_writer_sink(self._writer)
            self.output = self.target
        elif not lib.gf_plan_measures_only(plan):
            import numpy
            made = self.output = numpy.empty(_arrays.array_shape(shape), _arrays.NAMES[shape.depth])
            at = 0

            def rows(_, data, pitch, count):
                nonlocal at
                made[at:at + count] = _arrays.rows_view(data, pitch, count, shape)
                at += count

            self._sink = ROWS_OUT(self.guarded(rows, abi.GF_ERROR_OUTPUT))
            sink[0] = abi.gf_sink(sizeof(abi.gf_sink), 0, self._sink, None)

    def done(self, exec_):
        call(lib.gf_reader_finish, self._reader)
        self.results = results.of_exec(exec_, lib.gf_exec_result_count(exec_))
        if self._writer:
            call(lib.gf_writer_commit, byref(self._writer))

    def end(self, outcome):
        lib.gf_writer_abort(byref(self._writer))
        lib.gf_reader_close(byref(self._reader))
        status, error = outcome.contents.status, self.raised
        if status != abi.GF_OK and error is None:
            error = errors.of(outcome.contents.error.contents, status)
        self._ended.put(Done(self.path, None if error else self.output, self.results, error))


class _Items(dict):
    """Items under way by their numbers, and the functions that the library calls with those. The functions live as
    long as the batch: one must not be freed while the library is still on its way out of it."""

    def __init__(self):
        super().__init__()
        self.open = ITEM["open"](self._guarded(_Item.open, abi.GF_ERROR_INPUT))
        self.output = ITEM["output"](self._guarded(_Item.to, abi.GF_ERROR_OUTPUT))
        self.done = ITEM["done"](self._guarded(_Item.done, abi.GF_ERROR_OUTPUT))
        self.end = ITEM["end"](lambda number, outcome: self.pop(number).end(outcome))

    def _guarded(self, method, status):
        return lambda number, *arguments: self[number].guarded(partial(method, self[number]), status)(*arguments)

    def struct(self, number, item):
        """The item for gf_batch_add, known by its number from now on."""
        self[number] = item
        return make(abi.gf_batch_item, user=number, opened_kind=addressof(item.alpha), open=self.open,
                    output=self.output, done=self.done, end=self.end)


def _targets(to):
    """A function from a path to where its picture is written, or None."""
    if to is None or callable(to):
        return to or (lambda path: None)
    return lambda path: os.path.join(to, os.path.basename(os.fspath(path)))


def run(pipeline, paths: Iterable[Any], to: Any = None, *, workers: int = 0, memory_limit: int = 0,
        format: Optional[str] = None, **options: int) -> Iterator[Done]:
    """Pipeline.batch: yields a Done for each file as it ends, in no order.

    paths: any iterable, read no faster than the work goes on. to: a folder for pictures of the same names, or a
    function from a path to another; None: arrays. workers: threads; 0: somewhat more than processors.
    memory_limit: bytes for pictures under way; 0: half of what there is. format and options: as of write(). A
    file that fails has its Error; the others go on. Breaking off the loop cancels what is under way.
    """
    if not pipeline._settled or pipeline._names:
        raise errors.UnsupportedError("stages that read other pictures, or find their parameters in the picture, "
                                      "are run one by one")
    from .pipeline import ALPHA
    target, ended = _targets(to), queue.SimpleQueue()
    items = _Items()
    settings = {"alpha": None if pipeline.alpha is None else ALPHA[pipeline.alpha],
                "write": write_options(format, {"threads": 1, **options})}

    def plan(_, kind, shape, given, made, error):
        chosen = abi.gf_plan_options.from_buffer_copy(given.contents)
        chosen.alpha = kind
        return lib.gf_plan_create(context(), pipeline._handle, shape, byref(chosen), made, error)

    chosen = make(abi.gf_batch_options, workers=workers, memory_limit=memory_limit, plan=PLAN(plan))
    device = pipeline._options["device"]
    if device != abi.GF_DEVICE_AUTO:
        number = c_int32(device)
        chosen.n_devices, chosen.devices = 1, addressof(number)
    batch = Handle(lib.gf_batch_create, lib.gf_batch_destroy, context(), pipeline._handle, byref(chosen))
    added = told = 0
    try:
        for path in paths:
            added += 1
            call(lib.gf_batch_add, batch, byref(items.struct(added, _Item(path, target(path), settings, ended))))
            while not ended.empty():
                yield ended.get()
                told += 1
        while told < added:
            yield ended.get()
            told += 1
    finally:
        lib.gf_batch_destroy(byref(batch.pointer))

