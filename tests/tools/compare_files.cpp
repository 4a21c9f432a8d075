/* What OpenCV does from file to file: compare_files IN OUT SIGMA RADIUS. For script/compare-files. */
#include <cstdlib>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

int main(int argc, char **argv)
{
    if (argc != 5) {
        return 2;
    }
    const double sigma = std::atof(argv[3]);
    const int side = 2 * std::atoi(argv[4]) + 1;
    cv::Mat in = cv::imread(argv[1], cv::IMREAD_UNCHANGED), out;
    if (in.empty()) {
        return 3;
    }
    cv::GaussianBlur(in, out, cv::Size(side, side), sigma, sigma, cv::BORDER_REPLICATE);
    return cv::imwrite(argv[2], out, {cv::IMWRITE_JPEG_QUALITY, 90}) ? 0 : 4;
}
