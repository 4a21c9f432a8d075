"""Rows that come and go bit by bit: iterables of arrays as sources of the library, functions as sinks."""
from ctypes import byref, c_void_p, sizeof

from . import _abi as abi
from . import _arrays, errors, results
from ._library import call, lib

ROWS_IN = dict(abi.gf_source._fields_)["rows"]
AGAIN = dict(abi.gf_source._fields_)["again"]
ROWS_OUT = dict(abi.gf_sink._fields_)["rows"]


class Guard:
    """Functions that the library calls: what they raise is kept, and raised when the library has returned."""

    def __init__(self):
        self.raised = None

    def guarded(self, function, status):
        """`function` as the library calls it: the arguments but the last, a gf_error, and 0 or `status` back."""
        def called(*arguments):
            try:
                function(*arguments[:-1])
                return abi.GF_OK
            except BaseException as error:  # it must not pass through C
                self.raised = self.raised or error
                if arguments[-1]:
                    arguments[-1].contents.message = f"{type(error).__name__}: {error}".encode()[:479]
                return status
        return called

    def call(self, function, *arguments):
        """Calls the library, and raises what its caller's functions raised."""
        try:
            call(function, *arguments)
        except errors.Error:
            if self.raised is not None:
                raise self.raised from None
            raise


class Source(Guard):
    """A gf_source, as `struct`, of an iterable of arrays of rows."""

    def __init__(self, rows, shape):
        super().__init__()
        self._rows, self._shape = rows, shape
        self._blocks, self._block = iter(rows), None
        repeats = self._blocks is not rows
        self.struct = abi.gf_source(
            sizeof(abi.gf_source), 0, shape, ROWS_IN(self.guarded(self._give, abi.GF_ERROR_INPUT)),
            AGAIN(self.guarded(self._again, abi.GF_ERROR_INPUT)) if repeats else AGAIN(), None, 0)

    def _again(self, _):
        self._blocks, self._block = iter(self._rows), None

    def _give(self, _, data, pitch, count):
        to = _arrays.rows_view(data, pitch, count, self._shape)
        done = 0
        while done < count:
            if self._block is None or not len(self._block):
                self._block = self._next()
            n = min(count - done, len(self._block))
            to[done:done + n] = self._block[:n]
            self._block, done = self._block[n:], done + n

    def _next(self):
        try:
            block = _arrays.host_array(next(self._blocks))
        except StopIteration:
            raise errors.ArgumentError(f"the rows ended before there were {self._shape.height}") from None
        row = _arrays.array_shape(self._shape)[1:]
        if block.shape[1:] != row or block.dtype.name != _arrays.NAMES[self._shape.depth]:
            raise errors.ArgumentError(f"rows of shape {block.shape} and type {block.dtype}: must be (n, "
                                       f"{', '.join(map(str, row))}) of {_arrays.NAMES[self._shape.depth]}")
        return block


class Sink(Guard):
    """A gf_sink, as `struct`, that calls a function with a copy of the rows."""

    def __init__(self, function, shape):
        super().__init__()

        def take(_, data, pitch, count):
            function(_arrays.rows_view(data, pitch, count, shape).copy())

        self.struct = abi.gf_sink(sizeof(abi.gf_sink), 0, ROWS_OUT(self.guarded(take, abi.GF_ERROR_OUTPUT)), c_void_p())


def run(plan, rows, sink, others, progress):
    """Pipeline.stream for a plan."""
    source = Source(rows, plan.shape)
    target = Sink(sink, plan.output) if sink else None
    slot = plan.take()
    slot.set_inputs(others)
    arguments = slot.exec, byref(source.struct), byref(target.struct) if target else None
    try:
        if progress:
            slot.guarded(progress, lib.gf_exec_stream, *arguments)
        else:
            call(lib.gf_exec_stream, *arguments)
    except errors.Error:
        for guard in filter(None, (source, target)):
            if guard.raised is not None:
                raise guard.raised from None
        raise
    found = results.of_exec(slot.exec, plan.count)
    plan.give(slot)
    return found
