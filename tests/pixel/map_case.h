/* map_case.h: runs one APPLY from a picture to a picture (op_case.h) by the judge, on the CPU as a whole and
 * in bands of rows, and on a CUDA device where there is one, and compares every byte, those between rows
 * included. For one test program, one thread. */
#ifndef MAP_CASE_H
#define MAP_CASE_H

#include "pass_cuda_case.h"

#include "base/team.h"

static uint64_t map_state = 1;

static inline uint64_t map_random(uint64_t n)
{
    map_state = map_state * 6364136223846793005U + 1442695040888963407U;
    return (map_state >> 33) % n;
}

static inline unsigned char *map_bytes(size_t n)
{
    unsigned char *bytes = malloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (unsigned char)map_random(256);
    }
    return bytes;
}

/* APPLY from picture 0 to a picture of that depth and size; the caller adds blocks to in[1] and on. */
static inline struct gf_op *map_op(const struct gf_kernel *kernel, gf_depth depth, int64_t width,
                                   int64_t height, const void *args, size_t size)
{
    const int32_t out = op_case_picture(depth, op_case.values[0].channels, width, height);
    struct gf_op *op = op_case_op(GF_OP_APPLY, GF_NONE, out);
    op->u.apply = (struct gf_apply){.kernel = kernel,
                                    .in = {0, GF_NONE, GF_NONE, GF_NONE},
                                    .out = {out, GF_NONE, GF_NONE, GF_NONE},
                                    .args = gf_args_of(args, size)};
    return op;
}

/* Rows of a picture, each with a gap behind it that must stay as it is. */
struct map_rows {
    unsigned char *data;
    int64_t row, pitch, count;
};

static inline struct map_rows map_rows_of(const struct gf_value *v, struct gf_rows rows, const void *packed)
{
    const int64_t row = row_bytes(v); /* every other case has rows of whole words, for what takes no others */
    const int64_t pitch =
        map_state >> 33 & 1 ? (row + 31) / 16 * 16 : row + 5 * (int64_t)gf_depth_size(v->depth);
    struct map_rows r = {NULL, row, pitch, rows.count};
    r.data = malloc((size_t)(r.pitch * r.count));
    memset(r.data, 0xa5, (size_t)(r.pitch * r.count));
    for (int64_t y = 0; packed && y < r.count; y++) {
        memcpy(r.data + y * r.pitch, (const char *)packed + (rows.first + y) * r.row, (size_t)r.row);
    }
    return r;
}

static inline void map_compare(const struct map_rows *r, int64_t first, const unsigned char *expected,
                               const char *what)
{
    for (int64_t i = 0; i < r->pitch * r->count; i++) {
        const int64_t y = i / r->pitch, x = i % r->pitch;
        const int want = x < r->row ? expected[(first + y) * r->row + x] : 0xa5;
        if (r->data[i] != want) {
            CHECK_MSG(0, "%s: byte %lld of row %lld is %d, expected %d", what, (long long)x,
                      (long long)(first + y), r->data[i], want);
            return;
        }
    }
}

