/* How high the bands of a plan are: what the caches hold, what is asked for, what memory allows. */
#include "base/gf_num.h"
#include "lang/pipeline.h"
#include "pixel/ir/kernel_table.h"
#include "plan/band_view.h"
#include "plan/bands.h"

#include <stdio.h>

#define LEAST_BYTES (4 * GF_BAND_THREAD_BYTES) /* so much stays in the caches from decoding to encoding */
#define MOST_BYTES  (16 * GF_BAND_THREAD_BYTES)
#define GPU_BYTES   (8 * GF_BAND_THREAD_BYTES) /* on a GPU; copies take several times what begins them */
#define LEAST_ROWS  16                         /* that a band makes; fewer are all overhead */
#define LEAST_SHARE 4                          /* rows made for each one read again, unless memory is short */
#define MOST_BANDS  4096 /* that are not steady: each is looked at when the plan is made */
#define MOST_TRIES  8    /* at a height that just fits; then it is halved */

static uint64_t pitch_of(const gf_plan *plan, int32_t picture)
{
    return (uint64_t)gf_buffers_pitch(&plan->lowered.list.values[picture]);
}

/* Bands that advance by `stride` rows of the input: what they hold. *falls: rows are needed again that a band
 * before has left behind. `all`: counts each band; else some of very many, for the least that all hold. */
