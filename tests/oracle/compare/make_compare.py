#!/usr/bin/env python3
"""Writes compare_facts.h: what scikit-image and pixelmatch find between pictures that tests/exec/compare_pictures.h
makes, too.

    python3 make_compare.py            # needs NumPy, SciPy, scikit-image (made with 0.19.3) and pixelmatch (0.4.0)
    python3 make_compare.py --check    # recomputes, and compares
"""
import hashlib
import pathlib
import sys

import numpy as np
from scipy.ndimage import correlate1d
from skimage.color import deltaE_ciede2000, rgb2lab
from skimage.metrics import mean_squared_error, peak_signal_noise_ratio, structural_similarity

from pixelmatch import pixelmatch

HERE = pathlib.Path(__file__).parent
M32 = 0xFFFFFFFF


def drawn(x, y, c, seed):
    """The number of a place, 0 to 255."""
    v = (x * 73856093 ^ y * 19349663 ^ c * 83492791 ^ seed * 2654435761) & M32
    v = (v * 1664525 + 1013904223) & M32
    v ^= v >> 15
    v = (v * 2246822519) & M32
    return v >> 24


def noisy(w, h, channels, second):
    out = np.zeros((h, w, channels), np.uint8)
    for y in range(h):
        for x in range(w):
            for c in range(channels):
                v = (x * 3 + y * 2 + 40 * c) % 200 + drawn(x, y, c, 1) % 56
                if second:
                    v = min(255, max(0, v + drawn(x, y, c, 2) % 33 - 16))
                out[y, x, c] = v
    return out


def as_depth(picture, depth, second):
    h, w, n = picture.shape
    if depth == "u16":
        low = np.array([[[drawn(x, y, c, 3 + second) for c in range(n)] for x in range(w)] for y in range(h)])
        return (picture.astype(np.int64) * 256 + low).astype(np.uint16)
    if depth == "f32":
        return picture.astype(np.float32) / np.float32(255)
    return picture


DISCS = [(20, 18, 11), (50, 30, 17), (75, 12, 7), (30, 48, 9), (84, 50, 12)]


def discs(w, h, second):
    """Discs with smooth edges, coverage in 64ths; in the second picture a quarter of a pixel further, and a square."""
    out = np.zeros((h, w, 4), np.uint8)
    for y in range(h):
        for x in range(w):
            rgba = [250, 248, 240, 255]
            for i, (cx, cy, r) in enumerate(DISCS):
                inside = 0
                for k in range(64):
                    dx = 8 * x + k % 8 - 8 * cx - (2 if second else 0)
                    dy = 8 * y + k // 8 - 8 * cy
                    inside += dx * dx + dy * dy < 64 * r * r
                ink = [30 + 40 * i, 200 - 35 * i, 90, 255]
                for c in range(3):
                    rgba[c] = (rgba[c] * (64 - inside) + ink[c] * inside + 32) // 64
            if y >= h - 8:
                rgba[3] = (x * 5) % 256
            if second and 40 <= x < 46 and 2 <= y < 6:
                rgba[1] = 255 - rgba[1]
            out[y, x] = rgba
    return out


def gaussian():
    w = np.exp(-((np.arange(11) - 5.0) ** 2) / (2 * 1.5**2))
    return w / w.sum()


def window(v):
    w = gaussian()
    return correlate1d(correlate1d(v, w, 0), w, 1)[5:-5, 5:-5]


