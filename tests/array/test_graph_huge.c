/* Graphs of a size at which something gives way: more than 2^32 edges, a star of ten million leaves, a path
 * of a million vertices. All by every variant that does not take minutes, against answers known beforehand.
 */
#include "array_huge.h"

#include "gpufilter/graph.h"

/* A graph in memory of a device, and the answers of vertex v. */
struct known {
    const char *name;
    gf_device device;
    gf_csr csr; /* weights are s32 */
    int64_t (*level)(int64_t v, int64_t n), (*parent)(int64_t v, int64_t n);
    int64_t weight; /* of each edge; 0: no distances are asked for */
    bool slow;      /* a launch a level takes minutes */
};

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

/* A ring of n = 8 * reach vertices, each of which has edges to those at most `reach` away on both sides, and
 * to itself; from vertex 0. */
static int64_t ring_level(int64_t v, int64_t n)
{
    const int64_t reach = n / 8, away = v < n - v ? v : n - v;
    return (away + reach - 1) / reach;
}

static int64_t ring_parent(int64_t v, int64_t n)
{
    const int64_t reach = n / 8, level = ring_level(v, n);
    return level < 2 ? 0 : v <= n / 2 ? v - reach : n - (level - 1) * reach;
}

static int64_t star_level(int64_t v, int64_t n)
{
    (void)n;
    return v > 0;
}

static int64_t path_level(int64_t v, int64_t n)
{
    (void)n;
    return v;
}

static int64_t star_parent(int64_t v, int64_t n)
{
    (void)v;
    (void)n;
    return 0;
}

