/* Graphs from files. */
#include "base/message.h"
#include "base/text_file.h"
#include "base/text_words.h"
#include "prim/graph_data.h"
#include "prim/matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct text_words words;
    uint64_t *ids; /* of both ends of each edge, and of vertices */
    long double *weights;
    int64_t count, vertices; /* edges, and ids that stand alone */
};

/* ---- Words ----------------------------------------------------------------------------------------------- */

static bool take_id(struct reader *r, uint64_t *id)
{
    char *end = NULL;
    text_words_skip_blanks(&r->words);
    errno = 0;
    const bool digit = isdigit((unsigned char)*r->words.at) != 0;
    *id = digit ? strtoull(r->words.at, &end, 10) : 0;
    const bool good = digit && errno == 0 && (isspace((unsigned char)*end) || *end == ',' || !*end);
    r->words.at = good ? end : r->words.at;
    return good;
}

static bool take_weight(struct reader *r, long double *weight)
{
    return text_words_at_end_of_line(&r->words) ||
           (text_words_number(&r->words, weight) && text_words_at_end_of_line(&r->words));
}

/* ---- Lists ----------------------------------------------------------------------------------------------- */

static gf_status out_of_memory(const struct reader *r)
{
    return cli_error(r->words.error, GF_ERROR_MEMORY, "%s: out of memory", r->words.path);
}

/* Room for so many more ids, and for the weights of edges. */
static gf_status make_room(struct reader *r, const char *text)
{
    int64_t lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    const size_t ids = (size_t)(2 * r->count + r->vertices + 2 * lines);
    uint64_t *more = realloc(r->ids, ids * sizeof *more);
    if (!more) {
        return out_of_memory(r);
    }
    r->ids = more;
    long double *weights = r->count > 0 ? r->weights : realloc(r->weights, (size_t)lines * sizeof *weights);
    if (!weights) {
        return out_of_memory(r);
    }
    r->weights = weights;
    return GF_OK;
}

static void begin_text(struct reader *r, const char *text)
{
    r->words.at = text;
    r->words.line = 1;
}

static gf_status read_edges(struct reader *r, const char *text)
{
    CLI_TRY(make_room(r, text));
    begin_text(r, text);
    while (text_words_next_line(&r->words)) {
        long double weight = 1;
        uint64_t *ends = r->ids + 2 * r->count;
        if (!take_id(r, &ends[0]) || !take_id(r, &ends[1]) || !take_weight(r, &weight)) {
            return text_words_bad(&r->words, "must be two ids below 2^64, and a weight or none");
        }
        r->weights[r->count++] = weight;
    }
    return GF_OK;
}

static gf_status read_vertices(struct reader *r, const char *text)
{
    CLI_TRY(make_room(r, text));
    begin_text(r, text);
    while (text_words_next_line(&r->words)) {
        if (!take_id(r, &r->ids[2 * r->count + r->vertices]) || !text_words_at_end_of_line(&r->words)) {
            return text_words_bad(&r->words, "must be an id below 2^64");
        }
        r->vertices++;
    }
    return GF_OK;
}

/* ---- Vertices -------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The ids that there are, ascending, once each. */
static gf_status sort_ids(const struct reader *r, struct graph_data *graph)
{
    const size_t all = (size_t)(2 * r->count + r->vertices);
    graph->ids = malloc((all + 1) * sizeof *graph->ids);
    if (!graph->ids) {
        return out_of_memory(r);
    }
    if (all > 0) {
        memcpy(graph->ids, r->ids, all * sizeof *graph->ids);
        qsort(graph->ids, all, sizeof *graph->ids, by_id);
    }
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || graph->ids[i] != graph->ids[i - 1]) {
            graph->ids[graph->vertices++] = graph->ids[i];
        }
    }
    return graph->vertices > INT32_MAX ? cli_error(r->words.error, GF_ERROR_INPUT,
                                                   "%s: has more than 2^31 - 1 vertices", r->words.path)
                                       : GF_OK;
}

