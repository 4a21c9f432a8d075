"""A plugin of pytest, there wherever gpufilter and pytest are installed: the fixture picture_regression.

    def test_drawing(picture_regression):
        picture_regression.check(draw())  # an array, or the path of a file

Golden pictures lie beside the tests: those of tests/test_a.py in the folder tests/test_a, or as hashes in
tests/test_a.hashes, as `gpufilter compare --expect` reads them. `pytest --picture-update` writes them.
"""
from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

MODES = ("picture", "hash")


def pytest_addoption(parser):
    group = parser.getgroup("gpufilter", "pictures beside golden ones (gpufilter)")
    group.addoption("--picture-update", action="store_true",
                    help="make the golden pictures and hashes of picture_regression what the tests make")
    group.addoption("--picture-results", metavar="DIR",
                    help="write pictures that fail, and what differs, there instead of the temporary folder of the run")
    parser.addini("picture_regression_mode", "what picture_regression keeps of a golden picture: picture or hash",
                  default="picture")


def pytest_terminal_summary(terminalreporter):
    written = {value for reports in terminalreporter.stats.values() for report in reports
               for key, value in getattr(report, "user_properties", ()) if key == "golden picture"}
    for golden in sorted(written):
        terminalreporter.write_line(f"golden picture written: {golden}")


@pytest.fixture(scope="session")
def _picture_owners():
    """Which test has which golden picture."""
    return {}


@pytest.fixture
def picture_regression(request, tmp_path_factory, _picture_owners):
    """Compares pictures with golden ones: check(array or path, name=None, mode=None, allow=0, max_diff=0, ...)."""
    return PictureRegression(request, tmp_path_factory, _picture_owners)


class PictureRegression:
    """The fixture of one test."""

    def __init__(self, request, temporary, owners):
        config, self._node = request.config, request.node
        self._mode, self._update = config.getini("picture_regression_mode"), config.getoption("picture_update")
        self._owners, self._mine = owners, set()
        where = config.getoption("picture_results")
        where = config.invocation_params.dir / where if where else temporary.getbasetemp() / "pictures"
        file, _, test = self._node.nodeid.partition("::")
        self._goldens = self._node.path.with_suffix("")  # a folder beside the test
        self._results = where.joinpath(*(p for p in Path(file).with_suffix("").parts if p not in ("/", "..")))
        self._test = test or self._node.name

    def check(self, picture: Any, name: Optional[str] = None, *, mode: Optional[str] = None, allow: float = 0,
              **options: Any) -> None:
        """Raises MismatchError, an AssertionError, if a picture is not the golden one of this test.

        picture: an array, or the path of a file. name: tells several pictures of a test apart. mode: "picture" or
        "hash", which allows no difference; None: picture_regression_mode of the configuration. allow: how many
        pixels may differ, or, below 1, which share of them. options: of gpufilter.compare.
        """
        __tracebackhide__ = True
        from . import errors
        name, mode = self._name(name), mode or self._mode
        if mode not in MODES:
            raise errors.ArgumentError(f"picture_regression: mode {mode!r}: must be {' or '.join(MODES)}")
        if mode == "hash" and (allow or options):
            raise errors.ArgumentError("picture_regression: a hash allows no difference: mode 'picture' takes "
                                       f"{', '.join(['allow'] * bool(allow) + [*options])}")
        found = _Made(picture)
        what = self._check_hash(name, found) if mode == "hash" else self._check_picture(name, found, allow, options)
        if what:
            what.append(f"if the new picture is the right one: pytest --picture-update '{self._node.nodeid}'")
            raise errors.MismatchError("\n  ".join(what))

    def _name(self, name):
        """The name of the golden picture, which no other has."""
        from .errors import ArgumentError
        name = re.sub(r"[^\w.+-]+", "-", f"{self._test}-{name}" if name else self._test.replace("::", ".")).strip("-")
        key = self._goldens, name
        if key in self._mine or self._owners.setdefault(key, self._node.nodeid) != self._node.nodeid:
            raise ArgumentError(f"picture_regression: {name} is a picture of {self._owners[key]} already: give each "
                                "picture a name of its own, check(picture, 'NAME')")
        self._mine.add(key)
        return name

    def _wrote(self, golden):
        self._node.user_properties.append(("golden picture", os.path.relpath(golden, self._node.config.rootpath)))

    def _check_hash(self, name, made):
        from .comparing import fingerprint
        file, got = self._goldens.with_name(self._goldens.name + ".hashes"), fingerprint(made.array)
        line = name + made.suffix
        known = _read_hashes(file).get(line)
        if got == known:
            return None
        if self._update:
            _write_hash(file, line, got)
            self._wrote(file)
            return None
        if known is None:
            return [f"{file} has no hash for {line}", f"made {got}", made.about(), self._keep(name, made)]
        return [f"{name} has not the hash of {file}", f"golden {known}", f"made   {got}", made.about(),
                self._keep(name, made)]

    def _check_picture(self, name, made, allow, options):
        from .comparing import compare, difference
        golden = self._goldens / (name + made.suffix)
        there = golden.exists()
        old = _Made(golden) if there else None
        if there and old.array.shape == made.array.shape and old.array.dtype == made.array.dtype:
            found = compare(old.array, made.array, **options)
            may = allow if allow >= 1 else allow * found.pixels
            if found.identical or (found.pixel_count <= may and not self._update):
                return None
        if self._update:
            made.write(golden)
            self._wrote(golden)
            return None
        if not there:
            return [f"there is no golden picture {golden}", made.about(), self._keep(name, made)]
        what = [f"{name} differs from {golden}"]
        if old.array.shape != made.array.shape or old.array.dtype != made.array.dtype:
            return what + [f"golden {old.about()}", f"made {made.about()}", self._keep(name, made)]
        kept = self._keep(name, made)
        drawn = self._results / f"{name}-difference.png"
        _Made(difference(old.array, made.array, **options)).write(drawn)
        return what + _numbers(found, allow, options) + [kept, f"difference drawn in {drawn}"]

    def _keep(self, name, made):
        """Writes a picture that failed where one can look at it."""
        file = self._results / (name + made.suffix)
        made.write(file)
        return f"made picture in {file}"


