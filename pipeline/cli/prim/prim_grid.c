/* Pictures in place of graphs, for gpufilter prim bfs, sssp and components */
#include "prim/prim_grid.h"

#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum prim_option of_pictures[] = {PRIM_CONNECT, PRIM_JOIN, PRIM_COST};
static const enum prim_option of_graphs[] = {PRIM_GRAPH, PRIM_UNDIRECTED, PRIM_DATA};
enum { FEW = 3 };

gf_status prim_grid_refuse(const struct prim_job *job)
{
    for (int i = 0; i < FEW; i++) {
        if (job->options.text[of_pictures[i]]) {
            return cli_fail(GF_ERROR_ARGUMENT, "--%s says what is an edge of a picture: it needs --picture",
                            prim_option_table[of_pictures[i]].name);
        }
    }
    return GF_OK;
}

bool prim_weight_set(gf_depth type, void *weights, int64_t at, long double weight)
{
    const long double beyond = type == GF_S32 ? 0x1p31L : 0x1p63L;
    const long double least = type == GF_S32 ? -beyond : 1 - beyond; /* what was too long to read is -2^63 */
    if (type == GF_F32) {
        ((float *)weights)[at] = (float)weight;
    } else if (type == GF_F64) {
        ((double *)weights)[at] = (double)weight;
    } else if (weight != rintl(weight) || weight >= beyond || weight < least) {
        return false;
    } else if (type == GF_S32) {
        ((int32_t *)weights)[at] = (int32_t)weight;
    } else {
        ((int64_t *)weights)[at] = (int64_t)weight;
    }
    return true;
}

/* ---- Words ----------------------------------------------------------------------------------------------- */

/* Returns which of its words the option has (the table takes no other); without it the `usual` one. */
static int32_t word_of(const struct prim_job *job, enum prim_option option, int usual)
{
    const char *text = job->options.text[option];
    return text ? words_index(prim_option_table[option].choices, text) : usual;
}

static gf_status read_words(struct prim_job *job, bool weighted)
{
    gf_grid *g = &job->grid;
    for (int i = 0; i < FEW; i++) {
        if (job->options.text[of_graphs[i]]) {
            return cli_fail(GF_ERROR_ARGUMENT, "--picture is a graph by itself: leave out --%s",
                            prim_option_table[of_graphs[i]].name);
        }
    }
    *g = (gf_grid)GF_GRID_INIT;
    g->connect = word_of(job, PRIM_CONNECT, 0) == 0 ? 4 : 8;
    g->join = word_of(job, PRIM_JOIN, weighted ? GF_GRID_ALL : GF_GRID_NONZERO);
    g->cost = word_of(job, PRIM_COST, GF_GRID_ENTER);
    return GF_OK;
}

/* ---- Pixels ----------------------------------------------------------------------------------------------- */

/* blank:WxH, all 255; noise:WxH, a quarter 0 and the others 1 to 255. False: the text is neither. */
static bool is_made(const char *text, bool *blank, int64_t size[2])
{
    *blank = !strncmp(text, "blank:", 6);
    return (*blank || !strncmp(text, "noise:", 6)) && prim_sizes(text + 6, 2, size);
}

static gf_status make_pixels(struct prim_job *job, bool blank, const int64_t size[2])
{
    struct prim_array *pixels = &job->in[PRIM_GRID_PIXELS];
    gf_error error = GF_ERROR_INIT;
    if (size[0] < 0 || size[1] < 0 || (size[0] > 0 && size[1] > INT32_MAX / size[0])) {
        return cli_fail(GF_ERROR_ARGUMENT, "--picture is '%s': must have fewer than 2^31 pixels",
                        job->options.text[PRIM_PICTURE]);
    }
    CLI_TRY(cli_told(prim_array_create(GF_U8, size[0] * size[1], pixels, &error), &error));
    pixels->rows = size[1];
    for (int64_t i = 0; i < pixels->n; i++) {
        uint64_t z = (job->seed * 0x9e3779b97f4a7c15U + (uint64_t)i + 1) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        z ^= z >> 31;
        ((uint8_t *)pixels->data)[i] = (uint8_t)(blank ? 255 : z % 4 == 0 ? 0 : z / 4 % 255 + 1);
    }
    return GF_OK;
}

static gf_status read_pixels(struct prim_job *job)
{
    const char *text = job->options.text[PRIM_PICTURE];
    struct prim_array *pixels = &job->in[PRIM_GRID_PIXELS];
    int64_t size[2] = {0, 0};
    bool blank = false;
    if (is_made(text, &blank, size)) {
        job->grid.width = size[0];
        job->grid.height = size[1];
        return make_pixels(job, blank, size);
    }
    job->file = text;
    CLI_TRY(prim_array_read(text, true, pixels));
    if (pixels->n > INT32_MAX) {
        return cli_fail(GF_ERROR_INPUT, "%s: has more than 2^31 - 1 pixels", text);
    }
    if (job->grid.join != GF_GRID_ALL && pixels->type != GF_U8 && pixels->type != GF_U16 &&
        pixels->type != GF_U32 && pixels->type != GF_F32) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %s; --join nonzero and equal take u8, u16, u32 and f32",
                        text, gf_depth_name(pixels->type));
    }
    job->grid.height = pixels->rows;
    job->grid.width = pixels->rows > 0 ? pixels->n / pixels->rows : 0;
    return GF_OK;
}