static gf_status measure(const gf_plan *plan, int64_t stride, bool all, struct gf_bands *bands, bool *falls,
                         gf_error *error)
{
    int64_t lead = bands->steady ? bands->above : 0, rest = plan->input.height - lead - stride;
    rest -= bands->steady ? bands->below : 0; /* which the last band but one has anyway */
    *falls = false;
    bands->stride = stride;
    bands->lead = lead;
    bands->count = 1 + (rest > 0 ? (rest + stride - 1) / stride : 0);
    bands->every = all || bands->steady ? 1 : 1 + (bands->count - 1) / (2 * MOST_BANDS);
    bands->height = bands->made = 0;
    bands->above = bands->steady ? bands->above : 0; /* guessed until now */
    bands->below = bands->steady ? bands->below : 0;
    bands->arena = 0;
    for (int32_t sweep = 0; sweep < bands->sweeps; sweep++) {
        struct gf_band_view view;
        GF_TRY(gf_band_view_create(plan, bands, sweep, &view, error));
        bands->arena = view.buffers.total > bands->arena ? view.buffers.total : bands->arena;
        bands->height = gf_greatest(bands->height, view.read);
        bands->made = gf_greatest(bands->made, view.stored);
        bands->above = gf_greatest(bands->above, view.above);
        bands->below = gf_greatest(bands->below, view.below);
        *falls = *falls || view.falls;
        gf_band_view_free(&view);
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
    return blocks * (whole ? 1 : 2) + lowered->field_bytes - (whole ? 0 : lowered->gathered_bytes);
}

/* Bytes for the bands, or for the whole: buffers, results, and the pictures that no caller holds. */
static uint64_t bytes_of(const gf_plan *plan, const struct gf_bands *bands)
{
    const struct gf_op_list *list = &plan->lowered.list;
    bool streams = plan->options.stream_rows != 0, whole = bands->count == 1;
    const uint64_t runners = whole ? 1 : (uint64_t)bands->runners;
    uint64_t bytes = whole ? plan->buffers.total : runners * bands->arena;
    bytes += gf_plan_result_bytes(plan, whole);
    if (streams) {
        int64_t held = whole || bands->holds_input ? plan->input.height : 2 * bands->height;
        bytes += (uint64_t)held * pitch_of(plan, list->input);
    }
    if (list->input != list->output && (streams || !whole)) {
        int64_t made = whole ? list->values[list->output].height : bands->made;
        bytes += runners * (uint64_t)made * pitch_of(plan, list->output);
    }
    return bytes;
}

/* Cuts the plan so, and says what it takes; beyond the limit perhaps more than it does. Where a map takes one
 * row of many, bands that have none of them need nothing, and those after them rows from far above: they have
 * to be higher than that. */
static gf_status cut(const gf_plan *plan, int64_t stride, struct gf_bands *bands, uint64_t *bytes,
                     gf_error *error)
{
    bool falls = true;
    for (bool all = false; falls || bands->every > 1; all = !falls) {
        GF_TRY(measure(plan, stride, all, bands, &falls, error));
        bands->height = bands->count > 1 ? bands->height : plan->input.height;
        *bytes = bytes_of(plan, bands);
        if (!falls && plan->options.memory_limit && *bytes > plan->options.memory_limit) {
            break;
        }
        stride *= falls ? 2 : 1;
    }
    return GF_OK;
}

/* Bytes that a row of the input brings along: its own, or those that are made of it, where these are more. */
static int64_t row_bytes(const gf_plan *plan)
{
    const struct gf_op_list *list = &plan->lowered.list;
    const int64_t made =
        (int64_t)pitch_of(plan, list->output) * list->values[list->output].height / plan->input.height;
    return gf_greatest(made, (int64_t)pitch_of(plan, list->input));
}

/* The rows of input by which bands shall advance, where memory does not matter. 0: no bands. */
static int64_t wanted_stride(const gf_plan *plan, const struct gf_bands *bands)
{
    int64_t around = bands->above + bands->below, rows = plan->options.stream_rows;
    const bool gpu = plan->device >= 0;
    if (rows == 0 || (rows < 0 && gpu && bands->sweeps > 1)) { /* a second sweep would copy all again */
        return 0;
    }
    if (rows < 0) {
        int64_t bytes = plan->threads * GF_BAND_THREAD_BYTES / 2; /* others decode and encode */
        bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : bytes;
        bytes = gpu ? GPU_BYTES : bytes;
        if (gpu && plan->input.height < 2 * bytes / (int64_t)pitch_of(plan, plan->lowered.list.input)) {
            return 0; /* a part of a band more would cost its memory, and gain nothing */
        }
        rows = bytes / (gpu ? (int64_t)pitch_of(plan, plan->lowered.list.input) : row_bytes(plan));
        rows = rows > LEAST_SHARE * around ? rows : LEAST_SHARE * around;
        rows = rows > LEAST_ROWS ? rows : LEAST_ROWS;
    }
    if (!bands->steady && rows < plan->input.height / MOST_BANDS) {
        rows = plan->input.height / MOST_BANDS;
    }
    rows = rows < plan->input.height ? rows : plan->input.height; /* any number may be asked for */
    rows = (rows + bands->align - 1) / bands->align * bands->align;
    return rows < plan->input.height - around ? rows : 0;
}

static gf_status fail_memory(const gf_plan *plan, const char *reason, uint64_t bytes, gf_error *error)
{
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

/* Lowers bands that advance by `stride` rows, or makes them, until their bytes are within the limit. */
static gf_status fit(const gf_plan *plan, int64_t stride, struct gf_bands *bands, uint64_t *bytes,
                     gf_error *error)
{
    uint64_t limit = plan->options.memory_limit;
    int64_t around = bands->above + bands->below;
    *bytes = bytes_of(plan, bands);
    GF_TRY(stride ? cut(plan, stride, bands, bytes, error) : GF_OK);
    stride = bands->count > 1 ? bands->stride : 0;
    if (limit && *bytes > limit && bands->holds_input) { /* better read twice than in lower bands */
        bands->holds_input = false;
        *bytes = bytes_of(plan, bands);
    }
    for (int tries = 0; limit && *bytes > limit; tries++) {
        const double share = tries < MOST_TRIES ? 0.97 * (double)limit / (double)*bytes : 0.5;
        int64_t height = stride ? stride + around : plan->input.height;
        int64_t lower = (int64_t)((double)height * share);
        lower = ((lower < height ? lower : height - 1) - around) / bands->align * bands->align;
        lower = lower > bands->align ? lower : bands->align;
        if (*bands->reason || lower >= (stride ? stride : height - around)) {
            return fail_memory(plan, bands->reason, *bytes, error);
        }
        GF_TRY(cut(plan, lower, bands, bytes, error));
        if (*bytes > limit && stride && bands->stride >= stride) {
            return fail_memory(plan, bands->reason, *bytes, error);
        }
        stride = bands->stride;
    }
    return GF_OK;
}

/* Returns how many work on bands at the same time: on a GPU two, so that one copies while the other filters,
 * but where a tap goes on in each band from what it left in the one before. */
static int32_t runners_of(const gf_plan *plan)
{
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        for (int32_t i = 0; step->kind == GF_STEP_PASS && i < step->u.pass->n_taps; i++) {
            if (gf_tap_continues(step->u.pass, &step->u.pass->taps[i])) {
                return 1;
            }
        }
    }
    return plan->device >= 0 ? 2 : 1;
}

gf_status gf_bands_choose(const gf_plan *plan, struct gf_bands *chosen, uint64_t *memory, gf_error *error)
{
    struct gf_bands bands = plan->bands;
    for (int32_t s = 0; s < plan->steps.n && plan->device >= 0 && !*bands.reason; s++) {
        if (gf_step_gathers(&plan->steps.step[s])) {
            const int32_t stage = plan->steps.step[s].first_stage;
            snprintf(bands.reason, sizeof bands.reason, "stage %d '%s' works on the whole picture on a GPU",
                     stage + 1, plan->pipeline->nodes[stage].type->name);
        }
    }
    if (plan->device == GF_DEVICE_REFERENCE) {
        snprintf(bands.reason, sizeof bands.reason, "the reference works on whole pictures");
    }
    bands.runners = runners_of(plan);
    if (bands.keeps != GF_NONE && plan->device == GF_DEVICE_CPU) {
        bands.above = bands.below = 0; /* no row is read twice */
    } else {
        bands.keeps = GF_NONE;
    }
    bands.holds_input = bands.sweeps > 1 && plan->options.stream_rows != 0;
    GF_TRY(fit(plan, *bands.reason ? 0 : wanted_stride(plan, &bands), &bands, memory, error));
    if (bands.count == 1) {
        bands.sweeps = bands.runners = 1; /* all is there at once */
        bands.holds_input = false;
    }
    *chosen = bands;
    return GF_OK;
}
