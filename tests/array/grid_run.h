/* Searches of pictures, and of graphs by "sequential", in memory of any device. Part of grid_case.h. */
#ifndef TESTS_ARRAY_GRID_RUN_H
#define TESTS_ARRAY_GRID_RUN_H

struct grid_answer {
    void *first;      /* levels, distances or labels */
    uint32_t *second; /* parents */
    int64_t bad;
};

static inline void grid_answer_free(struct grid_answer *a)
{
    free(a->first);
    free(a->second);
}

/* A picture, or a graph in rows, its results and its scratch memory on a device. */
struct grid_run {
    gf_device device;
    gf_grid grid;
    gf_csr csr;
    struct array_memory in[GRAPH_ARRAYS], out[3], scratch;
    size_t bytes[3];
};

static inline void grid_copy_in(struct array_memory *m, gf_device device, const void *from, size_t bytes,
                                size_t size)
{
    CHECK(array_memory_make(m, device, bytes, (size_t)array_next_offset(size) * size));
    if (bytes > 0) {
        array_memory_upload(m, from);
    }
}

static inline struct grid_run grid_begin(const struct grid_picture *p, const struct graph *g, gf_depth type,
                                         gf_device device)
{
    struct grid_run r = {.device = device};
    const size_t n = p ? (size_t)grid_pixels(p) : 0, pixel = p && p->pixels ? gf_depth_size(p->type) : 0,
                 cost = p && p->costs ? gf_depth_size(type) : 0;
    if (!p) {
        r.csr = graph_upload(g, g->weights ? gf_depth_size(type) : 0, device, r.in);
        return r;
    }
    grid_copy_in(&r.in[0], device, p->pixels, n * pixel, pixel > 0 ? pixel : 1);
    grid_copy_in(&r.in[1], device, p->costs, n * cost, cost > 0 ? cost : 1);
    grid_copy_in(&r.in[2], device, NULL, 0, 1);
    r.grid = (gf_grid){sizeof r.grid,
                       p->connect,
                       p->width,
                       p->height,
                       p->join,
                       p->type,
                       pixel > 0 ? r.in[0].data : NULL,
                       p->cost,
                       cost > 0 ? r.in[1].data : NULL};
    return r;
}

static inline void grid_make_out(struct grid_run *r, int i, size_t bytes)
{
    r->bytes[i] = bytes;
    CHECK(array_memory_make(&r->out[i], r->device, bytes, 8));
}

/* Waits, fetches the results, and gives all memory back. */
static inline struct grid_answer grid_end(struct grid_run *r, const char *algo, gf_status status,
                                          gf_error *error)
{
    void *results[3] = {NULL, NULL, NULL};
    struct grid_answer a = {NULL, NULL, -1};
    status = status == GF_OK ? gf_queue_wait((gf_queue){r->device, NULL}, error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error->message);
    for (int i = 0; i < 3; i++) {
        if (r->out[i].whole) {
            results[i] = graph_memory(r->bytes[i]);
            array_memory_download(&r->out[i], results[i]);
            array_memory_end(&r->out[i], "an output");
        }
    }
    array_memory_end(&r->scratch, "the scratch memory");
    graph_release(r->in);
    a.first = results[0];
    a.second = results[1];
    if (results[2]) {
        memcpy(&a.bad, results[2], sizeof a.bad);
        free(results[2]);
    }
    return a;
}

static inline struct grid_answer any_levels(const struct grid_picture *p, const struct graph *g, int64_t n,
                                            int64_t source, const char *algo, gf_device device)
{
    struct grid_run r = grid_begin(p, g, GF_F32, device);
    gf_bfs_options o = GF_BFS_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    const gf_csr *graph = p ? NULL : &r.csr;
    o.array = (gf_array_options){algo, GF_S32, 3, 0, 0, 0};
    o.source = source;
    o.grid = p ? &r.grid : NULL;
    grid_make_out(&r, 0, (size_t)n * 4);
    grid_make_out(&r, 1, (size_t)n * 4);
    CHECK_EQ_INT(gf_bfs_scratch(device, &o, graph, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&r.scratch, device, bytes, 0));
    const gf_status status = gf_bfs((gf_queue){device, NULL}, &o, graph, r.out[0].data, r.out[1].data,
                                    r.scratch.data, bytes, &error);
    return grid_end(&r, algo, status, &error);
}

static inline struct grid_answer any_labels(const struct grid_picture *p, const struct graph *g, int64_t n,
                                            const char *algo, gf_device device)
{
    struct grid_run r = grid_begin(p, g, GF_F32, device);
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    const gf_csr *graph = p ? NULL : &r.csr;
    o.array = (gf_array_options){algo, GF_U32, 3, 0, 0, 0};
    o.grid = p ? &r.grid : NULL;
    grid_make_out(&r, 0, (size_t)n * 4);
    CHECK_EQ_INT(gf_components_scratch(device, &o, graph, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&r.scratch, device, bytes, 0));
    const gf_status status =
        gf_components((gf_queue){device, NULL}, &o, graph, r.out[0].data, r.scratch.data, bytes, &error);
    return grid_end(&r, algo, status, &error);
}

static inline struct grid_answer any_distances(const struct grid_picture *p, const struct graph *g, int64_t n,
                                               gf_depth type, int64_t source, const char *algo,
                                               gf_device device)
{
    struct grid_run r = grid_begin(p, g, type, device);
    gf_sssp_options o = GF_SSSP_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    const gf_csr *graph = p ? NULL : &r.csr;
    o.array = (gf_array_options){algo, type, 3, 0, 0, 0};
    o.source = source;
    o.grid = p ? &r.grid : NULL;
    grid_make_out(&r, 0, (size_t)n * gf_depth_size(gf_sssp_type(type)));
    grid_make_out(&r, 2, sizeof(int64_t));
    CHECK_EQ_INT(gf_sssp_scratch(device, &o, graph, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&r.scratch, device, bytes, 0));
    const gf_status status = gf_sssp((gf_queue){device, NULL}, &o, graph, r.out[0].data, r.out[2].data,
                                     r.scratch.data, bytes, &error);
    return grid_end(&r, algo, status, &error);
}

static inline struct grid_answer grid_levels(const struct grid_picture *p, int64_t source, const char *algo,
                                             gf_device device)
{
    return any_levels(p, NULL, grid_pixels(p), source, algo, device);
}
static inline struct grid_answer graph_levels(const struct graph *g, int64_t source)
{
    return any_levels(NULL, g, g->n, source, "sequential", GF_DEVICE_CPU);
}
static inline struct grid_answer grid_labels(const struct grid_picture *p, const char *algo, gf_device device)
{
    return any_labels(p, NULL, grid_pixels(p), algo, device);
}
static inline struct grid_answer graph_labels(const struct graph *g)
{
    return any_labels(NULL, g, g->n, "sequential", GF_DEVICE_CPU);
}
static inline struct grid_answer grid_distances(const struct grid_picture *p, gf_depth type, int64_t source,
                                                const char *algo, gf_device device)
{
    return any_distances(p, NULL, grid_pixels(p), type, source, algo, device);
}
static inline struct grid_answer graph_distances(const struct graph *g, gf_depth type, int64_t source)
{
    return any_distances(NULL, g, g->n, type, source, "sequential", GF_DEVICE_CPU);
}

#endif
