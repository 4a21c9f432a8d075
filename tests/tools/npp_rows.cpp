// The rows of compare_npp, and the calls of NPP on windows and measures.
#include "npp_calls.h"

namespace
{

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
    npp::gray(c);
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
    must(bytes <= NPP_BUFFER, "median", "its buffer is too large");
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
    must(bytes >= 0 && static_cast<size_t>(bytes) <= NPP_BUFFER, "canny", "its buffer is too large");
    must(nppiFilterCannyBorder_8u_C1R_Ctx(c.in, c.size.width, c.size, NppiPoint{0, 0}, c.out, c.size.width,
                                          c.size, NPP_FILTER_SOBEL, NPP_MASK_SIZE_3_X_3, 100, 200, nppiNormL2,
                                          NPP_BORDER_REPLICATE, static_cast<Npp8u *>(c.buffer), c.context),
         "canny");
}

#define GAIN           "gain:[1.203125 0.8984375 1.1015625]"
#define LUT            "lut:[0 26 89 178 230 255]:scale=255"
#define CUBE           "lut:[0 0 26; 255 0 0; 0 230 0; 255 178 0; 0 0 255; 255 0 153; 0 230 255; 255 255 230]:scale=255"
#define WARP(last_row) "warp:[0.985 -0.174 430; 0.174 0.985 -640" last_row "]" // a turn by 10 degrees

} // namespace

