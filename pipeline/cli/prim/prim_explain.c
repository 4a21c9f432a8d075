/* prim NAME --explain: what a run would take and launch. Launches are noted where they are made
 * (queue_notes.h), so they are those of the run. Its memory is not there: nothing touches it. */
#include "base/message.h"
#include "gpufilter/pipeline.h"
#include "gpufilter/queue_notes.h"
#include "prim/prim_report.h"

#include <inttypes.h>
#include <string.h>

/* What is known of one variant. */
struct explained {
    struct prim_job *job;
    const gf_variant *variant;
    gf_device device;
    size_t in, out, scratch; /* bytes */
    bool noted;              /* the device's notes are of this variant */
};

/* An address for each block, which only looks like one. */
static void *place(int block)
{
    return (void *)((uintptr_t)(block + 1) << 40);
}

static gf_status note(const struct explained *e, gf_error *error)
{
    struct prim_memory memory = {.scratch = e->scratch > 0 ? place(2 * PRIM_BLOCKS) : NULL,
                                 .scratch_bytes = e->scratch};
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        memory.in[i] = place(i);
        memory.out[i] = place(PRIM_BLOCKS + i);
    }
    CLI_TRY(gf_notes_begin(e->device, error));
    gf_status status = e->job->driver->run(e->job, (gf_queue){e->device, NULL}, &memory, error);
    gf_notes_end(e->device);
    return status;
}

/* ---- Text --------------------------------------------------------------------------------------- */

/* Returns how many launches the kernel of note `index` has, and their blocks; 0 where an earlier note has
 * that kernel. */
static int64_t launches_of(gf_device device, size_t index, uint64_t *blocks)
{
    const gf_queue_note *n, *mine = gf_note_at(device, index);
    int64_t count = 0;
    *blocks = 0;
    for (size_t i = 0; mine->kernel && (n = gf_note_at(device, i)) != NULL; i++) {
        if (n->kernel && !strcmp(n->kernel, mine->kernel)) {
            if (i < index) {
                return 0;
            }
            count++;
            *blocks += (uint64_t)n->grid[0] * n->grid[1] * n->grid[2];
        }
    }
    return count;
}

/* Multiprocessors, which grids that fill a device are made for; 0: unknown. */
static int32_t units_of(gf_device device)
{
    gf_device_description d = {.struct_size = sizeof d};
    gf_context *context = NULL;
    if (gf_context_create(NULL, &context, NULL) != GF_OK ||
        gf_device_describe(context, 1 + device, 1, &d, NULL) != GF_OK) {
        d.units = 0;
    }
    gf_context_destroy(&context);
    return d.units;
}

static void add_launches(const struct explained *e, struct buffer *text)
{
    const gf_queue_note *n;
    uint64_t moves = 0, bytes = 0, launched = 0;
    for (size_t i = 0; (n = gf_note_at(e->device, i)) != NULL; i++) {
        moves += !n->kernel;
        launched += n->kernel != NULL;
        bytes += n->kernel ? 0 : n->bytes;
    }
    buffer_printf(text,
                  "  launches   %" PRIu64 ", on %d multiprocessors; fills and copies %" PRIu64 ", of %" PRIu64
                  " bytes\n",
                  launched, (int)units_of(e->device), moves, bytes);
    buffer_printf(text, "    %-28s %8s %12s %8s %7s\n", "kernel", "launches", "blocks", "threads", "dynamic");
    for (size_t i = 0; (n = gf_note_at(e->device, i)) != NULL; i++) {
        uint64_t blocks;
        const int64_t count = launches_of(e->device, i, &blocks);
        if (count > 0) {
            buffer_printf(text, "    %-28s %8" PRId64 " %12" PRIu64 " %8" PRIu64 " %7" PRIu64 "\n", n->kernel,
                          count, blocks, (uint64_t)n->block[0] * n->block[1] * n->block[2], n->bytes);
        }
    }
}

/* Why there are no notes. */
static const char *why(const struct explained *e)
{
    return !e->variant->cuda ? "none: it runs on the CPU"
           : e->variant->waits
               ? "not told: the call waits for the device, and may launch by what it finds there, as a "
                 "round for each level of a search until one is empty"
               : "only an emulated device tells: a build with -DGPUFILTER_CUDA=EMU";
}

