/* Sparse matrices and graphs in compressed rows, as callers give them. */
#pragma once

#include "base/status.h"
#include "gpufilter/csr.h"

/* Copies what is given to today's version, or says what is wrong with its sizes. Looks at no array. */
gf_status gf_csr_read(const gf_csr *given, gf_csr *matrix, gf_error *error);
