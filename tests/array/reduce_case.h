/* reduce_case.h: runs one reduction on guarded memory. */
#ifndef TESTS_REDUCE_CASE_H
#define TESTS_REDUCE_CASE_H

#include "array_case.h"

#include "gpufilter/reduce.h"

/* Runs one variant on an array that may stand `offset` elements off its alignment. result: 16 bytes. */
static inline gf_status reduce(gf_device device, gf_reduce_options options, const void *data, int64_t n,
                               int32_t offset, void *result)
{
    gf_error error = GF_ERROR_INIT;
    struct array_memory in = {0}, out = {0}, scratch = {0};
    size_t size = gf_depth_size(options.array.type), bytes = 0;
    size_t result_bytes = gf_depth_size(gf_reduce_result(options.op, options.array.type)) *
                          (options.op == GF_REDUCE_VAR ? 2 : 1);
    gf_status status = gf_reduce_scratch(device, &options, n, &bytes, &error);
    if (status != GF_OK) {
        return status;
    }
    bool made = array_memory_make(&in, device, (size_t)n * size, (size_t)offset * size) &&
                array_memory_make(&out, device, result_bytes, (size_t)offset % 2 * 8) &&
                array_memory_make(&scratch, device, bytes, 0);
    CHECK(made);
    if (made) {
        array_memory_upload(&in, data);
        status =
            gf_reduce((gf_queue){device, NULL}, &options, in.data, n, out.data, scratch.data, bytes, &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
        array_memory_download(&out, result);
    }
    array_memory_end(&in, "the input");
    array_memory_end(&out, "the output");
    array_memory_end(&scratch, "the scratch");
    return status;
}

static inline gf_reduce_options options_of(gf_reduce_op op, gf_depth type, const char *algo)
{
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    options.op = op;
    options.array.type = type;
    options.array.algo = algo;
    return options;
}

/* Blocks of a variant that has them: the default, and others in turn, some of them no powers of two. */
static inline int32_t some_block(const gf_variant *variant)
{
    static const int32_t blocks[] = {0, 32, 128, 96, 256, 160, 512, 1024, 992};
    static unsigned turn;
    return strstr(variant->parameters, "block=") ? blocks[turn++ % (sizeof blocks / sizeof blocks[0])] : 0;
}

#endif
