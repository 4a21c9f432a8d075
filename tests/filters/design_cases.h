/* The cases of tests/oracle/designs: what SciPy makes of which numbers. */
#ifndef DESIGN_CASES_H
#define DESIGN_CASES_H

#include "check.h"

#include <stdint.h>

struct design_case {
    char what[24];
    double how[8];
    const double *values;
    int count;
};

static struct design_case design_cases[2000];
static double design_values[60000];
static int design_count;

/* Reads them once; 0 where a file is missing or too large. */
static inline int design_read(void)
{
    FILE *values = fopen(GF_SOURCE "/tests/oracle/designs/values.npy", "rb");
    FILE *index = fopen(GF_SOURCE "/tests/oracle/designs/designs.tsv", "r");
    unsigned char head[10];
    size_t held = 0;
    if (design_count == 0 && values && index && fread(head, 1, sizeof head, values) == sizeof head) {
        fseek(values, 10L + head[8] + 256L * head[9], SEEK_SET);
        held =
            fread(design_values, sizeof *design_values, sizeof design_values / sizeof *design_values, values);
        char line[512];
        while (design_count < (int)(sizeof design_cases / sizeof *design_cases) &&
               fgets(line, sizeof line, index)) {
            struct design_case *c = &design_cases[design_count];
            int first;
            double *h = c->how;
            if (sscanf(line, "%23s %lf %lf %lf %lf %lf %lf %lf %lf %d %d", c->what, &h[0], &h[1], &h[2],
                       &h[3], &h[4], &h[5], &h[6], &h[7], &first, &c->count) != 11 ||
                (size_t)first + (size_t)c->count > held) {
                design_count = 0;
                break;
            }
            c->values = design_values + first;
            design_count++;
        }
    }
    if (values) {
        fclose(values);
    }
    if (index) {
        fclose(index);
    }
    return design_count;
}

#endif
