/* The definition of the product with slices: digits of every element, then V and one rounding each. */
#include "base/float_mode.h"
#include "linear/matmul/matmul_slices_cpu.h"

struct judge {
    const struct gf_matmul_call *call;
    int32_t *rows, *columns; /* scales */
    uint32_t *a, *b;         /* digits: m x k, n x k */
};

static size_t lay_out(struct judge *judge, void *memory)
{
    const struct gf_matmul_call *c = judge->call;
    size_t used = 0;
    judge->rows = gf_scratch_take(memory, &used, (size_t)c->m * sizeof *judge->rows);
    judge->columns = gf_scratch_take(memory, &used, (size_t)c->n * sizeof *judge->columns);
    judge->a = gf_scratch_take(memory, &used, (size_t)(c->m * c->k) * sizeof *judge->a);
    judge->b = gf_scratch_take(memory, &used, (size_t)(c->n * c->k) * sizeof *judge->b);
    return used;
}

size_t gf_matmul_slices_sequential_scratch(const struct gf_matmul_call *call)
{
    struct judge judge = {.call = call};
    return lay_out(&judge, NULL);
}

/* Scale and digits of each side, and how many are plain. */
static int64_t cut(const struct gf_matmul_call *call, const struct gf_matrix *matrix, int64_t sides,
                   int64_t side_stride, int64_t step_stride, int32_t *scales, uint32_t *digits)
{
    int64_t plain = 0;
    for (int64_t s = 0; s < sides; s++) {
        const float *from = (const float *)matrix->data + s * side_stride;
        struct gf_slices_side side = {0, 0, 0};
        for (int64_t l = 0; l < call->k; l++) {
            gf_slices_look(&side, from[l * step_stride]);
        }
        scales[s] = gf_slices_scale(side, call->slices);
        plain += scales[s] == GF_SLICES_PLAIN;
        for (int64_t l = 0; l < call->k; l++) {
            digits[s * call->k + l] = gf_slices_digits(from[l * step_stride], gf_slices_first(scales[s]),
                                                       gf_slices_second(scales[s]), call->slices);
        }
    }
    return plain;
}

static float chain(const struct gf_matmul_call *call, int64_t i, int64_t j)
{
    const float *a = call->a.data, *b = call->b.data;
    float sum = 0;
    for (int64_t l = 0; l < call->k; l++) {
        sum = gf_fma(a[i * call->a.row + l * call->a.column], b[l * call->b.row + j * call->b.column], sum);
    }
    return gf_canonical(sum);
}

/* V of digits a and b. */
static int64_t exact_sum(const struct gf_matmul_call *call, const uint32_t *a, const uint32_t *b)
{
    int64_t sum = 0;
    for (int64_t l = 0; l < call->k; l++) {
        for (int32_t i = 0; i < call->slices; i++) {
            for (int32_t j = 0; i + j < call->slices; j++) {
                sum += (int64_t)gf_slices_digit(a[l], i, call->slices) *
                       gf_slices_digit(b[l], j, call->slices) *
                       (INT64_C(1) << 8 * (call->slices - 1 - i - j));
            }
        }
    }
    return sum;
}

void gf_matmul_slices_sequential(const struct gf_matmul_call *call)
{
    struct judge judge = {.call = call};
    gf_float_mode saved;
    float *c = call->array.out;
    lay_out(&judge, call->array.scratch);
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    const int64_t rows = cut(call, &call->a, call->m, call->a.row, call->a.column, judge.rows, judge.a);
    const int64_t columns = cut(call, &call->b, call->n, call->b.column, call->b.row, judge.columns, judge.b);
    for (int64_t i = 0; i < call->m; i++) {
        for (int64_t j = 0; j < call->n; j++) {
            c[i * call->ldc + j] =
                judge.rows[i] == GF_SLICES_PLAIN || judge.columns[j] == GF_SLICES_PLAIN
                    ? chain(call, i, j)
                    : gf_slices_finish(exact_sum(call, judge.a + i * call->k, judge.b + j * call->k),
                                       judge.rows[i], judge.columns[j], call->slices);
        }
    }
    if (call->plain) {
        call->plain[0] = rows;
        call->plain[1] = columns;
    }
    gf_float_mode_restore(&saved);
}
