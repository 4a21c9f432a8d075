"""Cases of make_oracle.py: denoise_dct by SciPy's transform of every block."""

import numpy as np
import scipy.fft

import formulas as f

CLEAR = 2e-6  # of full scale, that no coefficient is nearer to the threshold: rounding does not turn the comparison


def denoised(x, sigma, keep, size, border, fill=0.0):
    """The mean of all blocks that cover a sample, without their coefficients below keep * sigma but the first."""
    white, high = f.white(x), 1 if x.shape[0] == 1 else size
    v = f.padded(x.astype(np.float64), high - 1, size - 1, border, fill)
    total = np.zeros_like(v)
    threshold = keep * sigma * white
    for top in range(v.shape[0] - high + 1):
        for left in range(v.shape[1] - size + 1):
            part = np.s_[top : top + high, left : left + size]
            d = scipy.fft.dctn(v[part], norm="ortho")
            small = abs(d) < threshold
            assert abs(abs(d) - threshold).min() > CLEAR * white, abs(abs(d) - threshold).min()
            small[0, 0] = False
            total[part] += scipy.fft.idctn(np.where(small, 0, d), norm="ortho")
    mean = total[high - 1 : high - 1 + x.shape[0], size - 1 : size - 1 + x.shape[1]] / (size * high)
    return f.clamped(mean, x.dtype)


def denoisings(o):
    for name, sigma, keep, size, border in (
            ("gray8", 0.0517, 3, 8, "replicate"), ("gray8", 0.0313, 2.5, 4, "reflect"), ("grayf", 0.0431, 3, 8, "wrap"),
            ("gray16", 0.0973, 3, 8, "reflect101"), ("rgb8", 0.0719, 3, 8, "replicate"), ("tiny8", 0.1137, 3, 8, "reflect"),
            ("signalf", 0.0513, 3, 8, "replicate")):
        stages = f"denoise_dct:{sigma}:keep={keep}:block={size}:border={border}"
        o.picture(f"denoise{size}_{sigma}_{border}", name, stages,
                  lambda x, a=(sigma, keep, size, border): denoised(x, *a), "scipy.fft.dctn of every block", border)