static gf_status number_ends(const struct reader *r, struct graph_data *graph, struct graph_edges *edges)
{
    edges->from = malloc(((size_t)r->count + 1) * sizeof *edges->from);
    edges->to = malloc(((size_t)r->count + 1) * sizeof *edges->to);
    if (!edges->from || !edges->to) {
        return out_of_memory(r);
    }
    for (int64_t i = 0; i < r->count; i++) {
        edges->from[i] = (uint32_t)graph_find(graph, r->ids[2 * i]);
        edges->to[i] = (uint32_t)graph_find(graph, r->ids[2 * i + 1]);
    }
    edges->count = r->count;
    edges->weights = r->weights;
    return GF_OK;
}

gf_status graph_parse(const char *name, char *text, char *vertices, bool undirected, struct graph_data *graph,
                      gf_error *error)
{
    struct reader r = {.words = {.path = name, .error = error, .blanks = TEXT_BLANKS ",", .comments = "#%"}};
    struct graph_edges edges = {.count = 0};
    *graph = (struct graph_data){.vertices = 0};
    gf_status status = read_edges(&r, text);
    status = status == GF_OK && vertices ? read_vertices(&r, vertices) : status;
    status = status == GF_OK ? sort_ids(&r, graph) : status;
    status = status == GF_OK ? number_ends(&r, graph, &edges) : status;
    status = status == GF_OK ? graph_compress(&edges, graph->vertices, undirected, 0, graph, error) : status;
    free(edges.from);
    free(edges.to);
    free(r.ids);
    free(r.weights);
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------------------- */

/* The graph of a matrix: entry (u, v) is an edge from u to v. */
static gf_status from_matrix(const char *path, char *text, size_t length, bool undirected,
                             struct graph_data *graph, gf_error *error)
{
    struct matrix_market matrix;
    struct graph_edges edges = {.count = 0};
    gf_status status = matrix_market_parse(path, text, length, &matrix, error);
    if (status == GF_OK && matrix.rows != matrix.columns) {
        status = cli_error(error, GF_ERROR_INPUT, "%s: a matrix of %" PRId64 " x %" PRId64 " is no graph",
                           path, matrix.rows, matrix.columns);
    }
    if (status == GF_OK) {
        edges.from = malloc(((size_t)matrix.entries + 1) * sizeof *edges.from);
        status = edges.from ? GF_OK : cli_error(error, GF_ERROR_MEMORY, "%s: out of memory", path);
    }
    if (status == GF_OK) {
        for (int64_t u = 0; u < matrix.rows; u++) {
            for (int64_t e = matrix.offsets[u]; e < matrix.offsets[u + 1]; e++) {
                edges.from[e] = (uint32_t)u;
            }
        }
        edges.to = matrix.indices;
        edges.weights = matrix.values;
        edges.count = matrix.entries;
        status = graph_compress(&edges, matrix.rows, undirected && !matrix.symmetric, 0, graph, error);
        graph->both_ways = undirected || matrix.symmetric;
    }
    free(edges.from);
    matrix_market_free(&matrix);
    return status;
}

/* NAME.v of NAME.e, if there is one. */
static gf_status read_ids(const char *path, struct text_file *file, gf_error *error)
{
    const size_t length = strlen(path);
    char name[4096];
    *file = (struct text_file){NULL, 0};
    if (length < 3 || length >= sizeof name || strcmp(path + length - 2, ".e") != 0) {
        return GF_OK;
    }
    memcpy(name, path, length + 1);
    name[length - 1] = 'v';
    FILE *there = fopen(name, "rb");
    if (!there) {
        return GF_OK;
    }
    fclose(there);
    return text_file_read(name, TEXT_MOST_ENTRIES, file, error);
}

gf_status graph_read(const char *path, bool undirected, struct graph_data *graph, gf_error *error)
{
    struct text_file file, ids = {NULL, 0};
    *graph = (struct graph_data){.vertices = 0};
    gf_status status = text_file_read(path, TEXT_MOST_ENTRIES, &file, error);
    if (status == GF_OK && !strncmp(file.text, "%%MatrixMarket", 14)) {
        status = from_matrix(path, file.text, file.length, undirected, graph, error);
    } else if (status == GF_OK) {
        status = read_ids(path, &ids, error);
        status = status == GF_OK ? graph_parse(path, file.text, ids.text, undirected, graph, error) : status;
    }
    text_file_free(&file);
    text_file_free(&ids);
    return status;
}
