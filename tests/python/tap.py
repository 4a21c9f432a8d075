"""Runs the tests of this folder, or those named, and prints TAP."""
import os
import sys
import traceback
import unittest


class Tap(unittest.TestResult):
    """Prints each test as a line of TAP."""

    number = 0

    def say(self, ok, test, reason="", error=None):
        Tap.number += 1
        about = (test.shortDescription() or str(test)).splitlines()[0]
        print(f"{'ok' if ok else 'not ok'} {Tap.number} - {about}{' # SKIP ' + reason if reason else ''}", flush=True)
        for line in traceback.format_exception(*error) if error else []:
            print("\n".join(f"# {part}" for part in line.splitlines()), flush=True)

    def addSuccess(self, test):
        self.say(True, test)

    def addSkip(self, test, reason):
        self.say(True, test, reason)

    def addError(self, test, error):
        super().addError(test, error)
        self.say(False, test, error=error)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.say(False, test, error=error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            super().addSubTest(test, subtest, error)
            self.say(False, subtest, error=error)


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, folder)
    loader = unittest.TestLoader()
    named = sys.argv[1:]
    found = loader.loadTestsFromNames(named) if named else loader.discover(folder, "test_*.py")
    result = Tap()
    found.run(result)
    print(f"1..{Tap.number}")
    sys.exit(not result.wasSuccessful())
