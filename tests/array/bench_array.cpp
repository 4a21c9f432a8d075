/* bench_array: the array primitives on the CPU beside what the same cores can do: reading memory, memcpy, and
 * for the sort libstdc++'s parallel mode and qsort, and on one thread std::sort and std::merge. All of a row
 * takes turns, so that a busy machine slows down all of it; the best run of each counts.
 *
 *   bench_array [MIB [RUNS [NAME]]]   MiB of input (256), runs (15), rows whose name and type contain NAME
 *
 * Measures; no TAP. docs/primitives.md has figures and the least ratios aimed at. */
#include "base/status.h"
#include "gpufilter/compact.h"
#include "gpufilter/histogram.h"
#include "gpufilter/reduce.h"
#include "gpufilter/scan.h"
#include "gpufilter/search.h"
#include "gpufilter/sort.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <omp.h>
#include <parallel/algorithm>
#include <string>
#include <vector>

namespace
{

enum against { READ, COPY, SORT };

struct row {
    std::string name;
    gf_depth type;
    against what;
    double least; /* ratio aimed at */
    double bytes; /* read and written */
    std::function<gf_status()> run;
    std::function<double()> beside; /* seconds of what it is beside, if that is of one thread */
};

gf_error error = GF_ERROR_INIT;
const gf_queue queue = {GF_DEVICE_CPU, nullptr};
size_t input_bytes;
char *in, *out, *spare, *scratch, *values;
volatile uint64_t sink;

char *buffer(size_t bytes)
{
    void *memory = aligned_alloc(1 << 21, (bytes + (1 << 21) - 1) >> 21 << 21);
    if (!memory) {
        fprintf(stderr, "bench_array: out of memory\n");
        exit(1);
    }
    return static_cast<char *>(memset(memory, 1, bytes));
}

double seconds(const std::function<gf_status()> &run)
{
    const auto start = std::chrono::steady_clock::now();
    if (run() != GF_OK) {
        fprintf(stderr, "bench_array: %s\n", error.message);
        exit(1);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/* ---- What the machine can do ------------------------------------------------------------------------ */

gf_status read_memory()
{
    uint64_t all = 0;
#pragma omp parallel reduction(^ : all)
    {
        const size_t lines = input_bytes / 64, threads = static_cast<size_t>(omp_get_num_threads()),
                     thread = static_cast<size_t>(omp_get_thread_num());
        const uint64_t *word = reinterpret_cast<const uint64_t *>(in);
        uint64_t own[8] = {};
        for (size_t line = lines * thread / threads; line < lines * (thread + 1) / threads; line++) {
            for (size_t k = 0; k < 8; k++) {
                own[k] ^= word[8 * line + k];
            }
        }
        for (uint64_t part : own) {
            all ^= part;
        }
    }
    sink = all;
    return GF_OK;
}

gf_status copy_memory()
{
#pragma omp parallel
    {
        const size_t threads = static_cast<size_t>(omp_get_num_threads()),
                     thread = static_cast<size_t>(omp_get_thread_num());
        const size_t first = input_bytes * thread / threads, end = input_bytes * (thread + 1) / threads;
        memcpy(spare + first, in + first, end - first);
    }
    return GF_OK;
}

int compare_words(const void *a, const void *b)
{
    const uint32_t x = *static_cast<const uint32_t *>(a), y = *static_cast<const uint32_t *>(b);
    return (x > y) - (x < y);
}

/* Seconds of a library's sort of u32, without the copy that it needs. */
double sort_of_library(bool parallel)
{
    uint32_t *words = reinterpret_cast<uint32_t *>(spare);
    const size_t n = input_bytes / 4;
    memcpy(words, in, input_bytes);
    return seconds([&] {
        if (parallel) {
            __gnu_parallel::sort(words, words + n);
        } else {
            qsort(words, n, 4, compare_words);
        }
        return GF_OK;
    });
}

/* ---- The primitives ---------------------------------------------------------------------------------- */

int64_t elements(gf_depth type)
{
    return static_cast<int64_t>(input_bytes / gf_depth_size(type));
}

/* NAME's options in NAME_options; scratch is one buffer for all. */
#define RUN(call, options, ...)                                                                              \
    [=]() mutable {                                                                                          \
        size_t need = 0;                                                                                     \
        GF_TRY(call##_scratch(GF_DEVICE_CPU, &options, n, &need, &error));                                   \
        return call(queue, &options, __VA_ARGS__, scratch, need, &error);                                    \
    }

row reduce(const char *name, gf_reduce_op op, gf_depth type)
{
    const int64_t n = elements(type);
    gf_reduce_options o = GF_REDUCE_OPTIONS_INIT;
    o.op = op;
    o.array.type = type;
    return {name, type, READ, 0.8, double(input_bytes), RUN(gf_reduce, o, in, n, out), nullptr};
}

/* Values that are not there. */
const uint8_t byte_needle = 0xff;
const float float_needle = 77.0F;
const double double_needle = 77.0;

row search(const char *name, gf_search_mode mode, gf_depth type)
{
    const int64_t n = elements(type);
    gf_search_options o = GF_SEARCH_OPTIONS_INIT;
    static const uint32_t word = 0x7fffffff;
    o.mode = mode;
    o.array.type = type;
    o.value = type == GF_F32   ? static_cast<const void *>(&float_needle)
              : type == GF_F64 ? static_cast<const void *>(&double_needle)
              : type == GF_S32 ? static_cast<const void *>(&word)
                               : static_cast<const void *>(&byte_needle);
    return {name,
            type,
            READ,
            0.8,
            double(input_bytes),
            RUN(gf_search, o, in, n, reinterpret_cast<int64_t *>(out), nullptr, 0),
            nullptr};
}

row histogram(const char *name, gf_depth type)
{
    const int64_t n = elements(type);
    gf_histogram_options o = GF_HISTOGRAM_OPTIONS_INIT;
    o.array.type = type;
    return {name,
            type,
            READ,
            0.8,
            double(input_bytes),
            RUN(gf_histogram, o, in, n, reinterpret_cast<uint64_t *>(out)),
            nullptr};
}

row scan(const char *name, gf_depth type, gf_depth to)
{
    const int64_t n = elements(type);
    gf_scan_options o = GF_SCAN_OPTIONS_INIT;
    o.array.type = type;
    o.out = to;
    return {name,
            type,
            COPY,
            0.6,
            double(input_bytes) * double(1 + gf_depth_size(to) / gf_depth_size(type)),
            RUN(gf_scan, o, in, n, out),
            nullptr};
}

row compact(const char *name, gf_depth type)
{
    const int64_t n = elements(type);
    static const uint8_t byte = 128;
    static const int32_t word = 0x3fffffff;
    static const float real = 0.5F;
    static const double wide = 0.5;
    gf_compact_options o = GF_COMPACT_OPTIONS_INIT;
    o.keep = GF_KEEP_GE;
    o.array.type = type;
    o.value = type == GF_U8    ? static_cast<const void *>(&byte)
              : type == GF_S32 ? static_cast<const void *>(&word)
              : type == GF_F32 ? static_cast<const void *>(&real)
                               : static_cast<const void *>(&wide);
    return {name,
            type,
            COPY,
            0.6,
            1.5 * double(input_bytes),
            RUN(gf_compact, o, in, n, out, n, reinterpret_cast<uint64_t *>(spare)),
            nullptr};
}

row sort(const char *name, gf_depth type, int32_t value_size)
{
    const int64_t n = elements(type);
    gf_sort_options o = GF_SORT_OPTIONS_INIT;
    o.array.type = type;
    o.value_size = value_size;
    const char *v = value_size ? values : nullptr;
    char *to = value_size ? spare : nullptr;
    return {name, type, SORT, 1 / 1.5, 0, RUN(gf_sort, o, in, v, n, out, to), nullptr};
}

/* Runs beside std::sort, one thread each. The copy that the library needs is not counted. */
template <typename T> row sort_alone(gf_depth type)
{
    const int64_t n = elements(type);
    gf_sort_options o = GF_SORT_OPTIONS_INIT;
    o.array.type = type;
    o.array.threads = 1;
    return {"sort keys, one thread", type, SORT, 4, 0, RUN(gf_sort, o, in, nullptr, n, out, nullptr), [n] {
                T *keys = reinterpret_cast<T *>(spare);
                memcpy(keys, in, input_bytes);
                return seconds([=] {
                    std::sort(keys, keys + n);
                    return GF_OK;
                });
            }};
}

/* The two halves of the input, sorted, beside std::merge. */
template <typename T> row merge_alone(gf_depth type)
{
    const int64_t n = elements(type), half = n / 2;
    gf_sort_options o = GF_SORT_OPTIONS_INIT;
    o.array.type = type;
    o.array.threads = 1;
    return {"merge, one thread",
            type,
            SORT,
            2,
            0,
            [=] {
                return gf_merge(queue, &o, values, nullptr, half, values + half * sizeof(T), nullptr,
                                n - half, out, nullptr, nullptr, 0, &error);
            },
            [=] {
                T *keys = reinterpret_cast<T *>(values);
                memcpy(keys, in, input_bytes);
                std::sort(keys, keys + half);
                std::sort(keys + half, keys + n);
                return seconds([=] {
                    std::merge(keys, keys + half, keys + half, keys + n, reinterpret_cast<T *>(out));
                    return GF_OK;
                });
            }};
}

/* Random numbers: bytes but the greatest; s32 of 31 bits but the greatest; floats of [0, 1). */
void fill(gf_depth type, bool constant)
{
    const int64_t n = elements(type);
    uint64_t state = 88172645463325252u;
    for (int64_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const uint64_t draw = constant ? 0x1234567890abcdef : state;
        switch (gf_depth_size(type)) {
        case 1:
            in[i] = static_cast<char>((draw >> 32) % 255);
            break;
        case 2:
            reinterpret_cast<uint16_t *>(in)[i] = static_cast<uint16_t>(draw);
            break;
        case 4:
            if (type == GF_F32) {
                reinterpret_cast<float *>(in)[i] = static_cast<float>(draw >> 40) * 0x1p-24F;
            } else {
                reinterpret_cast<uint32_t *>(in)[i] =
                    static_cast<uint32_t>(type == GF_S32 ? (draw >> 33) % 0x7fffffff : draw >> 32);
            }
            break;
        default:
            reinterpret_cast<double *>(in)[i] = static_cast<double>(draw >> 11) * 0x1p-53;
        }
    }
}

/* ---- A row ------------------------------------------------------------------------------------------- */

void measure(const row &r, int runs)
{
    double own = 1e9, other = 1e9, other_bytes = double(input_bytes) * (r.what == COPY ? 2 : 1);
    const double n = double(elements(r.type));
    for (int i = 0; i <= runs; i++) {
        const double yours = r.beside         ? r.beside()
                             : r.what == READ ? seconds(read_memory)
                             : r.what == COPY
                                 ? seconds(copy_memory)
                                 : std::min(sort_of_library(true), i == 0 ? sort_of_library(false) : 1e9);
        const double mine = seconds(r.run);
        own = i > 0 ? std::min(own, mine) : own; /* the first warms up */
        other = i > 0 || r.what == SORT ? std::min(other, yours) : other;
    }
    if (r.what == SORT) {
        printf("%-34s %-4s %8.1f Mel/s  %-7s %8.1f Mel/s  ratio %5.2f  least %.2f\n", r.name.c_str(),
               gf_depth_name(r.type), 1e-6 * n / own, "library", 1e-6 * n / other, other / own, r.least);
    } else {
        const double mine = 1e-9 * r.bytes / own, yours = 1e-9 * other_bytes / other;
        printf("%-34s %-4s %8.2f GB/s   %-7s %8.2f GB/s   ratio %5.2f  least %.2f\n", r.name.c_str(),
               gf_depth_name(r.type), mine, r.what == READ ? "read" : "memcpy", yours, mine / yours, r.least);
    }
    fflush(stdout);
}

std::vector<row> rows()
{
    std::vector<row> all;
    for (gf_depth type : {GF_U8, GF_S32, GF_F32, GF_F64}) {
        all.push_back(reduce("reduce sum", GF_REDUCE_SUM, type));
        all.push_back(reduce("reduce min", GF_REDUCE_MIN, type));
        all.push_back(reduce("reduce argmax", GF_REDUCE_ARGMAX, type));
        all.push_back(reduce("reduce var", GF_REDUCE_VAR, type));
        all.push_back(search("search first, absent", GF_SEARCH_FIRST, type));
        all.push_back(search("search count", GF_SEARCH_COUNT, type));
        all.push_back(histogram("histogram, 256 bins", type));
        all.push_back(scan("scan sum", type, type));
        all.push_back(compact("compact, half", type));
    }
    all.push_back(histogram("histogram, 256 bins", GF_U16));
    all.push_back(histogram("constant histogram, 256 bins", GF_U8));
    all.push_back(histogram("constant histogram, 256 bins", GF_F32));
    all.push_back(scan("scan sum to u32", GF_U8, GF_U32));
    all.push_back(sort("sort keys", GF_U32, 0));
    all.push_back(sort("sort keys and values", GF_U32, 4));
    all.push_back(sort_alone<uint32_t>(GF_U32));
    all.push_back(merge_alone<uint32_t>(GF_U32));
    all.push_back(sort_alone<float>(GF_F32));
    all.push_back(merge_alone<float>(GF_F32));
    all.push_back(sort_alone<uint64_t>(GF_U64));
    all.push_back(merge_alone<uint64_t>(GF_U64));
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    const int mib = argc > 1 ? atoi(argv[1]) : 256, runs = argc > 2 ? atoi(argv[2]) : 15;
    if (mib < 1 || runs < 1) {
        fprintf(stderr, "usage: bench_array [MIB [RUNS [NAME]]]\n");
        return 2;
    }
    input_bytes = static_cast<size_t>(mib) << 20;
    in = buffer(input_bytes);
    out = buffer(4 * input_bytes);
    spare = buffer(input_bytes);
    values = buffer(input_bytes);
    scratch = buffer(2 * input_bytes + (size_t(1) << 24));
    printf("%d MiB of input, %d threads, best of %d runs in turns\n", mib, omp_get_max_threads(), runs);
    std::string filled;
    for (const row &r : rows()) {
        const bool constant = r.name.find("constant") == 0;
        if (argc > 3 && (r.name + " " + gf_depth_name(r.type)).find(argv[3]) == std::string::npos) {
            continue;
        }
        const std::string wanted = std::to_string(int(r.type)) + (constant ? "c" : "r");
        if (wanted != filled) {
            fill(r.type, constant);
            filled = wanted;
        }
        measure(r, r.what == SORT ? std::max(1, runs / 3) : runs);
    }
    return 0;
}
