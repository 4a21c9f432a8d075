/* Butterflies of vectors, by the definition: the transforms of 2 to 7 numbers re[q] + i im[q] in their place.
 */
#pragma once

#include "fourier/fft_plan.h"
#include "fourier/fft_vector.h"

INLINE void butterfly_2(vec *re, vec *im)
{
    const vec a = re[0], b = im[0];
    re[0] = a + re[1];
    im[0] = b + im[1];
    re[1] = a - re[1];
    im[1] = b - im[1];
}

INLINE void butterfly_4(vec *re, vec *im)
{
    const vec ar = re[0] + re[2], ai = im[0] + im[2], br = re[0] - re[2], bi = im[0] - im[2];
    const vec cr = re[1] + re[3], ci = im[1] + im[3], dr = re[1] - re[3], di = im[1] - im[3];
    re[0] = ar + cr;
    im[0] = ai + ci;
    re[1] = br + di;
    im[1] = bi - dr;
    re[2] = ar - cr;
    im[2] = ai - ci;
    re[3] = br - di;
    im[3] = bi + dr;
}

INLINE void butterfly_odd(const int r, vec *re, vec *im)
{
    const float *c = gf_fft_cosines[(r - 3) / 2], *s = gf_fft_sines[(r - 3) / 2];
    const int h = (r - 1) / 2;
    const vec first_re = re[0], first_im = im[0];
    vec ar[4], ai[4], br[4], bi[4];
    for (int j = 1; j <= h; j++) {
        ar[j] = re[j] + re[r - j];
        ai[j] = im[j] + im[r - j];
        br[j] = re[j] - re[r - j];
        bi[j] = im[j] - im[r - j];
        re[0] = re[0] + ar[j];
        im[0] = im[0] + ai[j];
    }
    for (int k = 1; k <= h; k++) {
        vec mr = first_re, mi = first_im, tr = set(s[k]) * br[1], ti = set(s[k]) * bi[1];
        for (int j = 1; j <= h; j++) {
            mr = fused(set(c[j * k % r]), ar[j], mr);
            mi = fused(set(c[j * k % r]), ai[j], mi);
            tr = j == 1 ? tr : fused(set(s[j * k % r]), br[j], tr);
            ti = j == 1 ? ti : fused(set(s[j * k % r]), bi[j], ti);
        }
        re[k] = mr + ti;
        im[k] = mi - tr;
        re[r - k] = mr - ti;
        im[r - k] = mi + tr;
    }
}