/* The samples as costs of the job's type. */
static gf_status take_costs(struct prim_job *job)
{
    const struct prim_array *pixels = &job->in[PRIM_GRID_PIXELS];
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(cli_told(prim_array_create(job->type, pixels->n, &job->in[PRIM_GRID_COSTS], &error), &error));
    void *to = job->in[PRIM_GRID_COSTS].data;
    for (int64_t i = 0; i < pixels->n; i++) {
        const long double cost = pixels->type == GF_S64   ? (long double)((const int64_t *)pixels->data)[i]
                                 : pixels->type == GF_U64 ? (long double)((const uint64_t *)pixels->data)[i]
                                                          : element_value(pixels->type, pixels->data, i);
        if (!prim_weight_set(job->type, to, i, cost)) {
            return cli_fail(GF_ERROR_INPUT,
                            "%s: a sample is %Lg, which %s does not hold: choose another --type",
                            job->options.text[PRIM_PICTURE], cost, gf_depth_name(job->type));
        }
    }
    return GF_OK;
}

gf_status prim_grid_inputs(struct prim_job *job, bool weighted)
{
    CLI_TRY(read_words(job, weighted));
    CLI_TRY(read_pixels(job));
    CLI_TRY(weighted ? take_costs(job) : GF_OK);
    job->grid.type = job->in[PRIM_GRID_PIXELS].type;
    job->n = job->size[0] = job->in[PRIM_GRID_PIXELS].n;
    job->size[1] = job->grid.connect * job->n;
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64 " pixels", job->grid.width,
             job->grid.height);
    snprintf(job->recipe.word, sizeof job->recipe.word, "%s",
             job->file ? "file" : job->options.text[PRIM_PICTURE]);
    return GF_OK;
}

gf_grid prim_grid_of(const struct prim_job *job, void *const in[PRIM_BLOCKS])
{
    gf_grid g = job->grid;
    g.pixels = in[PRIM_GRID_PIXELS];
    g.costs = in[PRIM_GRID_COSTS];
    return g;
}

/* ---- Refusals --------------------------------------------------------------------------------------------- */

static uint64_t id_of(const struct prim_job *job, int64_t vertex)
{
    return job->ids ? job->ids[vertex] : (uint64_t)vertex;
}

gf_status prim_sssp_refusal(const struct prim_job *job, const void *const out[PRIM_BLOCKS], gf_error *error)
{
    const int64_t bad = *(const int64_t *)out[1], *offsets = job->in[0].data;
    const gf_grid *g = &job->grid;
    int64_t from = 0;
    if (bad < 0) {
        return GF_OK;
    }
    if (g->struct_size != 0) {
        return cli_error(error, GF_ERROR_INPUT, "%s: pixel %" PRId64 ",%" PRId64 " costs %g: must be %s",
                         job->file, bad % g->width, bad / g->width,
                         element_value(job->type, job->in[PRIM_GRID_COSTS].data, bad),
                         g->cost == GF_GRID_DIFFERENCE ? "finite" : "a number from 0");
    }
    if (strcmp(job->array->algo, "auto") != 0) {
        return cli_error(error, GF_ERROR_INPUT,
                         "%s: a cycle of negative length leads to vertex %" PRIu64 ": no way is the shortest",
                         job->file, id_of(job, bad));
    }
    while (offsets[from + 1] <= bad) {
        from++;
    }
    return cli_error(error, GF_ERROR_INPUT,
                     "%s: the edge %" PRIu64 " -> %" PRIu64 " weighs %g: auto takes no weight below 0 and no "
                     "NaN; --algo sequential does",
                     job->file, id_of(job, from), id_of(job, ((const uint32_t *)job->in[1].data)[bad]),
                     element_value(job->type, job->in[2].data, bad));
}

/* ---- The source ------------------------------------------------------------------------------------------ */

/* Tells whether there is an edge to one of the pixels that follow. */
static bool has_edge(const struct prim_job *job, int64_t at)
{
    const gf_grid *g = &job->grid;
    const struct prim_array *pixels = &job->in[PRIM_GRID_PIXELS];
    const double here = element_value(pixels->type, pixels->data, at);
    const int64_t x = at % g->width;
    for (int way = 0; way < g->connect / 2; way++) { /* right, and the three below */
        const int64_t to_x = way == 0   ? x + 1
                             : way == 1 ? x
                             : way == 2 ? x + 1
                                        : x - 1,
                      to = way == 0 ? at + 1 : at - x + g->width + to_x;
        if (to_x < 0 || to_x >= g->width || to >= pixels->n) {
            continue;
        }
        const double there = element_value(pixels->type, pixels->data, to);
        if (g->join == GF_GRID_ALL ||
            (here != 0 && there != 0 && (g->join == GF_GRID_NONZERO || here == there))) {
            return true;
        }
    }
    return false;
}

gf_status prim_grid_source(const struct prim_job *job, int64_t *source)
{
    const char *text = job->options.text[PRIM_SOURCE];
    char *end = NULL;
    int64_t at = 0;
    if (!text) {
        while (at < job->n && !has_edge(job, at)) {
            at++;
        }
        *source = at < job->n ? at : 0;
        return GF_OK;
    }
    int64_t x = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : -1, y = 0;
    if (end && *end == ',' && end[1] >= '0' && end[1] <= '9' && x < job->grid.width) {
        y = strtoll(end + 1, &end, 10);
        y = y < job->grid.height ? y : job->grid.height;
    }
    if (x < 0 || *end || x >= job->n || y * job->grid.width + x >= job->n) {
        return cli_fail(GF_ERROR_ARGUMENT, "--source is '%s': must be a pixel, as X,Y or as a number", text);
    }
    *source = y * job->grid.width + x;
    return GF_OK;
}