static int64_t path_parent(int64_t v, int64_t n)
{
    (void)n;
    return v > 0 ? v - 1 : 0;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------ */

static void *fetch(const void *from, gf_device device, size_t bytes)
{
    void *here = malloc(bytes);
    CHECK(here &&
          gf_memory_copy((gf_queue){device, NULL}, GF_COPY_DOWNLOAD, here, from, bytes, NULL) == GF_OK);
    CHECK_EQ_INT(gf_queue_wait((gf_queue){device, NULL}, NULL), GF_OK);
    return here;
}

/* Results of one call, in memory of the device. */
struct results {
    void *first, *second, *scratch;
};

static void *room(const struct known *k, size_t bytes)
{
    void *block = NULL;
    CHECK_EQ_INT(gf_memory_allocate(k->device, bytes > 0 ? bytes : 1, &block, NULL), GF_OK);
    return block;
}

static void release(const struct known *k, const struct results *r)
{
    gf_memory_release(k->device, r->first);
    gf_memory_release(k->device, r->second);
    gf_memory_release(k->device, r->scratch);
}

static void say(const struct known *k, const char *algo, const char *what, int64_t wrong)
{
    CHECK_MSG(wrong == 0, "%s, %s on %s: %lld wrong %s", k->name, algo, k->device < 0 ? "CPU" : "CUDA",
              (long long)wrong, what);
}

static void levels(const struct known *k, const char *algo, bool reverse)
{
    gf_bfs_options o = GF_BFS_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const int64_t n = k->csr.rows;
    size_t bytes = 0;
    int64_t wrong = 0;
    o.array.algo = algo;
    o.reverse = reverse ? &k->csr : NULL;
    CHECK_EQ_INT(gf_bfs_scratch(k->device, &o, &k->csr, &bytes, &error), GF_OK);
    const struct results r = {room(k, (size_t)n * 4), room(k, (size_t)n * 4), room(k, bytes)};
    CHECK_MSG(gf_bfs((gf_queue){k->device, NULL}, &o, &k->csr, r.first, r.second, r.scratch, bytes, &error) ==
                  GF_OK,
              "%s", error.message);
    int32_t *found = fetch(r.first, k->device, (size_t)n * 4);
    uint32_t *parents = fetch(r.second, k->device, (size_t)n * 4);
    for (int64_t v = 0; v < n; v++) {
        wrong += found[v] != k->level(v, n) || parents[v] != k->parent(v, n);
    }
    say(k, algo, "levels or parents", wrong);
    free(found);
    free(parents);
    release(k, &r);
}

static void distances(const struct known *k, const char *algo)
{
    gf_sssp_options o = GF_SSSP_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const int64_t n = k->csr.rows;
    size_t bytes = 0;
    int64_t wrong = 0;
    o.array.algo = algo;
    o.array.type = GF_S32;
    CHECK_EQ_INT(gf_sssp_scratch(k->device, &o, &k->csr, &bytes, &error), GF_OK);
    const struct results r = {room(k, (size_t)n * 8), room(k, 8), room(k, bytes)};
    CHECK_MSG(gf_sssp((gf_queue){k->device, NULL}, &o, &k->csr, r.first, r.second, r.scratch, bytes,
                      &error) == GF_OK,
              "%s", error.message);
    int64_t *found = fetch(r.first, k->device, (size_t)n * 8), *bad = fetch(r.second, k->device, 8);
    for (int64_t v = 0; v < n; v++) {
        wrong += found[v] != k->level(v, n) * k->weight;
    }
    CHECK_EQ_INT(*bad, -1);
    say(k, algo, "distances", wrong);
    free(found);
    free(bad);
    release(k, &r);
}

static void labels(const struct known *k, const char *algo)
{
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const int64_t n = k->csr.rows;
    size_t bytes = 0;
    int64_t wrong = 0;
    o.array.algo = algo;
    CHECK_EQ_INT(gf_components_scratch(k->device, &o, &k->csr, &bytes, &error), GF_OK);
    const struct results r = {room(k, (size_t)n * 4), NULL, room(k, bytes)};
    CHECK_MSG(gf_components((gf_queue){k->device, NULL}, &o, &k->csr, r.first, r.scratch, bytes, &error) ==
                  GF_OK,
              "%s", error.message);
    uint32_t *found = fetch(r.first, k->device, (size_t)n * 4);
    for (int64_t v = 0; v < n; v++) {
        wrong += found[v] != 0;
    }
    say(k, algo, "labels", wrong);
    free(found);
    release(k, &r);
}

static void search(const struct known *k)
{
    const gf_variant *v;
    const bool cuda = k->device >= 0;
    for (size_t i = 0; (v = gf_primitive_variant("bfs", i)) != NULL; i++) {
        if ((v->cuda != 0) == cuda && !(k->slow && !strcmp(v->name, "frontier"))) {
            levels(k, v->name, false);
            levels(k, v->name, true);
        }
    }
    for (size_t i = 0; k->weight > 0 && (v = gf_primitive_variant("sssp", i)) != NULL; i++) {
        if ((v->cuda != 0) == cuda && !(k->slow && !strcmp(v->name, "bellman-ford"))) {
            distances(k, v->name);
        }
    }
    for (size_t i = 0; (v = gf_primitive_variant("components", i)) != NULL; i++) {
        if ((v->cuda != 0) == cuda && !(k->slow && !strcmp(v->name, "label-propagation"))) {
            labels(k, v->name);
        }
    }
}

/* ---- More than 2^32 edges --------------------------------------------------------------------------------------- */

/* context: the reach. Edge e leaves vertex e / (2 * reach + 1); entries of a row ascend around the ring. */
static void ring_targets(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    const int64_t reach = *(const int64_t *)context, n = 8 * reach, row = 2 * reach + 1;
    uint32_t *targets = (uint32_t *)(void *)to;
    for (int64_t i = 0; i < count / 4;) {
        const int64_t e = first / 4 + i, at = e % row, left = row - at;
        int64_t target = (e / row - reach + at + n) % n;
        for (int64_t until = i + left < count / 4 ? i + left : count / 4; i < until; i++) {
            targets[i] = (uint32_t)target;
            target = target + 1 < n ? target + 1 : 0;
        }
    }
}

static void threes(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    (void)context;
    for (int64_t i = 0; first < HUGE_BLOCK && i < count / 4; i++) { /* the block stays as it is */
        ((int32_t *)(void *)to)[i] = 3;
    }
}

static int64_t *ring_offsets(int64_t reach)
{
    int64_t *offsets = malloc((size_t)(8 * reach + 1) * sizeof *offsets);
    for (int64_t v = 0; offsets && v <= 8 * reach; v++) {
        offsets[v] = v * (2 * reach + 1);
    }
    return offsets;
}

static void small_ring(void)
{
    const int64_t reach = 6, edges = 8 * reach * (2 * reach + 1);
    static uint32_t targets[8 * 6 * 13];
    static int32_t weights[8 * 6 * 13];
    int64_t *offsets = ring_offsets(reach);
    REQUIRE(offsets != NULL);
    ring_targets((uint8_t *)(void *)targets, 0, edges * 4, &reach);
    threes((uint8_t *)(void *)weights, 0, edges * 4, NULL);
    search(&(struct known){"a small ring",
                           GF_DEVICE_CPU,
                           {sizeof(gf_csr), 8 * reach, 8 * reach, edges, offsets, targets, weights},
                           ring_level,
                           ring_parent,
                           3,
                           false});
    free(offsets);
}

static void large_ring(void)
{
    const int64_t reach = 1 << 14, n = 8 * reach, edges = n * (2 * reach + 1); /* 2^32 + 2^17 */
    struct huge h;
    if (!huge_begin(&h, edges * 4, edges * 4, (n + 1) * 8)) {
        return;
    }
    int64_t *offsets = ring_offsets(reach);
    REQUIRE(offsets != NULL);
    CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_UPLOAD, h.out, offsets, (size_t)(n + 1) * 8, NULL), GF_OK);
    huge_fill(&h, h.in[0], edges * 4, ring_targets, &reach);
    huge_fill(&h, h.in[1], edges * 4, threes, NULL);
    search(&(struct known){"a ring of 2^32 edges",
                           0,
                           {sizeof(gf_csr), n, n, edges, h.out, h.in[0], h.in[1]},
                           ring_level,
                           ring_parent,
                           3,
                           false});
    free(offsets);
    huge_end(&h);
}