class _Made:
    """A picture: of an array, or of a file, whose suffix says its format."""

    def __init__(self, picture):
        from . import comparing
        from .files import read_picture
        self.path = Path(picture) if isinstance(picture, (str, os.PathLike)) else None
        if self.path:
            picture = read_picture(self.path, result_depths=1)[0]
        elif hasattr(picture, "to_host"):  # of a GPU
            picture = picture.to_host()
        a = comparing.samples(picture)
        self.array = a[..., 0] if a.ndim == 3 and a.shape[2] == 1 else a  # as files have it
        self.suffix = self.path.suffix if self.path else ".png" if self.array.dtype.str in ("|u1", "<u2") else ".npy"

    def write(self, path):
        """Writes it whole or not at all; of a file a copy."""
        from .files import write
        path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path:
            write(path, self.array)
            return
        part = path.with_name(f".{path.name}.{os.getpid()}")
        shutil.copyfile(self.path, part)
        os.replace(part, path)

    def about(self):
        height, width = self.array.shape[:2]
        channels = self.array.shape[2] if self.array.ndim == 3 else 1
        a = self.array
        return (f"{width} x {height}, {channels} channel{'s' * (channels > 1)} of {a.dtype}, min {a.min():g}, "
                f"mean {a.mean(dtype='f8'):g}, max {a.max():g}")


def _numbers(found, allow, options):
    """What a comparison found, as lines."""
    most, box = found.most, found.box
    by = options.get("by", "samples")
    may = f"{allow:g} may" if allow >= 1 else f"{100 * allow:g} % may" if allow else "none may"
    return [f"{found.pixel_count} of {found.pixels} pixels ({100 * found.pixel_count / found.pixels:.3g} %) differ by "
            f"more than {found.max_diff:g}{'' if by == 'samples' else ' of ' + by}; {may}",
            f"largest difference {found.largest:g} at x {most.x}, y {most.y}, channel {most.channel}: golden {most.a:g}, "
            f"made {most.b:g}",
            f"mean difference {found.mean:.3g}, PSNR {found.psnr:.4g} dB; all inside {box.w}x{box.h}+{box.x}+{box.y}"]


def _read_hashes(file):
    """{name: hash} of a file with lines of a hash, two spaces and a name."""
    from .errors import InputError
    found = {}
    for i, line in enumerate(file.read_text("utf-8").splitlines() if file.exists() else ()):
        match = re.fullmatch(r"([0-9a-fA-F]{64}) [ *](.+)", line)
        if match:
            found[match[2]] = match[1].lower()
        elif line and not line.startswith("#"):
            raise InputError(f"{file}: line {i + 1} is no hash of 64 digits, two spaces and a name")
    return found


def _write_hash(file, name, digest):
    """Puts a line into the file, which other processes may do at the same time."""
    import fcntl
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        known = {**_read_hashes(file), name: digest}
        part = file.with_name(f".{file.name}.{os.getpid()}")
        part.write_text("".join(f"{known[key]}  {key}\n" for key in sorted(known)), "utf-8")
        os.replace(part, file)
    finally:
        os.close(folder)
