/* gpufilter/ragged.cuh: bodies of one's own under every variant, and the sample that shows it. */
#define main sample_main
#include "samples/ragged.cu"
#undef main

#include "check.h"

static bool has_cuda()
{
    gf_queue queue = {0, nullptr};
    const bool has = gf_queue_create(0, &queue, nullptr) == GF_OK;
    gf_queue_destroy(&queue);
    return has;
}

/* Marks the place of each item, and adds up how often each ix came. */
struct mark_place {
    uint32_t *marks, *times;
    __device__ void operator()(int32_t ix, int32_t iy, int64_t k) const
    {
        atomicAdd(marks + k, static_cast<uint32_t>(ix + 1) * 1000u + static_cast<uint32_t>(iy));
        atomicAdd(times + ix, 1u);
    }
};

/* Every item once, at its place. */
static void check_places(const char *algo, const std::vector<int32_t> &ny)
{
    const gf_queue queue = {0, nullptr};
    const int64_t nx = static_cast<int64_t>(ny.size());
    gf_ragged_options options = GF_RAGGED_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    std::vector<uint32_t> expected, times;
    size_t bytes = 0;
    for (int64_t ix = 0; ix < nx; ix++) {
        times.push_back(static_cast<uint32_t>(ny[ix]));
        for (int32_t iy = 0; iy < ny[ix]; iy++) {
            expected.push_back(static_cast<uint32_t>(ix + 1) * 1000u + static_cast<uint32_t>(iy));
        }
    }
    std::vector<uint32_t> zeros(expected.size() + times.size()), found(zeros.size());
    expected.insert(expected.end(), times.begin(), times.end());
    options.array.algo = algo;
    options.frame_area = 300;
    memory counts(0), out(0), scratch(0);
    CHECK_EQ_INT(gf_ragged_for_scratch<mark_place>(0, &options, nx, &bytes, &error), GF_OK);
    CHECK(counts.take(ny.size() * 4, &error) == GF_OK && out.take(found.size() * 4, &error) == GF_OK &&
          scratch.take(bytes, &error) == GF_OK);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, counts.at, ny.data(), ny.size() * 4, &error), GF_OK);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, out.at, zeros.data(), zeros.size() * 4, &error),
                 GF_OK);
    const mark_place body = {static_cast<uint32_t *>(out.at),
                             static_cast<uint32_t *>(out.at) + expected.size() - times.size()};
    gf_status status = gf_ragged_for(queue, &options, static_cast<const int32_t *>(counts.at), nx, body,
                                     scratch.at, bytes, &error);
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_DOWNLOAD, found.data(), out.at, found.size() * 4, &error),
                 GF_OK);
    CHECK_EQ_INT(gf_queue_wait(queue, &error), GF_OK);
    CHECK_MSG(found == expected, "%s: an item is wrong, missing or there twice", algo);
}

static void places()
{
    static const char *const names[] = {"auto", "simple", "frame", "combined", "smart"};
    if (!has_cuda()) {
        SKIP("no CUDA device");
    }
    for (const char *name : names) {
        check_places(name, make_counts());
        check_places(name, {1});
        check_places(name, {0, 0, 0, 5});
        check_places(name, {900, 0, 1, 40, 0});
    }
}

/* Keeps the sum of the items that a thread takes, and how many they are. */
struct keep_sum {
    struct partial {
        unsigned long long sum = 0;
        uint32_t count = 0;
    };
    unsigned long long *sums, *counts;
    __device__ void operator()(int32_t ix, int32_t iy, partial &own) const
    {
        own.sum += static_cast<unsigned long long>(ix) * 7u + static_cast<unsigned long long>(iy);
        own.count++;
    }
    __device__ void finish(int32_t ix, const partial &own) const
    {
        atomicAdd(sums + ix, own.sum);
        atomicAdd(counts + ix, static_cast<unsigned long long>(own.count));
    }
};

