"""gpufilter beside OpenCV, whose pictures are BGR: `matrix:bgr` swaps red and blue.

    python with_opencv.py PICTURE
"""
import sys

import gpufilter

try:
    import cv2
except ImportError:
    sys.exit(print("OpenCV is not installed: pip install opencv-python-headless"))

picture = cv2.imread(sys.argv[1], cv2.IMREAD_COLOR)
ours, results = gpufilter.run(picture, "matrix:known=bgr,median:2,matrix:known=bgr,stats")
theirs = cv2.medianBlur(picture, 5)
print(f"means of blue, green and red: {results['stats'].mean.round(2)}")
print("the same median, byte for byte" if (ours == theirs).all() else "another median")
