"""Cases of make_oracle.py: filters by frequency, by numpy.fft in float64 over the picture that exactness.md extends."""

import numpy as np

import formulas as f
from skimage import restoration

SOURCE = "numpy.fft.fft2 and ifft2 in float64"


def quick_side(n):
    """The least even number from n on without primes above 7."""
    n += n % 2
    while True:
        left = n
        for p in (2, 3, 5, 7):
            while left % p == 0:
                left //= p
        if left == 1:
            return n
        n += 2


def side(n, least, border):
    return n if n == 1 or border == "wrap" else quick_side(n + 2 * int(min(np.ceil(1 / least), (n + 1) // 2)))


def weighted(x, least, border, weights):
    """The frequencies of the extended picture times weights(u, v), in cycles a pixel, and what was the picture."""
    sides = [side(n, least, border) for n in x.shape]
    first = [(s - n) // 2 for s, n in zip(sides, x.shape)]
    around = [(a, s - n - a) for a, s, n in zip(first, sides, x.shape)]
    wide = np.pad(x.astype(np.float64), around, mode=f.NUMPY[border])
    v, u = np.fft.fftfreq(sides[0])[:, None], np.fft.fftfreq(sides[1])[None, :]
    made = np.fft.ifft2(np.fft.fft2(wide) * weights(u, v)).real
    return made[first[0] : first[0] + x.shape[0], first[1] : first[1] + x.shape[1]]


def passed(x, low, high, shape, order, border, negative):
    def below(d, end):
        return {"ideal": lambda: (d <= end) * 1.0, "gauss": lambda: np.exp(-d * d / (2 * end * end)),
                "butterworth": lambda: 1 / (1 + (d / end) ** (2 * order))}[shape]()

    def weights(u, v):
        d = np.hypot(u, v)
        return (below(d, low) if low else 1) * ((1 - below(d, high)) if high else 1)

    made = weighted(x, min(d for d in (low, high) if d), border, weights)
    if high and negative == "offset":
        made = made / 2 + f.white(x) / 2
    return f.clamped(abs(made) if high and negative == "absolute" else made, x.dtype)


def frequencies(o):
    for name, low, high, shape, order, border, negative in (
            ("gray8", 0.1, 0, "gauss", 2, "reflect", "keep"), ("rgba8", 0.23, 0.0317, "butterworth", 3, "replicate", "offset"),
            ("gray16", 0, 0.0513, "gauss", 2, "reflect101", "absolute"), ("grayf", 0.1037, 0, "ideal", 2, "reflect", "keep"),
            ("rgbaf", 0.3071, 0.1013, "ideal", 2, "wrap", "keep"), ("signalf", 0.0491, 0, "butterworth", 1, "reflect", "keep"),
            ("tiny8", 0, 0.2, "butterworth", 20, "wrap", "offset"), ("wide8", 0.02, 0.003, "gauss", 2, "reflect", "offset"),
            ("one8", 0.3, 0, "gauss", 2, "reflect", "keep")):
        given = (f":low={low}" if low else "") + (f":high={high}" if high else "")
        stages = f"frequency{given}:shape={shape}:order={order}:border={border}:negative={negative}"
        o.picture(f"frequency_{shape}_{low}_{high}", name, stages,
                  lambda x, a=(low, high, shape, order, border, negative): passed(x, *a), SOURCE, border)


def without(x, places, radius, border):
    """All numbers times what Gaussians at the places, at their opposites and at those a cycle further leave."""
    def weights(u, v):
        left = np.ones((u + v).shape)
        for p, q in places + [(-p, -q) for p, q in places]:
            du, dv = abs(u - p), abs(v - q)
            left = left * (1 - np.exp(-(np.minimum(du, 1 - du) ** 2 + np.minimum(dv, 1 - dv) ** 2) / (2 * radius**2)))
        return left

    return f.clamped(weighted(x, radius, border, weights), x.dtype)


def notches(o):
    for name, places, radius, border in (
            ("gray8", [(0.125, 0.0625)], 0.02, "reflect"), ("rgba8", [(0.25, 0), (0, 0.3)], 0.05, "wrap"),
            ("gray16", [(0.49, -0.31)], 0.1, "reflect101"), ("grayf", [(0.5, 0.5), (-0.2, 0.11), (0.05, 0.07)], 0.013, "replicate"),
            ("signalf", [(0.2, 0)], 0.04, "reflect"), ("tiny8", [(0.4, 0.4)], 0.2, "reflect")):
        at = "; ".join(f"{p} {q}" for p, q in places)
        o.picture(f"notch_{len(places)}_{radius}", name, f"notch:at=[{at}]:radius={radius}:border={border}",
                  lambda x, a=(places, radius, border): without(x, *a), SOURCE, border)


def ffts(o):
    """Spectra are divided by how many samples there are: the tolerance is of numbers up to 1."""
    for name in ("gray8", "gray16", "grayf", "signalf", "small8"):
        x = np.atleast_2d(o.inputs[name])
        if x.ndim == 3:
            continue
        v = x.astype(np.float64) / f.white(x)
        spectrum = np.fft.fft2(v) / v.size
        pair = lambda z: np.stack([z.real, z.imag], axis=-1)
        scale = f"expr:\"v/{v.size};v/{v.size}\""
        o.add("fft", name, f"fft,{scale}", "picture", pair(spectrum), "f32", "numpy.fft.fft2")
        o.add("fft_centre_magnitude", name, f"fft:centre=on,{scale},magnitude", "picture",
              abs(np.fft.fftshift(spectrum)), "f32", "abs(numpy.fft.fftshift(numpy.fft.fft2))")
        o.add("ifft", name, "ifft", "picture", pair(np.fft.ifft2(v)), "f32", "numpy.fft.ifft2")


PSFS = {"slight": np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]), "moved": np.array([[0, 0, 1, 2, 3, 2, 0]]),
        "slanted": np.array([[0, 0, 1], [0, 1, 0], [3, 0, 0], [1, 0, 0], [0, 1, 0]])}


def restored(o):
    """With the borders that scikit-image has: black outside, or the other end."""
    def fraction(x, function):
        return f.clamped(function(x.astype(np.float64) / f.white(x)) * f.white(x), x.dtype)

    for name, psf, rounds in (("gray8", "slight", 10), ("rgba8", "slanted", 5), ("gray16", "moved", 7), ("grayf", "slanted", 12),
                              ("tiny8", "slight", 3), ("signalf", "moved", 9)):
        k = PSFS[psf] / PSFS[psf].sum()
        text = "; ".join(" ".join(str(n) for n in row) for row in PSFS[psf])
        o.picture(f"deconvolve_{psf}_{rounds}", name, f"deconvolve:[{text}]:rounds={rounds}:border=constant",
                  lambda x, a=(k, rounds): fraction(x, lambda v: restoration.richardson_lucy(v, *a, clip=False)),
                  "skimage.restoration.richardson_lucy(clip=False)", "constant")
    for name, psf, balance in (("gray8", "slight", 0.1), ("rgba8", "slanted", 0.03), ("gray16", "moved", 0.2),
                               ("grayf", "slanted", 0.01), ("tiny8", "slight", 1.5)):
        k = PSFS[psf] / PSFS[psf].sum()
        text = "; ".join(" ".join(str(n) for n in row) for row in PSFS[psf])
        o.picture(f"wiener_{psf}_{balance}", name, f"wiener:[{text}]:balance={balance}:border=wrap",
                  lambda x, a=(k, balance): fraction(x, lambda v: restoration.wiener(v, *a, clip=False)),
                  "skimage.restoration.wiener(clip=False)", "wrap")
