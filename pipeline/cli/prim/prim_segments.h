/* Segments of a job's elements: their offsets, from a file, or made. */
#pragma once

#include "prim/prim.h"

/* Options of a driver that has segments. */
#define PRIM_TAKES_SEGMENTS (PRIM_TAKES(PRIM_OFFSETS) | PRIM_TAKES(PRIM_SEGMENTS) | PRIM_TAKES(PRIM_ROWS))

/* Reads or makes the offsets of segments of the job's n elements, as input i. Says its own errors. */
gf_status prim_segments_take(struct prim_job *job, int i);
