/* A result that is being made: fields and tables that finish functions fill. */
#pragma once

#include "gpufilter/stage.h"

struct gf_result_builder {
    gf_result result;
    gf_field *fields;
    gf_table *tables;
    gf_status status; /* GF_ERROR_MEMORY, or GF_ERROR_ARGUMENT, when something could not be made */
};

/* Frees what was made, and zeroes it; safe on a zeroed builder. */
void gf_result_free(struct gf_result_builder *builder);
