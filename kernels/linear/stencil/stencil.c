#include "gpufilter/stencil.h"

#include "linear/stencil/stencil_call.h"

#include "base/sized.h"

#include <math.h>
#include <stdbool.h>

#define MOST_ROWS 65535 /* a grid has as many rows of blocks, which may be a row high */
#define TYPES     (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))

/* ---- What the published ones take ---------------------------------------------------------------------- */

static gf_status check_cross(const struct gf_array_call *array, gf_error *error)
{
    static const int32_t y[] = {-1, 0, 0, 0, 1}, x[] = {0, -1, 0, 1, 0};
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    bool is_cross = call->count == 5;
    for (int t = 0; is_cross && t < 5; t++) {
        is_cross = call->taps[t].y == y[t] && call->taps[t].x == x[t];
    }
    if (!is_cross || (call->rows + GF_STENCIL_SIDE) * call->columns > INT32_MAX || call->rows > MOST_ROWS) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "stencil, variant %s, takes windows of five points, as the text has, and at most %d "
                       "rows and 2^31 - 1 elements; sequential and auto take others",
                       array->options.algo, MOST_ROWS);
    }
    return GF_OK;
}

static gf_status check_shared(const struct gf_array_call *array, gf_error *error)
{
    const int32_t tile = array->options.tile;
    if (tile != 0 && tile != 8 && tile != 16 && tile != 32) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil, variant shared: tile is %d, must be 8, 16 or 32",
                       tile);
    }
    return check_cross(array, error);
}

static gf_status check_texture(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    if (call->columns > GF_STENCIL_TEXTURE_COLUMNS || call->rows > GF_STENCIL_TEXTURE_ROWS) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "stencil, variant texture: %lld x %lld elements, a texture has at most %d rows of %d",
                       (long long)call->rows, (long long)call->columns, GF_STENCIL_TEXTURE_ROWS,
                       GF_STENCIL_TEXTURE_COLUMNS);
    }
    return check_cross(array, error);
}

/* ---- Variants ------------------------------------------------------------------------------------------ */

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", .types = TYPES, .deterministic = 1},
     .scratch = gf_stencil_plain_scratch,
     .run = gf_stencil_sequential},
    {{"auto", "bands of rows, through several steps at a time", "threads", .types = TYPES,
      .deterministic = 1},
     .scratch = gf_stencil_cpu_scratch,
     .run = gf_stencil_cpu},
    {{"auto", "strips of columns, through several steps at a time; large windows by tiles", "",
      .types = TYPES, .cuda = 1, .deterministic = 1},
     .scratch = gf_stencil_cuda_scratch,
     .run = gf_stencil_cuda},
    {{"naive", "five points of f32, a thread an element", "block=256", .types = GF_TYPE_BIT(GF_F32),
      .cuda = 1, .deterministic = 1},
     .check = check_cross,
     .scratch = gf_stencil_plain_scratch,
     .run = gf_stencil_naive_cuda},
    {{"shared", "the same, a tile and its halo in shared memory", "tile=16", .types = GF_TYPE_BIT(GF_F32),
      .cuda = 1, .deterministic = 1},
     .check = check_shared,
     .scratch = gf_stencil_plain_scratch,
     .run = gf_stencil_shared_cuda},
    {{"texture", "the same, a thread an element, which reads its neighbours through a texture", "block=256",
      .types = GF_TYPE_BIT(GF_F32), .cuda = 1, .deterministic = 1, .waits = 1},
     .check = check_texture,
     .scratch = gf_stencil_texture_scratch,
     .run = gf_stencil_texture_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_stencil = {
    {"stencil", "a weighted sum of each element's neighbourhood, step by step"}, variants};

size_t gf_stencil_plain_scratch(const struct gf_array_call *array)
{
    return gf_stencil_turns(array, gf_stencil_call_of(array)->steps);
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Adds a tap, and lets the window reach it. */
static gf_status add_tap(struct gf_stencil_call *call, int32_t y, int32_t x, double weight, gf_error *error)
{
    const bool is_float = call->array.options.type == GF_F32;
    const double rounded = is_float ? (double)(float)weight : weight;
    if (rounded == 0) {
        return GF_OK;
    }
    if (!isfinite(rounded)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil: a weight is %g, must be finite%s", weight,
                       is_float ? ", and in f32 too" : "");
    }
    if (call->count == GF_STENCIL_TAPS) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "stencil: more than %d weights are not 0",
                       GF_STENCIL_TAPS);
    }
    call->taps[call->count++] = (struct gf_stencil_tap){y, x, (float)rounded, rounded};
    call->up = most(call->up, -y);
    call->down = most(call->down, y);
    call->left = most(call->left, -x);
    call->right = most(call->right, x);
    return GF_OK;
}

