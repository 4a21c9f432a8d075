/* label_shapes.h: pictures that are hard to unite. */
#ifndef LABEL_SHAPES_H
#define LABEL_SHAPES_H

#include "plan_cases.h"

#include <stdbool.h>
#include <string.h>

enum label_shape { SPIRAL, COMB, CHEQUERS, NOISE_40, NOISE_60, DIAGONALS, FULL, EMPTY, SHAPES };

static inline void label_draw_spiral(uint8_t *to, int64_t w, int64_t h)
{
    int64_t x = 0, y = 0, left = 0, top = 0, right = w - 1, bottom = h - 1, dx = 1, dy = 0;
    for (int64_t i = 0; i < w * h && left <= right && top <= bottom; i++) {
        to[y * w + x] = 1;
        if ((dx > 0 && x == right) || (dx < 0 && x == left) || (dy > 0 && y == bottom) ||
            (dy < 0 && y == top)) {
            top += dx > 0 ? 2 : 0;
            right -= dy > 0 ? 2 : 0;
            bottom -= dx < 0 ? 2 : 0;
            left += dy < 0 ? 2 : 0;
            int64_t turn = dx;
            dx = -dy;
            dy = turn;
        }
        x += dx;
        y += dy;
        if (x < 0 || y < 0 || x >= w || y >= h) {
            return;
        }
    }
}

static inline void label_draw(enum label_shape shape, struct plan_random *random, uint8_t *to, int64_t w,
                              int64_t h)
{
    memset(to, shape == FULL, (size_t)(w * h));
    if (shape == SPIRAL) {
        label_draw_spiral(to, w, h);
    }
    for (int64_t i = 0; i < w * h && shape != SPIRAL; i++) {
        int64_t x = i % w, y = i / w;
        bool is = shape == COMB        ? x % 2 == 0 || y == h - 1 /* teeth that meet in the last row */
                  : shape == CHEQUERS  ? (x + y) % 2 == 0
                  : shape == NOISE_40  ? plan_random_below(random, 10) < 4
                  : shape == NOISE_60  ? plan_random_below(random, 10) < 6
                  : shape == DIAGONALS ? (x + y) % 5 == 0 || (x - y + 5 * h) % 7 == 0
                                       : to[i] != 0;
        to[i] = is ? (uint8_t)(1 + plan_random_below(random, 3)) : 0;
    }
}

#endif
