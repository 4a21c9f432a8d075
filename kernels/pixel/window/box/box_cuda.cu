/* Boxes on CUDA: a march for bytes and small radii, and a way through scratch for all. */
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/window_cuda.cuh"

/* Samples that a box sums across, and down. */
static int64_t gf_box_across(const struct gf_pass *pass)
{
    const struct gf_box_args *box = &pass->window.args.box;
    return gf_box_width(box->radius_x, box->turns_x, pass->width, pass->window.border);
}
static int64_t gf_box_down(const struct gf_pass *pass)
{
    const struct gf_box_args *box = &pass->window.args.box;
    return gf_box_width(box->radius_y, box->turns_y, pass->height, pass->window.border);
}

/* Largest sum of an integer box; 0 when it does not fit the divider's 62 bits. */
static uint64_t gf_box_largest(const struct gf_pass *pass)
{
    const gf_u128 area = static_cast<gf_u128>(gf_box_across(pass)) * static_cast<gf_u128>(gf_box_down(pass));
    const gf_u128 largest = area * (pass->window.depth_in == GF_U8 ? 255U : 65535U);
    return largest >> 61 ? 0 : static_cast<uint64_t>(largest);
}

static enum gf_window_kind gf_box_kind(const struct gf_pass *pass)
{
    const uint64_t largest = gf_box_largest(pass);
    if (largest == 0 || largest > UINT32_MAX) {
        return GF_BOX_U64;
    }
    return pass->window.depth_in == GF_U8 && gf_box_across(pass) <= 257 ? GF_BOX_U16 : GF_BOX_U32;
}

static gf_status gf_box_divider(const struct gf_pass *pass, struct gf_window_params *p, gf_error *error)
{
    const int64_t area = gf_box_across(pass) * gf_box_down(pass);
    const uint64_t largest = gf_box_largest(pass);
    p->area = static_cast<float>(area);
    if (pass->window.depth_in == GF_F32) {
        return GF_OK;
    }
    if (!gf_divider_make(static_cast<uint64_t>(area), largest, &p->divider)) {
        return gf_fail(error, GF_ERROR_LIMIT, "box: a window of radius %lld x %lld has sums over 61 bits",
                       static_cast<long long>(p->rx), static_cast<long long>(p->ry));
    }
    if (largest <= UINT32_MAX) { /* leaves a multiplier of 0 where there is none */
        (void)gf_divider32_make(static_cast<uint32_t>(area), static_cast<uint32_t>(largest), &p->divider32);
    }
    if (pass->window.args.box.floors && !GF_FAULT(cuda_local_mean)) {
        p->divider.half = 0;
        p->divider32.half = 0;
    }
    return GF_OK;
}

static size_t gf_box_middle(const struct gf_pass *pass)
{
    const bool wide = pass->window.depth_in != GF_F32 && gf_box_kind(pass) == GF_BOX_U64;
    return gf_window_middle_bytes(pass, pass->window.channels_in, wide ? 8 : 4);
}

static gf_status gf_box_launch(const struct gf_pass_args *args, const struct gf_run *run,
                               const struct gf_scratch_layout *layout, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    struct gf_window_params p = gf_window_params();
    p.planes = window->channels_in;
    p.rx = window->args.box.radius_x;
    p.ry = window->args.box.radius_y;
    p.turns_x = window->args.box.turns_x;
    p.turns_y = window->args.box.turns_y;
    GF_TRY(gf_box_divider(run->pass, &p, error));
    return gf_window_launch(window->depth_in == GF_F32 ? GF_BOX_F32 : gf_box_kind(run->pass), &p, args, run,
                            layout, error);
}

/* Is all that follows the comparison of bytes with their mean, less an offset that is an integer? */
static bool gf_only_compares(const struct gf_pass *pass)
{
    const struct gf_insn *insn = pass->post.insn;
    return pass->post.n == 1 && insn->code == GF_INSN_EXCEEDS && insn->operand == GF_OPERAND_CENTRE &&
           insn->mask == 1 && insn->arg == 0 && insn->roi == GF_NONE && pass->window.args.box.floors &&
           insn->k[1] == 255.0F && insn->k[0] >= -255.0F && insn->k[0] <= 255.0F &&
           insn->k[0] == static_cast<float>(static_cast<int32_t>(insn->k[0]));
}

static bool gf_takes_march(const struct gf_pass *pass)
{
    const struct gf_box_args *s = &pass->window.args.box;
    return pass->window.depth_in == GF_U8 &&
           (gf_march_takes(pass) || (gf_only_compares(pass) && gf_march_fits(pass))) &&
           s->radius_x <= GF_MARCH_BOX_RADIUS && s->radius_y <= GF_MARCH_BOX_RADIUS &&
           s->radius_x + s->radius_y > 0 && s->turns_x == 0 && s->turns_y == 0;
}

const struct gf_path gf_paths_cuda_box[] = {
    GF_PATH_CUDA("march-box", gf_takes_march, gf_march_box_launch, nullptr, GF_PATH_PREPARES),
    GF_PATH_CUDA("lines-box", nullptr, gf_box_launch, gf_box_middle, 0), GF_PATHS_END};
