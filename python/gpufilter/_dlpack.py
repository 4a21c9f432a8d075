"""DLPack without a compiler: tensors of a GPU from capsules, and capsules of DeviceArray.

The structs are those of DLPack 0.x, which every library still makes when no newer version is asked for.
"""
from ctypes import (CFUNCTYPE, POINTER, Structure, addressof, c_char_p, c_int32, c_int64, c_uint8, c_uint16,
                    c_uint64, c_void_p, cast, py_object, pythonapi)

CUDA, MANAGED = 2, 13
CODES = {"i": 0, "u": 1, "f": 2}


class DLTensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
                ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class DLManagedTensor(Structure):
    pass


DELETER = CFUNCTYPE(None, POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [("tensor", DLTensor), ("manager", c_void_p), ("deleter", DELETER)]

_pointer = pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]
_rename = pythonapi.PyCapsule_SetName
_rename.argtypes = [py_object, c_char_p]
_new = pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
# Of a capsule that is being freed, which must not be counted again.
_valid = CFUNCTYPE(c_int32, c_void_p, c_char_p)(("PyCapsule_IsValid", pythonapi))
_dying = CFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", pythonapi))
NAME, USED = b"dltensor", b"used_dltensor"


class Taken:
    """A tensor that was taken out of its capsule, given back when this object goes."""

    def __init__(self, capsule):
        self.managed = cast(_pointer(capsule, NAME), POINTER(DLManagedTensor))
        _rename(capsule, USED)
        tensor = self.managed.contents.tensor
        kind = {code: letter for letter, code in CODES.items()}.get(tensor.code, "?")
        self.typestr = f"{'|' if tensor.bits == 8 else '<'}{kind}{tensor.bits // 8}"
        self.shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        size = tensor.bits // 8
        self.strides = tuple(tensor.strides[i] * size for i in range(tensor.ndim)) if tensor.strides else None
        self.pointer = (tensor.data or 0) + tensor.byte_offset
        self.device = tensor.device_id

    def __del__(self):
        if self.managed.contents.deleter:
            self.managed.contents.deleter(self.managed)


_given: dict = {}  # what capsules hold, by the address of the tensor


@DELETER
def _delete(managed):
    _given.pop(addressof(managed.contents), None)


@CFUNCTYPE(None, c_void_p)
def _free_capsule(capsule):
    if _valid(capsule, NAME):  # nobody took the tensor
        _given.pop(_dying(capsule, NAME), None)


def capsule(owner, pointer, shape, typestr, device):
    """A capsule of an array without gaps, which `owner` keeps alive."""
    dims = (c_int64 * len(shape))(*shape)
    tensor = DLTensor(pointer, CUDA, device, len(shape), CODES[typestr[1]], 8 * int(typestr[2:]), 1, dims, None, 0)
    managed = DLManagedTensor(tensor, None, _delete)
    _given[addressof(managed)] = managed, dims, owner
    return _new(addressof(managed), NAME, cast(_free_capsule, c_void_p))
