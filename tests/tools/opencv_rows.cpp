// The rows of compare_opencv, and the calls of OpenCV on windows, measures and places.
#include "opencv_calls.h"

namespace
{

void histogram(const cv::Mat &in) // of each channel
{
    const int bins = 256;
    const float ends[] = {0, 256};
    const float *range = ends;
    cv::Mat counts;
    for (int channel = 0; channel < in.channels(); channel++) {
        cv::calcHist(&in, 1, &channel, cv::Mat(), counts, 1, &bins, &range);
    }
}

void statistics(const cv::Mat &in, cv::Mat &)
{
    double least, greatest;
    cv::Point at_least, at_greatest;
    cv::Scalar mean, deviation;
    cv::minMaxLoc(in, &least, &greatest, &at_least, &at_greatest);
    cv::meanStdDev(in, mean, deviation);
}

template <int AXIS> void sums(const cv::Mat &in, cv::Mat &)
{
    cv::Mat made;
    cv::reduce(in, made, AXIS, cv::REDUCE_SUM, in.depth() == CV_8U ? CV_32S : CV_64F);
}

void chain(const cv::Mat &in, cv::Mat &out)
{
    cv::Mat gray, smooth, contrast;
    cv::cvtColor(in, gray, cv::COLOR_RGB2GRAY);
    cv::GaussianBlur(gray, smooth, cv::Size(5, 5), 1.1);
    smooth.convertTo(contrast, -1, 1.2, -0.2 * 127.5);
    cv::threshold(contrast, out, 127, 255, cv::THRESH_BINARY);
    histogram(out);
}

void gaussian(const cv::Mat &in, cv::Mat &out)
{
    cv::GaussianBlur(in, out, cv::Size(5, 5), 1.1);
}

void box(const cv::Mat &in, cv::Mat &out)
{
    cv::blur(in, out, cv::Size(15, 15));
}

void erode(const cv::Mat &in, cv::Mat &out)
{
    cv::erode(in, out, cv::Mat::ones(15, 15, CV_8U));
}

void erode_disk(const cv::Mat &in, cv::Mat &out)
{
    cv::Mat disk = cv::Mat::zeros(15, 15, CV_8U);
    for (int i = 0; i < 15 * 15; i++) {
        const int x = i % 15 - 7, y = i / 15 - 7;
        disk.at<unsigned char>(i / 15, i % 15) = x * x + y * y <= 49;
    }
    cv::erode(in, out, disk);
}

void bilateral(const cv::Mat &in, cv::Mat &out) // 5 pixels across
{
    cv::bilateralFilter(in, out, 5, in.depth() == CV_8U ? 25 : 0.1, 2);
}

void sobel(const cv::Mat &in, cv::Mat &out) // sqrt((gx^2 + gy^2) / 2), rounded
{
    cv::Mat x, y;
    cv::Sobel(in, x, CV_32F, 1, 0, 3, 0.25 * std::sqrt(0.5));
    cv::Sobel(in, y, CV_32F, 0, 1, 3, 0.25 * std::sqrt(0.5));
    cv::magnitude(x, y, x);
    x.convertTo(out, in.depth());
}

void conv(const cv::Mat &in, cv::Mat &out) // 5 x 5 numbers without factors
{
    static const float weights[25] = {1, 2, 0, -1, 3, 0, 4, 1, 2, 0,  2, -3, 9,
                                      1, 1, 0, 2,  1, 5, 0, 1, 0, -2, 1, 2};
    cv::filter2D(in, out, -1, cv::Mat(5, 5, CV_32F, const_cast<float *>(weights)) / 32.0);
}

template <int SIDE> void median(const cv::Mat &in, cv::Mat &out)
{
    cv::medianBlur(in, out, SIDE);
}

void adaptive_mean(const cv::Mat &in, cv::Mat &out) // of a mean that is rounded first
{
    cv::adaptiveThreshold(in, out, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, 15, 0);
}

void points(const cv::Mat &in, cv::Mat &out) // five stages: an invert, contrast, brightness, contrast, invert
{
    double white = in.depth() == CV_8U ? 255 : 1;
    cv::subtract(cv::Scalar::all(white), in, out);
    out.convertTo(out, -1, 1.3, -0.3 * white / 2);
    out.convertTo(out, -1, 1, 0.1 * white);
    out.convertTo(out, -1, 0.8, 0.2 * white / 2);
    cv::subtract(cv::Scalar::all(white), out, out);
}

const char *const GAUSSIAN = "blur:sigma=1.1:radius=2:border=reflect101";
const char *const BOX = "box:radius=7:border=reflect101";
const char *const BILATERAL = "bilateral:sigma=2:range=25u8:radius=2:border=reflect101";
const char *const CONV =
    "conv:[1 2 0 -1 3; 0 4 1 2 0; 2 -3 9 1 1; 0 2 1 5 0; 1 0 -2 1 2]:scale=1/32:border=reflect101";
void clahe(const cv::Mat &in, cv::Mat &out)
{
    cv::createCLAHE(2, cv::Size(8, 8))->apply(in, out);
}

void distance(const cv::Mat &in, cv::Mat &out) // in 4.6 not exact from column 4096 on
{
    cv::Mat mask;
    cv::threshold(in, mask, 127, 255, cv::THRESH_BINARY);
    cv::distanceTransform(mask, out, cv::DIST_L2, cv::DIST_MASK_PRECISE);
}

template <int FILTER> void warp(const cv::Mat &in, cv::Mat &out) // a turn by 10 degrees; WARP below
{
    static const double m[6] = {0.985, -0.174, 430, 0.174, 0.985, -640};
    cv::warpAffine(in, out, cv::Mat(2, 3, CV_64F, const_cast<double *>(m)), in.size(), FILTER);
}

void projective(const cv::Mat &in, cv::Mat &out)
{
    static const double m[9] = {0.985, -0.174, 430, 0.174, 0.985, -640, 1e-5, 2e-5, 1};
    cv::warpPerspective(in, out, cv::Mat(3, 3, CV_64F, const_cast<double *>(m)), in.size(), cv::INTER_LINEAR);
}

#define WARP(last_row) "warp:[0.985 -0.174 430; 0.174 0.985 -640" last_row "]"

const char *const POINTS = "invert,contrast:1.3,brightness:0.1,contrast:0.8,invert";

} // namespace

