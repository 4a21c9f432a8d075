"""gpufilter beside scikit-image: both work on the same arrays, and one can go on where the other has ended.

    python with_skimage.py PICTURE
"""
import sys

import gpufilter

try:
    from skimage import measure
except ImportError:
    sys.exit(print("scikit-image is not installed: pip install scikit-image"))

picture = gpufilter.read(sys.argv[1])
mask, results = gpufilter.run(picture, "gray,blur:1.5,threshold:otsu,label")
ours = results["label"].regions
theirs = measure.regionprops(measure.label(mask > 0, connectivity=2))
print(f"level {results['threshold'].level:g}: {len(ours)} regions here, {len(theirs)} by scikit-image")
same = sorted(int(a) for a in ours["area"]) == sorted(int(r.area) for r in theirs)
print("the same areas" if same else "other areas")
