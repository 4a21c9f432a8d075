/* The judge: how a list of ops is run. */
#include "base/gf_num.h"
#include "check.h"
#include "op_case.h"

#include <fenv.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#define REQUIRE_RUN(in, out) REQUIRE(op_case_run(in, out, 0, NULL, NULL) == GF_OK)

static gf_status reversed(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)error;
    if (in->shape.depth != GF_U8 || out->shape.width != in->shape.width) {
        return GF_ERROR_ARGUMENT;
    }
    for (int64_t x = 0; x < in->shape.width; x++) {
        ((uint8_t *)out->data)[x] =
            (uint8_t)(((const uint8_t *)in->data)[in->shape.width - 1 - x] + *(const int *)args);
    }
    return GF_OK;
}

static gf_status refuses(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)in;
    (void)out;
    (void)args;
    (void)error;
    return GF_ERROR_LIMIT;
}

static void call_runs_on_the_host(void)
{
    static const int add = 1;
    const uint8_t in[3] = {10, 20, 30};
    const uint8_t expected[3] = {31, 21, 11};
    uint8_t out[3] = {0};
    gf_error error = GF_ERROR_INIT;
    op_case_begin(GF_U8, 1, 3, 1);
    struct gf_op *op = op_case_op(GF_OP_CALL, 0, op_case_picture(GF_U8, 1, 3, 1));
    op->u.call = (struct gf_call){.host = reversed, .args = &add, .in = 0, .out = op->out};
    REQUIRE_RUN(in, out);
    CHECK_MEM(out, expected, sizeof out);
    op->u.call.host = refuses;
    op->stage = 7;
    CHECK_EQ_INT(op_case_run(in, out, 0, NULL, &error), GF_ERROR_LIMIT);
    CHECK_EQ_INT(error.stage, 7);
}

static void pitches_and_shapes(void)
{
    const uint8_t in[8] = {1, 2, 99, 99, 3, 4, 99, 99};
    const uint8_t expected[6] = {2, 3, 77, 4, 5, 77};
    uint8_t out[6];
    memset(out, 77, sizeof out);
    op_case_begin(GF_U8, 1, 2, 2);
    op_case_insn(op_case_point(GF_U8, 1), GF_INSN_AFFINE, 1, 1);
    gf_image from = op_case_image(0, in);
    gf_image to = op_case_image(1, out);
    from.pitch = 4;
    to.pitch = 3;
    CHECK_EQ_INT(gf_reference_run(&op_case.list, &from, &to, NULL, NULL), GF_OK);
    CHECK_MEM(out, expected, sizeof out);
    to.shape.depth = GF_U16;
    CHECK_EQ_INT(gf_reference_run(&op_case.list, &from, &to, NULL, NULL), GF_ERROR_ARGUMENT);
}

static void the_callers_arithmetic_does_not_matter(void)
{
    const float in[2] = {0x1p-149F, 1.0F};
    float out[2];
    op_case_begin(GF_F32, 1, 2, 1);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_AFFINE, 1.0F, 0x1p-30F);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_AFFINE, 1.0F, -0x1p-30F);
    op_case_insn(op_case_point(GF_F32, 1), GF_INSN_AFFINE, 0x1p-140F, 0.0F);
    fesetround(FE_UPWARD);
#ifdef __SSE2__
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040U); /* flush subnormals to zero, read them as zero */
#endif
    gf_status status = op_case_run(in, out, 0, NULL, NULL);
#ifdef __SSE2__
    CHECK((_mm_getcsr() & 0x8040U) == 0x8040U);
    _mm_setcsr(before);
#endif
    CHECK(fegetround() == FE_UPWARD);
    fesetround(FE_TONEAREST);
    REQUIRE(status == GF_OK);
    CHECK_EQ_INT(gf_float_bits(out[0]), 0);      /* 2^-30 + 2^-149 rounds down to 2^-30 */
    CHECK_EQ_INT(gf_float_bits(out[1]), 1 << 9); /* 2^-140, a subnormal */
}

#ifdef __SANITIZE_ADDRESS__
/* Lets calloc return NULL as it does elsewhere. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

static void no_memory_is_an_error(void)
{
    const uint8_t in[1] = {1};
    uint8_t out[1] = {0};
    op_case_begin(GF_U8, 1, 1, 1);
    op_case_picture(GF_U64, 1, (int64_t)1 << 30, (int64_t)1 << 30); /* 2^63 bytes */
    op_case.list.output = 0;
    CHECK_EQ_INT(op_case_run(in, out, 0, NULL, NULL), GF_ERROR_MEMORY);
}

static const struct check_case cases[] = {
    {"call runs on the host", call_runs_on_the_host},
    {"pitches and shapes", pitches_and_shapes},
    {"the caller's arithmetic does not matter", the_callers_arithmetic_does_not_matter},
    {"no memory is an error", no_memory_is_an_error},
};
CHECK_MAIN(cases)
