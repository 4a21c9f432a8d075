/* Passes that load through a move: what they read, and where that needs no moving. */
#include "base/planted_fault.h"
#include "pixel/ir/move.h"

struct gf_moved gf_moved_of(const struct gf_run *run)
{
    const struct gf_pass *pass = run->pass;
    struct gf_moved moved = {.in = run->in.data,
                             .pitch = run->in.pitch,
                             .first = run->in_first,
                             .width = pass->map.width,
                             .height = pass->map.height,
                             .pixel = pass->pre.channels_in * (int64_t)gf_depth_size(pass->pre.depth_in)};
    gf_args_get(&pass->map.move.args, &moved.args, sizeof moved.args);
    moved.args.y0 += GF_FAULT(moved_band) ? 0 : moved.args.step_y * pass->part.top;
    return moved;
}

static bool is_inside(int64_t first, int32_t step, int64_t n, int64_t in)
{
    const int64_t last = first + step * (n - 1);
    return first >= 0 && first < in && last >= 0 && last < in;
}

bool gf_move_is_inside(const struct gf_move_args *args, int64_t in_width, int64_t in_height, int64_t width,
                       int64_t height)
{
    return is_inside(args->x0, args->step_x, args->swapped ? height : width, in_width) &&
           is_inside(args->y0, args->step_y, args->swapped ? width : height, in_height);
}

bool gf_moved_is_view(const struct gf_moved *moved, int64_t width, int64_t height)
{
    return moved->args.step_x > 0 &&
           gf_move_is_inside(&moved->args, moved->width, moved->height, width, height);
}

const char *gf_moved_view(const struct gf_moved *moved)
{
    return moved->in + (moved->args.y0 - moved->first) * moved->pitch + moved->args.x0 * moved->pixel;
}
