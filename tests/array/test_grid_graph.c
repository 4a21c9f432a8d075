/* Pictures as graphs: levels, parents, distances and labels have the bits of the graph that is written down
 * edge by edge, by "sequential" and by every variant that takes pictures; and are what was worked out by
 * hand. */
#include "grid_case.h"

/* ---- By hand ------------------------------------------------------------------------------------------------- */

static bool takes_pictures(const gf_variant *v)
{
    return !strcmp(v->name, "sequential") || !strcmp(v->name, "auto");
}

/* A wall with a gap at the bottom, and a pixel apart. */
static void by_hand(void)
{
    static const uint8_t pixels[] = {1, 1, 0, 9, 0, /**/ 1, 1, 0, 9, 0, /**/ 1, 1, 1, 0, 7};
    static const int32_t levels[][15] = {{0, 1, -1, -1, -1, 1, 2, -1, -1, -1, 2, 3, 4, -1, -1},
                                         {0, 1, -1, 4, -1, 1, 1, -1, 3, -1, 2, 2, 2, -1, 4}};
    static const uint32_t parents[][15] = {
        {0, 0, ~0u, ~0u, ~0u, 0, 1, ~0u, ~0u, ~0u, 5, 6, 11, ~0u, ~0u},
        {0, 0, ~0u, 8, ~0u, 0, 0, ~0u, 12, ~0u, 5, 5, 6, ~0u, 8},
    };
    static const uint32_t labels[][15] = {{0, 0, 2, 3, 4, 0, 0, 7, 3, 9, 0, 0, 0, 13, 14},
                                          {0, 0, 2, 0, 4, 0, 0, 7, 0, 9, 0, 0, 0, 13, 0},
                                          {0, 0, 2, 3, 4, 0, 0, 7, 3, 9, 0, 0, 0, 13, 14}};
    struct grid_picture p = {.name = "by hand",
                             .width = 5,
                             .height = 3,
                             .connect = 4,
                             .join = GF_GRID_NONZERO,
                             .type = GF_U8,
                             .pixels = (void *)pixels};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("bfs", i)) != NULL; i++) {
        for (int k = 0; takes_pictures(v) && k < 3 && (!v->cuda || array_has_cuda()); k++) {
            const gf_device device = v->cuda ? 0 : GF_DEVICE_CPU;
            p.connect = k == 0 ? 4 : 8;
            p.join = k == 2 ? GF_GRID_EQUAL : GF_GRID_NONZERO;
            struct grid_answer a = {NULL, NULL, -1};
            if (k < 2) {
                a = grid_levels(&p, 0, v->name, device);
                CHECK_MEM(a.first, levels[k], sizeof levels[k]);
                CHECK_MEM(a.second, parents[k], sizeof parents[k]);
                grid_answer_free(&a);
            }
            a = grid_labels(&p, v->name, device);
            CHECK_MEM(a.first, labels[k], sizeof labels[k]);
            grid_answer_free(&a);
        }
    }
}

/* Costs 1 9 1 / 1 9 1 / 1 1 1: entering goes around, differences go around, too; a step of infinite cost
 * leads nowhere. */
static void distances_by_hand(void)
{
    static const float costs[] = {1, 9, 1, /**/ 1, 9, 1, /**/ 1, 1, INFINITY};
    static const float entered[] = {0, 9, 10, /**/ 1, 10, 11, /**/ 2, 3, INFINITY};
    static const int64_t whole[] = {1, 9, 1, /**/ 1, 9, 1, /**/ 1, 1, -3};
    static const int64_t differences[] = {0, 8, 8, /**/ 0, 8, 8, /**/ 0, 0, 4};
    struct grid_picture p = {.name = "costs", .width = 3, .height = 3, .connect = 4, .join = GF_GRID_ALL};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("sssp", i)) != NULL; i++) {
        if (takes_pictures(v) && (!v->cuda || array_has_cuda())) {
            const gf_device device = v->cuda ? 0 : GF_DEVICE_CPU;
            p.cost = GF_GRID_ENTER;
            p.costs = (void *)costs;
            struct grid_answer a = grid_distances(&p, GF_F32, 0, v->name, device);
            CHECK_EQ_INT(a.bad, -1);
            CHECK_MEM(a.first, entered, sizeof entered);
            grid_answer_free(&a);
            p.cost = GF_GRID_DIFFERENCE;
            p.costs = (void *)whole;
            a = grid_distances(&p, GF_S64, 0, v->name, device);
            CHECK_EQ_INT(a.bad, -1);
            CHECK_MEM(a.first, differences, sizeof differences);
            grid_answer_free(&a);
        }
    }
}

