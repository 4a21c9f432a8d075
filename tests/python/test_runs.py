"""Runs: views, results, threads, callbacks, rows, batches, files and signals."""
import os
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import gpufilter
from gpufilter import _abi as abi
from common import SAMPLE, folder, same

PICTURE = gpufilter.read(SAMPLE)


class Views(unittest.TestCase):
    def test_no_copy(self):
        """rows and columns of a larger array are read, and written, where they lie"""
        big = np.full((100, 100, 3), 9, "u1")
        view = big[10:60, 20:90]
        out = np.zeros((80, 200), "u1")
        place = out[5:55, 7:77]
        made, _ = gpufilter.run(view, "gray,invert", place)
        self.assertIs(made, place)
        self.assertTrue((place == 246).all())
        self.assertEqual(int(out.sum()), 246 * place.size)

    def test_slot_has_address(self):
        """the library gets the address and the pitch of the view itself"""
        view = np.zeros((64, 100), "u2")[3:50, 5:60]
        plan = gpufilter.Pipeline("blur:1").plan(view.shape, view.dtype)
        plan.run(view)
        slot = plan.take()
        self.assertEqual((slot.input.data, slot.input.pitch), (view.__array_interface__["data"][0], 200))

    def test_measured(self):
        """where all stages measure, the array itself comes back"""
        got, results = gpufilter.run(PICTURE, "stats")
        self.assertIs(got, PICTURE)
        self.assertEqual(results["stats"].mean[0], PICTURE[..., 0].mean())

    def test_dlpack(self):
        """a tensor of the host that has DLPack alone is taken without a copy"""
        class Tensor:
            def __dlpack__(self, **named):
                return PICTURE[..., 0].copy().__dlpack__(**named)

            def __dlpack_device__(self):
                return 1, 0
        same(self, gpufilter.run(Tensor(), "blur:1")[0], gpufilter.run(PICTURE[..., 0], "blur:1")[0])


class Results(unittest.TestCase):
    def test_results(self):
        """numbers, arrays of channels and counts, and tables as structured arrays"""
        _, results = gpufilter.run(PICTURE, "stats,hist:name=h,gray,threshold:otsu,label")
        stats, h, threshold, label = results
        self.assertEqual(stats.mean.shape, (3,))
        np.testing.assert_array_equal(h.counts, [np.bincount(PICTURE[..., c].ravel(), minlength=256) for c in range(3)])
        self.assertIs(results["h"], h)
        self.assertIsInstance(threshold.level, float)
        regions = label.regions
        self.assertEqual(regions["box"].dtype.names, ("x", "y", "w", "h"))
        self.assertEqual(len(regions), int(regions["label"].max()))

    def test_stages(self):
        """each of the stages has a function, and each text that it writes is one"""
        stages = gpufilter.stages
        self.assertGreaterEqual(len(stages.__all__), 117)
        for name in stages.__all__:
            made = getattr(stages, name)
            self.assertEqual(made.__name__, name)
            self.assertTrue(made.__doc__)
        with self.assertRaises(AttributeError):
            stages.blurr
        text = stages.gray() | stages.blur(sigma=2, roi=(10, 20, 3, 4)) | stages.conv([[0, 1], [2, 3]], normalize=False)
        text |= stages.text(text='a "b", c\\d\n') | stages.draw("line", from_=[1, 2], to=(3, 4)) | stages.gamma(0.5)
        self.assertEqual(str(gpufilter.Pipeline(str(gpufilter.Pipeline(text)))), str(gpufilter.Pipeline(text)))
        self.assertIn('"a \\"b\\", c\\\\d\\n"', text)
        self.assertEqual(gpufilter.Pipeline([stages.gray(), "invert"]).stages, "gray,invert")


