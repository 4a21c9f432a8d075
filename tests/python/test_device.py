"""Arrays of a GPU: what reaches the library of objects that only look like some, and, where there is a device or
an emulated one, that runs give the bytes of the CPU without a copy."""
import gc
import unittest

import numpy as np

import gpufilter
from gpufilter import _dlpack, device

THERE = not gpufilter.cuda_missing()
if THERE:
    try:
        gpufilter.DeviceArray((1,), "uint8")
    except gpufilter.Error:
        THERE = False
PICTURE = np.random.default_rng(0).integers(0, 256, (70, 50, 3), "u1")


class Interface:
    """Any object with __cuda_array_interface__."""

    def __init__(self, pointer, shape, strides=None, typestr="|u1", stream=None, **more):
        self.__cuda_array_interface__ = {"data": (pointer, False), "shape": shape, "strides": strides, "version": 3,
                                         "typestr": typestr, "stream": stream, **more}


class Tensor:
    """Any object with DLPack alone, which notes for which stream it was asked."""

    def __init__(self, pointer, shape, typestr="|u1", number=0):
        self.asked, self.number = [], number
        self._make = lambda: _dlpack.capsule(self, pointer, shape, typestr, number)

    def __dlpack_device__(self):
        return 2, self.number

    def __dlpack__(self, stream=None):
        self.asked.append(stream)
        return self._make()


class Reaches(unittest.TestCase):
    def test_interface(self):
        """pointer, pitch, type and stream of __cuda_array_interface__ reach the library as they are"""
        view = device.view_of(Interface(4096, (20, 30, 3), (256, 3, 1), stream=77))
        image = device.image(view)
        self.assertEqual((image.data, image.pitch, image.device), (4096, 256, 0))
        self.assertEqual((image.shape.width, image.shape.height, image.shape.channels), (30, 20, 3))
        self.assertEqual(view.stream, 77)
        image = device.image(device.view_of(Interface(8, (5, 6), None, "<f4", 1)))
        self.assertEqual((image.data, image.pitch, image.shape.depth), (8, 24, 2))
        for stream, want in ((None, None), (1, None), (2, 2)):  # none, the default stream, that of the thread
            self.assertEqual(device.view_of(Interface(8, (5, 6), stream=stream)).stream, want)
        self.assertEqual(device.view_of(Interface(8, (5, 6), stream=5), stream=9).stream, 9)

    def test_refused(self):
        """what would need a copy, or is none of the types, is refused"""
        for a in (Interface(8, (5, 6, 3), (90, 15, 5)), Interface(8, (5, 6), (-6, 1)), Interface(8, (5, 6), None, ">u2"),
                  Interface(8, (5, 6, 5)), Interface(8, (6,)), Interface(8, (5, 6), None, "<c8")):
            with self.assertRaises(gpufilter.ArgumentError):
                device.image(device.view_of(a))
        with self.assertRaises(gpufilter.ArgumentError):
            device.view_of(Interface(8, (5, 6), stream=0))
        with self.assertRaises(gpufilter.ArgumentError):
            device.view_of(Interface(8, (5, 6), mask=object()))

    def test_dlpack(self):
        """pointer, device and stream of a capsule; it is given back once, taken or not"""
        tensor = Tensor(4096, (20, 30, 3), number=1)
        view = device.view_of(tensor)
        image = device.image(view)
        self.assertEqual((image.data, image.pitch, image.device), (4096, 90, 1))
        self.assertEqual(tensor.asked, [1])
        device.view_of(tensor, stream=99)
        self.assertEqual(tensor.asked, [1, 99])
        gc.collect()
        self.assertEqual(len(_dlpack._given), 1)  # that of `view`
        capsule = tensor._make()
        self.assertEqual(len(_dlpack._given), 2)
        del view, capsule
        gc.collect()
        self.assertEqual(len(_dlpack._given), 0)

    def test_none(self):
        """other objects are none of a GPU"""
        for a in (PICTURE, [1, 2], b"x"):
            self.assertIsNone(device.view_of(a))


@unittest.skipUnless(THERE, f"no device: {gpufilter.cuda_missing() or 'none can be used'}")
class Runs(unittest.TestCase):
    CHAIN = "gray,blur:2,stats"

    def setUp(self):
        self.array = gpufilter.to_device(PICTURE)
        self.want, self.results = gpufilter.run(PICTURE, self.CHAIN, device="cpu")

    def check(self, got):
        self.assertEqual(got[0].to_host().tobytes(), self.want.tobytes())
        self.assertEqual(repr(got[1]), repr(self.results))

    def test_runs(self):
        """arrays of the device in and out give the bytes of the CPU"""
        self.check(gpufilter.run(self.array, self.CHAIN))
        self.check(gpufilter.run(Interface(self.array.pointer.value, PICTURE.shape, stream=1), self.CHAIN))
        self.check(gpufilter.run(Tensor(self.array.pointer.value, PICTURE.shape), self.CHAIN))

    def test_views(self):
        """rows with gaps are read where they lie"""
        view = Interface(self.array.pointer.value + 5 * 150 + 9, (20, 30, 3), (150, 3, 1))
        got, _ = gpufilter.run(view, self.CHAIN)
        want, _ = gpufilter.run(PICTURE[5:25, 3:33], self.CHAIN, device="cpu")
        self.assertEqual(got.to_host().tobytes(), want.tobytes())

    def test_out(self):
        """an output of the caller is written where it lies"""
        out = gpufilter.DeviceArray((70, 50), "uint8")
        got = gpufilter.run(self.array, self.CHAIN, out)
        self.assertIs(got[0], out)
        self.check(got)
        with self.assertRaises(gpufilter.ArgumentError):
            gpufilter.run(self.array, self.CHAIN, np.zeros((70, 50), "u1"))

    def test_gives(self):
        """what comes out can be taken by others, through both interfaces"""
        got, _ = gpufilter.run(self.array, self.CHAIN)
        self.assertEqual(device.view_of(got).pointer, got.pointer.value)
        taken = _dlpack.Taken(got.__dlpack__(stream=1))
        self.assertEqual((taken.pointer, taken.shape), (got.pointer.value, (70, 50)))

    def test_host(self):
        """arrays of the host on the device give the same"""
        got, results = gpufilter.run(PICTURE, self.CHAIN, device="cuda:0")
        self.assertEqual((got.tobytes(), repr(results)), (self.want.tobytes(), repr(self.results)))

    def test_primitives(self):
        """primitives of arrays of the device give the bytes of the CPU"""
        a = np.random.default_rng(1).random(3000).astype("f4")
        there = gpufilter.to_device(a)
        for name in ("sort", "scan"):
            function = getattr(gpufilter, name)
            self.assertEqual(function(there).to_host().tobytes(), function(a).tobytes())
        self.assertEqual(gpufilter.reduce(there), gpufilter.reduce(a))
        self.assertEqual(gpufilter.compact(there, ">", 0.5).tobytes(), gpufilter.compact(a, ">", 0.5).tobytes())


if __name__ == "__main__":
    unittest.main()
