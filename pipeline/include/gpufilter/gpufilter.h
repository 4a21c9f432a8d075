/* gpufilter/gpufilter.h: every public header, for C and C++. pipeline.h has the synopsis, stage.h stages of
 * your own, inputs.h more pictures than one, batch.h many pictures, array.h the array primitives, device.h
 * memory and streams without CUDA's headers. What io.h and io_memory.h declare, reading and writing pictures,
 * is in libgpufilter_io, which a program that calls it links instead (it brings libgpufilter along). The
 * array primitives, and device.h with them, are in libgpufilter_arrays, which stands alone and may be linked
 * beside the others; all else is in libgpufilter. Two headers stand apart, as not every compiler takes them:
 * gpufilter.hpp, owners for C++, and ragged.cuh, for nvcc. */
#ifndef GPUFILTER_GPUFILTER_H
#define GPUFILTER_GPUFILTER_H

#include "gpufilter/adjacent.h"     /* IWYU pragma: export */
#include "gpufilter/array.h"        /* IWYU pragma: export */
#include "gpufilter/batch.h"        /* IWYU pragma: export */
#include "gpufilter/bounds.h"       /* IWYU pragma: export */
#include "gpufilter/compact.h"      /* IWYU pragma: export */
#include "gpufilter/compare.h"      /* IWYU pragma: export */
#include "gpufilter/csr.h"          /* IWYU pragma: export */
#include "gpufilter/device.h"       /* IWYU pragma: export */
#include "gpufilter/fft.h"          /* IWYU pragma: export */
#include "gpufilter/graph.h"        /* IWYU pragma: export */
#include "gpufilter/histogram.h"    /* IWYU pragma: export */
#include "gpufilter/histogram_2d.h" /* IWYU pragma: export */
#include "gpufilter/inputs.h"       /* IWYU pragma: export */
#include "gpufilter/io.h"           /* IWYU pragma: export */
#include "gpufilter/io_memory.h"    /* IWYU pragma: export */
#include "gpufilter/keyed.h"        /* IWYU pragma: export */
#include "gpufilter/matmul.h"       /* IWYU pragma: export */
#include "gpufilter/pipeline.h"     /* IWYU pragma: export */
#include "gpufilter/ragged.h"       /* IWYU pragma: export */
#include "gpufilter/reduce.h"       /* IWYU pragma: export */
#include "gpufilter/scan.h"         /* IWYU pragma: export */
#include "gpufilter/search.h"       /* IWYU pragma: export */
#include "gpufilter/segmented.h"    /* IWYU pragma: export */
#include "gpufilter/signal.h"       /* IWYU pragma: export */
#include "gpufilter/signal_io.h"    /* IWYU pragma: export */
#include "gpufilter/sort.h"         /* IWYU pragma: export */
#include "gpufilter/spmv.h"         /* IWYU pragma: export */
#include "gpufilter/stage.h"        /* IWYU pragma: export */
#include "gpufilter/stencil.h"      /* IWYU pragma: export */
#include "gpufilter/stream.h"       /* IWYU pragma: export */
#include "gpufilter/top_k.h"        /* IWYU pragma: export */
#include "gpufilter/types.h"        /* IWYU pragma: export */

#endif