class Threads(unittest.TestCase):
    def test_threads(self):
        """8 threads run one pipeline over arrays of several shapes at a time"""
        pipeline = gpufilter.Pipeline("gray,blur:2,stats", threads=1)
        arrays = [PICTURE[:40 + i, :50 + 3 * i] for i in range(5)]
        want = [pipeline.run(a) for a in arrays]
        wrong = []

        def work():
            for i in range(100):
                got = pipeline.run(arrays[i % 5])
                if got[0].tobytes() != want[i % 5][0].tobytes() or repr(got[1]) != repr(want[i % 5][1]):
                    wrong.append(i)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_first(self):
        """threads that all begin at once, where nothing has been made yet, get what one gets; none brings back a lock, and the end is quiet"""
        code = ("import sys, sysconfig, threading as t, numpy as n, gpufilter as g; a = n.arange(60000, dtype='u1').reshape(200, 300);"
                "b, made, kept = t.Barrier(16), [], g.Pipeline('blur:3,stats')\n"
                "def work(i):\n"
                "    b.wait()\n"
                "    out, found = g.run(a, g.stages.blur(sigma=2 + i % 3) | g.stages.stats(), threads=1)\n"
                "    kept.run(a)\n"
                "    made.append((i % 3, out.tobytes(), found['stats'].mean, g.sort(a[0]).tobytes(), g.fingerprint(a)))\n"
                "all = [t.Thread(target=work, args=(i,)) for i in range(16)]\n"
                "[x.start() for x in all], [x.join() for x in all]\n"
                "assert len(made) == 16 and len(set(made)) == 3, len(set(made))\n"
                "assert not sysconfig.get_config_var('Py_GIL_DISABLED') or not sys._is_gil_enabled()\n")
        for _ in range(5):
            done = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_gil(self):
        """other threads run during a call"""
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        start = time.perf_counter()
        gpufilter.run(np.zeros((2000, 2000), "f4"), "bilateral:4", threads=1, device="cpu")
        end = time.perf_counter()
        done.set()
        thread.join()
        self.assertGreater(sum(start < t < end for t in ticks), 5)

    def test_fork(self):
        """a process that was forked runs, and so does its parent"""
        code = ("import os, numpy as n, gpufilter as g; a = n.ones((900, 900), 'u1'); w = g.run(a, 'blur:3')[0].sum();"
                "p = os.fork(); ok = g.run(a, 'blur:3')[0].sum() == w;"
                "os._exit(not ok) if p == 0 else exit(os.waitpid(p, 0)[1] or not ok)")
        self.assertEqual(subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=60).returncode, 0)


class Rows(unittest.TestCase):
    def test_generator(self):
        """rows of a generator give the bytes of the whole array, in bands of any height"""
        for chain in ("gray,blur:2,stats", "gray,threshold:otsu", "resize:50%", "crop:100x100+3+5"):
            want, results = gpufilter.run(PICTURE, chain)
            for height, stream_rows in ((1, 5), (7, -1), (512, 0)):
                got = []
                rows = (PICTURE[y:y + height] for y in range(0, len(PICTURE), height))
                found = gpufilter.Pipeline(chain).stream(rows, PICTURE.shape, "uint8", got.append, stream_rows=stream_rows)
                same(self, np.concatenate(got), want)
                self.assertEqual(repr(found), repr(results))

    def test_raised(self):
        """what rows, sink and progress raise comes out, and ends the run"""
        def broken():
            yield PICTURE[:10]
            raise KeyError("broken")

        def full(_):
            raise BufferError("full")

        pipeline, rest = gpufilter.Pipeline("blur:1"), (PICTURE.shape, "uint8")
        with self.assertRaisesRegex(KeyError, "broken"):
            pipeline.stream(broken(), *rest)
        with self.assertRaisesRegex(BufferError, "full"):
            pipeline.stream([PICTURE], *rest, full)
        with self.assertRaisesRegex(gpufilter.ArgumentError, "ended before there were 512"):
            pipeline.stream([PICTURE[:5]], *rest)
        with self.assertRaisesRegex(gpufilter.ArgumentError, "must be"):
            pipeline.stream([PICTURE[:, :5]], *rest)
        with self.assertRaises(KeyboardInterrupt):
            pipeline.run(PICTURE, progress=lambda done, steps: exec("raise KeyboardInterrupt"))
        with self.assertRaises(gpufilter.CancelledError):
            pipeline.run(PICTURE, progress=lambda done, steps: True)

    def test_progress(self):
        """progress is told of all steps"""
        told = []
        gpufilter.run(PICTURE, "blur:1,median:1", progress=lambda done, steps: told.append((done, steps)))
        self.assertEqual(told[-1][0], told[-1][1])


