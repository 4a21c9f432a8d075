"""gpufilter beside PyTorch: a tensor goes in and comes out without a copy, on the CPU and on a GPU.

    python with_torch.py PICTURE
"""
import sys

import gpufilter

try:
    import torch
except ImportError:
    sys.exit(print("PyTorch is not installed: pip install torch"))

tensor = torch.from_numpy(gpufilter.read(sys.argv[1]).copy())
out = torch.empty(tensor.shape[:2], dtype=torch.uint8)
_, results = gpufilter.run(tensor, "gray,blur:2,stats", out.numpy())
print(f"mean {results['stats'].mean:.3f} by gpufilter, {out.double().mean():.3f} by PyTorch: the same picture")

if torch.cuda.is_available() and not gpufilter.cuda_missing():
    made, found = gpufilter.run(tensor.cuda(), "gray,blur:2,stats")
    there = torch.from_dlpack(made)
    print("the same bytes on the GPU" if bool((there.cpu() == out).all()) and found == results else "other bytes on the GPU")
else:
    print(f"no GPU: {gpufilter.cuda_missing() or 'PyTorch sees none'}")
