// Calls of NPP that move pixels, and that make others where a matrix finds them.
#include "npp_calls.h"

namespace
{

// Warps by the matrix of WARP in npp_rows.cpp.
void warp(const call &c, int filter)
{
    const double m[2][3] = {{0.985, -0.174, 430}, {0.174, 0.985, -640}};
    const NppiRect all = {0, 0, c.size.width, c.size.height};
    must(nppiWarpAffine_8u_C3R_Ctx(c.in, c.size, 3 * c.size.width, all, c.out, 3 * c.size.width, all, m,
                                   filter, c.context),
         "warp");
}

} // namespace

void npp::crop(const call &c) // as CROP
{
    const NppiSize size = {7000, 4000};
    const Npp8u *from = c.in + (static_cast<size_t>(160) * static_cast<size_t>(c.size.width) + 340) * 3;
    must(nppiCopy_8u_C3R_Ctx(from, 3 * c.size.width, c.out, 3 * size.width, size, c.context), "crop");
}

void npp::pad(const call &c)
{
    const NppiSize size = {c.size.width + 128, c.size.height + 128};
    must(nppiCopyReplicateBorder_8u_C3R_Ctx(c.in, 3 * c.size.width, c.size, c.out, 3 * size.width, size, 64,
                                            64, c.context),
         "pad");
}

void npp::pad_constant(const call &c)
{
    const NppiSize size = {c.size.width + 128, c.size.height + 128};
    const Npp8u value[3] = {102, 102, 102};
    must(nppiCopyConstBorder_8u_C3R_Ctx(c.in, 3 * c.size.width, c.size, c.out, 3 * size.width, size, 64, 64,
                                        value, c.context),
         "pad");
}

// Axes of NPP are those that stay.
void npp::flip(const call &c)
{
    must(nppiMirror_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, NPP_VERTICAL_AXIS,
                               c.context),
         "flip");
}

void npp::flip_y(const call &c)
{
    must(nppiMirror_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, NPP_HORIZONTAL_AXIS,
                               c.context),
         "flip y");
}

void npp::transpose(const call &c)
{
    must(nppiTranspose_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.height, c.size, c.context),
         "transpose");
}

// Clockwise; NPP's angles go the other way around the first pixel, so that the picture is moved back.
void npp::rotate(const call &c)
{
    const NppiRect from = {0, 0, c.size.width, c.size.height}, to = {0, 0, c.size.height, c.size.width};
    must(nppiRotate_8u_C3R_Ctx(c.in, c.size, 3 * c.size.width, from, c.out, 3 * c.size.height, to, 270,
                               c.size.height - 1, 0, NPPI_INTER_NN, c.context),
         "rotate");
}

void npp::resize_box(const call &c) // means of areas: the only one of NPP's filters that is antialiased
{
    const NppiSize size = {1920, 1080};
    const NppiRect from = {0, 0, c.size.width, c.size.height}, to = {0, 0, size.width, size.height};
    must(nppiResize_8u_C3R_Ctx(c.in, 3 * c.size.width, c.size, from, c.out, 3 * size.width, size, to,
                               NPPI_INTER_SUPER, c.context),
         "resize");
}

void npp::warp_nearest(const call &c)
{
    warp(c, NPPI_INTER_NN);
}

void npp::warp_linear(const call &c)
{
    warp(c, NPPI_INTER_LINEAR);
}

void npp::warp_cubic(const call &c)
{
    warp(c, NPPI_INTER_CUBIC);
}

void npp::warp_projective(const call &c)
{
    const double m[3][3] = {{0.985, -0.174, 430}, {0.174, 0.985, -640}, {1e-5, 2e-5, 1}};
    const NppiRect all = {0, 0, c.size.width, c.size.height};
    must(nppiWarpPerspective_8u_C3R_Ctx(c.in, c.size, 3 * c.size.width, all, c.out, 3 * c.size.width, all, m,
                                        NPPI_INTER_LINEAR, c.context),
         "warp");
}
