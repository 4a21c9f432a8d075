/* Whether a run gave what "sequential" gives: every byte of every output. */
#include "prim/element.h"
#include "prim/prim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_difference(const struct prim_job *job, int i, int64_t at, struct prim_measurement *measured)
{
    struct buffer text = {0};
    if (job->out[i].rows > 0) {
        const int64_t columns = job->out[i].n / job->out[i].rows;
        buffer_printf(&text, "row %lld, column %lld of the result", (long long)(at / columns),
                      (long long)(at % columns));
    } else if (job->out[i].n > 1) {
        buffer_printf(&text, "element %lld of the %s", (long long)at, i == 0 ? "result" : "second result");
    } else {
        buffer_add(&text, i == 0 ? "the result" : "the second result");
    }
    buffer_add(&text, " is ");
    element_add(&text, job->out[i].type, measured->out[i].data, at, false);
    buffer_add(&text, ", must be ");
    element_add(&text, job->out[i].type, job->expected[i].data, at, false);
    snprintf(measured->difference, sizeof measured->difference, "%s", text.data ? text.data : "");
    buffer_free(&text);
}

/* The first element in which n elements of two arrays differ. */
static int64_t first_difference(const void *a, const void *b, size_t size, int64_t n)
{
    int64_t i = 0;
    while (i < n && !memcmp((const char *)a + (size_t)i * size, (const char *)b + (size_t)i * size, size)) {
        i++;
    }
    return i;
}

void prim_check(const struct prim_job *job, bool exact, struct prim_measurement *measured)
{
    const void *expected[PRIM_BLOCKS], *found[PRIM_BLOCKS];
    const bool may_be_near = !exact && job->driver->near && element_is_float(job->out[0].type);
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        expected[i] = job->expected[i].data;
        found[i] = measured->out[i].data;
    }
    measured->verdict = PRIM_RIGHT;
    /* It begins with the last: a count stands behind what it counts, and says how much of that there is. */
    for (int i = PRIM_BLOCKS - 1; i >= 0; i--) {
        size_t size = gf_depth_size(job->out[i].type);
        int64_t n = prim_job_extent(job, expected, i);
        if (!memcmp(expected[i], found[i], (size_t)n * size)) {
            continue;
        }
        if (i == 0 && may_be_near && job->driver->near(job, expected[0], found[0], &measured->worst)) {
            measured->verdict = PRIM_NEAR;
            continue;
        }
        measured->verdict = PRIM_WRONG;
        add_difference(job, i, first_difference(expected[i], found[i], size, n), measured);
        return;
    }
}

double prim_epsilon(gf_depth type)
{
    return type == GF_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
}

bool prim_is_near(double expected, double found, double bound, double *worst)
{
    *worst = fmax(*worst, fabs(expected - found));
    return fabs(expected - found) <= bound || (isnan(expected) && isnan(found)) || expected == found;
}

void prim_result_ends(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                      bool json)
{
    const struct prim_output *o = &job->out[0];
    if (o->n == 0) {
        buffer_add(text, json ? "{\"first\":null,\"last\":null}" : "no elements");
        return;
    }
    buffer_add(text, json ? "{\"first\":" : "first ");
    element_add(text, o->type, out[0], 0, json);
    buffer_add(text, json ? ",\"last\":" : ", last ");
    element_add(text, o->type, out[0], o->n - 1, json);
    buffer_add(text, json ? "}" : "");
}
