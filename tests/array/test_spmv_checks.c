/* Sparse matrices that are wrong: gf_csr_check finds where, and products refuse. */
#include "spmv_case.h"

static void expect_bad(gf_device device, const struct sparse *s, int64_t expected)
{
    struct array_memory m[ARRAYS], bad;
    const gf_queue queue = {device, NULL};
    gf_error error = GF_ERROR_INIT;
    int64_t found = 77;
    const gf_csr matrix = upload(s, GF_F32, device, m);
    CHECK(array_memory_make(&bad, device, sizeof found, 0));
    gf_status status = gf_csr_check(queue, &matrix, bad.data, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s", error.message);
    array_memory_download(&bad, &found);
    CHECK_EQ_INT(found, expected);
    array_memory_free(&bad);
    release(m);
}

static void checks(gf_device device)
{
    static const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX, 1000000};
    struct sparse s = sparse_make(GF_F32, 300, 50, 6, 4, ARRAY_RANDOM, 2),
                  none = sparse_make(GF_F32, 0, 3, 0, 0, 0, 1);
    expect_bad(device, &s, -1);
    expect_bad(device, &none, -1);
    none.offsets[0] = 1;
    expect_bad(device, &none, 0);
    for (int i = 0; i < 4; i++) {
        const int64_t before = s.offsets[200];
        s.offsets[200] = wrong[i];
        expect_bad(device, &s, 199);
        s.offsets[200] = before;
    }
    s.offsets[0] = 1;
    expect_bad(device, &s, 0);
    s.offsets[0] = 0;
    s.entries++; /* an entry that no row has */
    s.indices = realloc(s.indices, (size_t)s.entries * sizeof *s.indices);
    s.values = realloc(s.values, (size_t)s.entries * sizeof(float));
    expect_bad(device, &s, 300);
    s.entries--;
    const uint32_t before = s.indices[s.offsets[100]];
    s.indices[s.offsets[100]] = 50;
    expect_bad(device, &s, 100);
    s.indices[s.offsets[100]] = UINT32_MAX;
    expect_bad(device, &s, 100);
    s.indices[s.offsets[100]] = before;
    expect_bad(device, &s, -1);
    sparse_free(&s);
    sparse_free(&none);
}

static void cpu_checks(void)
{
    checks(GF_DEVICE_CPU);
}

static void cuda_checks(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    checks(0);
}

static void refusals(void)
{
    struct sparse s = sparse_make(GF_F32, 4, 4, 2, 1, ARRAY_RANDOM, 2);
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_csr m = {sizeof m, 4, 4, s.entries, s.offsets, s.indices, s.values};
    gf_spmv_options o = GF_SPMV_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    float y[4];
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_OK);
    m.offsets = NULL;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "array of offsets is NULL");
    m.offsets = s.offsets;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, NULL, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "vector x is NULL");
    m.columns = 0;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "has no place for");
    m.columns = (INT64_C(1) << 32) + 1;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "at most 2^32 columns");
    m.columns = 4;
    o.array.type = GF_U8;
    CHECK_EQ_INT(gf_spmv(queue, &o, &m, s.x, y, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    sparse_free(&s);
}

static const struct check_case cases[] = {
    {"checks, CPU", cpu_checks},
    {"checks, CUDA", cuda_checks},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
