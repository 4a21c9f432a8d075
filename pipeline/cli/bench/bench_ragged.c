/* The sampled grid of the nested loops, and what follows from its rows: see bench_ragged.h. */
#include "bench/bench_ragged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The sampled grid --------------------------------------------------------------------------------- */

/* Draws a number from 0 to 1, the same for the same place everywhere. */
static double draw(uint64_t place)
{
    uint64_t z = place * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x632be59bd9b4e019);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

int bench_nodes(bool quick, int skews, struct bench_node nodes[BENCH_NODES])
{
    const int wide = quick ? 2 : 7, high = quick ? 3 : 13;
    int n = 0;
    for (int i = 0; i < wide; i++) {
        for (int j = 0; j < high; j++) {
            for (int k = 0; k < skews && n < BENCH_NODES; k++) {
                struct bench_node node = {.nx = llround(pow(10, i + 1)),
                                          .ny_max = llround(pow(10, 1 + j / 2.0)),
                                          .skew = round(1000 * (k + draw((uint64_t)n)) / skews) / 10};
                node.capped = node.nx * node.ny_max > (quick ? QUICK_NODE_CAP : BENCH_NODE_CAP);
                nodes[n++] = node;
            }
        }
    }
    return n;
}

const struct bench_row *bench_same_loop(const struct bench_result *result, int line,
                                        const struct bench_row *row)
{
    for (int i = 0; line >= 0 && i < result->n_rows; i++) {
        const struct bench_row *r = &result->rows[i];
        if (r->series == line && r->timed && r->n == row->n && r->loop.ny_max == row->loop.ny_max &&
            r->loop.skew == row->loop.skew) {
            return r;
        }
    }
    return NULL;
}

/* ---- Parameters ---------------------------------------------------------------------------------------- */

int bench_tau(const struct bench_result *result, int line, struct bench_span *tau)
{
    const int panel = result->lines[line].panel, simple = bench_line_of(result, panel, "simple"),
              frame = bench_line_of(result, panel, "frame");
    const struct bench_row *row;
    int n = 0;
    *tau = (struct bench_span){0, 0, 0};
    for (int i = 0; (row = bench_row_at(result, line, i)) != NULL; i++) {
        const struct bench_row *a = bench_same_loop(result, simple, row),
                               *b = bench_same_loop(result, frame, row);
        if (a && b) {
            const struct bench_row *best = a->time_us < b->time_us ? a : b;
            tau->low += row->q1_us / best->q3_us;
            tau->middle += row->time_us / best->time_us;
            tau->high += row->q3_us / best->q1_us;
            n++;
        }
    }
    if (n > 0) {
        *tau = (struct bench_span){tau->low / n, tau->middle / n, tau->high / n};
    }
    return n;
}

int64_t bench_threshold(const int64_t *ny_max, const double *ratios, int n)
{
    int64_t from = BENCH_NEVER;
    double sum = 0, least = 0;
    for (int i = n - 1; i >= 0; i--) {
        sum += ratios[i]; /* of combined from i on */
        if (sum < least) {
            least = sum;
            from = ny_max[i];
        }
    }
    return from;
}

/* ---- Frames ----------------------------------------------------------------------------------------------- */

int64_t bench_frames(const int32_t *sorted, int64_t nx, int64_t from, int64_t low, int64_t area,
                     struct bench_frame *frames, int64_t most, int64_t *sum)
{
    int64_t count = 0;
    *sum = 0;
    for (int64_t edge = nx; edge > from;) {
        const int64_t high = sorted[edge - 1] - low;
        if (high <= 0) {
            break; /* empty loops: the published program divides by 0 here */
        }
        const int64_t width = (area - 1) / high + 1, across = width < edge - from ? width : edge - from;
        if (frames && count < most) {
            frames[count] = (struct bench_frame){edge - across, edge, sorted[edge - 1]};
        }
        edge -= across;
        *sum += across * high;
        count++;
    }
    return count;
}

/* ---- Cost ------------------------------------------------------------------------------------------------- */

static void terms_of(const char *label, const struct bench_row *row, double terms[3])
{
    const double all = (double)row->n * (double)row->loop.most, calls = (double)row->loop.calls;
    terms[0] = 1;
    terms[1] = !strcmp(label, "simple") ? all - calls : (double)row->n;
    terms[2] = calls;
}

bool bench_cost_fit(const struct bench_result *result, const char *label, struct bench_cost *cost)
{
    const int line = bench_line_of(result, 0, label), n = line < 0 ? 0 : bench_row_count(result, line);
    double *a = calloc((size_t)n * 3 + 1, sizeof *a), *y = calloc((size_t)n + 1, sizeof *y);
    for (int i = 0; a && y && i < n; i++) {
        const struct bench_row *row = bench_row_at(result, line, i);
        terms_of(label, row, a + 3 * i);
        for (int k = 0; k < 3; k++) {
            a[3 * i + k] /= row->time_us;
        }
        y[i] = 1;
    }
    const bool fits = a && y && bench_least_squares(a, y, n, cost->c, cost->error);
    cost->n = n;
    free(a);
    free(y);
    return fits;
}

double bench_cost_of(const struct bench_cost *cost, const char *label, const struct bench_row *row)
{
    double terms[3];
    terms_of(label, row, terms);
    return cost->c[0] + cost->c[1] * terms[1] + cost->c[2] * terms[2];
}