class Files(unittest.TestCase):
    def test_batch(self):
        """a batch gives what run gives of each file, in memory and on disk, and names what fails"""
        with folder() as work:
            for i in range(20):
                gpufilter.write(f"{work}/{i}.png", PICTURE[:20 + i, :30])
            with open(f"{work}/bad.png", "w") as file:
                file.write("no picture")
            paths = [os.path.join(work, name) for name in os.listdir(work)]
            pipeline = gpufilter.Pipeline("gray,blur:1,stats")
            os.mkdir(f"{work}/out")
            for to in (None, f"{work}/out", lambda path: path.replace(".png", ".tiff")):
                done = list(pipeline.batch(iter(paths), to))
                self.assertEqual(sorted(d.path for d in done), sorted(paths))
                for path, output, results, error in done:
                    if path.endswith("bad.png"):
                        self.assertIsInstance(error, gpufilter.InputError)
                        continue
                    want, found = pipeline.run(path)
                    same(self, output if to is None else gpufilter.read(output), want)
                    self.assertEqual(repr(results), repr(found))
            for done in pipeline.batch(paths * 20):
                break  # cancels the rest

    def test_formats(self):
        """what is written is read again, of any layout"""
        with folder() as work:
            for name, a in (("a.png", PICTURE[::2, ::-1]), ("a.tiff", PICTURE.astype("u2")), ("a.npy", PICTURE[..., 0] / 2),
                            ("a.pfm", PICTURE.astype("f4"))):
                gpufilter.write(f"{work}/{name}", a)
                np.testing.assert_array_equal(gpufilter.read(f"{work}/{name}"), a.astype("f4") if a.dtype == "f8" else a)

    def test_inputs(self):
        """other pictures by name and from files, kernels as arrays, and stages that look first"""
        with folder() as work:
            top = np.flip(PICTURE, 0).copy()
            gpufilter.write(f"{work}/top.png", top)
            np.save(f"{work}/k.npy", np.ones((3, 3)))
            by_name, _ = gpufilter.run(PICTURE, "blend:top", inputs={"top": top})
            same(self, gpufilter.run(PICTURE, f"blend:@{work}/top.png")[0], by_name)
            same(self, gpufilter.run(PICTURE, "difference:in")[0], np.zeros_like(PICTURE))
            by_array, _ = gpufilter.run(PICTURE, "conv:@k:normalize=on", files={"k": np.ones((3, 3))})
            same(self, gpufilter.run(PICTURE, f"conv:@{work}/k.npy:normalize=on")[0], by_array)
        padded, _ = gpufilter.run(PICTURE, "pad:7:border=constant:value=0.5")
        self.assertLess(gpufilter.run(padded, "trim")[0].shape[0], padded.shape[0])


class Signals(unittest.TestCase):
    def test_live(self):
        """blocks give what the whole gives, results as well"""
        random = np.random.default_rng(3)
        a = random.standard_normal((2, 5000)).astype("f4")
        pipeline = gpufilter.Pipeline("lowpass:100Hz,rms:20,stats")
        want, results = pipeline.run(a, rate=1000)
        live = pipeline.live(2, 1000)
        pieces = [live.feed(a[:, i:i + 333]) for i in range(0, 5000, 333)]
        rest, found = live.end()
        same(self, np.concatenate([*pieces, rest], axis=1), want)
        self.assertEqual(repr(found), repr(results))
        same(self, pipeline.run(a.T, rate=1000, axis=0)[0], np.ascontiguousarray(want.T))

    def test_files(self):
        """signals from and to files, and pictures of them"""
        a = np.sin(np.arange(8000) / 9).astype("f4")
        with folder() as work:
            gpufilter.write_signal(f"{work}/a.wav", a, 8000)
            got, rate = gpufilter.read_signal(f"{work}/a.wav")
            same(self, got, a)
            self.assertEqual(rate, 8000)
            gpufilter.write_signal(f"{work}/b.wav", np.stack([a, -a]), 8000, sample="s16")
            self.assertEqual(gpufilter.read_signal(f"{work}/b.wav")[0].shape, (2, 8000))
            same(self, gpufilter.run(f"{work}/a.wav", "lowpass:1kHz")[0], gpufilter.run(a, "lowpass:1kHz", rate=8000)[0])
        self.assertEqual(gpufilter.run(a, "spectrogram", rate=8000)[0].ndim, 2)