def ms_ssim(a, b, white):
    """Wang, Simoncelli and Bovik, 2003; a channel."""
    c1, c2 = (0.01 * white) ** 2, (0.03 * white) ** 2
    result = 1.0
    for i, weight in enumerate([0.0448, 0.2856, 0.3001, 0.2363, 0.1333]):
        ma, mb = window(a), window(b)
        va, vb, vab = window(a * a) - ma * ma, window(b * b) - mb * mb, window(a * b) - ma * mb
        s = (2 * vab + c2) / (va + vb + c2)
        if i == 4:
            s = s * (2 * ma * mb + c1) / (ma * ma + mb * mb + c1)
        result *= max(s.mean(), 0) ** weight
        h, w = (v // 2 * 2 for v in a.shape)
        a, b = (v[:h, :w].reshape(h // 2, 2, w // 2, 2).mean((1, 3)) for v in (a, b))
    return result


WHITE = {"u8": 255, "u16": 65535, "f32": 1}


def measure(w, h, channels, depth):
    a, b = (as_depth(noisy(w, h, channels, k), depth, k) for k in range(2))
    a, b = a.astype(np.float64), b.astype(np.float64)
    white = WHITE[depth]

    def ssim(**how):
        return np.mean([structural_similarity(a[..., c], b[..., c], data_range=white, **how) for c in range(channels)])

    normal = ssim(gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
    scales = np.mean([ms_ssim(a[..., c], b[..., c], white) for c in range(channels)]) if min(w, h) >= 176 else -1
    colours = [np.repeat(v, 3, 2) if channels == 1 else v for v in (a / white, b / white)]
    delta = deltaE_ciede2000(*(rgb2lab(v) for v in colours))
    return [abs(a - b).max(), abs(a - b).mean(), peak_signal_noise_ratio(a, b, data_range=white), normal, ssim(win_size=7),
            scales, delta.mean(), delta.max(), (delta > 1).mean()]


def fnv(mask):
    v = 14695981039346656037
    for byte in mask.tobytes():
        v = ((v ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return v


def match(threshold, smooth):
    """The pixels that pixelmatch counts: red in its picture."""
    w, h = 97, 61
    a, b = discs(w, h, 0), discs(w, h, 1)
    out = [0] * (w * h * 4)
    flat = [v.reshape(-1).tolist() for v in (a, b)]
    count = pixelmatch(flat[0], flat[1], w, h, out, threshold=threshold, includeAA=not smooth, diff_mask=True)
    mask = (np.array(out).reshape(h, w, 4)[..., 0] == 255).astype(np.uint8)
    assert mask.sum() == count
    return count, fnv(mask)


PAIRS = [((255, 0, 20), (255, 20, 0)), ((0, 0, 0), (255, 255, 255)), ((128, 128, 128), (128, 128, 129)), ((0, 0, 255), (20, 0, 240)),
         ((10, 200, 30), (200, 10, 220)), ((3, 3, 3), (0, 0, 0)), ((90, 60, 200), (95, 64, 190)), ((255, 250, 0), (0, 5, 255))]


def pairs():
    out = []
    for a, b in PAIRS:
        labs = [rgb2lab(np.array([[v]], np.float64) / 255) for v in (a, b)]
        one, two = ("{" + ", ".join(map(str, v)) + "}" for v in (a, b))
        out.append(f"    {{{one}, {two}, {deltaE_ciede2000(*labs)[0, 0]:.17g}}},")
    return out


def hashes():
    out = []
    for w, h, n, depth in [(97, 61, 3, "u8"), (40, 33, 1, "f32"), (1, 1, 1, "u16"), (13, 2, 4, "u8")]:
        line = f"gpufilter {w}x{h}x{n} {depth}\n".encode()
        picture = as_depth(noisy(w, h, n, 0), depth, 0)
        digest = hashlib.sha256(line + picture.tobytes()).hexdigest()
        out.append(f'    {{{w}, {h}, {n}, GF_{depth.upper()}, "{digest}"}},')
    return out


def make():
    lines = ["/* Made by tests/oracle/compare/make_compare.py: what scikit-image and pixelmatch find. */", "#pragma once", "",
             "#include <stdint.h>", "", "/* clang-format off */",
             "/* largest, mean, PSNR, SSIM with a gaussian window, with a uniform one, MS-SSIM (-1: too small), CIEDE2000:",
             " * mean, largest, share above 1 */",
             "static const struct { int w, h, channels, depth; double measure[9]; } compare_facts[] = {"]
    for w, h, n, depth in [(97, 61, 1, "u8"), (97, 61, 3, "u8"), (40, 33, 3, "u16"), (40, 33, 1, "f32"), (203, 181, 1, "u8"),
                           (177, 190, 3, "u8")]:
        numbers = ", ".join(f"{v:.17g}" for v in measure(w, h, n, depth))
        lines.append(f"    {{{w}, {h}, {n}, GF_{depth.upper()}, {{{numbers}}}}},")
    lines += ["};", "", "/* what pixelmatch counts, and FNV-1a of its mask of 97 x 61 */",
              "static const struct { double threshold; int antialias; uint64_t count, mask; } match_facts[] = {"]
    for threshold in (0.05, 0.1, 0.3):
        for smooth in (0, 1):
            count, mask = match(threshold, smooth)
            lines.append(f"    {{{threshold}, {smooth}, {count}, UINT64_C({mask:#018x})}},")
    lines += ["};", "", "/* CIEDE2000 of two colours of sRGB, by scikit-image */",
              "static const struct { uint8_t a[3], b[3]; double distance; } colour_facts[] = {", *pairs(), "};", "",
              "/* SHA-256 by hashlib of the line and of the first picture's samples */",
              "static const struct { int w, h, channels, depth; const char *hash; } hash_facts[] = {", *hashes()]
    return "\n".join(lines + ["};", "/* clang-format on */", ""])


text = make()
if "--check" in sys.argv:
    sys.exit("compare_facts.h differs" if (HERE / "compare_facts.h").read_text() != text else 0)
(HERE / "compare_facts.h").write_text(text)