cv::Mat other;

const row opencv_rows[] = {
    {"chain", "gray,blur:sigma=1.1:radius=2:border=reflect101,contrast:1.2,threshold:0.5,hist", CV_8UC3,
     chain, false},
    {"gray", "gray", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGB2GRAY); }, true},
    {"gaussian 5x5 u8", GAUSSIAN, CV_8UC1, gaussian, true},
    {"gaussian 5x5 u8 RGB", GAUSSIAN, CV_8UC3, gaussian, true},
    {"gaussian 5x5 f32", GAUSSIAN, CV_32FC1, gaussian, true},
    {"box 15x15 u8", BOX, CV_8UC1, box, true},
    {"box 15x15 u8 RGB", BOX, CV_8UC3, box, true},
    {"box 15x15 u16", BOX, CV_16UC1, box, true},
    {"box 15x15 f32", BOX, CV_32FC1, box, true},
    {"bilateral 5 u8", BILATERAL, CV_8UC1, bilateral, true},
    {"bilateral 5 u8 RGB", BILATERAL, CV_8UC3, bilateral, true},
    {"bilateral 5 f32", "bilateral:sigma=2:range=0.1:radius=2:border=reflect101", CV_32FC1, bilateral, true},
    {"erode 15x15 u8", "erode:7", CV_8UC1, erode, true},
    {"erode 15x15 u8 RGB", "erode:7", CV_8UC3, erode, true},
    {"erode 15x15 u16", "erode:7", CV_16UC1, erode, true},
    {"erode 15x15 f32", "erode:7", CV_32FC1, erode, true},
    {"erode disk 7 u8", "erode:7:shape=disk", CV_8UC1, erode_disk, true},
    {"canny u8, smooth", "canny:20u8:high=60u8:sigma=0", CV_8UC1,
     [](const cv::Mat &in, cv::Mat &out) { cv::Canny(in, out, 20, 60, 3, true); }, true},
    {"canny u8, noise", "canny:100u8:high=200u8:sigma=0", CV_8UC1,
     [](const cv::Mat &in, cv::Mat &out) { cv::Canny(in, out, 100, 200, 3, true); }, true},
    {"sobel u8", "sobel:border=reflect101", CV_8UC1, sobel, true},
    {"conv 5x5 u8", CONV, CV_8UC1, conv, true},
    {"conv 5x5 f32", CONV, CV_32FC1, conv, true},
    {"median 3x3 u8", "median:1", CV_8UC1, median<3>, true},
    {"median 5x5 u8", "median:2", CV_8UC1, median<5>, true},
    {"median 5x5 u8 RGB", "median:2", CV_8UC3, median<5>, true},
    {"median 5x5 u16", "median:2", CV_16UC1, median<5>, true},
    {"median 5x5 f32", "median:2", CV_32FC1, median<5>, true},
    {"median 31x31 u8", "median:15", CV_8UC1, median<31>, true},
    {"adaptive mean 15x15 u8", "threshold:mean:radius=7", CV_8UC1, adaptive_mean, false},
    {"histogram u8", "hist", CV_8UC1, [](const cv::Mat &in, cv::Mat &) { histogram(in); }, false},
    {"histogram rgb u8", "hist", CV_8UC3, [](const cv::Mat &in, cv::Mat &) { histogram(in); }, false},
    {"statistics f32", "stats", CV_32FC1, statistics, false},
    {"columns u8", "profile", CV_8UC1, sums<0>, false},
    {"rows u8", "profile:y", CV_8UC1, sums<1>, false},
    {"columns rgb u8", "profile", CV_8UC3, sums<0>, false},
    {"rows rgb u8", "profile:y", CV_8UC3, sums<1>, false},
    {"columns f32", "profile", CV_32FC1, sums<0>, false},
    {"rows f32", "profile:y", CV_32FC1, sums<1>, false},
    {"otsu u8", "threshold:otsu", CV_8UC1,
     [](const cv::Mat &in, cv::Mat &out) {
         cv::threshold(in, out, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
     },
     false},
    {"equalize u8", "equalize", CV_8UC1, [](const cv::Mat &in, cv::Mat &out) { cv::equalizeHist(in, out); },
     true},
    {"clahe u8", "clahe", CV_8UC1, clahe, true},
    {"clahe u16", "clahe", CV_16UC1, clahe, true},
    {"distance u8, smooth", "threshold:0.5,distance", CV_8UC1, distance, false},
    {"distance u8, noise", "threshold:0.5,distance", CV_8UC1, distance, false},
    {"integral u8", "integral", CV_8UC1, /* of s32, and with a row and a column more */
     [](const cv::Mat &in, cv::Mat &) {
         static cv::Mat made;
         cv::integral(in, made);
     },
     false},
    {"flip u8 RGB", "flip", CV_8UC3, [](const cv::Mat &in, cv::Mat &out) { cv::flip(in, out, 1); }, true},
    {"flip y u8 RGB", "flip:y", CV_8UC3, [](const cv::Mat &in, cv::Mat &out) { cv::flip(in, out, 0); }, true},
    {"transpose u8 RGB", "transpose", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::transpose(in, out); }, true},
    {"rotate 90 u8 RGB", "rotate:90", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::rotate(in, out, cv::ROTATE_90_CLOCKWISE); }, true},
    {"matrix u8 RGB", "matrix:sepia", CV_8UC3, opencv::sepia, true},
    {"difference u8 RGB", "difference:other", CV_8UC3, opencv::difference, true},
    {"add u8 RGB", "blend:other:mode=add", CV_8UC3, opencv::add, true},
    {"greater u8 RGB", "blend:other:mode=max", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::max(in, other, out); }, true},
    {"multiply u8 RGB", "blend:other:mode=multiply", CV_8UC3, opencv::multiply, true},
    {"screen u8 RGB", "blend:other:mode=screen", CV_8UC3, opencv::screen, true},
    {"half over u8 RGB", "blend:other:amount=0.5", CV_8UC3, opencv::half_over, true},
    {"posterize u8 RGB", "posterize:4", CV_8UC3, opencv::posterize, true},
    {"gain u8 RGB", "gain:[1.2 0.9 1.1]", CV_8UC3, opencv::gain, true},
    {"rgb of u8", "rgb", CV_8UC1,
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_GRAY2RGB); }, true},
    {"drop alpha u8 RGBA", "alpha:drop", CV_8UC4,
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGBA2RGB); }, true},
    {"add alpha u8 RGB", "alpha:add", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGB2RGBA); }, true},
    {"bgr u8 RGB", "matrix:bgr", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGB2BGR); }, true},
    {"ycbcr u8 RGB", "matrix:ycbcr", CV_8UC3, /* OpenCV's has Cr before Cb */
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGB2YCrCb); }, false},
    {"saturation u8 RGB", "saturation:1.6", CV_8UC3, opencv::saturation, true},
    {"lut u8 RGB", "lut:[0 26 89 178 230 255]:scale=255", CV_8UC3, opencv::curve, true},
    {"linear u8 RGB", "linear", CV_8UC3, opencv::linear, true},
    {"srgb u8 RGB", "srgb", CV_8UC3, opencv::srgb, true},
    {"lab u8 RGB", "lab", CV_8UC3, /* OpenCV's is fixed point, by tables */
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGB2Lab); }, true},
    {"lab f32 RGB", "lab", CV_32FC3, /* of other units */
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_RGB2Lab); }, false},
    {"lab back u8 RGB", "lab:from", CV_8UC3,
     [](const cv::Mat &in, cv::Mat &out) { cv::cvtColor(in, out, cv::COLOR_Lab2RGB); }, true},
    {"mask u8 RGB", "mask:other", CV_8UC3, opencv::multiply, true},
    {"whitebalance u8 RGB", "whitebalance", CV_8UC3, opencv::balance, true},
    {"crop u8 RGB", "crop:7000x4000+340+160", CV_8UC3, /* of 7680 x 4320 */
     [](const cv::Mat &in, cv::Mat &out) { in(cv::Rect(340, 160, 7000, 4000)).copyTo(out); }, true},
    {"pad u8 RGB", "pad:64", CV_8UC3,
     [](const cv::Mat &in,
        cv::Mat &out) { cv::copyMakeBorder(in, out, 64, 64, 64, 64, cv::BORDER_REPLICATE); },
     true},
    {"resize box u8 RGB", "resize:1920x1080:filter=box", CV_8UC3, /* OpenCV's others are not antialiased */
     [](const cv::Mat &in, cv::Mat &out) { cv::resize(in, out, cv::Size(1920, 1080), 0, 0, cv::INTER_AREA); },
     true},
    {"warp nearest u8 RGB", WARP("") ":filter=nearest", CV_8UC3, warp<cv::INTER_NEAREST>, false},
    {"warp linear u8 RGB", WARP(""), CV_8UC3, warp<cv::INTER_LINEAR>,
     false}, /* of 32 places between pixels */
    {"warp cubic u8 RGB", WARP("") ":filter=cubic", CV_8UC3, warp<cv::INTER_CUBIC>, false},
    {"warp projective u8", WARP("; 1e-5 2e-5 1"), CV_8UC3, projective, false},
    {"5 points u8", POINTS, CV_8UC1, points, false},
    {"5 points f32", POINTS, CV_32FC1, points, false},
    {nullptr, nullptr, 0, nullptr, false},
};
