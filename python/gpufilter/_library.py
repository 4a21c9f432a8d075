"""The C libraries, found beside this file, and the one context that everything here shares.

GPUFILTER_LIBRARY names another folder with libgpufilter_io.so and libgpufilter_arrays.so, as that of a build.
"""
import os
import threading
from ctypes import CDLL, c_void_p, byref

from . import _abi as abi
from . import errors


def folder():
    """Where the libraries lie."""
    return os.environ.get("GPUFILTER_LIBRARY") or os.path.join(os.path.dirname(__file__), "lib")


class _Functions:
    """Functions of the library by their names, declared when they are first used.

    libgpufilter_io brings libgpufilter along, and a handle finds the functions of both. What they lack,
    primitives of arrays, is in libgpufilter_arrays, which is opened when the first of them is used. ctypes
    lets other threads run during each call.
    """

    def __init__(self):
        self._handle = CDLL(os.path.join(folder(), "libgpufilter_io.so"))
        self._arrays = None

    def __getattr__(self, name):
        function = getattr(self._handle, name, None)
        if function is None:
            self._arrays = self._arrays or CDLL(os.path.join(folder(), "libgpufilter_arrays.so"))
            function = getattr(self._arrays, name)
        function.restype, function.argtypes = abi.PROTOTYPES[name]
        setattr(self, name, function)
        return function


lib = _Functions()


def make(struct, **fields):
    """A struct with the values of its INIT macro, but for `fields`."""
    made = struct()
    values = zip((name for name, _ in struct._fields_), abi.INIT[struct])
    for name, value in (*values, *fields.items()):
        if value is not None:  # which is 0 already, also of functions
            setattr(made, name, value)
    return made


def call(function, *arguments):
    """Calls a function whose last argument is a gf_error, and raises what it fails with."""
    error = make(abi.gf_error)
    status = function(*arguments, byref(error))
    if status != abi.GF_OK:
        raise errors.of(error, status)


class Handle:
    """An object of the library, destroyed with this one: `made` gets it, `destroy` takes it."""

    def __init__(self, create, destroy, *arguments):
        self.pointer = c_void_p()
        self._destroy = destroy
        call(create, *arguments, byref(self.pointer))

    @property
    def _as_parameter_(self):
        return self.pointer

    def __del__(self, byref=byref):  # which the module may have lost when the interpreter ends
        if getattr(self, "pointer", None):
            self._destroy(byref(self.pointer))


_lock = threading.Lock()
_context = None


def context():
    """The context of this process, made when it is first needed."""
    global _context
    if _context is None:
        with _lock:
            if _context is None:
                _context = Handle(lib.gf_context_create, lib.gf_context_destroy, None)
    return _context


def printed(function, *arguments):
    """What a function that prints like snprintf has to say."""
    from ctypes import c_size_t, create_string_buffer
    length = c_size_t()
    call(function, *arguments, None, 0, byref(length))
    buffer = create_string_buffer(length.value + 1)
    call(function, *arguments, buffer, len(buffer), byref(length))
    return buffer.value.decode("utf-8", "replace").rstrip("\n")


def text(value):
    """A text of C, or '' for NULL."""
    return value.decode("utf-8", "replace") if value else ""


def device_number(device):
    """The number of a device that is named 'auto', 'cpu', 'reference', 'cuda' or 'cuda:N', or is a number."""
    if isinstance(device, int):
        return device
    known = {"auto": abi.GF_DEVICE_AUTO, "cpu": abi.GF_DEVICE_CPU, "reference": abi.GF_DEVICE_REFERENCE}
    kind, _, number = str(device).partition(":")
    if kind in ("cuda", "emu") and (number or "0").isdigit():
        return int(number or 0)
    if device not in known:
        raise errors.ArgumentError(f"device {device!r}: must be auto, cpu, reference, cuda or cuda:N")
    return known[device]
