"""Compares pictures and numbers of gpufilter with those of other libraries: see script/peers."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

EQUAL, ROUNDED, OTHER = "equal", "rounded otherwise", "another definition"


class Row:
    """A stage beside one function of a library.

    stages   what gpufilter runs
    picture  name of the input
    call     the other's call, as a reader would write it
    theirs   picture -> array
    why      which definition the other has, where it is another one; checked: it must differ then
    result   where numbers are compared: report of the stage -> array
    """

    def __init__(self, stages, picture, call, theirs, why="", result=None, beside=None):
        self.stages, self.picture, self.call, self.theirs = stages, picture, call, theirs
        self.why, self.result, self.beside = why, result, beside

    @property
    def stage(self):
        return self.stages.split(",")[-1].split(":")[0]


def run(program, stages, picture, folder, beside=None, report=False, more=()):
    """What the program makes of a picture, on the CPU: an array, or the report of its last stage."""
    paths = {name: os.path.join(folder, name) for name in ("in.npy", "out.npy", "beside.npy", "report.json")}
    np.save(paths["in.npy"], picture)
    command = [program, paths["in.npy"], paths["out.npy"], "--stages", stages, "--device", "cpu", "-q", *more]
    if picture.ndim == 3 and picture.shape[2] % 2 == 0 and picture.dtype == np.uint8: # of which an array says nothing
        command += ["--alpha", "premul"]
    if beside is not None:
        np.save(paths["beside.npy"], beside)
        command += ["--input", "beside=" + paths["beside.npy"]]
    if report:
        command += ["--report", paths["report.json"]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"peers: {stages}: {done.stderr.strip()}")
    if report:
        with open(paths["report.json"], encoding="utf-8") as file:
            return json.load(file)["results"][-1]
    return np.load(paths["out.npy"])


def wide(values):
    """Signed numbers that no difference of two overflows."""
    values = np.asarray(values)
    return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)


def difference(ours, theirs, unit):
    """Greatest difference in units of the depth, and the share of samples that differ."""
    if ours.shape != theirs.shape:
        sys.exit(f"peers: shapes {ours.shape} and {theirs.shape}")
    apart = np.abs(wide(ours) - wide(theirs)) * unit
    return float(apart.max(initial=0)), float((apart > 0).mean()) if apart.size else 0.0


def verdict(row, greatest):
    """By what was measured; an explanation that nothing needs, or its absence, is a mistake in the table."""
    if greatest == 0:
        said = EQUAL
    elif row.why:
        said = OTHER
    else:
        said = ROUNDED
    if said == ROUNDED and greatest > 1.0:
        sys.exit(f"peers: {row.stages} beside {row.call}: {greatest:g} apart, and no reason is given")
    if said == EQUAL and row.why:
        sys.exit(f"peers: {row.stages} beside {row.call}: equal, though a reason for a difference is given")
    return said


def measure(program, row, pictures):
    picture = pictures[row.picture]
    beside = None if row.beside is None else pictures[row.beside]
    with tempfile.TemporaryDirectory() as folder:
        ours = run(program, row.stages, picture, folder, beside, row.result is not None)
    if row.result is not None:
        ours = np.asarray(row.result(ours))
    theirs = np.asarray(row.theirs(picture) if beside is None else row.theirs(picture, beside))
    unit = 255.0 if ours.dtype.kind == "f" and row.result is None else 1.0  # of u8, so that depths compare
    greatest, share = difference(ours, theirs, unit)
    return verdict(row, greatest), greatest, share
