/* Pictures to compare, which tests/oracle/compare/make_compare.py makes, too. */
#pragma once

#include "gpufilter/types.h"

#include <stdlib.h>

static inline uint32_t place_drawn(int x, int y, int c, int seed)
{
    uint32_t v = (uint32_t)x * 73856093U ^ (uint32_t)y * 19349663U ^ (uint32_t)c * 83492791U ^
                 (uint32_t)seed * 2654435761U;
    v = v * 1664525U + 1013904223U;
    v ^= v >> 15;
    return v * 2246822519U >> 24;
}

static inline int noisy_at(int x, int y, int c, int second)
{
    const int v = (x * 3 + y * 2 + 40 * c) % 200 + (int)(place_drawn(x, y, c, 1) % 56);
    const int moved = v + (int)(place_drawn(x, y, c, 2) % 33) - 16;
    return !second ? v : moved < 0 ? 0 : moved > 255 ? 255 : moved;
}

/* NULL: no memory. `pad` bytes more in each row. */
static inline void *make_noisy(int w, int h, int channels, gf_depth depth, int second, int pad)
{
    const int64_t row = gf_image_row_bytes(w, channels, depth) + pad;
    char *data = malloc((size_t)(row * h));
    for (int i = 0; data && i < w * h * channels; i++) {
        const int c = i % channels, x = i / channels % w, y = i / channels / w, v = noisy_at(x, y, c, second);
        char *to = data + y * row;
        if (depth == GF_U8) {
            ((uint8_t *)to)[x * channels + c] = (uint8_t)v;
        } else if (depth == GF_U16) {
            ((uint16_t *)to)[x * channels + c] = (uint16_t)(v * 256 + (int)place_drawn(x, y, c, 3 + second));
        } else {
            ((float *)to)[x * channels + c] = (float)v / 255.0F;
        }
    }
    return data;
}

enum { DISCS_W = 97, DISCS_H = 61 };

/* Discs with smooth edges; in the second picture a quarter of a pixel further, and a square. */
static inline void make_discs(uint8_t *out, int second)
{
    static const int discs[5][3] = {{20, 18, 11}, {50, 30, 17}, {75, 12, 7}, {30, 48, 9}, {84, 50, 12}};
    for (int y = 0; y < DISCS_H; y++) {
        for (int x = 0; x < DISCS_W; x++, out += 4) {
            int rgba[4] = {250, 248, 240, 255};
            for (int i = 0; i < 5; i++) {
                const int ink[3] = {30 + 40 * i, 200 - 35 * i, 90};
                int inside = 0;
                for (int k = 0; k < 64; k++) {
                    const int dx = 8 * x + k % 8 - 8 * discs[i][0] - (second ? 2 : 0);
                    const int dy = 8 * y + k / 8 - 8 * discs[i][1];
                    inside += dx * dx + dy * dy < 64 * discs[i][2] * discs[i][2];
                }
                for (int c = 0; c < 3; c++) {
                    rgba[c] = (rgba[c] * (64 - inside) + ink[c] * inside + 32) / 64;
                }
            }
            rgba[3] = y >= DISCS_H - 8 ? x * 5 % 256 : 255;
            rgba[1] = second && x >= 40 && x < 46 && y >= 2 && y < 6 ? 255 - rgba[1] : rgba[1];
            for (int c = 0; c < 4; c++) {
                out[c] = (uint8_t)rgba[c];
            }
        }
    }
}
