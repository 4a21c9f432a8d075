#include "array/common/variant.h"

#include "array/common/vendor.h"
#include "base/device.h"
#include "base/processors.h"
#include "base/text.h"

#include <string.h>

const struct gf_array_variant *gf_array_variant_at(const struct gf_array_primitive *primitive, size_t index)
{
    const struct gf_array_variant *v = primitive->variants;
    for (; v->info.name && (!v->info.cuda || gf_cuda_backend()); v++) { /* those of CUDA come last */
        if (index-- == 0) {
            return v;
        }
    }
    v = gf_vendor_variants(primitive->info.name);
    for (; v && v->info.name; v++) {
        if (index-- == 0) {
            return v;
        }
    }
    return NULL;
}

const struct gf_array_variant *gf_array_missing_at(const struct gf_array_primitive *primitive, size_t index)
{
    const struct gf_array_variant *v = primitive->variants;
    for (; v->info.name && !gf_cuda_backend(); v++) {
        if (v->info.cuda && index-- == 0) {
            return v;
        }
    }
    return NULL;
}

/* ---- Checks ---------------------------------------------------------------------------- */

static bool runs_on(const gf_variant *v, gf_device device)
{
    return v->cuda ? device >= 0 : device == GF_DEVICE_CPU;
}

static void append_names(struct gf_text *text, const struct gf_array_primitive *primitive, gf_device device)
{
    const struct gf_array_variant *v;
    for (size_t i = 0; (v = gf_array_variant_at(primitive, i)) != NULL; i++) {
        if (runs_on(&v->info, device)) {
            gf_text_append(text, "%s%s", text->length > 0 ? ", " : "", v->info.name);
        }
    }
}

static gf_status fail_unknown(const struct gf_array_primitive *primitive, const struct gf_array_call *call,
                              const char *name, gf_error *error)
{
    char names[320];
    struct gf_text text = gf_text_begin(names, sizeof names);
    append_names(&text, primitive, call->queue.device);
    if (text.length == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s has no variant for CUDA devices: %s",
                       primitive->info.name, gf_cuda_missing());
    }
    return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s has no variant '%s' on %s; there are: %s",
                   primitive->info.name, name, call->queue.device < 0 ? "the CPU" : "CUDA devices", names);
}

void gf_array_type_names(struct gf_text *text, uint32_t types)
{
    for (int depth = 0; depth < 32; depth++) {
        if ((types & GF_TYPE_BIT(depth)) != 0) {
            gf_text_append(text, "%s%s", text->length > 0 ? ", " : "", gf_depth_name((gf_depth)depth));
        }
    }
}

static gf_status check_type(const struct gf_array_primitive *primitive, const gf_variant *v, gf_depth type,
                            gf_error *error)
{
    char names[80];
    struct gf_text text = gf_text_begin(names, sizeof names);
    if ((unsigned)type < 32 && (v->types & GF_TYPE_BIT(type)) != 0) {
        return GF_OK;
    }
    gf_array_type_names(&text, v->types);
    return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s, variant %s, takes no %s; it takes: %s",
                   primitive->info.name, v->name, gf_depth_name(type), names);
}

static gf_status check_options(const struct gf_array_primitive *primitive, const struct gf_array_call *call,
                               gf_error *error)
{
    const gf_array_options *o = &call->options;
    if (call->n < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: n is %lld, must be at least 0", primitive->info.name,
                       (long long)call->n);
    }
    if (call->queue.device < 0 && call->queue.device != GF_DEVICE_CPU) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the device is %d, must be the CPU or a CUDA device",
                       primitive->info.name, call->queue.device);
    }
    if (o->threads < 0 || o->tile < 0 || o->unroll < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: threads, tile and unroll must not be negative",
                       primitive->info.name);
    }
    if (o->block < 0 || o->block > 1024 || o->block % 32 != 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: block is %d, must be a multiple of 32 up to 1024",
                       primitive->info.name, o->block);
    }
    return GF_OK;
}

