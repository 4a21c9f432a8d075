/* How high the bands of a plan are: what the caches hold, what is asked for, what memory allows. */
#include "plan/plan.h"

#include <stdio.h>

#define LEAST_BYTES (4 * GF_BAND_THREAD_BYTES) /* so much stays in the caches from decoding to encoding */
#define MOST_BYTES  (16 * GF_BAND_THREAD_BYTES)
#define LEAST_ROWS  16 /* that a band makes; fewer are all overhead */
#define LEAST_SHARE 4  /* rows made for each one read again, unless memory is short */

static uint64_t pitch_of(const gf_plan *plan, int32_t picture)
{
    return (uint64_t)gf_buffers_pitch(&plan->lowered.list.values[picture]);
}

/* Bytes of buffers and scratch for bands of that height: of the sweep that needs most. */
static gf_status measure_sweeps(const gf_plan *plan, int64_t height, uint64_t *bytes, gf_error *error)
{
    *bytes = 0;
    for (int32_t sweep = 0; sweep < plan->bands.sweeps; sweep++) {
        gf_plan *band = NULL;
        GF_TRY(gf_band_plan(plan, sweep, height, &band, error));
        *bytes = band->buffers.total > *bytes ? band->buffers.total : *bytes;
        gf_plan_destroy(&band);
    }
    return GF_OK;
}

uint64_t gf_plan_result_bytes(const gf_plan *plan, bool whole)
{
    const struct gf_lowered *lowered = &plan->lowered;
    uint64_t blocks = 0;
    for (int32_t i = 0; i < lowered->n_results; i++) {
        for (int32_t b = 0; b < lowered->results[i].n_blocks; b++) {
            const struct gf_value *block = &lowered->list.values[lowered->results[i].blocks[b]];
            bool in_place = block->row && plan->device == GF_DEVICE_CPU; /* rows are read where they are */
            blocks += in_place ? 0 : gf_block_size(block);
        }
    }
    return blocks * (whole ? 1 : 2) + lowered->field_bytes;
}

/* Bytes for bands of that height, or for the whole: buffers, results, and the pictures that no caller
 * holds. */
static gf_status measure(const gf_plan *plan, int64_t height, uint64_t *bytes, gf_error *error)
{
    const struct gf_op_list *list = &plan->lowered.list;
    bool streams = plan->options.stream_rows != 0, whole = height >= plan->input.height;
    *bytes = plan->buffers.total;
    if (!whole) {
        GF_TRY(measure_sweeps(plan, height, bytes, error));
    }
    *bytes += gf_plan_result_bytes(plan, whole);
    if (streams) {
        int64_t held = whole ? height : plan->bands.holds_input ? plan->input.height : 2 * height;
        *bytes += (uint64_t)held * pitch_of(plan, list->input);
    }
    if (list->input != list->output && (streams || !whole)) {
        *bytes += (uint64_t)height * pitch_of(plan, list->output);
    }
    return GF_OK;
}

/* The height of bands that the options ask for, where memory does not matter. */
static int64_t wanted_height(const gf_plan *plan)
{
    const struct gf_bands *bands = &plan->bands;
    int64_t around = bands->above + bands->below, rows = plan->options.stream_rows;
    if (rows == 0 || (rows < 0 && plan->device >= 0)) { /* a GPU is not filled by what a cache holds */
        return plan->input.height;
    }
    if (rows < 0) {
        int64_t bytes = plan->threads * GF_BAND_THREAD_BYTES / 2; /* others decode and encode */
        bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : bytes;
        rows = bytes / (int64_t)pitch_of(plan, plan->lowered.list.input);
        rows = rows > LEAST_SHARE * around ? rows : LEAST_SHARE * around;
        rows = rows > LEAST_ROWS ? rows : LEAST_ROWS;
    }
    rows = rows < plan->input.height ? rows : plan->input.height; /* any number may be asked for */
    rows = (rows + bands->align - 1) / bands->align * bands->align;
    return rows < plan->input.height - around ? rows + around : plan->input.height;
}

static gf_status fail_memory(const gf_plan *plan, uint64_t bytes, gf_error *error)
{
    const char *reason = plan->bands.reason;
    uint64_t results = gf_plan_result_bytes(plan, *reason != '\0');
    char share[64] = "";
    if (results > bytes / 2) {
        snprintf(share, sizeof share, " and results (%llu are results)", (unsigned long long)results);
    }
    return gf_fail(
        error, GF_ERROR_MEMORY, "the plan needs %s%llu bytes of buffers%s, the memory limit is %llu%s%s",
        *reason ? "" : "at least ", (unsigned long long)bytes, share,
        (unsigned long long)plan->options.memory_limit, *reason ? "; it cannot work in bands: " : "", reason);
}

/* Lowers `height` until its bytes are within the limit. */
static gf_status fit(gf_plan *plan, int64_t *height, uint64_t *bytes, gf_error *error)
{
    const struct gf_bands *bands = &plan->bands;
    uint64_t limit = plan->options.memory_limit;
    GF_TRY(measure(plan, *height, bytes, error));
    if (limit && *bytes > limit && plan->bands.holds_input) { /* better read twice than in lower bands */
        plan->bands.holds_input = false;
        GF_TRY(measure(plan, *height, bytes, error));
    }
    while (limit && *bytes > limit) {
        int64_t around = bands->above + bands->below, least = around + bands->align;
        int64_t lower = (int64_t)((double)*height * 0.97 * (double)limit / (double)*bytes);
        lower = lower < *height ? lower : *height - 1;
        lower = lower > least ? around + gf_bands_stride(bands, lower) : least;
        if (*bands->reason || lower >= *height) {
            return fail_memory(plan, *bytes, error);
        }
        *height = lower;
        GF_TRY(measure(plan, *height, bytes, error));
    }
    return GF_OK;
}

gf_status gf_bands_choose(gf_plan *plan, gf_error *error)
{
    struct gf_bands *bands = &plan->bands;
    if (plan->device == GF_DEVICE_REFERENCE) {
        snprintf(bands->reason, sizeof bands->reason, "the reference works on whole pictures");
    }
    int64_t height = *bands->reason ? plan->input.height : wanted_height(plan);
    bands->holds_input = bands->sweeps > 1 && plan->options.stream_rows != 0;
    GF_TRY(fit(plan, &height, &plan->memory, error));
    bands->height = height;
    if (height < plan->input.height) {
        int64_t stride = gf_bands_stride(bands, height);
        bands->count = 1 + (plan->input.height - height + stride - 1) / stride;
    } else {
        bands->sweeps = 1; /* all is there at once */
        bands->holds_input = false;
    }
    return GF_OK;
}
