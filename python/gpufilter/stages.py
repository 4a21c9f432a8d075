"""Each stage as a function that writes its text: stages.blur(sigma=2) is "blur:sigma=2".

    gpufilter.run(a, stages.gray() | stages.blur(sigma=2) | "stats")

Names, parameters and descriptions are those of the library's own tables; a parameter that is a word of Python
has a `_` behind it, as from_. What is wrong with a value the pipeline says, with its place in the text.
"""
import inspect
import keyword
import re
from typing import NamedTuple

from . import _abi as abi
from ._library import lib
from ._library import text as _text

HINTS = {abi.GF_PARAM_INT: "int", abi.GF_PARAM_NUMBER: "Union[float, str]", abi.GF_PARAM_INTENSITY: "Union[float, str]",
         abi.GF_PARAM_BOOL: "bool", abi.GF_PARAM_LIST: "Any", abi.GF_PARAM_RECT: "Union[str, Sequence[int]]",
         abi.GF_PARAM_ROI: "Union[str, Sequence[int]]"}
BARE = re.compile(r"[\w.+\-%#/*~]+", re.ASCII)


class Stage(str):
    """The text of a stage or of several; `|` puts others behind it."""

    __slots__ = ()

    def __or__(self, other):
        return Stage(f"{self},{other}")


class Parameter(NamedTuple):
    """A parameter of a stage: its name in Python and in the language, and what help says of it."""

    name: str
    word: str
    hint: str
    default: str
    help: str
    positional: bool
    kind: int


def _rows(get, *arguments):
    i = 0
    while row := get(*arguments, i):
        yield row.contents
        i += 1


def _list(pointer):
    """The rows of a table of C, which a row of NULL ends."""
    i = 0
    while pointer and (pointer[i].stages if hasattr(pointer[i], "stages") else pointer[i].name):
        yield pointer[i]
        i += 1


def _types():
    from ctypes import byref, c_int32
    count = c_int32()
    types = lib.gf_stage_types(byref(count))
    return {_text(types[i].contents.name): types[i] for i in range(count.value)}


_TYPES = _types()
__all__ = list(_TYPES)


def parameters(name):
    """The parameters of a stage, those that stages share among them."""
    made = []
    for row in _rows(lib.gf_stage_param, _TYPES[name]):
        word, hint = _text(row.name), HINTS.get(row.type, "str")
        if row.type == abi.GF_PARAM_CHOICE:
            hint = f"Literal[{', '.join(repr(c) for c in _text(row.choices).split('|'))}]"
        elif row.auto_word:
            hint = f"Union[{'int' if row.type == abi.GF_PARAM_INT else 'float'}, str]"
        limits = f", from {row.min:g} to {row.max:g}" if (row.min or row.max) else ""
        said = f"{_text(row.help)}{limits}{' ' + _text(row.unit) if row.unit and limits else ''}"
        made.append(Parameter(word + "_" * keyword.iskeyword(word), word, hint, _text(row.text), said,
                              bool(row.positional), row.type))
    return made


def describe(name):
    """What a stage does, with its parameters, results and examples."""
    kind = _TYPES[name].contents
    lines = [_text(kind.summary)[:1].upper() + _text(kind.summary)[1:] + "."]
    lines += ["", _text(kind.use)] if kind.use else []
    lines += ["", "Parameters:"]
    for row in parameters(name):
        default = f" (default {row.default})" if row.default else ""
        lines.append(f"    {row.name}: {row.help}{default}")
    measured = [*_rows(lib.gf_stage_result, _TYPES[name]), *_rows(lib.gf_stage_result_table, _TYPES[name])]
    lines += ["", "Results:"] if measured else []
    for field in measured:
        unit = f", in {_text(field.unit)}" if getattr(field, "unit", None) else ""
        lines.append(f"    {_text(field.name)}: {_text(field.help)}{unit}")
    shown = list(_list(kind.examples))
    lines += ["", "Examples:"] if shown else []
    lines += [f"    {_text(row.stages)}  # {_text(row.help)}" for row in shown]
    return "\n".join(lines)


def _numbers(value):
    import numpy
    rows = numpy.atleast_2d(numpy.asarray(value, float))
    return "[" + "; ".join(" ".join(format(float(x), ".17g") for x in row) for row in rows) + "]"


def _written(row, value):
    """A value as the language has it."""
    if row.kind == abi.GF_PARAM_LIST and not isinstance(value, str):
        return _numbers(value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if row.kind in (abi.GF_PARAM_RECT, abi.GF_PARAM_ROI) and not isinstance(value, str):
        w, h, *at = value
        return f"{w}x{h}" + "".join(f"{n:+d}" for n in at)
    if isinstance(value, str):
        plain = row.kind not in (abi.GF_PARAM_TEXT, abi.GF_PARAM_PICTURE) or BARE.fullmatch(value)
        if plain:
            return value
        mark, word = ("@", value[1:]) if value.startswith("@") and row.kind == abi.GF_PARAM_PICTURE else ("", value)
        escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return mark + (word if mark and BARE.fullmatch(word) else f'"{escaped}"')
    return str(value) if isinstance(value, int) else repr(float(value))


def __getattr__(name):
    """The function of a stage, made when it is first asked for."""
    if name not in _TYPES:
        raise AttributeError(f"there is no stage {name!r}; gpufilter.stages.__all__ names all {len(_TYPES)}")
    rows = {row.name: row for row in parameters(name)}
    kinds = inspect.Parameter
    order = sorted(rows.values(), key=lambda row: not row.positional)
    signature = inspect.Signature([
        kinds(row.name, kinds.POSITIONAL_OR_KEYWORD if row.positional else kinds.KEYWORD_ONLY, default=None)
        for row in order])

    def stage(*values, **named):
        given = signature.bind(*values, **named).arguments
        words = [f"{rows[key].word}={_written(rows[key], value)}" for key, value in given.items() if value is not None]
        return Stage(":".join([name, *words]))

    stage.__name__ = stage.__qualname__ = name
    stage.__module__, stage.__doc__, stage.__signature__ = __name__, describe(name), signature
    globals()[name] = stage
    return stage


def __dir__():
    return [*__all__, "Stage", "describe", "parameters"]