gf_status gf_array_find(const struct gf_array_primitive *primitive, const struct gf_array_call *call,
                        const struct gf_array_variant **variant, gf_error *error)
{
    const char *name = call->options.algo ? call->options.algo : "auto";
    const struct gf_array_variant *v;
    GF_TRY(check_options(primitive, call, error));
    for (size_t i = 0; (v = gf_array_variant_at(primitive, i)) != NULL; i++) {
        if (!strcmp(v->info.name, name) && runs_on(&v->info, call->queue.device)) {
            break;
        }
    }
    if (!v) {
        return fail_unknown(primitive, call, name, error);
    }
    GF_TRY(check_type(primitive, &v->info, call->options.type, error));
    if (v->info.max_n > 0 && call->n > v->info.max_n) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s, variant %s, takes at most %lld elements, not %lld",
                       primitive->info.name, name, (long long)v->info.max_n, (long long)call->n);
    }
    if (v->check) {
        GF_TRY(v->check(call, error));
    }
    *variant = v;
    return GF_OK;
}

gf_status gf_array_check_capacity(const char *name, int64_t capacity, gf_error *error)
{
    return capacity < 0 ? gf_fail(error, GF_ERROR_ARGUMENT, "%s: the capacity is %lld, must be at least 0",
                                  name, (long long)capacity)
                        : GF_OK;
}

gf_status gf_array_check_segments(const char *name, int64_t n, int64_t segments, gf_error *error)
{
    if (segments < 0 || segments > INT64_C(1) << 48 || n > INT64_C(1) << 48 || (n > 0 && segments == 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: %lld elements in %lld segments: must be 0 to 2^48 of each, and without segments "
                       "there are no elements",
                       name, (long long)n, (long long)segments);
    }
    return GF_OK;
}

static gf_status check_memory(const struct gf_array_operand *operand, gf_error *error)
{
    if (!operand->memory && operand->n > 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", operand->name);
    }
    if ((uintptr_t)operand->memory % operand->alignment != 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is not aligned to %zu bytes", operand->name,
                       operand->alignment);
    }
    return GF_OK;
}

/* ---- Running --------------------------------------------------------------------------- */

gf_status gf_array_scratch(const struct gf_array_primitive *primitive, const struct gf_array_call *call,
                           size_t *bytes, gf_error *error)
{
    const struct gf_array_variant *v = NULL;
    if (!bytes) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: bytes is NULL", primitive->info.name);
    }
    GF_TRY(gf_array_find(primitive, call, &v, error));
    *bytes = v->scratch ? v->scratch(call) : 0;
    return GF_OK;
}

gf_status gf_array_run(const struct gf_array_primitive *primitive, struct gf_array_call *call,
                       const struct gf_array_operand *operands, void *scratch, size_t scratch_bytes,
                       gf_error *error)
{
    const struct gf_array_variant *v = NULL;
    GF_TRY(gf_array_find(primitive, call, &v, error));
    for (; operands->name; operands++) {
        GF_TRY(check_memory(operands, error));
    }
    size_t needed = v->scratch ? v->scratch(call) : 0;
    if (needed > scratch_bytes) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s needs %zu bytes of scratch, not %zu",
                       primitive->info.name, needed, scratch_bytes);
    }
    const struct gf_array_operand work = {"the scratch memory", scratch, needed > 0,
                                          needed > 0 ? GF_ARRAY_ALIGNMENT : 1};
    GF_TRY(check_memory(&work, error));
    call->scratch = scratch;
    call->scratch_bytes = scratch_bytes;
    return v->run(call, error);
}

int32_t gf_array_threads(const struct gf_array_call *call, int64_t pays)
{
    enum { MOST = 256, LEAST_ELEMENTS = 1 << 15 };
    bool asked = call->options.threads > 0;
    int32_t threads = asked ? call->options.threads : gf_processors();
    int64_t useful = call->n / (asked ? LEAST_ELEMENTS : pays) + 1;
    threads = threads < MOST ? threads : MOST;
    return (int32_t)(threads < useful ? threads : useful);
}
