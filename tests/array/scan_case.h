/* Runs a variant of scan. */
#ifndef SCAN_CASE_H
#define SCAN_CASE_H

#include "array_case.h"
#include "check.h"

#include "gpufilter/scan.h"

static inline gf_scan_options options_of(gf_scan_op op, bool inclusive, gf_depth type, gf_depth out,
                                         const char *algo)
{
    gf_scan_options options = GF_SCAN_OPTIONS_INIT;
    options.op = op;
    options.inclusive = inclusive;
    options.out = out;
    options.array.type = type;
    options.array.algo = algo;
    return options;
}

struct place { /* of the arrays, in elements beyond an aligned address */
    int32_t in, out;
    bool in_place;
};

/* Runs one variant; result: n elements. */
static inline gf_status scan(gf_device device, gf_scan_options options, const void *data, int64_t n,
                             struct place place, void *result)
{
    gf_error error = GF_ERROR_INIT;
    struct array_memory in = {0}, out = {0}, scratch = {0};
    size_t size = gf_depth_size(options.array.type), to = gf_depth_size(options.out), bytes = 0;
    gf_status status = gf_scan_scratch(device, &options, n, &bytes, &error);
    if (status != GF_OK) {
        return status;
    }
    bool made = array_memory_make(&in, device, (size_t)n * size, (size_t)place.in * size) &&
                array_memory_make(&out, device, (size_t)n * to, (size_t)place.out * to) &&
                array_memory_make(&scratch, device, bytes, 0);
    CHECK(made);
    if (made) {
        struct array_memory *target = place.in_place ? &in : &out;
        array_memory_upload(&in, data);
        status = gf_scan((gf_queue){device, NULL}, &options, in.data, n, target->data, scratch.data, bytes,
                         &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
        array_memory_download(target, result);
    }
    array_memory_end(&in, "the input");
    array_memory_end(&out, "the output");
    array_memory_end(&scratch, "the scratch");
    return status;
}

#endif
