#include "io/stb/stb_fence.h"

#include "base/status.h"

#include <inttypes.h>
#include <setjmp.h>
#include <string.h>

#define MOST_BLOCKS 8 /* stb holds three at a time */

/* A decoding in progress. stb's hooks for memory and assertions take no argument, so it is a thread's; the
 * functions that give it bytes may begin another one within. */
struct run {
    jmp_buf stop;
    const struct gf_stb_source *source;
    const char *window; /* where stb buffers; any other address wants all it asks for */
    struct gf_budget *budget;
    void *blocks[MOST_BLOCKS];
    void *scratch; /* of an encoding */
    int asserted;
};

static _Thread_local struct run *current;

static void *take_block(size_t size)
{
    for (int i = 0; i < MOST_BLOCKS; i++) {
        if (current->blocks[i] == NULL) {
            current->blocks[i] = gf_budget_alloc(current->budget, size);
            return current->blocks[i] != NULL ? memset(current->blocks[i], 0, size) : NULL;
        }
    }
    return NULL;
}

static void give_block(void *block)
{
    for (int i = 0; i < MOST_BLOCKS && block != NULL; i++) {
        if (current->blocks[i] == block) {
            current->blocks[i] = NULL;
            gf_budget_free(current->budget, block);
            return;
        }
    }
}

static void fail_assertion(void)
{
    current->asserted = 1;
    longjmp(current->stop, 1);
}

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_MAX_DIMENSIONS       (1 << 24)
#define STBI_MALLOC(size)         take_block(size)
#define STBI_FREE(block)          give_block(block)
#define STBI_REALLOC(block, size) NULL /* only of decoders that are left out */
#define STBI_ASSERT(ok)           ((ok) ? (void)0 : fail_assertion())
#include <stb/stb_image.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC                        /* STBI_WRITE_NO_STDIO would leave out HDR as well */
#define STBIW_MALLOC(size)         (current->scratch) /* unchecked there, and only for a row of HDR */
#define STBIW_REALLOC(block, size) ((void)(block), (void)(size), (void *)NULL)
#define STBIW_FREE(block)          ((void)(block))
#define STBIW_ASSERT(ok)           ((void)(ok))
#include <stb/stb_image_write.h>

/* ---- reading ---- */

static int read_source(void *user, char *data, int size)
{
    struct run *run = user;
    const struct gf_stb_source *source = run->source;
    size_t want = (size_t)size, got = 0;
    if (run->window == NULL) {
        run->window = data;
    }
    if (data != run->window) {
        got = gf_bytes_in_read(source->in, data, want);
    } else { /* no more than there is, so that a pipe is not waited for */
        const uint8_t *bytes;
        gf_bytes_in_peek(source->in, &bytes, 1);
        got = source->in->end - source->in->begin;
        got = gf_bytes_in_read(source->in, data, got < want ? got : want);
    }
    if (got == 0 || (got < want && data != run->window)) {
        longjmp(run->stop, 1);
    }
    return (int)got;
}

static void skip_source(void *user, int size)
{
    char ignored[512];
    for (size_t left = size > 0 ? (size_t)size : 0; left > 0;) {
        size_t part = left < sizeof ignored ? left : sizeof ignored;
        read_source(user, ignored, (int)part);
        left -= part;
    }
}

static int at_end(void *user)
{
    struct run *run = user;
    const uint8_t *bytes;
    return gf_bytes_in_peek(run->source->in, &bytes, 1) == 0;
}

int gf_stb_info(const uint8_t *bytes, size_t size, int *width, int *height, int *channels, const char **why)
{
    struct gf_budget none = {0};
    struct run run = {.budget = &none}, *outer = current;
    current = &run;
    int known = 0;
    if (setjmp(run.stop) == 0) {
        known = stbi_info_from_memory(bytes, (int)size, width, height, channels);
    }
    *why = known ? NULL : stbi_failure_reason();
    *why = known || *why != NULL ? *why : "unknown";
    current = outer;
    return known;
}

/* Finds what came of stb: the pixels, NULL where it found fault. 0: it was stopped. */
static int run_decoder(struct run *run, void **pixels, gf_shape *found)
{
    const stbi_io_callbacks callbacks = {read_source, skip_source, at_end};
    int width = 0, height = 0, channels = 0;
    /* Nothing in this frame that is used after setjmp returns again was changed since. */
    if (setjmp(run->stop) != 0) {
        return 0;
    }
    *pixels = stbi_loadf_from_callbacks(&callbacks, run, &width, &height, &channels, 0);
    *found = (gf_shape){width, height, channels, GF_F32};
    return 1;
}

static gf_status explain(const struct run *run, int stopped, gf_error *error)
{
    const struct gf_stb_source *source = run->source;
    if (run->budget->exhausted) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for %s", source->in->label, source->format);
    }
    if (run->budget->refused != 0) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the %" PRIu64
                       " it holds, beyond max_memory, %" PRIu64,
                       source->in->label, run->budget->refused, run->budget->used, run->budget->limit);
    }
    if (stopped && !run->asserted) {
        return gf_bytes_in_fail(source->in, "the samples", error);
    }
    const char *why = run->asserted ? "it contradicts itself" : stbi_failure_reason();
    return gf_fail(error, GF_ERROR_INPUT, "%s: damaged %s, or of a kind that is not read: %s",
                   source->in->label, source->format, why != NULL ? why : "unknown");
}

gf_status gf_stb_decode(const struct gf_stb_source *source, const gf_shape *shape, struct gf_budget *budget,
                        void **pixels, gf_error *error)
{
    struct run run = {.source = source, .budget = budget}, *outer = current;
    gf_shape found = *shape;
    *pixels = NULL;
    current = &run;
    int finished = run_decoder(&run, pixels, &found);
    gf_status status = GF_OK;
    if (!finished || *pixels == NULL) {
        *pixels = NULL;
        status = explain(&run, !finished, error);
    } else if (found.width != shape->width || found.height != shape->height ||
               found.channels != shape->channels) {
        status = gf_fail(error, GF_ERROR_INTERNAL, "%s: stb_image delivers another shape than it announced",
                         source->in->label);
    }
    for (int i = 0; i < MOST_BLOCKS; i++) {
        if (run.blocks[i] != *pixels || status != GF_OK) {
            gf_budget_free(budget, run.blocks[i]);
        }
    }
    if (status != GF_OK) {
        *pixels = NULL;
    }
    current = outer;
    return status;
}

/* ---- writing ---- */

/* A failure is remembered by `out`, and ends there. */
static void write_target(void *user, void *data, int size)
{
    gf_bytes_out_write(user, data, (size_t)size);
}

gf_status gf_stb_encode(struct gf_bytes_out *out, const char *format, const gf_shape *shape,
                        const void *pixels, void *scratch, gf_error *error)
{
    struct run run = {.scratch = scratch}, *outer = current;
    int width = (int)shape->width, height = (int)shape->height, channels = shape->channels;
    current = &run;
    int done = format[0] == 'b' ? stbi_write_bmp_to_func(write_target, out, width, height, channels, pixels)
               : format[0] == 't'
                   ? stbi_write_tga_to_func(write_target, out, width, height, channels, pixels)
                   : stbi_write_hdr_to_func(write_target, out, width, height, channels, pixels);
    current = outer;
    if (out->errno_seen != 0) {
        return gf_bytes_out_fail(out, error);
    }
    return done ? GF_OK : gf_fail(error, GF_ERROR_INTERNAL, "%s: stb_image_write fails", out->label);
}
