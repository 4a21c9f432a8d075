// Calls of NPP for the rows of compare_npp.
#include "npp_rows.h"

#include <string>

namespace
{

void must(NppStatus status, const char *what)
{
    ::must(status >= NPP_SUCCESS, what, std::to_string(static_cast<int>(status)).c_str());
}

void gray(const call &c)
{
    must(nppiRGBToGray_8u_C3C1R_Ctx(c.in, 3 * c.size.width, c.out, c.size.width, c.size, c.context), "gray");
}

void gaussian(const call &c)
{
    must(nppiFilterGaussBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                          c.size, NPP_MASK_SIZE_5_X_5, NPP_BORDER_REPLICATE, c.context),
         "gaussian");
}

void gaussian13(const call &c)
{
    must(nppiFilterGaussBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                          c.size, NPP_MASK_SIZE_13_X_13, NPP_BORDER_REPLICATE, c.context),
         "gaussian 13");
}

void gaussian_f32(const call &c)
{
    must(nppiFilterGaussBorder_32f_C1R_Ctx(c.in_f(), 4 * c.size.width, c.size, NppiPoint{0, 0}, c.out_f(),
                                           4 * c.size.width, c.size, NPP_MASK_SIZE_5_X_5,
                                           NPP_BORDER_REPLICATE, c.context),
         "gaussian f32");
}

void box(const call &c)
{
    must(nppiFilterBoxBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                        c.size, NppiSize{15, 15}, NppiPoint{7, 7}, NPP_BORDER_REPLICATE,
                                        c.context),
         "box");
}

void threshold(const call &c)
{
    must(nppiThreshold_LTValGTVal_8u_C1R_Ctx(c.in, c.size.width, c.out, c.size.width, c.size, 128, 0, 127,
                                             255, c.context),
         "threshold");
}

void histogram_of(const call &c, const Npp8u *picture)
{
    must(nppiHistogramEven_8u_C1R_Ctx(picture, c.size.width, c.size, static_cast<Npp32s *>(c.buffer), 257, 0,
                                      256, static_cast<Npp8u *>(c.buffer) + 4096, c.context),
         "histogram");
}

void histogram(const call &c)
{
    histogram_of(c, c.in);
}

void deviation(const call &c)
{
    Npp64f *results = static_cast<Npp64f *>(c.buffer);
    must(nppiMean_StdDev_8u_C1R_Ctx(c.in, c.size.width, c.size, static_cast<Npp8u *>(c.buffer) + 4096,
                                    results, results + 1, c.context),
         "mean and deviation");
}

// Five calls: NPP writes and reads the picture in between; contrast is its scaled subtraction and product.
void chain(const call &c)
{
    const call smooth = {c.out,    c.other, c.out + size_t(c.size.width) * static_cast<size_t>(c.size.height),
                         c.buffer, c.size,  c.context};
    gray(c);
    gaussian(smooth);
    must(nppiMulC_8u_C1IRSfs_Ctx(77, smooth.out, c.size.width, c.size, 6, c.context), "contrast");
    must(nppiSubC_8u_C1IRSfs_Ctx(26, smooth.out, c.size.width, c.size, 0, c.context), "contrast");
    must(nppiThreshold_LTValGTVal_8u_C1R_Ctx(smooth.out, c.size.width, c.out, c.size.width, c.size, 128, 0,
                                             127, 255, c.context),
         "threshold");
    histogram_of(c, c.out);
}

void gaussian_rgb(const call &c, NppiMaskSize mask)
{
    must(nppiFilterGaussBorder_8u_C3R_Ctx(c.in, 3 * c.size.width, c.size, NppiPoint{0, 0}, c.out,
                                          3 * c.size.width, c.size, mask, NPP_BORDER_REPLICATE, c.context),
         "gaussian RGB");
}

void gaussian_rgb5(const call &c)
{
    gaussian_rgb(c, NPP_MASK_SIZE_5_X_5);
}

void gaussian_rgb13(const call &c)
{
    gaussian_rgb(c, NPP_MASK_SIZE_13_X_13);
}

// One direction; a magnitude takes both, and more.
void sobel(const call &c)
{
    must(nppiFilterSobelHorizBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out,
                                               c.size.width, c.size, NPP_BORDER_REPLICATE, c.context),
         "sobel");
}

