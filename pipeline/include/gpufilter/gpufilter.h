/* gpufilter/gpufilter.h: everything but files. See pipeline.h for the synopsis, stage.h for
 * stages of your own, io.h (library gpufilter_io) for reading and writing pictures. */
#ifndef GPUFILTER_GPUFILTER_H
#define GPUFILTER_GPUFILTER_H

#include "gpufilter/pipeline.h" /* IWYU pragma: export */
#include "gpufilter/stage.h"    /* IWYU pragma: export */
#include "gpufilter/types.h"    /* IWYU pragma: export */

#endif
