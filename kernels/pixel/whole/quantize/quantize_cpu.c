/* quantize on the CPU: cells are counted, the palette is found, and rows are made, of the whole or by bands.
 */
#include "pixel/whole/quantize/quantize_cpu.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Sets the quantizer's arrays; returns how many bytes they take. */
static size_t lay_out(struct gf_quantizer *q, char *memory)
{
    const size_t cells = (size_t)gf_quantize_cells(q->channels),
                 colour = (size_t)gf_quantize_colour_channels(q->channels);
    const size_t sums = cells * (size_t)(1 + q->channels) * sizeof *q->sums, list = cells * sizeof *q->list;
    const size_t line = (size_t)(q->width + 2) * colour * sizeof *q->line;
    if (memory) {
        q->sums = (uint64_t *)(void *)memory;
        q->list = (int32_t *)(void *)(memory + sums);
        q->line = (int16_t *)(void *)(memory + sums + list);
        q->carry = (int16_t *)(void *)(memory + sums + list + line);
    }
    return sums + list + line + (size_t)q->height * colour * sizeof *q->carry;
}

static void begin(struct gf_quantizer *q, const struct gf_apply_run *run)
{
    gf_args_get(&run->apply->args, &q->args, sizeof q->args);
    q->channels = run->in_values[0].channels;
    q->width = run->in_values[0].width;
    q->height = run->in_values[0].height;
    q->next = 0;
}

static size_t scratch(const struct gf_apply_run *run)
{
    struct gf_quantizer q;
    if (run->queue.device >= 0) {
        return gf_quantize_cuda_scratch(run);
    }
    begin(&q, run);
    return lay_out(&q, NULL);
}

static void clear(struct gf_quantizer *q)
{
    memset(q->sums, 0, (size_t)((char *)q->list - (char *)q->sums));
    memset(q->line, 0, (size_t)((char *)q->carry - (char *)q->line));
}

static void count(const struct gf_quantizer *q, const struct gf_apply_run *run)
{
    for (int64_t y = 0; y < run->in[0].rows.count; y++) {
        const uint8_t *pixel = (const uint8_t *)run->in[0].data + y * run->in[0].pitch;
        for (int64_t x = 0; x < q->width; x++, pixel += q->channels) {
            uint64_t *sums = q->sums + (int64_t)gf_quantize_cell(pixel, q->channels) * (1 + q->channels);
            sums[0]++;
            for (int32_t c = 0; c < q->channels; c++) {
                sums[1 + c] += pixel[c];
            }
        }
    }
}

static bool is_given(const struct gf_apply *apply)
{
    return apply->in[1] != GF_NONE;
}

static void take(struct gf_quantizer *q, const void *given)
{
    if (given) {
        memcpy(q->palette, given, sizeof q->palette);
        gf_quantize_spread_planes(q);
    } else {
        gf_quantize_find(q);
    }
}

static gf_status quantize_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_quantizer q = {.next = 0};
    (void)error;
    begin(&q, run);
    lay_out(&q, run->scratch);
    clear(&q);
    if (!is_given(run->apply)) {
        count(&q, run);
    }
    take(&q, is_given(run->apply) ? run->in[1].data : NULL);
    memcpy(run->out[1].data, q.palette, sizeof q.palette);
    if (run->out[0].data) {
        gf_quantize_rows(&q, run);
    }
    return GF_OK;
}

/* ---- by bands ---- */

struct state {
    struct gf_quantizer q;
    char *memory;
    size_t size;
};

static gf_status create(void **state, gf_error *error)
{
    *state = calloc(1, sizeof(struct state));
    return gf_need_memory(*state != NULL, error);
}

static void destroy(void *opaque)
{
    struct state *state = opaque;
    if (state) {
        free(state->memory);
        free(state);
    }
}

static gf_status gather(void *opaque, const struct gf_apply_run *run, gf_error *error)
{
    struct state *state = opaque;
    if (run->in[0].rows.first == 0) {
        begin(&state->q, run);
        const size_t size = lay_out(&state->q, NULL);
        if (size > state->size) {
            free(state->memory);
            state->size = 0;
            state->memory = malloc(size);
            GF_TRY(gf_need_memory(state->memory != NULL, error));
            state->size = size;
        }
        lay_out(&state->q, state->memory);
        clear(&state->q);
        state->q.palette[0] = 0;
        if (is_given(run->apply)) {
            take(&state->q, run->in[1].data);
        }
    }
    if (!is_given(run->apply)) {
        count(&state->q, run);
    }
    return GF_OK;
}

static gf_status solve(void *opaque, const struct gf_apply *apply, void *blocks[GF_MAX_OPERANDS],
                       gf_error *error)
{
    struct state *state = opaque;
    (void)error;
    if (!is_given(apply)) {
        gf_quantize_find(&state->q);
    }
    memcpy(blocks[1], state->q.palette, sizeof state->q.palette);
    return GF_OK;
}

static gf_status make(void *opaque, const struct gf_apply_run *run, gf_error *error)
{
    struct state *state = opaque;
    const struct gf_rows rows = run->in[0].rows;
    if (rows.first == 0) {
        state->q.next = 0;
        memset(state->q.line, 0, (size_t)((char *)state->q.carry - (char *)state->q.line));
    }
    if (rows.first != state->q.next) {
        return gf_fail(error, GF_ERROR_INTERNAL,
                       "quantize goes on at row %lld, but a band begins at row %lld",
                       (long long)state->q.next, (long long)rows.first);
    }
    gf_quantize_rows(&state->q, run);
    state->q.next = rows.first + rows.count;
    return GF_OK;
}

static const struct gf_by_bands by_bands = {create, destroy, gather, solve, make};

const struct gf_kernel gf_kernel_quantize = {
    .name = "quantize",
    .kind = GF_KERNEL_WHOLE,
    .words = "few colours, found and put in place",
    .apply = {.cpu = quantize_cpu, .cuda = gf_quantize_cuda, .scratch = scratch, .by_bands = &by_bands},
    .judge = gf_judge_quantize,
};
