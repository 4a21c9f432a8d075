"""What script/wheel puts into a wheel of the licences of others, and that it notices where one is missing."""
import os
import shutil
import sys
import unittest
from pathlib import Path

from common import ROOT, folder

sys.path.insert(0, f"{ROOT}/python")
import licences  # noqa: E402


class Licences(unittest.TestCase):
    def setUp(self):
        work = folder()
        self.addCleanup(work.cleanup)
        self.wheel = Path(work.name)
        for path, text in (("gpufilter.libs/libnone-0123abcd.so.1", ""), ("gpufilter-0.dist-info/METADATA", "Name: gpufilter\n\nText\n")):
            (self.wheel / path).parent.mkdir()
            (self.wheel / path).write_text(text)

    def test_missing(self):
        """a library of which no package has a licence is named, and so is one whose licence is empty"""
        found = licences.needed(self.wheel, [shutil.which("env")])
        self.assertEqual(licences.missing(found), ["libnone"])
        (self.wheel / "empty").touch()
        self.assertEqual(licences.missing({**found, "libnone": [self.wheel / "empty"]}), ["libnone"])
        self.assertEqual(licences.missing({**found, "libnone": [Path(ROOT) / "LICENSE"]}), [])

    @unittest.skipUnless(shutil.which("dpkg") and os.path.exists("/usr/share/doc/libc6/copyright"), "no system of Debian packages")
    def test_system(self):
        """the text of a system's package is found"""
        libc = licences.linked([shutil.which("env")])["libc"]
        self.assertEqual(licences.of_system(libc), [Path("/usr/share/doc/libc6/copyright")])

    def test_put(self):
        """texts, the common licences that they name, and their names in METADATA"""
        text = self.wheel / "text"
        text.write_text("Its licence is in /usr/share/common-licenses/GPL-2.\n")
        named = os.path.exists("/usr/share/common-licenses/GPL-2")
        licences.put(self.wheel, {"libnone": [text] if named else [Path(ROOT) / "LICENSE"]})
        info = self.wheel / "gpufilter-0.dist-info"
        files = (["common-GPL-2.txt"] if named else []) + ["libnone.txt"]
        self.assertEqual(sorted(os.listdir(info / "licenses")), files)
        self.assertTrue(all((info / "licenses" / name).stat().st_size for name in files))
        self.assertEqual((info / "METADATA").read_text(),
                         "Name: gpufilter\n" + "".join(f"License-File: {name}\n" for name in files) + "\nText\n")


if __name__ == "__main__":
    unittest.main()
