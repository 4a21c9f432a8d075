"""The blocks of docs/python.md and the samples: they run, and print what stands there."""
import contextlib
import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unittest

from common import ROOT, SAMPLE, folder


class Docs(unittest.TestCase):
    def test_page(self):
        """every block of docs/python.md prints what the page shows"""
        with open(f"{ROOT}/docs/python.md") as file:
            blocks = re.findall(r"^```pycon\n(.*?)^```$", file.read(), re.M | re.S)
        self.assertGreater(len(blocks), 10)
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", "docs/python.md", 0)
        with folder() as work, _inside(work):
            shutil.copy(SAMPLE, "in.png")
            said = []
            result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        self.assertEqual(result.failed, 0, "".join(said))

    def test_samples(self):
        """samples run, or say what they lack"""
        for name, needs in (("with_skimage", "skimage"), ("with_opencv", "cv2"), ("with_torch", "torch")):
            done = subprocess.run([sys.executable, f"{ROOT}/samples/python/{name}.py", SAMPLE], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            if importlib.util.find_spec(needs) is None:
                self.assertIn("is not installed", done.stdout)
            else:
                self.assertIn("same", done.stdout)


@contextlib.contextmanager
def _inside(work):
    before = os.getcwd()
    os.chdir(work)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    unittest.main()