const row npp_rows[] = {
    {"chain", "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", 3, GF_U8, chain},
    {"gray", "gray", 3, GF_U8, npp::gray, true},
    {"gaussian 5x5 u8", "blur:sigma=1.1:radius=2", 1, GF_U8, gaussian},
    {"gaussian 13x13 u8", "blur:sigma=2:radius=6", 1, GF_U8, gaussian13},
    {"gaussian 5x5 f32", "blur:sigma=1.1:radius=2", 1, GF_F32, gaussian_f32},
    {"box 15x15 u8", "box:radius=7", 1, GF_U8, box, true},
    {"threshold u8", "threshold:0.5", 1, GF_U8, threshold, true},
    {"histogram u8", "hist", 1, GF_U8, histogram},
    {"mean and deviation u8", "stats", 1, GF_U8, deviation},
    {"gaussian 5x5 RGB", "blur:sigma=1.1:radius=2", 3, GF_U8, gaussian_rgb5},
    {"gaussian 13x13 RGB", "blur:sigma=2:radius=6", 3, GF_U8, gaussian_rgb13},
    {"sobel u8", "sobel", 1, GF_U8, sobel},
    {"unsharp 5x5 u8", "unsharp:0.5", 1, GF_U8, unsharp},
    {"erode 3x3 u8", "erode:1", 1, GF_U8, erode3, true},
    {"erode 15x15 u8", "erode:7", 1, GF_U8, erode15, true},
    {"erode 43x43 u8", "erode:21", 1, GF_U8, erode43, true},
    {"median 3x3 u8", "median:1", 1, GF_U8, median3, true},
    {"median 5x5 u8", "median:2", 1, GF_U8, median5, true},
    {"median 7x7 u8", "median:3", 1, GF_U8, median7, true},
    {"median 15x15 u8", "median:7", 1, GF_U8, nullptr},
    {"median 15x15 u16", "median:7", 1, GF_U16, nullptr},
    {"median 15x15 f32", "median:7", 1, GF_F32, nullptr},
    {"median radius 50 u8", "median:50", 1, GF_U8, nullptr},
    {"median radius 200 u8", "median:200", 1, GF_U8, nullptr},
    {"bilateral radius 2 u8", "bilateral:radius=2:range=25u8:sigma=2", 1, GF_U8, bilateral2, true},
    {"bilateral radius 4 u8", "bilateral:radius=4:range=25u8:sigma=2", 1, GF_U8, bilateral4, true},
    {"threshold mean 15x15", "threshold:mean:radius=7", 1, GF_U8, threshold_mean},
    {"canny u8", "canny:low=100u8:high=200u8:sigma=0", 1, GF_U8, canny},
    {"rgb of gray", "rgb", 1, GF_U8, npp::spread, true},
    {"drop alpha RGBA", "alpha:drop", 4, GF_U8, npp::drop_alpha, true},
    {"add alpha RGB", "alpha:add", 3, GF_U8, npp::add_alpha, true},
    {"bgr RGB", "matrix:bgr", 3, GF_U8, npp::swap, true},
    {"matrix RGB", "matrix:sepia", 3, GF_U8, npp::matrix, true},
    {"ycbcr RGB", "matrix:ycbcr", 3, GF_U8, npp::ycbcr}, // NPP's is of 16 to 235
    {"saturation RGB", "saturation:1.6", 3, GF_U8, npp::saturation, true},
    {"gain RGB", GAIN, 3, GF_U8, npp::gain, true},
    {"invert RGB", "invert", 3, GF_U8, npp::invert, true},
    {"lut RGB", LUT, 3, GF_U8, npp::lut, true},
    {"cube RGBA", CUBE, 4, GF_U8, npp::cube}, // NPP's between all eight corners of a cell
    {"posterize RGB", "posterize:4", 3, GF_U8, npp::posterize, true},
    {"linear RGB", "linear", 3, GF_U8, npp::linear}, // NPP's curves are not those of sRGB
    {"srgb RGB", "srgb", 3, GF_U8, npp::srgb},
    {"lab RGB", "lab", 3, GF_U8, npp::lab}, // NPP takes samples of BGR to be light
    {"lab back RGB", "lab:from", 3, GF_U8, npp::lab_from},
    {"whitebalance RGB", "whitebalance", 3, GF_U8, nullptr},
    {"expr RGB", "expr:'r*0.8+g*0.2; max(g, b); if(b>0.5, 1-b, b)'", 3, GF_U8, nullptr},
    {"difference RGB", "difference:other", 3, GF_U8, npp::difference, true},
    {"add RGB", "blend:other:mode=add", 3, GF_U8, npp::add, true},
    {"subtract RGB", "blend:other:mode=subtract", 3, GF_U8, npp::subtract, true},
    {"multiply RGB", "blend:other:mode=multiply", 3, GF_U8, npp::multiply, true},
    {"half over RGB", "blend:other:amount=0.501960784", 3, GF_U8, npp::half_over, true},
    {"over RGBA", "blend:other", 4, GF_U8, npp::over, true},
    {"mask RGB", "mask:other", 3, GF_U8, npp::multiply, true},
    {"crop RGB", "crop:7000x4000+340+160", 3, GF_U8, npp::crop, true}, // of 7680 x 4320
    {"pad RGB", "pad:64", 3, GF_U8, npp::pad, true},
    {"pad constant RGB", "pad:64:border=constant:value=0.4", 3, GF_U8, npp::pad_constant, true},
    {"flip RGB", "flip", 3, GF_U8, npp::flip, true},
    {"flip y RGB", "flip:y", 3, GF_U8, npp::flip_y, true},
    {"transpose RGB", "transpose", 3, GF_U8, npp::transpose, true},
    {"rotate 90 RGB", "rotate:90", 3, GF_U8, npp::rotate, true},
    {"resize box RGB", "resize:1920x1080:filter=box", 3, GF_U8, npp::resize_box, true},
    {"resize triangle RGB", "resize:1920x1080:filter=triangle", 3, GF_U8,
     nullptr}, // NPP's is not antialiased
    {"resize cubic RGB", "resize:1920x1080:filter=cubic", 3, GF_U8, nullptr},
    {"resize lanczos RGB", "resize:1920x1080:filter=lanczos", 3, GF_U8, nullptr},
    {"warp nearest RGB", WARP("") ":filter=nearest", 3, GF_U8,
     npp::warp_nearest}, // NPP leaves out what is beside
    {"warp linear RGB", WARP(""), 3, GF_U8, npp::warp_linear},
    {"warp cubic RGB", WARP("") ":filter=cubic", 3, GF_U8, npp::warp_cubic},
    {"warp projective RGB", WARP("; 1e-5 2e-5 1"), 3, GF_U8, npp::warp_projective},
    {nullptr, nullptr, 0, GF_U8, nullptr},
};
