/* gpufilter/gpufilter.h: everything but files. See pipeline.h for the synopsis, stage.h for
 * stages of your own, inputs.h for more pictures than one, array.h for the array primitives, device.h for
 * memory and streams without CUDA's headers, io.h (library gpufilter_io) for reading and writing pictures. */
#ifndef GPUFILTER_GPUFILTER_H
#define GPUFILTER_GPUFILTER_H

#include "gpufilter/batch.h"     /* IWYU pragma: export */
#include "gpufilter/compact.h"   /* IWYU pragma: export */
#include "gpufilter/csr.h"       /* IWYU pragma: export */
#include "gpufilter/device.h"    /* IWYU pragma: export */
#include "gpufilter/graph.h"     /* IWYU pragma: export */
#include "gpufilter/histogram.h" /* IWYU pragma: export */
#include "gpufilter/inputs.h"    /* IWYU pragma: export */
#include "gpufilter/keyed.h"     /* IWYU pragma: export */
#include "gpufilter/matmul.h"    /* IWYU pragma: export */
#include "gpufilter/pipeline.h"  /* IWYU pragma: export */
#include "gpufilter/ragged.h"    /* IWYU pragma: export */
#include "gpufilter/reduce.h"    /* IWYU pragma: export */
#include "gpufilter/scan.h"      /* IWYU pragma: export */
#include "gpufilter/search.h"    /* IWYU pragma: export */
#include "gpufilter/segmented.h" /* IWYU pragma: export */
#include "gpufilter/sort.h"      /* IWYU pragma: export */
#include "gpufilter/spmv.h"      /* IWYU pragma: export */
#include "gpufilter/stage.h"     /* IWYU pragma: export */
#include "gpufilter/stencil.h"   /* IWYU pragma: export */
#include "gpufilter/top_k.h"     /* IWYU pragma: export */
#include "gpufilter/types.h"     /* IWYU pragma: export */

#endif