static inline void *map_scratch(struct gf_apply_run *run)
{
    const size_t bytes = run->apply->kernel->apply.scratch ? run->apply->kernel->apply.scratch(run) : 0;
    return bytes == 0               ? NULL
           : run->queue.device >= 0 ? device_memory(bytes)
                                    : aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static inline void map_blocks(const struct gf_op *op, struct gf_apply_run *run)
{
    for (int32_t i = 1; i < gf_operand_count(op->u.apply.in); i++) {
        const struct gf_value *v = &op_case.values[op->u.apply.in[i]];
        run->host_in[i] = v->constant;
        run->in[i].data = run->queue.device >= 0 ? to_device(v->constant, (size_t)row_bytes(v))
                                                 : (void *)(uintptr_t)v->constant;
        run->in[i].pitch = row_bytes(v) / v->channels;
    }
}

/* Rows `want` of the output from just the rows of the input that `need` names. */
static inline void map_cpu(const struct gf_op *op, const unsigned char *in, const unsigned char *expected,
                           struct gf_rows want, struct gf_rows need, int threads, const char *what)
{
    struct gf_apply_run run = op_case_apply_run(op);
    struct gf_team *team = gf_team_create(threads);
    struct map_rows from = map_rows_of(&run.in_values[0], need, in);
    struct map_rows to = map_rows_of(&run.out_values[0], want, NULL);
    gf_error error = GF_ERROR_INIT;
    run.threads = threads;
    run.team = team;
    run.in[0] = (struct gf_plane){from.data, from.pitch, need};
    run.out[0] = (struct gf_plane){to.data, to.pitch, want};
    map_blocks(op, &run);
    run.scratch = map_scratch(&run);
    CHECK_MSG(op->u.apply.kernel->apply.cpu(&run, &error) == GF_OK, "%s: %s", what, error.message);
    map_compare(&to, want.first, expected, what);
    gf_team_destroy(team);
    free(run.scratch);
    free(from.data);
    free(to.data);
}

static inline void map_cuda(const struct gf_op *op, const unsigned char *in, const unsigned char *expected,
                            struct gf_rows want, struct gf_rows need, const char *what)
{
    struct gf_apply_run run = op_case_apply_run(op);
    struct map_rows from = map_rows_of(&run.in_values[0], need, in);
    struct map_rows to = map_rows_of(&run.out_values[0], want, NULL);
    const size_t bytes = (size_t)(to.pitch * to.count);
    gf_error error = GF_ERROR_INIT;
    run.queue = queue;
    run.in[0] = (struct gf_plane){to_device(from.data, (size_t)(from.pitch * from.count)), from.pitch, need};
    run.out[0] = (struct gf_plane){to_device(to.data, bytes), to.pitch, want};
    map_blocks(op, &run);
    run.scratch = map_scratch(&run);
    CHECK_MSG(op->u.apply.kernel->apply.cuda(&run, &error) == GF_OK, "%s: %s", what, error.message);
    CHECK_EQ_INT(gf_cuda_backend()->copy(queue, GF_COPY_DOWNLOAD, to.data, (int64_t)bytes, run.out[0].data,
                                         (int64_t)bytes, bytes, 1, NULL),
                 GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->wait(queue, NULL), GF_OK);
    map_compare(&to, want.first, expected, what);
    for (int32_t i = 0; i < gf_operand_count(op->u.apply.in); i++) {
        gf_cuda_backend()->release(queue.device, run.in[i].data);
    }
    gf_cuda_backend()->release(queue.device, run.out[0].data);
    gf_cuda_backend()->release(queue.device, run.scratch);
    free(from.data);
    free(to.data);
}

/* The op, all ways, on these packed samples. */
static inline void map_check(const struct gf_op *op, const unsigned char *in, const char *what)
{
    const struct gf_value *from = &op_case.values[0];
    const struct gf_value *to = &op_case.values[op->u.apply.out[0]];
    const struct gf_kernel *kernel = op->u.apply.kernel;
    const struct gf_rows all = {0, to->height}, whole = {0, from->height};
    unsigned char *expected = map_bytes((size_t)(row_bytes(to) * to->height));
    gf_error error = GF_ERROR_INIT;
    struct gf_rows before = {0, 0};
    REQUIRE(op_case_run(in, expected, 0, NULL, &error) == GF_OK);
    map_cpu(op, in, expected, all, whole, 1, what);
    map_cpu(op, in, expected, all, whole, 3, what);
    if (!no_device()) {
        map_cuda(op, in, expected, all, whole, what);
    }
    for (int64_t y = 0, n; y < to->height; y += n) {
        n = 1 + (int64_t)map_random(9);
        const struct gf_rows want = {y, n < to->height - y ? n : to->height - y};
        struct gf_rows need;
        if (!kernel->map.reach || !kernel->map.reach(&op->u.apply, from, to, want, &need)) {
            break;
        }
        CHECK_MSG(need.first >= before.first && need.first + need.count >= before.first + before.count &&
                      need.first >= 0 && need.count >= 1 && need.first + need.count <= from->height,
                  "%s: rows %lld to %lld are not behind those of the band before", what,
                  (long long)need.first, (long long)(need.first + need.count - 1));
        before = need;
        map_cpu(op, in, expected, want, need, 2, what);
        if (!no_device()) {
            map_cuda(op, in, expected, want, need, what);
        }
    }
    free(expected);
}

#endif
