/* "transform": two products by gf_matmul, on the CPU and on CUDA alike. What is to be multiplied from the
 * right must have its channels apart; from the left they may lie side by side, as more columns. */
#include "pixel/whole/dct/transform.h"

#include "base/status.h"
#include "base/team.h"
#include "gpufilter/matmul.h"

struct matrix {
    float *data;
    int64_t ld; /* elements from row to row */
};

/* The products: the sizes of each, as gf_matmul has them. */
struct work {
    const struct gf_apply_run *run;
    struct gf_transform_args args;
    int64_t width, height, columns, rows; /* of in[0] and out[0] */
    int32_t channels;
    bool apart;            /* whether the first product is of planes */
    int64_t first, second; /* elements of scratch for what lies between */
    gf_matmul_options options;
};

static struct work begin(const struct gf_apply_run *run)
{
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    struct work work = {.run = run,
                        .width = in->width,
                        .height = in->height,
                        .columns = out->width,
                        .rows = out->height,
                        .channels = in->channels,
                        .options = GF_MATMUL_OPTIONS_INIT};
    gf_args_get(&run->apply->args, &work.args, sizeof work.args);
    work.options.array.threads = run->threads;
    work.apart = work.args.right && work.channels > 1;
    const int64_t between = work.columns * work.height * work.channels;
    const int64_t planes = work.apart ? work.width * work.height * work.channels : 0;
    const bool both = work.args.right && work.args.left;
    work.first = planes > between || !both ? planes : between;
    work.second = work.apart ? between : 0;
    return work;
}

/* c = a b, of m x k and k x n. */
static gf_status product(const struct work *work, struct matrix a, struct matrix b, struct matrix c,
                         int64_t m, int64_t k, int64_t n, void *scratch, gf_error *error)
{
    gf_matmul_options options = work->options;
    size_t bytes;
    options.lda = a.ld;
    options.ldb = b.ld;
    options.ldc = c.ld;
    GF_TRY(gf_matmul_scratch(work->run->queue.device, &options, m, k, n, &bytes, error));
    return gf_matmul(work->run->queue, &options, a.data, b.data, m, k, n, c.data, scratch, bytes, error);
}

static size_t rounded_up(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* The greatest scratch of both products. */
static size_t product_scratch(const struct work *work)
{
    const gf_device device = work->run->queue.device;
    size_t right = 0, left = 0;
    if (work->args.right) {
        gf_matmul_scratch(device, &work->options, work->height * work->channels, work->width, work->columns,
                          &right, NULL);
    }
    if (work->args.left) {
        gf_matmul_scratch(device, &work->options, work->rows, work->height, work->columns * work->channels,
                          &left, NULL);
    }
    return right > left ? right : left;
}

static size_t transform_scratch(const struct gf_apply_run *run)
{
    const struct work work = begin(run);
    return rounded_up((size_t)work.first * sizeof(float)) + rounded_up((size_t)work.second * sizeof(float)) +
           product_scratch(&work);
}

/* ---- channels apart ---- */

struct copy {
    const struct gf_planar *p;
    bool split;
};

static void copy_part(void *argument, int i, int n)
{
    const struct copy *copy = argument;
    const struct gf_planar *p = copy->p;
    for (int64_t y = p->height * i / n; y < p->height * (i + 1) / n; y++) {
        float *row = (float *)((char *)p->rows + y * p->pitch);
        for (int32_t c = 0; c < p->channels; c++) {
            float *plane = p->planes + (c * p->height + y) * p->width;
            for (int64_t x = 0; x < p->width; x++) {
                if (copy->split) {
                    plane[x] = row[x * p->channels + c];
                } else {
                    row[x * p->channels + c] = plane[x];
                }
            }
        }
    }
}

static gf_status copy_planes(const struct work *work, const struct gf_planar *p, bool split, gf_error *error)
{
    const struct gf_apply_run *run = work->run;
    if (run->queue.device >= 0) {
        return gf_transform_planes_cuda(run->queue, p, split, error);
    }
    struct copy copy = {p, split};
    (void)error;
    gf_team_run(run->team, run->threads, copy_part, &copy);
    return GF_OK;
}

/* ---- the run ---- */

static struct matrix operand(const struct gf_apply_run *run, int32_t i)
{
    const struct gf_value *value = &run->in_values[i];
    const struct matrix m = {run->in[i].data,
                             value->is_block ? value->width : run->in[i].pitch / (int64_t)sizeof(float)};
    return m;
}

/* v from `from` times the matrix on its right. `first` and `second`: memory for planes. */
static gf_status from_right(const struct work *work, struct matrix from, struct matrix to, float *first,
                            float *second, void *scratch, gf_error *error)
{
    const struct matrix right = operand(work->run, 1);
    if (!work->apart) {
        return product(work, from, right, to, work->height, work->width, work->columns, scratch, error);
    }
    const struct gf_planar in = {
        from.data, from.ld * (int64_t)sizeof(float), first, work->width, work->height, work->channels};
    const struct gf_planar out = {
        to.data, to.ld * (int64_t)sizeof(float), second, work->columns, work->height, work->channels};
    const struct matrix planes = {first, work->width}, made = {second, work->columns};
    GF_TRY(copy_planes(work, &in, true, error));
    GF_TRY(product(work, planes, right, made, work->height * work->channels, work->width, work->columns,
                   scratch, error));
    return copy_planes(work, &out, false, error);
}

static gf_status transform(const struct gf_apply_run *run, gf_error *error)
{
    const struct work work = begin(run);
    const struct gf_plane *out = &run->out[0];
    float *first = run->scratch;
    float *second = (float *)((char *)run->scratch + rounded_up((size_t)work.first * sizeof(float)));
    char *scratch = (char *)second + rounded_up((size_t)work.second * sizeof(float));
    struct matrix v = operand(run, 0);
    const struct matrix to = {out->data, out->pitch / (int64_t)sizeof(float)};
    const struct matrix between = {first, work.columns * work.channels};
    if (work.args.right) {
        const struct matrix made = work.args.left ? between : to;
        GF_TRY(from_right(&work, v, made, first, second, scratch, error));
        v = made;
    }
    if (!work.args.left) {
        return GF_OK;
    }
    return product(&work, operand(run, 1 + work.args.right), v, to, work.rows, work.height,
                   work.columns * work.channels, scratch, error);
}

static void transform_works(const struct gf_apply *apply, const struct gf_value *in,
                            const struct gf_value *out, double amounts[GF_WORKS])
{
    struct gf_transform_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const double columns = (double)out->width * out->channels;
    amounts[GF_WORK_PRODUCT] += columns * ((args.right ? (double)in->height * (double)in->width : 0) +
                                           (args.left ? (double)out->height * (double)in->height : 0));
}

const struct gf_kernel gf_kernel_transform = {
    .name = "transform",
    .kind = GF_KERNEL_WHOLE,
    .words = "a product with a matrix from either side",
    .apply = {.cpu = transform, .cuda = transform, .scratch = transform_scratch, .works = transform_works},
    .judge = gf_judge_transform,
};