static void check_kept(const char *algo, const std::vector<int32_t> &ny)
{
    const gf_queue queue = {0, nullptr};
    const size_t nx = ny.size();
    std::vector<unsigned long long> found(2 * nx), zeros(2 * nx);
    gf_ragged_options options = GF_RAGGED_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    options.array.algo = algo;
    memory counts(0), out(0), scratch(0);
    CHECK_EQ_INT(gf_ragged_for_scratch<keep_sum>(0, &options, static_cast<int64_t>(nx), &bytes, &error),
                 GF_OK);
    CHECK(counts.take(nx * 4, &error) == GF_OK && out.take(nx * 16, &error) == GF_OK &&
          scratch.take(bytes, &error) == GF_OK);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, counts.at, ny.data(), nx * 4, &error), GF_OK);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, out.at, zeros.data(), nx * 16, &error), GF_OK);
    const keep_sum body = {static_cast<unsigned long long *>(out.at),
                           static_cast<unsigned long long *>(out.at) + nx};
    gf_status status = gf_ragged_for(queue, &options, static_cast<const int32_t *>(counts.at),
                                     static_cast<int64_t>(nx), body, scratch.at, bytes, &error);
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_DOWNLOAD, found.data(), out.at, nx * 16, &error), GF_OK);
    CHECK_EQ_INT(gf_queue_wait(queue, &error), GF_OK);
    for (size_t ix = 0; ix < nx; ix++) {
        const unsigned long long n = static_cast<unsigned long long>(ny[ix]);
        const unsigned long long sum = n * ix * 7 + (n > 0 ? n * (n - 1) / 2 : 0);
        CHECK_MSG(found[ix] == sum && found[nx + ix] == n, "%s: %llu of %llu items of %llu", algo,
                  found[nx + ix], n, static_cast<unsigned long long>(ix));
    }
}

static void kept()
{
    static const char *const names[] = {"auto", "simple", "frame", "combined", "smart"};
    if (!has_cuda()) {
        SKIP("no CUDA device");
    }
    for (const char *name : names) {
        check_kept(name, make_counts());
        check_kept(name, {3000, 0, 64, 31, 32, 33, 1});
    }
    check_kept("auto", {0, 70000, 1}); /* of several warps */
}

/* Which shape "smart" gives a loop, around its threshold; and what the others give it. */
static void shapes()
{
    if (!has_cuda()) {
        SKIP("no CUDA device");
    }
    static const struct {
        const char *algo;
        int64_t threshold;
        gf_ragged_shape shape;
        int32_t below;
    } rows[] = {{"auto", 0, GF_RAGGED_EVEN, 0},    {"simple", 0, GF_RAGGED_GRID, 0},
                {"frame", 0, GF_RAGGED_FRAMES, 0}, {"combined", 0, GF_RAGGED_FRAMES, 1},
                {"smart", 41, GF_RAGGED_GRID, 0},  {"smart", 40, GF_RAGGED_FRAMES, 1}};
    const int32_t ny[] = {3, 40, 7};
    const gf_queue queue = {0, nullptr};
    gf_error error = GF_ERROR_INIT;
    memory counts(0), scratch(0);
    CHECK(counts.take(sizeof ny, &error) == GF_OK && scratch.take(1 << 20, &error) == GF_OK);
    CHECK_EQ_INT(gf_memory_copy(queue, GF_COPY_UPLOAD, counts.at, ny, sizeof ny, &error), GF_OK);
    for (const auto &row : rows) {
        const gf_ragged_threshold threshold = {0, row.threshold};
        gf_ragged_options options = GF_RAGGED_OPTIONS_INIT;
        gf_ragged_loop loop = GF_RAGGED_LOOP_INIT;
        options.array.algo = row.algo;
        options.thresholds = 1;
        options.threshold = &threshold;
        CHECK_EQ_INT(gf_ragged_begin(queue, &options, static_cast<const int32_t *>(counts.at), 3, 0, &loop,
                                     scratch.at, 1 << 20, &error),
                     GF_OK);
        CHECK_MSG(loop.shape == row.shape && loop.below == row.below && loop.nx == 3, "%s, %lld", row.algo,
                  static_cast<long long>(row.threshold));
        CHECK(loop.shape != GF_RAGGED_GRID || loop.ny == 40);
    }
    CHECK_EQ_INT(gf_queue_wait(queue, &error), GF_OK);
}

static void sample()
{
    if (!has_cuda()) {
        SKIP("no CUDA device");
    }
    CHECK_EQ_INT(sample_main(), 0);
}

static const struct check_case cases[] = {
    {"places", places}, {"kept", kept}, {"shapes", shapes}, {"sample", sample}};
CHECK_MAIN(cases)