class Primitives(unittest.TestCase):
    def test_primitives(self):
        """sort, scan, reduce and the others beside NumPy"""
        random, g = np.random.default_rng(1), gpufilter
        for kind in ("u1", "u2", "i4", "u8", "f4", "f8"):
            a = (random.random(5000) * 200).astype(kind)
            same(self, g.sort(a), np.sort(a))
            same(self, g.sort(a[::2], descending=True), np.sort(a[::2])[::-1].copy())
            np.testing.assert_array_equal(g.argsort(a), np.argsort(a, kind="stable"))
            self.assertEqual(g.reduce(a, "max"), a.max())
            self.assertEqual(g.reduce(a, "argmin"), a.argmin())
            np.testing.assert_array_equal(g.top_k(a, 7)[0], np.sort(a)[::-1][:7])
            np.testing.assert_array_equal(g.search(a, 10, 20), np.flatnonzero((a >= 10) & (a <= 20)))
            same(self, g.compact(a, ">", 50), a[a > 50])
            same(self, g.scan(a, "max", inclusive=True), np.maximum.accumulate(a))
        a = random.integers(0, 256, 5000).astype("u1")
        same(self, g.scan(a, dtype="u8", inclusive=True), np.cumsum(a, dtype="u8"))
        np.testing.assert_array_equal(g.histogram(a), np.bincount(a, minlength=256))
        np.testing.assert_allclose(g.reduce(a, "var"), (a.mean(), a.var()))
        np.testing.assert_array_equal(g.matmul(a.reshape(50, 100), a.reshape(100, 50)),
                                      a.reshape(50, 100).astype("i4") @ a.reshape(100, 50).astype("i4"))
        with self.assertRaises(g.ArgumentError):
            g.reduce(a, "median")
        with self.assertRaises(g.UnsupportedError):
            g.sort(a, algo="none such")


@unittest.skipUnless(hasattr(abi, "gf_compare_options"), "this library has no gf_compare")
class Compares(unittest.TestCase):
    def test_compare(self):
        """what differs is counted and found, of views as well; fingerprints are of samples alone"""
        other = PICTURE.copy()
        self.assertTrue(gpufilter.compare(PICTURE, other).identical)
        other[100, 200, 1] ^= 64
        found = gpufilter.compare(PICTURE, other, metrics=["ssim"])
        self.assertEqual((found.pixel_count, found.count, found.largest), (1, 1, 64))
        self.assertEqual((found.first.x, found.first.y, found.first.channel), (200, 100, 1))
        self.assertEqual(tuple(found.box), (200, 100, 1, 1))
        self.assertLess(found.ssim, 1)
        self.assertEqual(gpufilter.compare(PICTURE, other, max_diff=64).pixel_count, 0)
        self.assertEqual(gpufilter.compare(PICTURE, other, ignore=[(190, 90, 20, 20)]).pixel_count, 0)
        self.assertEqual(gpufilter.compare(PICTURE[:, ::2], other[:, ::2]).first.x, 100)
        self.assertEqual(gpufilter.fingerprint(PICTURE), gpufilter.fingerprint(np.asfortranarray(PICTURE)))
        self.assertNotEqual(gpufilter.fingerprint(PICTURE), gpufilter.fingerprint(other))
        for a, named in ((other[1:], {}), (other, {"by": "eye"}), (other, {"metrics": ["mse"]})):
            with self.assertRaises(gpufilter.ArgumentError):
                gpufilter.compare(PICTURE, a, **named)


if __name__ == "__main__":
    unittest.main()
