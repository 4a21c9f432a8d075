#!/usr/bin/env python3
"""Puts the licences of all that a wheel has inside into its dist-info/licenses, and fails where one cannot be found.

    python/licences.py WHEEL LIBRARY...    rewrites WHEEL; the libraries are those that were there before auditwheel,
                                           whose names say which of the system's are inside

The texts are those of the system's packages, found by dpkg or rpm, with the common licences that they name, and that
of CUDA's toolkit, since its runtime is linked into the module.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CUDA = ("EULA.txt", "dist-info/nvidia_cuda_runtime-*/licenses/*")  # below the toolkit, which is two folders above nvcc


def said(*command):
    """What a command prints, or '' where it fails or is not there."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except FileNotFoundError:
        return ""


def linked(libraries):
    """{name without its numbers: path} of the shared libraries that these need, and those need."""
    paths = {Path(p).resolve() for p in re.findall(r"=> (/\S+)", said("ldd", *libraries))}
    return {path.name.split(".so")[0]: path for path in paths}


def of_system(path):
    """The files with the licence of a library of the system."""
    if ROOT in path.parents:
        return [ROOT / "LICENSE"]
    for name in (str(path), str(path).replace("/usr/lib", "/lib", 1)):  # as packages older than the merged /usr have it
        package = said("dpkg", "-S", name).split(":")[0]
        if package and Path(f"/usr/share/doc/{package}/copyright").exists():
            return [Path(f"/usr/share/doc/{package}/copyright")]
    package = said("rpm", "-qf", "--qf", "%{NAME}", str(path))
    return [Path(p) for p in said("rpm", "-q", "--licensefiles", package).split("\n") if p.startswith("/")]


def of_cuda():
    """Those of the toolkit that nvcc belongs to."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    top = Path(nvcc).resolve().parent.parent
    return [p for pattern in CUDA for p in sorted(top.glob(pattern))][:1] or \
        [p for p in sorted(Path("/usr/share/doc").glob("cuda-cudart-dev*/copyright"))][:1]


def needed(folder, libraries):
    """{what is inside a wheel: the files with its licence}; in the folder it lies unpacked."""
    known = linked(libraries)
    found = {"gpufilter": [ROOT / "LICENSE"]}
    for path in sorted(folder.glob("gpufilter.libs/*")):
        name = re.sub(r"-[0-9a-f]{8}\.so.*", "", path.name)
        found[name] = of_system(known[name]) if name in known else []
    if list(folder.glob("gpufilter/lib/libgpufilter_cuda.so")):
        found["cuda-runtime"] = of_cuda()
    return found


def missing(licences):
    """The names without a text."""
    return [name for name, files in licences.items() if not any(path.stat().st_size for path in files)]


def put(folder, licences):
    """Writes the texts, and their names into METADATA."""
    info = next(folder.glob("*.dist-info"))
    to = info / "licenses"
    to.mkdir(exist_ok=True)
    common = set()
    for name, files in licences.items():
        text = "\n\n".join(path.read_text("utf-8", "replace") for path in files)
        common |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z]+-[0-9.]*[0-9])", text))
        (to / f"{name}.txt").write_text(text, "utf-8")
    for name in common:
        shutil.copyfile(f"/usr/share/common-licenses/{name}", to / f"common-{name}.txt")
    metadata = info / "METADATA"
    head, blank, rest = metadata.read_text("utf-8").partition("\n\n")
    head += "".join(f"\nLicense-File: {path.name}" for path in sorted(to.iterdir()))
    metadata.write_text(head + blank + rest, "utf-8")


def main():
    wheel, *libraries = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "-d", work, wheel], check=True, stdout=subprocess.DEVNULL)
        folder = next(Path(work).iterdir())
        licences = needed(folder, libraries)
        without = missing(licences)
        if without:
            sys.exit(f"python/licences.py: no licence is found of {', '.join(without)}: neither dpkg nor rpm knows a "
                     "package with one, nor is it beside nvcc")
        put(folder, licences)
        subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", str(Path(wheel).resolve().parent), str(folder)],
                       check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
