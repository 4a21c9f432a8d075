"""What stages measure, as named tuples and structured arrays.

A result is a named tuple with a field for each that the stage has (`gpufilter help STAGE` lists them with their
units): a number where one channel was measured, else an array of shape (channels,), or (count,) and (channels,
count) for several values, as of a histogram. Tables, as of `label`, are structured arrays, one element a row;
a column of several numbers, as box, has the parts x, y, w and h.
"""
from collections import namedtuple
from ctypes import c_double, c_uint64
from functools import lru_cache

from . import _abi as abi
from ._arrays import NAMES, at
from ._library import lib, text


class Results(tuple):
    """The results of a run, in the order of their stages: by index, or by a stage's name= or type."""

    __slots__ = ()

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for found in self:
            if found.stage_name == key:
                return found
        for found in self:
            if type(found).__name__ == key:
                return found
        names = ", ".join(found.stage_name or type(found).__name__ for found in self)
        raise KeyError(f"no result {key!r}; there are: {names or 'none'}")


@lru_cache(maxsize=None)
def _kind(stage, name, fields):
    """The class of a result: a named tuple called as its stage."""
    base = namedtuple(stage, fields)
    return type(stage, (base,), {"__slots__": (), "stage_name": name, "__module__": __name__})


def _field(field):
    count, channels = field.count, field.channels
    if count == 1 and channels == 1:
        kind = c_uint64 if field.depth == abi.GF_U64 else c_double
        return kind.from_address(field.values).value
    values = at(field.values, field.depth, count * channels)
    if channels > 1 and count != 1:
        return values.reshape(channels, count)
    return values


def _table(table):
    import numpy
    columns = [table.columns[i] for i in range(table.n_columns)]
    kinds = []
    for column in columns:
        name, kind = text(column.name), NAMES[column.depth]
        parts = text(column.parts).split("|") if column.parts else None
        kinds.append((name, [(part, kind) for part in parts]) if parts else (name, kind))
    made = numpy.zeros(table.rows, kinds)
    for column, (name, parts) in zip(columns, kinds):
        values = at(column.values, column.depth, table.rows * column.count).reshape(table.rows, column.count)
        if isinstance(parts, str):
            made[name] = values[:, 0]
        else:
            for i, (part, _) in enumerate(parts):
                made[name][part] = values[:, i]
    return made


def result(found):
    """A named tuple of a gf_result; all is copied."""
    fields = [found.fields[i] for i in range(found.n_fields)]
    tables = [found.tables[i] for i in range(found.n_tables)]
    names = tuple(text(part.name) for part in fields + tables)
    return _kind(text(found.stage), text(found.name), names)(*map(_field, fields), *map(_table, tables))


def of_exec(exec_, count, get=lib.gf_exec_result):
    """All results of the last run of an exec."""
    return Results(result(get(exec_, i).contents) for i in range(count)) if count else EMPTY


EMPTY = Results()
