"""The declarations of ctypes beside those of the compiler, and what is generated beside its sources."""
import ctypes
import os
import shutil
import subprocess
import sys
import unittest

import gpufilter
from common import ROOT, folder
from gpufilter import _abi as abi

STRUCTS = [s for s in vars(abi).values()
           if isinstance(s, type) and issubclass(s, ctypes.Structure) and s.__name__.startswith("gf_")]


class Abi(unittest.TestCase):
    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_layout(self):
        """every struct has the size and the offsets that the compiler gives it"""
        rows = [(s.__name__, f[0]) for s in STRUCTS for f in s._fields_]
        lines = [f'printf("%zu\\n", offsetof({s}, {f}));' for s, f in rows]
        lines += [f'printf("%zu\\n", sizeof({s.__name__}));' for s in STRUCTS]
        source = "#include <gpufilter/gpufilter.h>\n#include <stdio.h>\nint main(void) {" + "\n".join(lines) + "}\n"
        with folder() as work:
            with open(f"{work}/a.c", "w") as file:
                file.write(source)
            flags = [f"-I{ROOT}/{layer}/include" for layer in ("kernels", "filters", "pipeline")]
            subprocess.run(["cc", f"{work}/a.c", "-o", f"{work}/a", *flags], check=True)
            said = [int(n) for n in subprocess.run([f"{work}/a"], capture_output=True, text=True).stdout.split()]
        want = [getattr(getattr(abi, s), f).offset for s, f in rows] + [ctypes.sizeof(s) for s in STRUCTS]
        self.assertGreater(len(want), 200)
        for (about, got), expected in zip(zip(rows + STRUCTS, said), want):
            self.assertEqual(got, expected, about)

    def test_generated(self):
        """_abi.py and stages.pyi are what python/generate.py makes of the sources"""
        if os.path.dirname(os.path.realpath(gpufilter.__file__)) != os.path.realpath(f"{ROOT}/python/gpufilter"):
            self.skipTest("the package is an installed one")
        done = subprocess.run([sys.executable, f"{ROOT}/python/generate.py", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
