/* lut: a curve by a table, or a cube of colours. */
#include "gpufilter/stage.h"

#include <stdlib.h>

struct lut {
    gf_list table;
    double scale;
};

/* Returns how many colours a side a table of so many has, with or without the two of a domain behind them; 0:
 * it is no cube. Two rows are none apart from a cube: n^3 + 2 is no third power. */
static int32_t side_of(const gf_list *table)
{
    for (int32_t n = 2; table->columns == 3 && n <= 256; n++) {
        const int32_t colours = n * n * n;
        if (table->rows == colours || table->rows == colours + 2) {
            return n;
        }
    }
    return 0;
}

static gf_value_id cube(gf_lowering *l, const struct lut *p, const double *values, int32_t n)
{
    const ptrdiff_t numbers = 3 * (ptrdiff_t)n * n * n;
    const double *domain = p->table.rows > n * n * n ? values + numbers : NULL;
    return gf_lower_cube(l, gf_lower_input(l), values, n, domain, p->scale);
}

static gf_value_id curve(gf_lowering *l, const struct lut *p, const double *values)
{
    const int32_t n = p->table.rows * p->table.columns;
    if (p->table.rows != 1 && p->table.rows != 3) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "table has %d rows of %d numbers: a curve has 1 row, or 3; a cube of n colours a side n^3 "
            "rows of 3, as 8, 27 or 35937",
            p->table.rows, p->table.columns);
        return 0;
    }
    double *levels = malloc((size_t)n * sizeof *levels);
    if (!levels) {
        gf_lower_fail(l, GF_ERROR_MEMORY, "out of memory");
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        levels[i] = values[i] / p->scale;
    }
    const gf_value_id v = gf_lower_curve(l, gf_lower_input(l), levels, p->table.rows, p->table.columns);
    free(levels);
    return v;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct lut *p = params;
    const double *values = p->table.more ? p->table.more : p->table.values;
    if (p->table.rows == 0) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "table= is not given, must be a list as [0 0.2 1], or a file as @curve.npy or @film.cube");
        return;
    }
    const int32_t n = side_of(&p->table);
    gf_lower_output(l, n ? cube(l, p, values, n) : curve(l, p, values));
}

GF_PARAMS(
    {GF_ROW(LIST, lut, table, ""), .choices = "1x*|3x*|8x3|*x3",
     .help = "levels at equal distances from black to white, in one row, or a row for each colour; or the "
             "colours of a cube",
     .positional = 1},
    {GF_ROW_IN(NUMBER, lut, scale, "1", 1e-6, 1e9),
     .help = "what stands for white in the table: 255 in one of bytes"});

GF_EXAMPLES({"lut:[0 0.15 0.5 0.85 1]", "a gentle S: more contrast in the middle"},
            {"lut:[1 0]", "the negative"},
            {"lut:[0 0.6 1; 0 0.5 1; 0 0.4 1]",
             "warm in the middle of the scale, black and white as they were"},
            {"lut:[0 0 0.1; 1 0 0; 0 0.9 0; 1 1 0; 0 0 1; 1 0 1; 0 0.9 1; 1 1 0.9]",
             "the least cube, of 8 colours: shadows a little blue, greens a little darker; films come as "
             "@film.cube"});

const gf_stage_type gf_stage_lut = {
    GF_STAGE_OF(lut),
    .group = "point",
    .summary = "a curve through levels of your own, or a cube of colours (.cube)",
    .use =
        "For curves that were drawn or measured: tone curves, the response of a film or a display; and for "
        "looks\nthat colour grading has made as a .cube file.",
    .source = "Adobe, Cube LUT Specification 1.0, 2013; tetrahedra after H. Kang, Color Technology for "
              "Electronic Imaging Devices, 1997.",
    .formula =
        "With n numbers in a row, v lies at t = v (n - 1) / white between numbers floor(t) and the next, "
        "and\n"
        "becomes what the line between them has there: fma in f32, rounded half to even. Outside the scale\n"
        "the ends hold. 256 numbers with scale=255 are a table of u8, entry by entry.\n"
        "n^3 rows of three numbers are a cube, red's place changing fastest: a colour becomes what the "
        "tetrahedron\n"
        "around it has there, four of its cell's eight corners; outside, the nearest place inside. Two rows "
        "more\n"
        "are where it begins and ends (DOMAIN_MIN, DOMAIN_MAX). A .cube of one dimension is three rows,\n"
        "of domain 0 to 1. A curve before a cube (a shaper) is not read.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
