/* gf_border.h: which sample a window reads outside the picture, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "gpufilter/types.h"

/* i modulo n in [0, n), n >= 1. */
GF_HD int64_t gf_modulo(int64_t i, int64_t n)
{
    int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/* The index in [0, n) that stands for index i of an axis of n samples, for any i and 1 <= n < 2^62, however
 * far outside. -1 for the constant border (and for a value that is no gf_border) when i is outside. A window
 * wider than the picture just folds more than once; one sample repeats itself. No division where i is
 * inside or within one length of the axis. */
GF_HD int64_t gf_border_index(int64_t i, int64_t n, int border)
{
    if (i >= 0 && i < n) {
        return i;
    }
    if (border == GF_BORDER_REPLICATE) {
        return i < 0 ? 0 : n - 1;
    }
    if (border == GF_BORDER_WRAP) {
        int64_t near = i < 0 ? i + n : i - n;
        return near >= 0 && near < n ? near : gf_modulo(i, n);
    }
    if (border == GF_BORDER_REFLECT || border == GF_BORDER_REFLECT101) {
        /* reflect repeats the edge sample, reflect101 does not */
        int64_t edge = (border == GF_BORDER_REFLECT) != GF_FAULT(border_swapped);
        int64_t period = 2 * n - 2 + 2 * edge; /* 0 only for reflect101 of one sample */
        int64_t near = i < 0 ? -edge - i : period - edge - i;
        if (near >= 0 && near < n) {
            return near;
        }
        near = period == 0 ? 0 : gf_modulo(i, period);
        return near < n ? near : period - edge - near;
    }
    return -1;
}

/* A window of radius r + gf_border_period sees the samples of one of radius r and, wherever it lies, the same
 * further ones, once r >= n: a turn. That many samples a side. */
GF_HD int64_t gf_border_period(int64_t n, int border)
{
    if (border == GF_BORDER_WRAP) {
        return n;
    }
    if (border == GF_BORDER_REFLECT) {
        return 2 * n;
    }
    return border == GF_BORDER_REFLECT101 && n > 1 ? 2 * n - 2 : 1;
}

/* Returns how often sample i of the n occurs in a turn, both sides together. With a constant border none
 * does, and the fill twice. */
GF_HD int32_t gf_border_turn(int64_t i, int64_t n, int border)
{
    const int32_t ends = (i == 0) + (i == n - 1);
    if (border == GF_BORDER_REPLICATE) {
        return ends;
    }
    if (border == GF_BORDER_WRAP) {
        return 2;
    }
    if (border == GF_BORDER_REFLECT) {
        return 4;
    }
    return border == GF_BORDER_REFLECT101 ? (ends ? 2 : 4) : 0;
}

/* Samples along an axis that a box of a radius and of so many turns sums. */
GF_HD int64_t gf_box_width(int64_t radius, int64_t turns, int64_t n, int border)
{
    return 2 * (radius + turns * gf_border_period(n, border)) + 1;
}

/* Steps from a sample of a turn to the next one: 0 to n - 1, or only the ends. */
GF_HD int64_t gf_border_turn_step(int64_t n, int border)
{
    return border == GF_BORDER_REPLICATE && n > 1 ? n - 1 : 1;
}
