#include "stages/peaks_find.h"

#include "base/planted_fault.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A peak, for its turn among the greatest. */
struct turn {
    float value;
    int64_t index;
};

enum { FAN = 32, LEVELS = 5 };

struct gf_peaks_room {
    float *signal;
    float *least[2]; /* of each sample, the least one from it to the next greater one: to the left, right */
    float *lowest[LEVELS]; /* the least of FAN^(k + 1) samples; -infinity where one is NaN */
    int64_t *greater;      /* samples that none behind them is greater than, so far */
    struct gf_peak *peaks;
    struct turn *turns;
    bool *kept;
};

struct gf_peaks_room *gf_peaks_room_create(int64_t n)
{
    const size_t samples = (size_t)n, most = samples / 2 + 1;
    struct gf_peaks_room *room = calloc(1, sizeof *room);
    if (!room) {
        return NULL;
    }
    room->signal = calloc(samples, sizeof *room->signal);
    room->least[0] = calloc(samples, sizeof *room->least[0]);
    room->least[1] = calloc(samples, sizeof *room->least[1]);
    bool has_lowest = true;
    for (size_t k = 0, groups = samples / FAN; k < LEVELS; k++, groups /= FAN) {
        room->lowest[k] = calloc(groups + 1, sizeof *room->lowest[k]);
        has_lowest = has_lowest && room->lowest[k];
    }
    room->greater = calloc(samples, sizeof *room->greater);
    room->peaks = calloc(most, sizeof *room->peaks);
    room->turns = calloc(most, sizeof *room->turns);
    room->kept = calloc(most, sizeof *room->kept);
    if (!room->signal || !room->least[0] || !room->least[1] || !has_lowest || !room->greater ||
        !room->peaks || !room->turns || !room->kept) {
        gf_peaks_room_destroy(room);
        return NULL;
    }
    return room;
}

void gf_peaks_room_destroy(struct gf_peaks_room *room)
{
    if (room) {
        free(room->signal);
        free(room->least[0]);
        free(room->least[1]);
        for (int k = 0; k < LEVELS; k++) {
            free(room->lowest[k]);
        }
        free(room->greater);
        free(room->peaks);
        free(room->turns);
        free(room->kept);
        free(room);
    }
}

float *gf_peaks_signal(struct gf_peaks_room *room)
{
    return room->signal;
}

/* Samples, or the middles of runs of equal ones, that are greater than both neighbours. */
static int64_t find_maxima(struct gf_peaks_room *room, int64_t n, double least)
{
    const float *v = room->signal;
    int64_t count = 0;
    for (int64_t i = 1; i < n - 1; i++) {
        if (!(v[i - 1] < v[i])) {
            continue;
        }
        int64_t end = i + 1;
        while (end < n - 1 && v[end] == v[i]) {
            end++;
        }
        if (v[end] < v[i]) {
            if ((double)v[i] >= least) {
                room->peaks[count++] =
                    (struct gf_peak){.at = (i + end - !GF_FAULT(peaks_flat)) / 2, .value = v[i]};
            }
            i = end;
        }
    }
    return count;
}

/* Those that are left, moved together. */
static int64_t keep(struct gf_peaks_room *room, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (room->kept[i]) {
            room->peaks[count++] = room->peaks[i];
        }
    }
    return count;
}

static int by_value(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->index > y->index) - (x->index < y->index);
}

/* The greatest peak drives away those that are too near, then the greatest of those that are left. */
static int64_t keep_distance(struct gf_peaks_room *room, int64_t n, int64_t distance)
{
    const struct gf_peak *peaks = room->peaks;
    for (int64_t i = 0; i < n; i++) {
        room->kept[i] = true;
        room->turns[i] = (struct turn){peaks[i].value, i};
    }
    qsort(room->turns, (size_t)n, sizeof *room->turns, by_value);
    for (int64_t turn = n; turn-- > 0;) {
        const int64_t own = room->turns[turn].index;
        if (!room->kept[own]) {
            continue;
        }
        for (int64_t i = own; i-- > 0 && peaks[own].at - peaks[i].at < distance;) {
            room->kept[i] = false;
        }
        for (int64_t i = own + 1; i < n && peaks[i].at - peaks[own].at < distance; i++) {
            room->kept[i] = false;
        }
    }
    return keep(room, n);
}