/* ---- By the graph that is written down -------------------------------------------------------------------------- */

static void compare(const struct grid_answer *expected, const struct grid_answer *found, size_t bytes,
                    const struct grid_picture *p, const gf_variant *v, const char *what)
{
    CHECK_MSG(
        !memcmp(expected->first, found->first, bytes) &&
            (!expected->second || !memcmp(expected->second, found->second, (size_t)grid_pixels(p) * 4)) &&
            expected->bad == found->bad,
        "%s, %s on %s: %s, %lld x %lld, %d ways", what, v->name, v->cuda ? "CUDA" : "CPU", p->name,
        (long long)p->width, (long long)p->height, p->connect);
}

static void levels_of(const struct grid_picture *p, const gf_variant *v)
{
    const int64_t n = grid_pixels(p), sources[] = {0, n / 2, n - 1};
    struct graph g = grid_written_down(p, GF_F32);
    for (int i = 0; i < 3; i++) {
        struct grid_answer expected = graph_levels(&g, sources[i]),
                           found = grid_levels(p, sources[i], v->name, v->cuda ? 0 : GF_DEVICE_CPU);
        compare(&expected, &found, (size_t)n * 4, p, v, "bfs");
        grid_answer_free(&expected);
        grid_answer_free(&found);
    }
    graph_free(&g);
}

