"""gpufilter: pictures and signals through chains of filters, on the CPU and on NVIDIA GPUs, with the same bytes.

    array, results = gpufilter.run(a, "gray,blur:2,stats")
    results["stats"].mean

docs/python.md shows what there is; `gpufilter.stages` has a function for each stage.
"""
from ._library import lib
from .errors import (ArgumentError, CancelledError, DeviceError, Error, InputError, InternalError, LimitError,
                     MismatchError, OutOfMemoryError, OutputError, ParseError, UnsupportedError)
from .pipeline import Pipeline, Plan, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import errors, primitives, stages
    from .comparing import compare, difference, fingerprint
    from .device import DeviceArray, to_device
    from .files import read, read_signal, write, write_signal
    from .primitives import argsort, compact, histogram, matmul, reduce, scan, search, sort, top_k

_LATER = {
    "read": "files", "write": "files", "read_signal": "files", "write_signal": "files",
    "compare": "comparing", "difference": "comparing", "fingerprint": "comparing",
    "DeviceArray": "device", "to_device": "device",
    "stages": "stages", "errors": "errors", "primitives": "primitives",
    "sort": "primitives", "argsort": "primitives", "scan": "primitives", "reduce": "primitives", "top_k": "primitives",
    "histogram": "primitives", "search": "primitives", "compact": "primitives", "matmul": "primitives",
}

__version__ = lib.gf_version().decode()
__all__ = ["ArgumentError", "CancelledError", "DeviceError", "Error", "InputError", "InternalError", "LimitError",
           "MismatchError", "OutOfMemoryError", "OutputError", "ParseError", "Pipeline", "Plan", "UnsupportedError",
           "cuda_missing", "run", *sorted(_LATER)]


def cuda_missing() -> str:
    """Why arrays of a GPU cannot be worked on here: that the CUDA module or a driver is missing; "" where they can."""
    return lib.gf_cuda_missing().decode()


def __getattr__(name):
    """What few programs need is imported when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'gpufilter' has no attribute {name!r}")
    from importlib import import_module
    module = import_module("." + _LATER[name], __name__)
    value = module if name == _LATER[name] else getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
