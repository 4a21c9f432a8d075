/* Rows of vectors that become columns. */
#pragma once

#include <immintrin.h>

/* Defines turn(v): of four vectors of f32 each four lanes are a row, and become a column of four. V(name) is
 * an instruction for vectors of that width. */
#define GF_DEFINE_TURN(vector, V)                                                                            \
    static inline __attribute__((always_inline)) void turn(vector v[4])                                      \
    {                                                                                                        \
        const vector a = V(unpacklo_ps)(v[0], v[1]), b = V(unpackhi_ps)(v[0], v[1]);                         \
        const vector c = V(unpacklo_ps)(v[2], v[3]), d = V(unpackhi_ps)(v[2], v[3]);                         \
        v[0] = V(shuffle_ps)(a, c, 0x44);                                                                    \
        v[1] = V(shuffle_ps)(a, c, 0xee);                                                                    \
        v[2] = V(shuffle_ps)(b, d, 0x44);                                                                    \
        v[3] = V(shuffle_ps)(b, d, 0xee);                                                                    \
    }