static void labels_of(const struct grid_picture *p, const gf_variant *v)
{
    struct graph g = grid_written_down(p, GF_F32);
    struct grid_answer expected = graph_labels(&g),
                       found = grid_labels(p, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
    compare(&expected, &found, (size_t)grid_pixels(p) * 4, p, v, "components");
    grid_answer_free(&expected);
    grid_answer_free(&found);
    graph_free(&g);
}

static void distances_of(struct grid_picture *p, const gf_variant *v, gf_depth type, int cost, int spread)
{
    const int64_t n = grid_pixels(p), source = n / 3;
    p->cost = cost;
    p->costs = grid_costs(n, type, spread);
    struct graph g = grid_written_down(p, type);
    struct grid_answer expected = graph_distances(&g, type, source),
                       found = grid_distances(p, type, source, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
    CHECK_EQ_INT(expected.bad, -1);
    compare(&expected, &found, (size_t)n * gf_depth_size(gf_sssp_type(type)), p, v, "sssp");
    grid_answer_free(&expected);
    grid_answer_free(&found);
    graph_free(&g);
    free(p->costs);
    p->costs = NULL;
}

static void variants(bool is_cuda)
{
    static const gf_depth types[] = {GF_S32, GF_S64, GF_F32, GF_F64};
    const gf_variant *v;
    for (int kind = 0; kind < GRID_KINDS; kind++) {
        for (int connect = 4; connect <= 8; connect += 4) {
            struct grid_picture p = grid_make((enum grid_kind)kind, connect);
            for (size_t i = 0; (v = gf_primitive_variant("bfs", i)) != NULL; i++) {
                if (v->cuda == is_cuda && takes_pictures(v) && array_in_slice()) {
                    levels_of(&p, v);
                    labels_of(&p, v); /* whose variants have the same names */
                    distances_of(&p, v, types[kind % 4], GF_GRID_ENTER, kind % 3);
                    distances_of(&p, v, types[(kind + connect / 4) % 4], GF_GRID_DIFFERENCE, kind / 4 % 3);
                }
            }
            free(p.pixels);
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(true);
}

/* So many pixels that several threads, and blocks, have work at once: a blank picture, by what it must be. */
static void large(void)
{
    const int64_t side = array_is_emulated() ? 200 : 1500;
    struct grid_picture p = {
        .name = "large", .width = side, .height = side + 3, .connect = 4, .join = GF_GRID_ALL};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("bfs", i)) != NULL; i++) {
        if (takes_pictures(v) && (!v->cuda || array_has_cuda())) {
            struct grid_answer a = grid_levels(&p, 5 * side + 7, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
            const int32_t *levels = a.first;
            int64_t wrong = 0;
            for (int64_t at = 0; at < grid_pixels(&p); at++) {
                wrong += levels[at] != llabs(at % side - 7) + llabs(at / side - 5);
            }
            CHECK_MSG(wrong == 0, "%s on %s: %lld levels", v->name, v->cuda ? "CUDA" : "CPU",
                      (long long)wrong);
            grid_answer_free(&a);
            a = grid_labels(&p, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
            for (int64_t at = 0; at < grid_pixels(&p); at++) {
                wrong += ((const uint32_t *)a.first)[at] != 0;
            }
            CHECK_MSG(wrong == 0, "%s on %s: %lld labels", v->name, v->cuda ? "CUDA" : "CPU",
                      (long long)wrong);
            grid_answer_free(&a);
        }
    }
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void bad_costs(void)
{
    static const int32_t whole[] = {1, 2, -1, 4, -5, 6};
    static const float single[] = {1, -2, NAN, INFINITY, NAN, 6};
    static const uint8_t pixels[] = {1, 1, 0, 1, 1, 1};
    static const struct {
        gf_depth type;
        int cost, join;
        int64_t bad;
    } cases[] = {
        {GF_S32, GF_GRID_ENTER, GF_GRID_ALL, 2},       {GF_S32, GF_GRID_ENTER, GF_GRID_NONZERO, 4},
        {GF_S32, GF_GRID_DIFFERENCE, GF_GRID_ALL, -1}, {GF_F32, GF_GRID_ENTER, GF_GRID_ALL, 1},
        {GF_F32, GF_GRID_DIFFERENCE, GF_GRID_ALL, 2},  {GF_F32, GF_GRID_DIFFERENCE, GF_GRID_NONZERO, 3},
        {GF_F32, GF_GRID_ENTER, GF_GRID_NONZERO, 1}};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("sssp", i)) != NULL; i++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            if (takes_pictures(v) && (!v->cuda || array_has_cuda())) {
                const struct grid_picture p = {.name = "bad costs",
                                               .width = 2,
                                               .height = 3,
                                               .connect = 8,
                                               .join = cases[k].join,
                                               .type = GF_U8,
                                               .pixels = (void *)pixels,
                                               .cost = cases[k].cost,
                                               .costs =
                                                   cases[k].type == GF_S32 ? (void *)whole : (void *)single};
                struct grid_answer a =
                    grid_distances(&p, cases[k].type, 0, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
                CHECK_MSG(a.bad == cases[k].bad, "%s on %s, case %d: bad is %lld", v->name,
                          v->cuda ? "CUDA" : "CPU", (int)k, (long long)a.bad);
                for (int pixel = 0; pixel < 6; pixel++) {
                    CHECK(((const uint8_t *)a.first)[pixel * (cases[k].type == GF_S32 ? 8 : 4)] !=
                          ARRAY_CANARY_BYTE);
                }
                grid_answer_free(&a);
            }
        }
    }
}

static void refused(const gf_grid *grid, const gf_csr *graph, const char *algo, gf_device device,
                    gf_status status, const char *says)
{
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    o.array.algo = algo;
    o.grid = grid;
    CHECK_EQ_INT(gf_components_scratch(device, &o, graph, &bytes, &error), status);
    CHECK_MSG(strstr(error.message, says) != NULL, "'%s' lacks '%s'", error.message, says);
}

static void refusals(void)
{
    const gf_csr graph = {sizeof graph, 0, 0, 0, NULL, NULL, NULL};
    gf_grid grid = GF_GRID_INIT;
    grid.width = grid.height = 3;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_OK, "");
    refused(&grid, &graph, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "a graph and a picture");
    if (array_has_cuda()) {
        refused(&grid, NULL, "label-propagation", 0, GF_ERROR_UNSUPPORTED, "label-propagation takes none");
    }
    grid.connect = 6;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT,
            "connect of the picture is 6, must be 4 or 8");
    grid.connect = 8;
    grid.join = 3;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "join of the picture is 3");
    grid.join = GF_GRID_EQUAL;
    grid.type = GF_S16;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "must be u8, u16, u32 or f32");
    grid.type = GF_F32;
    grid.cost = 2;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "cost of the picture is 2");
    grid.cost = GF_GRID_DIFFERENCE;
    grid.height = INT64_C(1) << 40;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "0 to 2^31 - 1 pixels");
    grid.height = -1;
    refused(&grid, NULL, "auto", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "0 to 2^31 - 1 pixels");
    grid.height = 3;
    static uint32_t labels[9];
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    o.grid = &grid;
    CHECK_EQ_INT(gf_components((gf_queue){GF_DEVICE_CPU, NULL}, &o, NULL, labels, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK(strstr(error.message, "the array of pixels is NULL") != NULL);
}

static const struct check_case cases[] = {{"by hand", by_hand},
                                          {"distances by hand", distances_by_hand},
                                          {"CPU variants", cpu_variants},
                                          {"CUDA variants", cuda_variants},
                                          {"large", large},
                                          {"bad costs", bad_costs},
                                          {"refusals", refusals}};
CHECK_MAIN(cases)
