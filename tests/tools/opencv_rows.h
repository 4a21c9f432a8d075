// opencv_rows.h: what compare_opencv compares: chains of ours and what OpenCV has for the same. C++.
#ifndef OPENCV_ROWS_H
#define OPENCV_ROWS_H

#include "compare_chain.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

struct row {
    const char *name, *chain;
    int type; // of OpenCV: depth and channels of the input
    void (*theirs)(const cv::Mat &in, cv::Mat &out);
    bool same; // both make the same picture, or nearly: the largest difference is reported
};

extern cv::Mat other;           // what the row reads beside its picture
extern const row opencv_rows[]; // name NULL behind the last

#endif