static gf_status read_window(const gf_stencil_window *given, struct gf_stencil_call *call, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_stencil_window, weights);
    gf_stencil_window w = {.struct_size = sizeof w};
    GF_TRY(gf_struct_in(&sized, given, &w, error));
    if (w.rows < 1 || w.rows > GF_STENCIL_SIDE || w.columns < 1 || w.columns > GF_STENCIL_SIDE) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil: a window of %d x %d, must be 1 to %d each", w.rows,
                       w.columns, GF_STENCIL_SIDE);
    }
    if (!w.weights) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the window's weights are NULL");
    }
    for (int32_t j = 0; j < w.rows; j++) {
        for (int32_t i = 0; i < w.columns; i++) {
            GF_TRY(add_tap(call, j - (w.rows - 1) / 2, i - (w.columns - 1) / 2, w.weights[j * w.columns + i],
                           error));
        }
    }
    if (call->count == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil: all weights are 0");
    }
    return GF_OK;
}

static gf_status describe(gf_queue queue, const gf_stencil_options *options, const gf_stencil_window *window,
                          int64_t rows, int64_t columns, struct gf_stencil_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_stencil_options, value, o, GF_STENCIL_OPTIONS_INIT, options, error);
    if (rows < 0 || columns < 0 || (rows > 0 && columns > (INT64_C(1) << 48) / rows)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "stencil: a matrix of %lld x %lld: must have 0 to 2^48 elements", (long long)rows,
                       (long long)columns);
    }
    if (o.steps < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil: %lld steps, must be at least 0",
                       (long long)o.steps);
    }
    if (o.border < GF_BORDER_REPLICATE || o.border > GF_BORDER_CONSTANT) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stencil: the border is %d, must be one of gf_border",
                       (int)o.border);
    }
    *call = (struct gf_stencil_call){
        .array = {.queue = queue, .options = o.array, .n = rows * columns},
        .rows = rows,
        .columns = columns,
        .steps = o.steps > 0 ? o.steps : 1,
        .border = o.border,
        .value = o.array.type == GF_F32 ? (double)(float)o.value : o.value,
    };
    return read_window(window, call, error);
}

gf_status gf_stencil_scratch(gf_device device, const gf_stencil_options *options,
                             const gf_stencil_window *window, int64_t rows, int64_t columns, size_t *bytes,
                             gf_error *error)
{
    struct gf_stencil_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, window, rows, columns, &call, error));
    return gf_array_scratch(&gf_primitive_stencil, &call.array, bytes, error);
}

gf_status gf_stencil(gf_queue queue, const gf_stencil_options *options, const gf_stencil_window *window,
                     const void *in, int64_t rows, int64_t columns, void *out, void *scratch,
                     size_t scratch_bytes, gf_error *error)
{
    struct gf_stencil_call call;
    GF_TRY(describe(queue, options, window, rows, columns, &call, error));
    const size_t size = gf_depth_size(call.array.options.type);
    call.array.in = in;
    call.array.out = out;
    const struct gf_array_operand operands[] = {
        {"the matrix", in, call.array.n, size},
        {"the result", out, call.array.n, size},
        {0},
    };
    return gf_array_run(&gf_primitive_stencil, &call.array, operands, scratch, scratch_bytes, error);
}