static void add_text(const struct explained *e, struct buffer *text)
{
    buffer_printf(text, "%s, %s on %s: %s\n", e->job->driver->name, e->variant->name,
                  gf_device_kind(e->device), e->variant->summary);
    buffer_printf(text, "  n          %" PRId64 " %s%s%s\n", e->job->n, gf_depth_name(e->job->type),
                  e->job->shape[0] ? ", " : "", e->job->shape);
    buffer_printf(text, "  memory     %zu bytes of inputs, %zu of outputs, %zu of scratch\n", e->in, e->out,
                  e->scratch);
    if (e->job->driver->work) {
        buffer_printf(text, "  arithmetic %.6g operations\n", e->job->driver->work(e->job));
    }
    if (e->noted) {
        add_launches(e, text);
    } else {
        buffer_printf(text, "  launches   %s\n", why(e));
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void add_json(const struct explained *e, struct buffer *text)
{
    const gf_queue_note *n;
    buffer_printf(text, "{\"primitive\":\"%s\",\"algo\":", e->job->driver->name);
    buffer_json_text(text, e->variant->name);
    buffer_printf(text, ",\"device\":\"%s\",\"n\":%" PRId64 ",\"type\":\"%s\"", gf_device_kind(e->device),
                  e->job->n, gf_depth_name(e->job->type));
    buffer_printf(text, ",\"in_bytes\":%zu,\"out_bytes\":%zu,\"scratch_bytes\":%zu,\"operations\":", e->in,
                  e->out, e->scratch);
    buffer_printf(text, e->job->driver->work ? "%.17g" : "null",
                  e->job->driver->work ? e->job->driver->work(e->job) : 0);
    buffer_add(text, e->noted ? ",\"queued\":[" : ",\"queued\":null,\"why\":");
    if (!e->noted) {
        buffer_json_text(text, why(e));
    }
    for (size_t i = 0; e->noted && (n = gf_note_at(e->device, i)) != NULL; i++) {
        buffer_add(text, i > 0 ? ",\n  " : "\n  ");
        if (n->kernel) {
            buffer_printf(
                text,
                "{\"kernel\":\"%s\",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"dynamic_shared\":", n->kernel,
                n->grid[0], n->grid[1], n->grid[2], n->block[0], n->block[1], n->block[2]);
            buffer_printf(text, "%" PRIu64 "}", n->bytes);
        } else {
            buffer_printf(text, "{\"kernel\":null,\"bytes\":%" PRIu64 "}", n->bytes);
        }
    }
    buffer_add(text, e->noted ? "]}" : "}");
}

/* ---- All of it ------------------------------------------------------------------------------------- */

static gf_status explain(struct explained *e, const struct prim_how *how, gf_error *error)
{
    struct prim_job *job = e->job;
    *job->array =
        (gf_array_options){e->variant->name, job->type, how->threads, how->block, how->tile, how->k};
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        e->in += (size_t)job->in[i].n * gf_depth_size(job->in[i].type);
        e->out += (size_t)job->out[i].n * gf_depth_size(job->out[i].type);
    }
    CLI_TRY(job->driver->scratch(job, e->device, &e->scratch, error));
    gf_status status = e->variant->cuda && !e->variant->waits ? note(e, error) : GF_ERROR_UNSUPPORTED;
    e->noted = status == GF_OK;
    return status == GF_ERROR_UNSUPPORTED ? GF_OK : status;
}

/* A variant runs here if it is asked for; "auto" of CUDA before that of the CPU. */
static bool is_wanted(const gf_variant *v, const struct prim_how *how, const char *primitive, bool all)
{
    const bool here = how->device == GF_DEVICE_AUTO || (how->device >= 0) == (v->cuda != 0);
    const bool better =
        how->device == GF_DEVICE_AUTO && !v->cuda && prim_has_variant(primitive, v->name, true);
    return here && (all || (!strcmp(v->name, how->algo) && !better));
}

gf_status prim_explain(struct prim_job *job, const struct prim_how *how, bool json, struct buffer *text)
{
    const bool all = !strcmp(how->algo, "all");
    const char *name = job->driver->name;
    const gf_variant *v;
    bool any = false;
    for (size_t i = 0; (v = gf_primitive_variant(name, i)) != NULL; i++) {
        gf_error error = GF_ERROR_INIT;
        struct explained e = {job, v,    v->cuda ? how->device > 0 ? how->device : 0 : GF_DEVICE_CPU, 0, 0,
                              0,   false};
        if (!is_wanted(v, how, name, all)) {
            continue;
        }
        const gf_status status = explain(&e, how, &error);
        if (status != GF_OK && !all) {
            return cli_fail_error(status, &error);
        }
        if (status == GF_OK) {
            buffer_add(text, json && all ? any ? ",\n " : "[" : "");
            json ? add_json(&e, text) : add_text(&e, text);
            any = true;
        }
    }
    buffer_add(text, json ? all ? "]\n" : "\n" : "");
    return any ? GF_OK
               : cli_fail(GF_ERROR_UNSUPPORTED, "%s has no variant '%s' on %s", name, how->algo,
                          gf_device_kind(how->device));
}
