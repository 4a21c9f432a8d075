/* sample_scene.h: the scene of the sample picture, and the colour and the hash that its painter shares. */
#ifndef SAMPLE_SCENE_H
#define SAMPLE_SCENE_H

#include <stdint.h>

enum { SCENE_WIDTH = 768, SCENE_HEIGHT = 470 };

typedef struct colour {
    double r, g, b; /* 0 to 1, as displayed */
} colour;

/* A number in [0, 1) for a lattice point: all the randomness there is. */
double sample_hash(int x, int y, uint32_t seed);

/* The colour of the lake at dusk at a point, in pixels from the top left corner. A pure function, made from
 * a hash, the four operations, floor and sqrt in double, so it is the same on every machine. */
colour sample_scene(double x, double y);

#endif
