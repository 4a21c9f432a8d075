"""What `gpufilter compare` measures beside scikit-image, and which programs do such work."""
import json
import os
import subprocess
import tempfile

import numpy as np
import pictures
from skimage.color import deltaE_ciede2000, rgb2lab
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

A = pictures.PICTURES["RGB u8"]
B = np.clip(A.astype(int) + (np.arange(A.size).reshape(A.shape) % 7 - 3) * 4, 0, 255).astype(np.uint8)
ROWS = [
    ("psnr", "peak_signal_noise_ratio(a, b)", lambda: peak_signal_noise_ratio(A, B)),
    ("ssim_uniform", "structural_similarity(a, b)", lambda: structural_similarity(A, B, channel_axis=-1)),
    ("ssim", "structural_similarity(a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)",
     lambda: structural_similarity(A, B, channel_axis=-1, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)),
    ("ciede2000_mean", "deltaE_ciede2000(rgb2lab(a), rgb2lab(b)).mean()",
     lambda: deltaE_ciede2000(rgb2lab(A), rgb2lab(B)).mean()),
]
HEAD = """
## Comparing

Numbers of `gpufilter compare A B --metrics all --json`, of two RGB pictures of u8. `--yiq` and `--antialias` count the pixels that
pixelmatch counts, one by one (tests/oracle/compare).

| field | beside scikit-image | relative difference |
|---|---|---|
"""
PROGRAMS = """
Programs that compare pictures, and what takes their place:

| program | what it says, and by what | here |
|---|---|---|
| [odiff](https://github.com/dmtrKovalenko/odiff/blob/075c6b7a64efff3871f327401aa24e5194c6846d/README.md) | count and share of pixels by YIQ; regions that are ignored; PNG, JPEG, TIFF; two files a run, and requests of Node | `--yiq`, `--antialias`, `--ignore`; `--server` answers its requests |
| [pixelmatch](https://github.com/mapbox/pixelmatch/blob/0237f90463c0aa8867cac6aae4303ebdf02a66ff/README.md) | a count of pixels by YIQ without those that smooth edges; arrays, and PNG | `--yiq 0.1 --antialias`: the same pixels |
| [reg-cli](https://github.com/reg-viz/reg-cli/blob/00e206ae1485b516dc7e9eac1bfbfa58331e2843/README.md) | two folders, a page, `reg.json`, `-U` | `compare EXPECTED ACTUAL --html --reg-json --update`, in the other order of folders; `-M` is `--yiq`, `-S` and `-T` are `--allow` |
| ImageMagick's [compare](https://imagemagick.org/script/compare.php) | one metric a run, `-fuzz`, a picture with red marks | every metric in one run; `-fuzz 3%` is like `--max-diff 3%`, though that is of each sample and not of a distance of colours |
| scikit-image | SSIM, PSNR, CIEDE2000 of arrays, as above | `--ssim`, `--psnr`, `--ciede2000` with an exit code |
"""


def document(program):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.npy", "b.npy")]
        for path, picture in zip(paths, (A, B)):
            np.save(path, picture)
        run = subprocess.run([program, "compare", *paths, "--metrics", "all", "--json"], capture_output=True, text=True,
                             check=False)
    found = json.loads(run.stdout)
    text = HEAD
    for field, call, theirs in ROWS:
        ours, other = found[field], float(theirs())
        away = abs(ours - other) / abs(other)
        assert away < 1e-9, f"{field}: {ours} and {other}"
        text += f"| `{field}` | `{call}` | below 1e-9 |\n"
    return text + PROGRAMS
