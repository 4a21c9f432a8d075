/* Finds pixels that smooth an edge, as pixelmatch does: Vysniauskas, "Anti-aliased Pixel and Intensity Slope
 * Detector", 2009. Such a pixel has darker and brighter neighbours, at most two equal ones, and its darkest
 * or brightest neighbour lies in a flat place of both pictures. */
#include "compare/compare.h"

#include <string.h>

/* The neighbours of a pixel within the picture. */
struct around {
    int64_t x0, x1, y0, y1;
    int at_edge; /* 1: some are missing, which counts as an equal one */
};

static struct around around(const struct gf_compare_job *job, int64_t x, int64_t y)
{
    struct around n = {x > 0 ? x - 1 : 0, x, y > 0 ? y - 1 : 0, y, 0};
    n.x1 += x + 1 < job->shape.width;
    n.y1 += y + 1 < job->shape.height;
    n.at_edge = n.x0 == x || n.x1 == x || n.y0 == y || n.y1 == y;
    return n;
}

/* Tells whether more than two neighbours, or two and the picture's edge, have the pixel's own samples. */
static bool is_flat(const struct gf_compare_job *job, int side, int64_t x, int64_t y)
{
    const struct around n = around(job, x, y);
    const uint8_t *own = gf_compare_at(job, side, x, y);
    const size_t bytes = (size_t)job->shape.channels * job->size;
    int equal = n.at_edge;
    for (int64_t i = n.x0; i <= n.x1; i++) {
        for (int64_t j = n.y0; j <= n.y1; j++) {
            equal += (i != x || j != y) && !memcmp(own, gf_compare_at(job, side, i, j), bytes);
        }
    }
    return equal > 2;
}

static bool is_flat_in_both(const struct gf_compare_job *job, int64_t x, int64_t y)
{
    return is_flat(job, 0, x, y) && is_flat(job, 1, x, y);
}

static bool smooths(const struct gf_compare_job *job, int side, int64_t x, int64_t y)
{
    const struct around n = around(job, x, y);
    double own[4], other[4], darkest = 0, brightest = 0;
    int64_t dark[2] = {0, 0}, bright[2] = {0, 0};
    int equal = n.at_edge;
    gf_compare_colour(job, side, x, y, own);
    for (int64_t i = n.x0; i <= n.x1; i++) {
        for (int64_t j = n.y0; j <= n.y1; j++) {
            if (i == x && j == y) {
                continue;
            }
            gf_compare_colour(job, side, i, j, other);
            const double delta = gf_compare_brightness(own, other);
            if (delta == 0) {
                equal++;
            } else if (delta < darkest) {
                darkest = delta;
                dark[0] = i, dark[1] = j;
            } else if (delta > brightest) {
                brightest = delta;
                bright[0] = i, bright[1] = j;
            }
        }
    }
    return equal <= 2 && darkest < 0 && brightest > 0 &&
           (is_flat_in_both(job, dark[0], dark[1]) || is_flat_in_both(job, bright[0], bright[1]));
}

bool gf_compare_smooths(const struct gf_compare_job *job, int64_t x, int64_t y)
{
    return smooths(job, 0, x, y) || smooths(job, 1, x, y);
}
