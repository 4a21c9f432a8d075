/* Tables of results as text, JSON and CSV. */
#pragma once

#include "base/text.h"
#include "gpufilter/stage.h"

/* Rows of a table that a brief text has. */
enum { GF_BRIEF_ROWS = 20 };

/* "  points, 3 rows", the names of the columns, and at most so many rows. */
void gf_table_add_text(struct gf_text *text, const gf_table *table, int64_t most_rows);

/* An array of objects, one a row; a column of several numbers is an array in them. */
void gf_table_add_json(struct gf_text *text, const gf_table *table);
