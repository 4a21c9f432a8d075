"""Arrays as the library sees them: which are taken as they lie in memory, and which are copied first.

A picture is an array of shape (height, width) or (height, width, channels), 1 to 4 channels, of uint8, uint16
or float32. It is taken without a copy where the samples of a row lie one behind the other, as they do after
slices of rows and columns, a[10:20, ::1]; rows may be any distance apart that is a multiple of a sample's size.
Anything else, a[:, ::2], a[::-1] or a.T, is copied once. Other types are converted as those of an .npy are:
bool to 0 and 255, numbers to float32.
"""
from ctypes import sizeof

from . import _abi as abi
from .errors import ArgumentError

NAMES = {abi.GF_U8: "uint8", abi.GF_U16: "uint16", abi.GF_F32: "float32", abi.GF_U32: "uint32",
         abi.GF_U64: "uint64", abi.GF_F64: "float64", abi.GF_S16: "int16", abi.GF_S32: "int32",
         abi.GF_S64: "int64"}
TYPESTRS = {abi.GF_U8: "|u1", abi.GF_U16: "<u2", abi.GF_F32: "<f4", abi.GF_U32: "<u4", abi.GF_U64: "<u8",
            abi.GF_F64: "<f8", abi.GF_S16: "<i2", abi.GF_S32: "<i4", abi.GF_S64: "<i8"}
DEPTHS = {name: depth for depth, name in NAMES.items()}
DEPTHS_OF = {text: depth for depth, text in TYPESTRS.items()}
PICTURES = ("|u1", "<u2", "<f4")
SIZES = {depth: int(text[2]) for depth, text in TYPESTRS.items()}


def depth_of(dtype):
    """The number of a NumPy type, its class or its name."""
    import numpy
    try:
        return DEPTHS[numpy.dtype(dtype).name]
    except KeyError:
        raise ArgumentError(f"dtype {dtype}: must be one of {', '.join(DEPTHS)}") from None


def host_array(a):
    """Any array of the host as NumPy's, without a copy where NumPy, DLPack or the buffer protocol allow it."""
    import numpy
    if isinstance(a, numpy.ndarray):
        return a
    if hasattr(a, "__dlpack__") and not hasattr(a, "__array__"):
        return numpy.from_dlpack(a)
    return numpy.asarray(a)


def picture_array(a):
    """An array of the host as a picture: one that image() takes."""
    a = host_array(a)
    text = a.dtype.str
    if text not in PICTURES:
        if a.dtype.kind == "b":
            a = a.view("u1") * a.dtype.type(1).astype("u1") * 255
        elif a.dtype.newbyteorder("=").str in PICTURES:
            a = a.astype(a.dtype.newbyteorder("="))
        elif a.dtype.kind in "iuf" and a.dtype.itemsize <= 8:
            a = float32(a)
        else:
            raise ArgumentError(f"an array of {a.dtype}: a picture is of uint8, uint16 or float32, and other "
                                "numbers of up to 64 bits become float32")
    if a.ndim not in (2, 3) or (a.ndim == 3 and not 1 <= a.shape[2] <= 4) or 0 in a.shape:
        raise ArgumentError(f"an array of shape {a.shape}: a picture has (height, width) or (height, width, "
                            "channels) with 1 to 4 channels, and at least one pixel")
    return a if pitch_of(a.shape, a.strides, a.itemsize) and a.flags.aligned else a.copy(order="C")


def float32(a):
    """Numbers rounded to the nearest float32; what is beyond its range becomes infinite."""
    import numpy
    with numpy.errstate(over="ignore", invalid="ignore"):
        return a.astype(numpy.float32)


def pitch_of(shape, strides, size):
    """Bytes from a row to the next, or 0 where the array cannot be taken as it is."""
    channels = shape[2] if len(shape) == 3 else 1
    row = shape[1] * channels * size
    if channels > 1 and strides[2] != size:
        return 0
    if shape[1] > 1 and strides[1] != channels * size:
        return 0
    if shape[0] == 1:
        return row
    return strides[0] if strides[0] >= row and strides[0] % size == 0 else 0


def shape_of(shape, depth):
    """A gf_shape of an array's shape."""
    return abi.gf_shape(shape[1], shape[0], shape[2] if len(shape) == 3 else 1, depth)


def array_shape(shape):
    """The shape of the array for a gf_shape: (height, width) of one channel, else (height, width, channels)."""
    plain = (shape.height, shape.width)
    return plain if shape.channels == 1 else plain + (shape.channels,)


def address(a):
    """Where the first element lies."""
    return a.__array_interface__["data"][0]


def image(a, writes=False):
    """A gf_image over an array of the host, which must outlive it. One that is written must fit as it is."""
    if writes:
        check_output(a)
    depth = DEPTHS_OF[a.dtype.str]
    pitch = pitch_of(a.shape, a.strides, a.itemsize)
    return abi.gf_image(sizeof(abi.gf_image), shape_of(a.shape, depth), pitch, address(a), abi.GF_DEVICE_CPU)


def check_output(a):
    """Refuses an `out` that the library cannot write to as it lies in memory."""
    if not hasattr(a, "flags"):
        raise ArgumentError("out must be an array of NumPy, as that over a tensor of the host is: out.numpy()")
    if not a.flags.writeable:
        raise ArgumentError("out is read-only")
    if a.ndim not in (2, 3) or a.dtype.str not in DEPTHS_OF or not a.flags.aligned or \
            not pitch_of(a.shape, a.strides, a.itemsize):
        raise ArgumentError(f"out has shape {a.shape}, strides {a.strides} and type {a.dtype}: the samples of a "
                            "row must lie one behind the other, in the byte order of this machine")


def at(where, depth, count):
    """A copy of `count` numbers at an address."""
    import numpy
    from ctypes import c_char
    if not count:
        return numpy.empty(0, NAMES[depth])
    buffer = (c_char * (count * SIZES[depth])).from_address(where)
    return numpy.frombuffer(buffer, NAMES[depth]).copy()


def rows_view(where, pitch, count, shape):
    """`count` rows of a picture of that gf_shape in memory of the library, which lives for a call only."""
    import numpy
    from ctypes import c_char
    size = SIZES[shape.depth]
    row = shape.width * shape.channels * size
    buffer = (c_char * (pitch * (count - 1) + row)).from_address(where)
    dims = (count, shape.width) if shape.channels == 1 else (count, shape.width, shape.channels)
    return numpy.ndarray(dims, NAMES[shape.depth], buffer, strides=(pitch, shape.channels * size, size)[:len(dims)])
