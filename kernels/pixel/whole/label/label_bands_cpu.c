/* label by bands of rows on the CPU. Each band is labelled as a picture of its own; its regions, parts of
 * those of the whole, follow those of the bands above. What touches in the last row of a band and in the
 * first of the next is united, the lower part being the root: that of the first pixel, as parts are in the
 * raster order of theirs. Behind the last band parts add up to regions and get their numbers, and in each
 * sweep after that the parts of a band, found again, become those. Only the parts stay in memory, and a row.
 */
#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/whole/label/label_pieces.h"

#include <stdlib.h>
#include <string.h>

/* A band that was gathered: its first row, and the first of its parts. */
struct band {
    int64_t row;
    uint32_t part;
};

struct state {
    struct gf_label_args args;
    int64_t width, height;     /* of the picture */
    struct gf_region *regions; /* of parts, in the end of regions */
    uint32_t *parent;          /* of parts; in the end their numbers */
    struct band *bands;
    uint32_t *numbers, *above; /* of a band's first row, and of the row above: parts, from 1 */
    float *samples_above;      /* of that row, where only equal ones belong together */
    uint64_t n, room, count;   /* parts; regions */
    int64_t n_bands, bands_room, row_room;
};

static void destroy(void *opaque)
{
    struct state *state = opaque;
    if (state) {
        free(state->regions);
        free(state->parent);
        free(state->bands);
        free(state->numbers);
        free(state->above);
        free(state->samples_above);
        free(state);
    }
}

static gf_status create(void **state, gf_error *error)
{
    *state = calloc(1, sizeof(struct state));
    return gf_need_memory(*state != NULL, error);
}

/* ---- room ---- */

static bool grow(void *array, size_t count, size_t size)
{
    void **at = array, *larger = realloc(*at, count * size);
    *at = larger ? larger : *at;
    return larger;
}

/* Makes room for so many parts. */
static gf_status need_parts(struct state *state, uint64_t n, gf_error *error)
{
    if (n <= state->room) {
        return GF_OK;
    }
    const uint64_t room = n + n / 2 + 1024;
    if (!grow(&state->regions, room, sizeof *state->regions) ||
        !grow(&state->parent, room, sizeof *state->parent)) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory for %llu parts of regions",
                       (unsigned long long)n);
    }
    state->room = room;
    return GF_OK;
}

static gf_status need_row(struct state *state, gf_error *error)
{
    const size_t width = (size_t)state->width;
    if (state->n_bands == state->bands_room) {
        const int64_t room = state->bands_room + state->bands_room / 2 + 64;
        if (!grow(&state->bands, (size_t)room, sizeof *state->bands)) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
        }
        state->bands_room = room;
    }
    if (state->width > state->row_room) {
        if (!grow(&state->numbers, width, sizeof *state->numbers) ||
            !grow(&state->above, width, sizeof *state->above) ||
            !grow(&state->samples_above, width, sizeof *state->samples_above)) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
        }
        state->row_room = state->width;
    }
    return GF_OK;
}

/* ---- gathering ---- */

/* The regions of a band, whatever their size. */
static uint64_t count_parts(struct gf_label_work *work, const struct gf_apply_run *run)
{
    gf_label_divide(work, run);
    work->args.min_area = 1;
    work->args.max_area = UINT32_MAX;
    work->args.largest = 0;
    work->args.drops_border = 0;
    return gf_label_count(work);
}

/* Pixels of a band's first row and those of the row above. */
static void join(struct state *state, const struct gf_label_work *work)
{
    const int64_t reach = state->args.connectivity == 8 && !GF_FAULT(label_band_corner), width = state->width;
    for (int64_t x = 0; x < width; x++) {
        const int64_t first = x > reach ? x - reach : 0, end = x + reach < width ? x + reach : width - 1;
        for (int64_t k = first; k <= end && state->numbers[x]; k++) {
            if (state->above[k] &&
                (!state->args.equal || state->samples_above[k] == gf_label_sample(work, x, 0))) {
                gf_label_unite(state->parent, state->numbers[x] - 1, state->above[k] - 1);
            }
        }
    }
}

/* The numbers of a band's row, as the picture's parts. */
static void number_row(const struct state *state, const struct gf_label_work *work, int64_t y, uint32_t *to)
{
    gf_label_number_row(work, y, false, to);
    for (int64_t x = 0; x < state->width; x++) {
        to[x] += to[x] ? (uint32_t)state->n : 0;
    }
}