/* Finds for each sample the least one from it, backwards, to the next that is greater. `step` is 1 from the
 * left, -1 from the right. Each sample waits once, and goes once. */
static void find_least(struct gf_peaks_room *room, int64_t n, int64_t step, float *least)
{
    const float *v = room->signal;
    int64_t waiting = 0;
    for (int64_t k = 0, i = step > 0 ? 0 : n - 1; k < n; k++, i += step) {
        float own = v[i];
        if (isnan(own)) {
            waiting = 0;
            continue;
        }
        while (waiting > 0 && v[room->greater[waiting - 1]] <= v[i]) {
            const float before = least[room->greater[--waiting]];
            own = before < own ? before : own;
        }
        least[i] = own;
        room->greater[waiting++] = i;
    }
}

static void find_lowest(struct gf_peaks_room *room, int64_t n)
{
    for (int k = 0; k < LEVELS; k++, n /= FAN) {
        const float *from = k > 0 ? room->lowest[k - 1] : room->signal;
        for (int64_t i = 0; i < n / FAN * FAN; i++) {
            float *lowest = &room->lowest[k][i / FAN];
            const float own = isnan(from[i]) ? -INFINITY : from[i];
            *lowest = i % FAN == 0 || own < *lowest ? own : *lowest;
        }
    }
}

/* How far from the peak, in the direction of step, the signal falls to half of its prominence: it does before
 * the signal ends. Many peaks of one height look past each other, so what lies above half is passed over in
 * the largest groups that begin there. */
static double half_width(const struct gf_peaks_room *room, int64_t n, const struct gf_peak *peak,
                         int64_t step)
{
    const float *v = room->signal;
    const double half = (double)peak->value - peak->prominence * 0.5;
    int64_t i = peak->at;
    while (half < (double)v[i]) {
        int64_t over = 1;
        for (int k = 0; k < LEVELS; k++) {
            const int64_t size = over * FAN, group = i / size;
            if (i % size != (step > 0 ? 0 : size - 1) || group >= n / size ||
                !(half < (double)room->lowest[k][group])) {
                break;
            }
            over = size;
        }
        i += step * over;
    }
    const double part =
        (double)v[i] < half ? (half - (double)v[i]) / ((double)v[i - step] - (double)v[i]) : 0;
    return (double)((i - peak->at) * step) - part;
}

static int64_t keep_prominent(struct gf_peaks_room *room, int64_t length, int64_t n,
                              const struct gf_peaks_rules *rules)
{
    find_least(room, length, 1, room->least[0]);
    find_least(room, length, -1, room->least[1]);
    if (rules->width >= 0) {
        find_lowest(room, length);
    }
    for (int64_t i = 0; i < n; i++) {
        struct gf_peak *peak = &room->peaks[i];
        const float left = room->least[0][peak->at], right = room->least[1][peak->at];
        peak->prominence = (double)peak->value - (double)(left > right ? left : right);
        room->kept[i] = peak->prominence >= rules->prominence;
        peak->width = NAN;
        if (room->kept[i] && rules->width >= 0 && isfinite(peak->prominence)) {
            peak->width = half_width(room, length, peak, -1) + half_width(room, length, peak, 1);
        }
        room->kept[i] = room->kept[i] && !(rules->width > 0 && !(peak->width >= rules->width));
    }
    return keep(room, n);
}

const struct gf_peak *gf_peaks_find(struct gf_peaks_room *room, int64_t n, const struct gf_peaks_rules *rules,
                                    int64_t *count)
{
    *count = find_maxima(room, n, rules->least);
    if (rules->distance > 1) {
        *count = keep_distance(room, *count, rules->distance);
    }
    *count = *count ? keep_prominent(room, n, *count, rules) : 0;
    return room->peaks;
}