void unsharp(const call &c)
{
    must(nppiFilterUnsharpBorder_8u_C1R_Ctx(c.in, c.size.width, NppiPoint{0, 0}, c.out, c.size.width, c.size,
                                            2, 1, 1, 0, NPP_BORDER_REPLICATE, static_cast<Npp8u *>(c.buffer),
                                            c.context),
         "unsharp");
}

void erode3(const call &c)
{
    must(nppiErode3x3Border_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                       c.size, NPP_BORDER_REPLICATE, c.context),
         "erode 3x3");
}

void least(const call &c, int side)
{
    must(nppiFilterMinBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                        c.size, NppiSize{side, side}, NppiPoint{side / 2, side / 2},
                                        NPP_BORDER_REPLICATE, c.context),
         "minimum");
}

void erode15(const call &c)
{
    least(c, 15);
}

void erode43(const call &c)
{
    least(c, 43);
}

void median(const call &c, int side)
{
    Npp32u bytes = 0;
    const NppiSize mask = {side, side};
    must(
        nppiFilterMedianBorderGetBufferSize_8u_C1R_Ctx(c.size, mask, &bytes, NPP_BORDER_REPLICATE, c.context),
        "median");
    ::must(bytes <= NPP_BUFFER, "median", "its buffer is too large");
    must(nppiFilterMedianBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                           c.size, mask, NppiPoint{side / 2, side / 2},
                                           static_cast<Npp8u *>(c.buffer), NPP_BORDER_REPLICATE, c.context),
         "median");
}

void median3(const call &c)
{
    median(c, 3);
}

void median5(const call &c)
{
    median(c, 5);
}

void median7(const call &c)
{
    median(c, 7);
}

void bilateral(const call &c, int radius)
{
    must(nppiFilterBilateralGaussBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out,
                                                   c.size.width, c.size, radius, 1, 625.0F, 4.0F,
                                                   NPP_BORDER_REPLICATE, c.context),
         "bilateral");
}

void bilateral2(const call &c)
{
    bilateral(c, 2);
}

void bilateral4(const call &c)
{
    bilateral(c, 4);
}

void threshold_mean(const call &c)
{
    must(nppiFilterThresholdAdaptiveBoxBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out,
                                                         c.size.width, c.size, NppiSize{15, 15}, 5.0F, 255, 0,
                                                         NPP_BORDER_REPLICATE, c.context),
         "adaptive threshold");
}

void canny(const call &c)
{
    int bytes = 0;
    must(nppiFilterCannyBorderGetBufferSize(c.size, &bytes), "canny");
    ::must(bytes >= 0 && static_cast<size_t>(bytes) <= NPP_BUFFER, "canny", "its buffer is too large");
    must(nppiFilterCannyBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                          c.size, NPP_FILTER_SOBEL, NPP_MASK_SIZE_3_X_3, 100, 200, nppiNormL2,
                                          NPP_BORDER_REPLICATE, static_cast<Npp8u *>(c.buffer), c.context),
         "canny");
}

// Axes of NPP are those that stay.
void flip(const call &c)
{
    must(nppiMirror_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, NPP_VERTICAL_AXIS,
                               c.context),
         "flip");
}

void flip_y(const call &c)
{
    must(nppiMirror_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, NPP_HORIZONTAL_AXIS,
                               c.context),
         "flip y");
}

void transpose(const call &c)
{
    must(nppiTranspose_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.height, c.size, c.context),
         "transpose");
}

void matrix(const call &c)
{
    const Npp32f sepia[3][4] = {
        {0.393F, 0.769F, 0.189F, 0}, {0.349F, 0.686F, 0.168F, 0}, {0.272F, 0.534F, 0.131F, 0}};
    must(nppiColorTwist32f_8u_C3R_Ctx(c.in, 3 * c.size.width, c.out, 3 * c.size.width, c.size, sepia,
                                      c.context),
         "matrix");
}

void difference(const call &c)
{
    must(nppiAbsDiff_8u_C3R_Ctx(c.in, 3 * c.size.width, c.other, 3 * c.size.width, c.out, 3 * c.size.width,
                                c.size, c.context),
         "difference");
}

