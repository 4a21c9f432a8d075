// Calls of NPP on the colours of a pixel.
#include "npp_calls.h"

#include <cuda_runtime.h>

#include <array>

namespace
{

// Numbers in the device's memory, once for the program: NPP looks for tables there.
template <class T, size_t N> const T *on_device(const std::array<T, N> &numbers)
{
    void *made = nullptr;
    must(cudaMalloc(&made, sizeof numbers) == cudaSuccess, "a table", "cudaMalloc failed");
    must(cudaMemcpy(made, numbers.data(), sizeof numbers, cudaMemcpyHostToDevice) == cudaSuccess, "a table",
         "cudaMemcpy failed");
    return static_cast<const T *>(made);
}

void twist(const call &c, const Npp32f (&m)[3][4], const char *what)
{
    must(nppiColorTwist32f_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, m, c.context),
         what);
}

} // namespace

void npp::gray(const call &c)
{
    must(nppiRGBToGray_8u_C3C1R_Ctx(c.in, 3 * c.size.width, c.out, c.size.width, c.size, c.context), "gray");
}

void npp::spread(const call &c)
{
    must(nppiDup_8u_C1C3R_Ctx(c.in, c.size.width, c.out, 3 * c.size.width, c.size, c.context), "rgb");
}

void npp::drop_alpha(const call &c)
{
    const int order[3] = {0, 1, 2};
    must(nppiSwapChannels_8u_C4C3R_Ctx(c.in, 4 * c.size.width, c.out, 3 * c.size.width, c.size, order,
                                       c.context),
         "alpha:drop");
}

void npp::add_alpha(const call &c)
{
    const int order[4] = {0, 1, 2, 3};
    must(nppiSwapChannels_8u_C3C4R_Ctx(c.in, 3 * c.size.width, c.out, 4 * c.size.width, c.size, order, 255,
                                       c.context),
         "alpha:add");
}

void npp::swap(const call &c)
{
    const int order[3] = {2, 1, 0};
    must(nppiSwapChannels_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, order,
                                     c.context),
         "matrix:bgr");
}

void npp::matrix(const call &c)
{
    twist(c, {{0.393F, 0.769F, 0.189F, 0}, {0.349F, 0.686F, 0.168F, 0}, {0.272F, 0.534F, 0.131F, 0}},
          "matrix");
}

void npp::saturation(const call &c) // by 1.6
{
    const Npp32f r = -0.6F * 0.299F, g = -0.6F * 0.587F, b = -0.6F * 0.114F;
    twist(c, {{r + 1.6F, g, b, 0}, {r, g + 1.6F, b, 0}, {r, g, b + 1.6F, 0}}, "saturation");
}

void npp::ycbcr(const call &c)
{
    must(nppiRGBToYCbCr_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, c.context),
         "matrix:ycbcr");
}

void npp::gain(const call &c)
{
    const Npp8u by[3] = {154, 115, 141}; // 128 times GAIN
    must(nppiMulC_8u_C3RSfs_Ctx(c.in, 3 * c.size.width, by, c.out, 3 * c.size.width, c.size, 7, c.context),
         "gain");
}

void npp::invert(const call &c)
{
    must(nppiNot_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, c.context), "invert");
}

void npp::lut(const call &c) // LUT
{
    static const Npp32s *const values = on_device<Npp32s, 6>({0, 26, 89, 178, 230, 255});
    static const Npp32s *const levels = on_device<Npp32s, 6>({0, 51, 102, 153, 204, 255});
    const Npp32s *all_values[3] = {values, values, values}, *all_levels[3] = {levels, levels, levels};
    int n[3] = {6, 6, 6};
    must(nppiLUT_Linear_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, all_values,
                                   all_levels, n, c.context),
         "lut");
}

void npp::cube(const call &c) // CUBE, each colour of which is a word, red in its lowest byte
{
    static const Npp32u *const values = on_device<Npp32u, 8>(
        {0x1a0000, 0x0000ff, 0x00e600, 0x00b2ff, 0xff0000, 0x9900ff, 0xffe600, 0xe6ffff});
    Npp8u ends[2] = {0, 255}, *levels[3] = {ends, ends, ends};
    int n[3] = {2, 2, 2};
    must(nppiLUT_Trilinear_8u_C4R_Ctx(c.in, 4 * c.size.width, c.out, 4 * c.size.width, c.size,
                                      const_cast<Npp32u *>(values), levels, n, c.context),
         "cube");
}

void npp::posterize(const call &c) // to 4 levels, by a table
{
    static const Npp8u *const table = [] {
        std::array<Npp8u, 256> made{};
        for (unsigned i = 0; i < made.size(); i++) {
            made[i] = static_cast<Npp8u>((i * 3 + 127) / 255 * 85);
        }
        return on_device(made);
    }();
    const Npp8u *all[3] = {table, table, table};
    must(
        nppiLUTPalette_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, all, 8, c.context),
        "posterize");
}

void npp::linear(const call &c)
{
    must(nppiGammaInv_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, c.context),
         "linear");
}

void npp::srgb(const call &c)
{
    must(nppiGammaFwd_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, c.context), "srgb");
}

void npp::lab(const call &c)
{
    must(nppiBGRToLab_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, c.context), "lab");
}

void npp::lab_from(const call &c)
{
    must(nppiLabToBGR_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, c.context),
         "lab:from");
}

void npp::difference(const call &c)
{
    must(nppiAbsDiff_8u_C3R_Ctx(c.in, 3 * c.size.width, c.other, 3 * c.size.width, c.out, 3 * c.size.width,
                                c.size, c.context),
         "difference");
}

void npp::add(const call &c)
{
    must(nppiAdd_8u_C3RSfs_Ctx(c.in, 3 * c.size.width, c.other, 3 * c.size.width, c.out, 3 * c.size.width,
                               c.size, 0, c.context),
         "add");
}

void npp::subtract(const call &c) // the first from the second
{
    must(nppiSub_8u_C3RSfs_Ctx(c.other, 3 * c.size.width, c.in, 3 * c.size.width, c.out, 3 * c.size.width,
                               c.size, 0, c.context),
         "subtract");
}

void npp::multiply(const call &c)
{
    must(nppiMulScale_8u_C3R_Ctx(c.in, 3 * c.size.width, c.other, 3 * c.size.width, c.out, 3 * c.size.width,
                                 c.size, c.context),
         "multiply");
}

void npp::half_over(const call &c)
{
    must(nppiAlphaCompC_8u_C3R_Ctx(c.other, 3 * c.size.width, 128, c.in, 3 * c.size.width, 255, c.out,
                                   3 * c.size.width, c.size, NPPI_OP_ALPHA_OVER, c.context),
         "half over");
}

void npp::over(const call &c)
{
    must(nppiAlphaComp_8u_AC4R_Ctx(c.other, 4 * c.size.width, c.in, 4 * c.size.width, c.out, 4 * c.size.width,
                                   c.size, NPPI_OP_ALPHA_OVER, c.context),
         "over");
}
