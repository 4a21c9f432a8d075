// Calls of OpenCV on the colours of a pixel.
#include "opencv_calls.h"

#include <cmath>

namespace
{

// A sample of u8 by what a function makes of it, as OpenCV's users do it.
template <class F> void by_table(const cv::Mat &in, cv::Mat &out, F &&made)
{
    cv::Mat table(1, 256, CV_8U);
    for (int i = 0; i < 256; i++) {
        table.at<unsigned char>(i) = cv::saturate_cast<unsigned char>(made(i));
    }
    cv::LUT(in, table, out);
}

} // namespace

void opencv::difference(const cv::Mat &in, cv::Mat &out)
{
    cv::absdiff(in, other, out);
}

void opencv::add(const cv::Mat &in, cv::Mat &out)
{
    cv::add(in, other, out);
}

void opencv::multiply(const cv::Mat &in, cv::Mat &out)
{
    cv::multiply(in, other, out, 1 / 255.0);
}

void opencv::screen(const cv::Mat &in, cv::Mat &out) // white less the product of what is left to white
{
    cv::Mat a, b;
    cv::bitwise_not(in, a);
    cv::bitwise_not(other, b);
    cv::multiply(a, b, out, 1 / 255.0);
    cv::bitwise_not(out, out);
}

void opencv::half_over(const cv::Mat &in, cv::Mat &out)
{
    cv::addWeighted(in, 0.5, other, 0.5, 0, out);
}

void opencv::posterize(const cv::Mat &in, cv::Mat &out) // to 4 levels
{
    by_table(in, out, [](int i) { return (i * 3 + 127) / 255 * 85; });
}

void opencv::gain(const cv::Mat &in, cv::Mat &out)
{
    cv::multiply(in, cv::Scalar(1.2, 0.9, 1.1), out);
}

void opencv::sepia(const cv::Mat &in, cv::Mat &out)
{
    static const float m[9] = {0.393F, 0.769F, 0.189F, 0.349F, 0.686F, 0.168F, 0.272F, 0.534F, 0.131F};
    cv::transform(in, out, cv::Mat(3, 3, CV_32F, const_cast<float *>(m)));
}

void opencv::saturation(const cv::Mat &in, cv::Mat &out) // by 1.6
{
    const float r = -0.6F * 0.299F, g = -0.6F * 0.587F, b = -0.6F * 0.114F;
    const float m[9] = {r + 1.6F, g, b, r, g + 1.6F, b, r, g, b + 1.6F};
    cv::transform(in, out, cv::Mat(3, 3, CV_32F, const_cast<float *>(m)));
}

void opencv::curve(const cv::Mat &in, cv::Mat &out)
{
    static const double levels[6] = {0, 26, 89, 178, 230, 255};
    by_table(in, out, [](int i) {
        const int from = i < 255 ? i / 51 : 4;
        return levels[from] + (levels[from + 1] - levels[from]) * (i - 51 * from) / 51;
    });
}

void opencv::linear(const cv::Mat &in, cv::Mat &out)
{
    by_table(in, out, [](int i) {
        const double v = i / 255.0;
        return 255 * (v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    });
}

void opencv::srgb(const cv::Mat &in, cv::Mat &out)
{
    by_table(in, out, [](int i) {
        const double v = i / 255.0;
        return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
    });
}

void opencv::balance(const cv::Mat &in, cv::Mat &out) // the means made one
{
    const cv::Scalar means = cv::mean(in);
    const double gray = (means[0] + means[1] + means[2]) / 3;
    cv::multiply(in, cv::Scalar(gray / means[0], gray / means[1], gray / means[2]), out);
}
