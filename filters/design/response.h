/* What a chain of sections does to a sine, and to a step. */
#pragma once

#include "gpufilter/types.h"
#include "signal/section.h"

struct gf_response {
    double re, im; /* the gain */
    double db;     /* its size, minus infinity for none */
    double phase;  /* radians, -pi to pi */
    double delay;  /* group delay in samples, for zeros and poles off the circle */
};

/* At a frequency in cycles a sample, 0 to 1/2. Accurate near 0 and 1/2 too, where the terms of a section
 * cancel. */
struct gf_response gf_sections_response(const struct gf_section *sections, int32_t count, double frequency);

/* Poles as a pair: two real ones first and second, or first +- i second. */
struct gf_section_poles {
    int32_t complex;
    double first, second;
    double radius; /* the larger distance from 0; below 1 the section is stable */
};

struct gf_section_poles gf_section_poles(const struct gf_section *section);

/* Samples until the slowest pole's decay (of a double one: but for a factor that grows linearly) is below
 * 2^-64; infinity for a pole on the circle or beyond. */
double gf_sections_settling(const struct gf_section *sections, int32_t count);

/* What a section holds between samples, in transposed direct form II: y = b0 x + s1, s1 = b1 x - a1 y + s2,
 * s2 = b2 x - a2 y. */
struct gf_section_state {
    double s1, s2;
};

/* The states in which the chain has settled on an input of 1, as SciPy's sosfilt_zi. GF_ERROR_ARGUMENT: a
 * section with a pole at 1 never settles. */
gf_status gf_sections_steady(const struct gf_section *sections, int32_t count,
                             struct gf_section_state *states, gf_error *error);
