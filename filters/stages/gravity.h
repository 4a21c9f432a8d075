/* Sides and corners of a picture as words, top being north. */
#pragma once

#include "gpufilter/stage.h"

#include <stdbool.h>

/* In the order of their words. */
enum gf_gravity { CENTRE, NORTH, NORTHEAST, EAST, SOUTHEAST, SOUTH, SOUTHWEST, WEST, NORTHWEST };

#define GF_GRAVITY_ROW(owner, what)                                                                          \
    {                                                                                                        \
        GF_ROW(CHOICE, owner, gravity, "centre"),                                                            \
            .choices = "centre|north|northeast|east|southeast|south|southwest|west|northwest", .help = what  \
    }

/* Returns where `length` samples of n begin: at the low end, in the middle or at the high end. */
static inline int64_t gf_gravity_begin(int64_t n, int64_t length, bool low, bool high)
{
    return low ? 0 : high ? n - length : (n - length) / 2;
}

/* The part of that width and height of a picture of w x h pixels, at the side or corner of the word. */
static inline gf_rect gf_gravity_part(int64_t w, int64_t h, int64_t width, int64_t height, int32_t gravity)
{
    const bool north = gravity == NORTH || gravity == NORTHEAST || gravity == NORTHWEST;
    const bool south = gravity == SOUTH || gravity == SOUTHEAST || gravity == SOUTHWEST;
    const bool west = gravity >= SOUTHWEST, east = gravity >= NORTHEAST && gravity <= SOUTHEAST;
    return (gf_rect){.x = gf_gravity_begin(w, width, west, east),
                     .y = gf_gravity_begin(h, height, north, south),
                     .w = width,
                     .h = height};
}
