// opencv_calls.h: calls of OpenCV on the colours of a pixel (opencv_colour.cpp), for rows of compare_opencv.
// C++.
#ifndef OPENCV_CALLS_H
#define OPENCV_CALLS_H

#include "opencv_rows.h"

namespace opencv
{

void difference(const cv::Mat &in, cv::Mat &out);
void add(const cv::Mat &in, cv::Mat &out);
void multiply(const cv::Mat &in, cv::Mat &out);
void screen(const cv::Mat &in, cv::Mat &out);
void half_over(const cv::Mat &in, cv::Mat &out);
void posterize(const cv::Mat &in, cv::Mat &out);
void gain(const cv::Mat &in, cv::Mat &out);
void sepia(const cv::Mat &in, cv::Mat &out);
void saturation(const cv::Mat &in, cv::Mat &out);
void curve(const cv::Mat &in, cv::Mat &out);
void linear(const cv::Mat &in, cv::Mat &out);
void srgb(const cv::Mat &in, cv::Mat &out);
void balance(const cv::Mat &in, cv::Mat &out);

} // namespace opencv

#endif
