/* The rank window on CUDA: which way takes which window, and what is around it. */
#include "pixel/window/rank/rank_cuda.h"

#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/u8_cuda.h"

/* ---- a job of a pass -------------------------------------------------------------------------------- */

static int64_t gf_rank_pitch(const struct gf_pass *pass)
{
    return (pass->width * pass->window.channels_in * gf_sample_bytes(pass->window.depth_out) + 255) / 256 *
           256;
}

/* Is the window's output what the pass stores? */
static bool gf_rank_is_direct(const struct gf_pass *pass)
{
    return pass->post.n == 0 && pass->post.depth_out == pass->window.depth_out;
}

static size_t gf_rank_output_bytes(const struct gf_pass *pass)
{
    return gf_rank_is_direct(pass) ? 0 : static_cast<size_t>(gf_rank_pitch(pass) * pass->height);
}

/* The key of a fill. */
static uint32_t gf_rank_fill(float fill, gf_depth depth)
{
    const float v = gf_quantise_to(fill, depth);
    return depth == GF_F32 ? gf_float_key(v) : static_cast<uint32_t>(v);
}

/* The pass around a job: what makes the window's input before it, and the program after it, which reads the
 * window's output in scratch. Where the run only prepares, the way alone is asked. */
static gf_status gf_rank_around(const struct gf_pass_args *args, const struct gf_run *run,
                                const struct gf_scratch_layout *layout, gf_rank_queue queue, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_window *window = &pass->window;
    unsigned char *const middle = static_cast<unsigned char *>(run->scratch) + layout->middle;
    struct gf_pass_args with = *args;
    struct gf_rank_job job = {};
    if (!gf_only_prepares(run)) {
        GF_TRY(gf_window_input(&with, run, layout, error));
    }
    job.in = with.operand[GF_OPERAND_CENTRE];
    job.in.channels = window->channels_in;
    job.in.depth = window->depth_in;
    job.out = {middle, gf_rank_pitch(pass), window->channels_in, window->depth_out};
    job.out = gf_rank_is_direct(pass) ? with.out : job.out;
    job.width = pass->width;
    job.height = pass->height;
    job.args = gf_rank_args_of(window);
    job.border = window->border;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        job.fill[c] = gf_rank_fill(window->fill[c], window->depth_in);
    }
    GF_TRY(queue(&job, run, middle + gf_rank_output_bytes(pass), error));
    if (gf_rank_is_direct(pass) || gf_only_prepares(run)) {
        return GF_OK;
    }
    return gf_window_output(&with, &job.out, run, error);
}

/* ---- the ways --------------------------------------------------------------------------------------- */

enum { GF_RANK_TILE_LEAST = 1, GF_RANK_TILE_MOST = 7 };

static bool gf_rank_takes_march(const struct gf_pass *pass)
{
    const struct gf_rank_args args = gf_rank_args_of(&pass->window);
    return gf_rank_is_median(&args) && args.radius_x == 1 && args.radius_y == 1 && gf_march_takes(pass);
}

static bool gf_rank_takes_tile(const struct gf_pass *pass)
{
    const struct gf_rank_args args = gf_rank_args_of(&pass->window);
    return gf_rank_is_median(&args) && args.radius_x == args.radius_y &&
           args.radius_x >= GF_RANK_TILE_LEAST && args.radius_x <= GF_RANK_TILE_MOST &&
           pass->width <= GF_STRIP_SIDE && pass->height <= GF_STRIP_SIDE;
}

static gf_status gf_rank_tile_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                     const struct gf_scratch_layout *layout, gf_error *error)
{
    static const gf_rank_queue queues[] = {gf_rank_tile_queue_3, gf_rank_tile_queue_5,  gf_rank_tile_queue_7,
                                           gf_rank_tile_queue_9, gf_rank_tile_queue_11, gf_rank_tile_queue_13,
                                           gf_rank_tile_queue_15};
    const struct gf_rank_args rank = gf_rank_args_of(&run->pass->window);
    return gf_rank_around(args, run, layout, queues[rank.radius_x - GF_RANK_TILE_LEAST], error);
}

static gf_status gf_rank_slide_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                      const struct gf_scratch_layout *layout, gf_error *error)
{
    return gf_rank_around(args, run, layout, gf_rank_slide_queue, error);
}

static size_t gf_rank_slide_middle(const struct gf_pass *pass)
{
    return gf_rank_output_bytes(pass) + gf_rank_slide_bytes(pass);
}

static gf_status gf_rank_each_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                     const struct gf_scratch_layout *layout, gf_error *error)
{
    return gf_rank_around(args, run, layout, gf_rank_each_queue, error);
}

const struct gf_path gf_paths_cuda_rank[] = {
    GF_PATH_CUDA("march-median", gf_rank_takes_march, gf_rank_march_launch, nullptr, GF_PATH_PREPARES),
    GF_PATH_CUDA("networks", gf_rank_takes_tile, gf_rank_tile_launch, gf_rank_output_bytes, GF_PATH_PREPARES),
    GF_PATH_CUDA("column-histograms", gf_rank_slide_takes, gf_rank_slide_launch, gf_rank_slide_middle, 0),
    GF_PATH_CUDA("digits", nullptr, gf_rank_each_launch, gf_rank_output_bytes, GF_PATH_PREPARES),
    GF_PATHS_END};