// A turn by 10 degrees, as WARP below.
void warp(const call &c, int filter)
{
    const double m[2][3] = {{0.985, -0.174, 430}, {0.174, 0.985, -640}};
    const NppiRect all = {0, 0, c.size.width, c.size.height};
    must(nppiWarpAffine_8u_C3R_Ctx(c.in, c.size, 3 * c.size.width, all, c.out, 3 * c.size.width, all, m,
                                   filter, c.context),
         "warp");
}

void warp_linear(const call &c)
{
    warp(c, NPPI_INTER_LINEAR);
}

void warp_cubic(const call &c)
{
    warp(c, NPPI_INTER_CUBIC);
}

#define WARP "warp:[0.985 -0.174 430; 0.174 0.985 -640]"

} // namespace

const row npp_rows[] = {
    {"chain", "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", 3, GF_U8, chain},
    {"gray", "gray", 3, GF_U8, gray},
    {"gaussian 5x5 u8", "blur:sigma=1.1:radius=2", 1, GF_U8, gaussian},
    {"gaussian 13x13 u8", "blur:sigma=2:radius=6", 1, GF_U8, gaussian13},
    {"gaussian 5x5 f32", "blur:sigma=1.1:radius=2", 1, GF_F32, gaussian_f32},
    {"box 15x15 u8", "box:radius=7", 1, GF_U8, box},
    {"threshold u8", "threshold:0.5", 1, GF_U8, threshold},
    {"histogram u8", "hist", 1, GF_U8, histogram},
    {"mean and deviation u8", "stats", 1, GF_U8, deviation},
    {"gaussian 5x5 RGB", "blur:sigma=1.1:radius=2", 3, GF_U8, gaussian_rgb5},
    {"gaussian 13x13 RGB", "blur:sigma=2:radius=6", 3, GF_U8, gaussian_rgb13},
    {"sobel u8", "sobel", 1, GF_U8, sobel},
    {"unsharp 5x5 u8", "unsharp:0.5", 1, GF_U8, unsharp},
    {"erode 3x3 u8", "erode:1", 1, GF_U8, erode3},
    {"erode 15x15 u8", "erode:7", 1, GF_U8, erode15},
    {"erode 43x43 u8", "erode:21", 1, GF_U8, erode43},
    {"median 3x3 u8", "median:1", 1, GF_U8, median3},
    {"median 5x5 u8", "median:2", 1, GF_U8, median5},
    {"median 7x7 u8", "median:3", 1, GF_U8, median7},
    {"median 15x15 u8", "median:7", 1, GF_U8, nullptr},
    {"median 15x15 u16", "median:7", 1, GF_U16, nullptr},
    {"median 15x15 f32", "median:7", 1, GF_F32, nullptr},
    {"median radius 50 u8", "median:50", 1, GF_U8, nullptr},
    {"median radius 200 u8", "median:200", 1, GF_U8, nullptr},
    {"bilateral radius 2 u8", "bilateral:radius=2:range=25u8:sigma=2", 1, GF_U8, bilateral2},
    {"bilateral radius 4 u8", "bilateral:radius=4:range=25u8:sigma=2", 1, GF_U8, bilateral4},
    {"threshold mean 15x15", "threshold:mean:radius=7", 1, GF_U8, threshold_mean},
    {"canny u8", "canny:low=100u8:high=200u8:sigma=0", 1, GF_U8, canny},
    {"flip RGB", "flip", 3, GF_U8, flip},
    {"flip y RGB", "flip:y", 3, GF_U8, flip_y},
    {"transpose RGB", "transpose", 3, GF_U8, transpose},
    {"rotate 90 RGB", "rotate:90", 3, GF_U8, nullptr},
    {"matrix RGB", "matrix:sepia", 3, GF_U8, matrix},
    {"difference RGB", "difference:other", 3, GF_U8, difference},
    {"resize box RGB", "resize:1920x1080:filter=box", 3, GF_U8, nullptr}, // NPP's is not antialiased
    {"resize triangle RGB", "resize:1920x1080:filter=triangle", 3, GF_U8, nullptr},
    {"resize cubic RGB", "resize:1920x1080:filter=cubic", 3, GF_U8, nullptr},
    {"resize lanczos RGB", "resize:1920x1080:filter=lanczos", 3, GF_U8, nullptr},
    {"warp linear RGB", WARP, 3, GF_U8, warp_linear},
    {"warp cubic RGB", WARP ":filter=cubic", 3, GF_U8, warp_cubic},
    {nullptr, nullptr, 0, GF_U8, nullptr},
};