/* ---- Stars and paths -------------------------------------------------------------------------------------------- */

/* Runs on the CPU, and on a GPU. Emulated, where threads are counted in thousands, test_bfs and its
 * neighbours have smaller ones. */
static void on_every_device(struct known *k)
{
    const gf_csr here = k->csr;
    const size_t bytes[] = {(size_t)(here.rows + 1) * 8, (size_t)here.entries * 4, (size_t)here.entries * 4};
    const void *from[] = {here.offsets, here.indices, here.values};
    void *there[3];
    k->device = GF_DEVICE_CPU;
    search(k);
    if (!array_has_cuda() || array_is_emulated()) {
        return;
    }
    k->device = 0;
    for (int i = 0; i < 3; i++) {
        there[i] = room(k, bytes[i]);
        CHECK_EQ_INT(gf_memory_copy((gf_queue){0, NULL}, GF_COPY_UPLOAD, there[i], from[i], bytes[i], NULL),
                     GF_OK);
    }
    CHECK_EQ_INT(gf_queue_wait((gf_queue){0, NULL}, NULL), GF_OK);
    k->csr.offsets = there[0];
    k->csr.indices = there[1];
    k->csr.values = there[2];
    search(k);
    for (int i = 0; i < 3; i++) {
        gf_memory_release(0, there[i]);
    }
}

/* Room for so many vertices and edges on the host, weights 1. */
static struct known make(const char *name, int64_t n, int64_t edges)
{
    int64_t *offsets = malloc((size_t)(n + 1) * 8);
    uint32_t *targets = malloc((size_t)edges * 4);
    int32_t *weights = malloc((size_t)edges * 4);
    for (int64_t e = 0; weights && e < edges; e++) {
        weights[e] = 1;
    }
    CHECK(offsets && targets && weights);
    return (struct known){.name = name,
                          .csr = {sizeof(gf_csr), n, n, edges, offsets, targets, weights},
                          .weight = 1,
                          .slow = true};
}

static void unmake(const gf_csr *csr)
{
    free((void *)csr->offsets);
    free((void *)csr->indices);
    free((void *)csr->values);
}

static void star(void)
{
    const int64_t leaves = 10000000;
    struct known k = make("a star", leaves + 1, 2 * leaves);
    const gf_csr csr = k.csr;
    for (int64_t i = 0; i <= leaves; i++) {
        ((int64_t *)csr.offsets)[i] = i == 0 ? 0 : leaves + i - 1;
        if (i < leaves) {
            ((uint32_t *)csr.indices)[i] = (uint32_t)i + 1;
            ((uint32_t *)csr.indices)[leaves + i] = 0;
        }
    }
    ((int64_t *)csr.offsets)[leaves + 1] = 2 * leaves;
    k.level = star_level;
    k.parent = star_parent;
    on_every_device(&k);
    unmake(&csr);
}

static void path(void)
{
    const int64_t n = 1000000;
    struct known k = make("a path", n, 2 * (n - 1));
    const gf_csr csr = k.csr;
    int64_t e = 0;
    for (int64_t v = 0; v < n; v++) {
        ((int64_t *)csr.offsets)[v] = e;
        if (v > 0) {
            ((uint32_t *)csr.indices)[e++] = (uint32_t)v - 1;
        }
        if (v + 1 < n) {
            ((uint32_t *)csr.indices)[e++] = (uint32_t)v + 1;
        }
    }
    ((int64_t *)csr.offsets)[n] = e;
    k.level = path_level;
    k.parent = path_parent;
    on_every_device(&k);
    unmake(&csr);
}

static const struct check_case cases[] = {{"the answer", small_ring},
                                          {"more than 2^32 edges", large_ring},
                                          {"a star of ten million leaves", star},
                                          {"a path of a million vertices", path}};
CHECK_MAIN(cases)
