"""What the library fails with, as exceptions.

Each has the text of the library, several lines where it shows the place in the stages, and as attributes what
a program may want to know: `status`, the number of the C interface; `stage`, from 0, and `offset` and `length`
in the text of the stages, or None where the error has no place there; `errno`, or None; `exit_code`, that of
the program.
"""


class Error(Exception):
    """Any failure of gpufilter."""

    status = 0
    exit_code = 1

    def __init__(self, message, stage=None, offset=None, length=0, errno=None):
        super().__init__(message)
        self.message, self.stage, self.offset, self.length = message, stage, offset, length
        self.errno = errno


class ArgumentError(Error, ValueError):
    """A value is outside its interval, or an array has a shape or type that does not fit."""

    status, exit_code = -1, 2


class ParseError(Error, ValueError):
    """The text of the stages is wrong: `offset` and `length` say where."""

    status, exit_code = -2, 2


class UnsupportedError(Error, ValueError):
    """A valid request that this stage, format or build cannot meet."""

    status, exit_code = -3, 2


class InputError(Error, OSError):
    """A file cannot be read, or is not what it claims."""

    status, exit_code = -4, 3


class LimitError(Error, ValueError):
    """A limit is exceeded; the text names it."""

    status, exit_code = -5, 3


class OutputError(Error, OSError):
    """A file cannot be written."""

    status, exit_code = -6, 4


class DeviceError(Error, RuntimeError):
    """The device is absent, lost, or refused a call."""

    status, exit_code = -7, 5


class OutOfMemoryError(Error, MemoryError):
    """Memory of the host or of the device is exhausted."""

    status, exit_code = -8, 6


class MismatchError(Error, AssertionError):
    """A verification found a difference."""

    status, exit_code = -9, 7


class CancelledError(Error):
    """A function of the caller asked to stop."""

    status = -10


class InternalError(Error, RuntimeError):
    """A broken promise inside the library: please report it."""

    status = -11


BY_STATUS = {kind.status: kind for kind in Error.__subclasses__()}


def of(error, status):
    """The exception for what the C interface has put into a gf_error."""
    kind = BY_STATUS.get(status, InternalError)
    message = error.message.decode("utf-8", "replace") or f"gpufilter failed with status {status}"
    stage, offset = error.stage, error.text_offset
    return kind(message, stage if stage >= 0 else None, offset if offset >= 0 else None, error.text_length,
                error.system or None)
