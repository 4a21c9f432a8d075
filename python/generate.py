#!/usr/bin/env python3
"""Writes what the package has from the sources: gpufilter/_abi.py of the headers, gpufilter/stages.pyi of the library.

    python/generate.py            writes both
    python/generate.py --check    only says what is out of date, and fails

stages.pyi needs the library: GPUFILTER_LIBRARY is its folder, build/pipeline without it.
"""
import keyword
import os
import re
import sys
from pathlib import Path

from headers import Headers

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "gpufilter"
TOP = '"""Made by python/generate.py {}; do not edit."""\n'


def abi(headers):
    """The text of _abi.py: what the package names of the C interface, and what that needs."""
    sources = "\n".join(p.read_text() for p in PACKAGE.glob("*.py") if p.name != "_abi.py")
    named = set(re.findall(r"\b(?:gf|GF)_\w+", sources))
    functions = {name: headers.prototype(name) for name in headers.functions if name in named}
    types = " ".join(f"{result} {' '.join(arguments)}" for result, arguments in functions.values())
    wanted = (named | set(re.findall(r"gf_\w+", types))) & set(headers.structs)
    fields = {name: headers.structs[name] for name in headers.structs}
    while more := {w for name in wanted for _, kind in fields[name] for w in re.findall(r"gf_\w+", kind)} - wanted:
        wanted |= more
    out = [TOP.format("from the headers of C"), "from ctypes import *\n\n"]
    out += [f"{name} = {headers.numbers[name]}\n" for name in sorted(named & set(headers.numbers))]
    names = [name for name in headers.structs if name in wanted]
    out += [f"\n\nclass {name}(Structure):\n    pass\n" for name in names]
    for name in names:
        rows = "".join(f'    ("{field}", {kind}),\n' for field, kind in fields[name])
        out.append(f"\n\n{name}._fields_ = [\n{rows}]\n")
    out.append("\n# What the INIT macros say.\nINIT = {\n")
    out += [f"    {name}: {numbers(headers, headers.inits[name])},\n" for name in names if name in headers.inits]
    out.append("}\n\n# Types of the result and of the arguments.\nPROTOTYPES = {\n")
    out += [f'    "{n}": ({r}, [{", ".join(a)}]),\n' for n, (r, a) in sorted(functions.items())]
    return "".join(out) + "}\n"


def numbers(headers, text):
    """An INIT macro with the numbers in place of enumerators."""
    return re.sub(r"GF_\w+", lambda m: str(headers.numbers[m[0]]), text)


def stubs():
    """The text of stages.pyi: a function for each stage, with its parameters and what help says."""
    sys.path.insert(0, str(HERE))
    os.environ.setdefault("GPUFILTER_LIBRARY", str(HERE.parent / "build" / "pipeline"))
    from gpufilter import stages
    out = [TOP.format("from the tables of stages"),
           "from typing import Any, Literal, Sequence, Union\n\n",
           "class Stage(str):\n    def __or__(self, other: str) -> Stage: ...\n\n"]
    for name in stages.__all__:
        table = stages.parameters(name)
        parts = [f"{row.name}: {row.hint} = ..." for row in table if row.positional]
        parts += ["*"] + [f"{row.name}: {row.hint} = ..." for row in table if not row.positional]
        doc = stages.describe(name).replace("\\", "\\\\").replace("\n", "\n    ")
        doc = re.sub(r"[ ]+$", "", doc, flags=re.M)
        out.append(f'def {name}({", ".join(parts)}) -> Stage:\n    r"""{doc}\n    """\n\n')
    assert not any(keyword.iskeyword(n) for n in stages.__all__)
    return "".join(out)


def main():
    check, stale = "--check" in sys.argv[1:], []
    headers = Headers(HERE.parent)

    def put(name, text):
        path = PACKAGE / name
        if check and (not path.exists() or path.read_text() != text):
            stale.append(name)
        elif not check:
            path.write_text(text)

    put("_abi.py", abi(headers))
    put("stages.pyi", stubs())
    for name in stale:
        print(f"python/generate.py: gpufilter/{name} is out of date: run python/generate.py", file=sys.stderr)
    sys.exit(bool(stale))


if __name__ == "__main__":
    main()
