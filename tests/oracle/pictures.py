"""Input pictures of the oracle: generated, seeded, and independent of any library's random numbers.

A picture is an array (height, width) or (height, width, channels); a signal is (samples,).
Depths: uint8, uint16 and float32, whose full scale is 255, 65535 and 1.0.
"""

import numpy as np

WHITE = {np.dtype(np.uint8): 255.0, np.dtype(np.uint16): 65535.0, np.dtype(np.float32): 1.0}


def noise(shape, seed):
    """Uniform numbers in [0, 1): the splitmix64 hash of a counter, the same on every machine."""
    count = int(np.prod(shape))
    with np.errstate(over="ignore"):
        z = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed << 32)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return ((z >> np.uint64(11)).astype(np.float64) / 2.0**53).reshape(shape)


def lattice(height, width, cell, seed):
    """Value noise: random numbers on a grid of `cell` pixels, interpolated linearly."""
    grid = noise((height // cell + 2, width // cell + 2), seed)
    y, x = np.arange(height) / cell, np.arange(width) / cell
    yi, xi = y.astype(int), x.astype(int)
    fy, fx = (y - yi)[:, None], (x - xi)[None, :]
    top = grid[yi][:, xi] * (1 - fx) + grid[yi][:, xi + 1] * fx
    bottom = grid[yi + 1][:, xi] * (1 - fx) + grid[yi + 1][:, xi + 1] * fx
    return top * (1 - fy) + bottom * fy


def scene(height, width, seed):
    """One channel in [0, 1]: soft texture, a ramp, hard edges, fine noise, and samples at both ends."""
    y, x = np.mgrid[0:height, 0:width]
    v = 0.5 * lattice(height, width, 17, seed) + 0.25 * lattice(height, width, 5, seed + 1)
    v = v + 0.25 * x / max(width - 1, 1)
    disc = (x - 0.3 * width) ** 2 + (y - 0.55 * height) ** 2 < (0.22 * min(width, height)) ** 2
    v = np.where(disc, 0.25 + 0.3 * v, v)
    v = v + 0.08 * (noise((height, width), seed + 2) - 0.5)
    corner = (x >= width - width // 4) & (y < height // 4)
    v = np.where(corner, (x // 2 + y) % 2, v)
    v = np.where((y == height // 2) & (x % 7 == seed % 7), 1.0, v)
    v = np.where((x == width // 2) & (y % 5 == seed % 5), 0.0, v)
    return np.clip(v, 0.0, 1.0)


def to_depth(v, dtype):
    """Real numbers as fractions of full scale, rounded to a depth."""
    dtype = np.dtype(dtype)
    return v.astype(dtype) if dtype.kind == "f" else np.rint(v * WHITE[dtype]).astype(dtype)


def picture(height, width, channels, dtype, seed, low=0.0, high=1.0):
    """A picture whose channels are different scenes, spread over [low, high] of full scale."""
    planes = [scene(height, width, seed + 10 * c) for c in range(channels)]
    v = low + (high - low) * np.stack(planes, axis=-1)
    return to_depth(v[..., 0] if channels == 1 else v, dtype)


def signal(length, dtype, seed):
    """A step, a sine that speeds up, an impulse and noise."""
    t = np.arange(length)
    v = 0.35 + 0.2 * np.sin(t * t / (3.0 * length)) + 0.25 * (t > length // 3)
    v = v + 0.1 * (noise((length,), seed) - 0.5)
    v[length // 7] = 1.0
    v[-length // 9] = 0.0
    return to_depth(np.clip(v, 0.0, 1.0), dtype)


def binned(height, width, bins, low, high, where, seed):
    """float32 samples that lie at the fraction `where` of one of `bins` equal bins of [low, high], both
    ends present: no rounding of a bin's edge can move a sample to another bin."""
    v = scene(height, width, seed)
    bulk = np.where(v > 0.55, 0.70 + 0.20 * v, 0.55 * v)
    index = np.clip((bulk * bins).astype(int), 0, bins - 1)
    out = (low + (index + where) * (high - low) / bins).astype(np.float32)
    out[0, 0], out[-1, -1] = low, high
    return out


def awkward(height, width, seed):
    """float32 with NaN, infinities, both zeros, samples beyond [0, 1] and samples on the edges k / 256,
    otherwise at least 1e-4 from the edges of ten bins over [0.2, 0.7]."""
    v = scene(height, width, seed) * 1.3 - 0.15
    edge = 0.2 + np.rint((v - 0.2) / 0.05) * 0.05
    v = np.where(np.abs(v - edge) < 1e-4, edge + 3e-4, v)
    out = v.astype(np.float32).reshape(-1)
    out[5::97] = np.nan
    out[[11, 400]], out[[12, 401, 402]] = np.inf, -np.inf
    out[[20, 21, 22, 23]] = [0.0, -0.0, 1.0, np.nextafter(np.float32(1), np.float32(2))]
    out[30:90:3] = (np.arange(20) * 13 % 256).astype(np.float32) / 256
    return out.reshape(height, width)


def spots(height, width, dtype, share, seed):
    """Three values on zeros, of which `share` are covered: regions that touch, nest and meet at corners."""
    v = 0.6 * noise((height, width), seed) + 0.4 * lattice(height, width, 3, seed + 1)
    values = np.floor(3 * noise((height, width), seed + 2)) * 0.25 + 0.2
    return to_depth(np.where(v < np.quantile(v, share), values, 0.0), dtype)


def checker(size):
    """Two light squares and two dark ones, as Pillow's tests have them."""
    x = np.full((size, size), 255 - 0xE1, np.uint8)
    half = size // 2
    x[:half, :half] = x[half:, half:] = 0xE1
    return x


def transparent_disc():
    """Red, half transparent at its edge, on white that nobody sees."""
    y, x = np.mgrid[0:32, 0:32] - 15.5
    far = np.hypot(x, y)
    out = np.full((32, 32, 4), 255, np.uint8)
    out[far < 13, 1:3] = 0
    out[..., 3] = np.clip(np.rint(255 * (13 - far) / 2), 0, 255)
    return out


def inputs():
    """Every input picture by name."""
    u8, u16, f32 = np.uint8, np.uint16, np.float32
    with_flat = picture(23, 29, 4, u8, 61)
    with_flat[..., 1] = 137  # one channel of a single value
    return {
        "gray8": picture(45, 67, 1, u8, 1),
        "gray16": picture(37, 53, 1, u16, 2),
        "grayf": picture(35, 47, 1, f32, 3),
        "small8": picture(29, 41, 1, u8, 4),
        "tiny8": picture(5, 7, 1, u8, 5),
        "tiny16": picture(3, 11, 1, u16, 6),
        "one8": np.array([[93]], u8),
        "wide8": picture(71, 161, 1, u8, 7),
        "wide16": picture(53, 109, 1, u16, 8),
        "widef": picture(67, 83, 1, f32, 9),
        "rgb8": picture(31, 37, 3, u8, 10),
        "rgb16": picture(29, 31, 3, u16, 11),
        "rgbf": picture(23, 29, 3, f32, 12, low=-0.25, high=2.0),
        "ga8": picture(19, 23, 2, u8, 13),
        "rgba8": picture(23, 29, 4, u8, 14),
        "rgba16": picture(17, 21, 4, u16, 15),
        "disc8": transparent_disc(),
        "rgbaf": picture(19, 15, 4, f32, 16),
        "flat8": with_flat,
        "signal16": signal(257, u16, 17),
        "signalf": signal(601, f32, 18),
        "levelsf": binned(31, 43, 256, 0.05, 0.93, 0.3, 19),
        "binsf": binned(29, 37, 65536, 0.125, 0.625, 0.5, 20),
        "awkwardf": awkward(37, 41, 21),
        "spots8": spots(41, 59, u8, 0.45, 22),
        "spots16": spots(33, 47, u16, 0.6, 23),
        "column8": picture(37, 1, 1, u8, 24),
        "rowrgb8": picture(1, 53, 3, u8, 25),
        **{f"checker{n}": checker(n) for n in (2, 4, 6, 8, 12, 16)},
    }