static gf_status gather(void *opaque, const struct gf_apply_run *run, gf_error *error)
{
    struct state *state = opaque;
    const int64_t first = run->in[0].rows.first, rows = run->in[0].rows.count;
    struct gf_label_work work;
    if (first == 0) {
        state->n = 0;
        state->n_bands = 0;
        gf_args_get(&run->apply->args, &state->args, sizeof state->args);
        state->width = run->in_values[0].width;
        state->height = run->in_values[0].height;
    }
    const uint64_t more = count_parts(&work, run);
    GF_TRY(need_parts(state, state->n + more + 1, error)); /* there is always an array */
    GF_TRY(need_row(state, error));
    state->bands[state->n_bands++] = (struct band){first, (uint32_t)state->n};
    work.regions = state->regions + state->n;
    gf_label_number(&work);
    gf_label_finish(&work);
    for (uint64_t i = 0; i < more; i++) {
        struct gf_region *part = &work.regions[i];
        state->parent[state->n + i] = (uint32_t)(state->n + i);
        part->sum_y += part->area * (uint64_t)first;
        part->top += (uint32_t)first;
        part->bottom += (uint32_t)first;
    }
    if (first > 0 && !GF_FAULT(label_band_seam)) {
        number_row(state, &work, 0, state->numbers);
        join(state, &work);
    }
    number_row(state, &work, rows - 1, state->above);
    for (int64_t x = 0; state->args.equal && x < state->width; x++) {
        state->samples_above[x] = gf_label_sample(&work, x, rows - 1);
    }
    state->n += more;
    return GF_OK;
}

/* ---- numbers ---- */

static bool is_kept(const struct state *state, uint32_t i)
{
    const struct gf_region *region = &state->regions[i];
    const bool touches = region->left == 0 || region->top == 0 || region->right == state->width - 1 ||
                         region->bottom == state->height - 1;
    return state->parent[i] == i && region->area >= (uint64_t)state->args.min_area &&
           region->area <= (uint64_t)state->args.max_area && !(state->args.drops_border && touches);
}

/* The rank of the last of the largest regions. */
static uint64_t least_rank(const struct state *state)
{
    uint64_t rank = 0, wanted = (uint64_t)state->args.largest;
    for (int shift = 56; shift >= 0 && wanted > 0; shift -= 8) {
        uint64_t counts[256] = {0};
        for (uint32_t i = 0; i < state->n; i++) {
            const uint64_t own = GF_LABEL_RANK(state->regions[i].area, i);
            if (own >> shift >> 8 == rank >> shift >> 8 && is_kept(state, i)) {
                counts[own >> shift & 255]++;
            }
        }
        gf_label_choose_byte(counts, shift, &wanted, &rank);
    }
    return rank;
}

static gf_status solve(void *opaque, const struct gf_apply *apply, void *blocks[GF_MAX_OPERANDS],
                       gf_error *error)
{
    struct state *state = opaque;
    uint64_t *counts = blocks[1];
    (void)apply;
    (void)error;
    for (uint32_t i = 0; i < state->n; i++) { /* roots come first */
        const uint32_t root = state->parent[i] = gf_label_find(state->parent, i);
        if (root != i) {
            state->regions[root].area += state->regions[i].area;
            gf_label_add(&state->regions[root], &state->regions[i]);
        }
    }
    const uint64_t least = least_rank(state);
    state->count = 0;
    for (uint32_t i = 0; i < state->n; i++) { /* what was a parent becomes a number, in the same order */
        if (state->parent[i] != i) {
            state->parent[i] = state->parent[state->parent[i]];
        } else if (is_kept(state, i) && GF_LABEL_RANK(state->regions[i].area, i) >= least) {
            state->regions[state->count++] = state->regions[i];
            state->parent[i] = (uint32_t)state->count;
        } else {
            state->parent[i] = 0;
        }
    }
    counts[0] = counts[1] = state->count;
    blocks[2] = state->regions;
    return GF_OK;
}

static gf_status make(void *opaque, const struct gf_apply_run *run, gf_error *error)
{
    const struct state *state = opaque;
    const int64_t first = run->in[0].rows.first;
    struct gf_label_work work;
    int64_t from = 0, to = state->n_bands;
    while (to - from > 1) {
        const int64_t middle = from + (to - from) / 2;
        *(state->bands[middle].row <= first ? &from : &to) = middle;
    }
    if (to == from || state->bands[from].row != first) {
        return gf_fail(error, GF_ERROR_INTERNAL, "label has gathered no band that begins at row %lld",
                       (long long)first);
    }
    count_parts(&work, run);
    work.finals = state->parent + state->bands[from].part;
    gf_label_number(&work);
    gf_label_finish(&work);
    return GF_OK;
}

const struct gf_by_bands gf_label_by_bands = {create, destroy, gather, solve, make};
