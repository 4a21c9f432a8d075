/* Deflate of bytes and runs: zlib is the judge of what was coded, and Huffman's sums of the codes. */
#include "check.h"
#include "huffman.h"
#include "png_code.h"

#include <zlib.h>

enum { ROOM = 1 << 19, KINDS = 9 };

static uint8_t plain[ROOM], coded[2 * ROOM], back[ROOM + 1];

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Bytes of a kind: how often each comes, and whether it comes again. */
static void fill(int kind, size_t size)
{
    uint32_t state = (uint32_t)(kind * 7919 + 1);
    for (size_t i = 0; i < size; i++) {
        uint32_t r = next_number(&state);
        int zeros = __builtin_ctz(r | 1u << 16);
        uint8_t same = i > 0 ? plain[i - 1] : 3;
        plain[i] = kind == 0   ? (uint8_t)r
                   : kind == 1 ? 7
                   : kind == 2 ? (uint8_t)(r % 2)
                   : kind == 3 ? (uint8_t)zeros /* halves at each: codes of every length */
                   : kind == 4 ? (r % 8 ? same : (uint8_t)(r >> 4))
                   : kind == 5 ? (r % 100 ? same : (uint8_t)(r >> 4))
                   : kind == 6 ? (uint8_t)(i % 251)
                   : kind == 7 ? (r % 500 ? same : (uint8_t)(i / 3))
                               : (uint8_t)(zeros * zeros + (int)(r >> 20) % (zeros + 1));
    }
}

/* What zlib makes of it is `plain` again; all of it when it is the last. */
static bool comes_back(size_t used, size_t size, int last)
{
    z_stream stream = {0};
    stream.next_in = coded;
    stream.avail_in = (uInt)used;
    stream.next_out = back;
    stream.avail_out = sizeof back;
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return false;
    }
    int result = inflate(&stream, Z_SYNC_FLUSH);
    size_t made = stream.total_out, left = stream.avail_in;
    inflateEnd(&stream);
    return result == (last ? Z_STREAM_END : Z_OK) && made == size && left == 0 && !memcmp(back, plain, size);
}

static void check_coded(int kind, size_t size, enum gf_png_runs runs, int last)
{
    size_t bound = gf_png_code_bound(size);
    memset(coded, 0xa5, bound + 64);
    size_t used = gf_png_code(plain, size, runs, last, coded, bound);
    CHECK_MSG(used > 0 && used <= bound, "kind %d, %zu bytes, runs %d: %zu", kind, size, runs, used);
    CHECK_MSG(comes_back(used, size, last), "kind %d, %zu bytes, runs %d, last %d", kind, size, runs, last);
    for (int i = 0; i < 64; i++) {
        CHECK_MSG(coded[bound + (size_t)i] == 0xa5, "kind %d, %zu bytes: written behind its room", kind,
                  size);
    }
    CHECK_MSG(last || !memcmp(coded + used - 4, "\0\0\xff\xff", 4), "kind %d: no end on a byte", kind);
}

static void zlib_reads_it(void)
{
    static const size_t sizes[] = {1,     2,     3,     4,     5,      7,      8,      9,     63,    255,
                                   256,   257,   4095,  32767, 32768,  32769,  32772,  32773, 65535, 65537,
                                   98303, 98304, 98305, 98311, 131072, 200001, 262144, 300007};
    for (int kind = 0; kind < KINDS; kind++) {
        fill(kind, ROOM);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (int how = 0; how < 6; how++) {
                check_coded(kind, sizes[i], (enum gf_png_runs)(how % 3), how / 3);
            }
        }
    }
}

/* A run of each length, at each place in eight, before another byte and at the end. */
static void runs_of_every_length(void)
{
    for (size_t length = 1; length < 560; length++) {
        for (size_t before = 0; before < 9; before++) {
            for (size_t behind = 0; behind < 10; behind += 3) {
                for (size_t i = 0; i < before + length + behind; i++) {
                    bool is_run = i >= before && i < before + length;
                    plain[i] = is_run ? 9 : (uint8_t)(100 + i % 50);
                }
                check_coded(100, before + length + behind, GF_PNG_LONG_RUNS, 1);
                check_coded(101, before + length + behind, GF_PNG_ALL_RUNS, 1);
            }
        }
    }
}

static void too_little_room(void)
{
    fill(8, 70000);
    size_t used = gf_png_code(plain, 70000, GF_PNG_ALL_RUNS, 1, coded, gf_png_code_bound(70000));
    for (size_t room = 0; room < used; room += 1 + room / 7) {
        memset(coded + room, 0xa5, 64);
        CHECK_EQ_INT(gf_png_code(plain, 70000, GF_PNG_ALL_RUNS, 1, coded, room), 0);
        for (size_t i = 0; i < 64; i++) {
            CHECK_MSG(coded[room + i] == 0xa5, "room %zu: written behind it", room);
        }
    }
}

static size_t by_zlib(size_t size, int strategy)
{
    z_stream stream = {0};
    stream.next_in = plain;
    stream.avail_in = (uInt)size;
    stream.next_out = coded;
    stream.avail_out = sizeof coded;
    if (deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 8, strategy) != Z_OK) {
        return 0;
    }
    deflate(&stream, Z_FINISH);
    size_t made = stream.total_out;
    deflateEnd(&stream);
    return made;
}

static void no_larger_than_zlib(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        bool has_runs = kind == 1 || kind == 4 || kind == 5 || kind == 7; /* then they are looked for */
        for (int runs = has_runs; runs < 2; runs++) {
            size_t size = (size_t)1 << 18;
            fill(kind, size);
            size_t theirs = by_zlib(size, runs ? Z_RLE : Z_HUFFMAN_ONLY);
            enum gf_png_runs which = !runs                    ? GF_PNG_NO_RUNS
                                     : kind == 3 || kind == 8 ? GF_PNG_LONG_RUNS
                                                              : GF_PNG_ALL_RUNS;
            size_t ours = gf_png_code(plain, size, which, 1, coded, sizeof coded);
            CHECK_MSG(ours > 0 && (double)ours <= 1.005 * (double)theirs + 300,
                      "kind %d, runs %d: %zu, zlib %zu", kind, runs, ours, theirs);
        }
    }
}

/* ---- codes ---- */

/* The least sum of bits: that of all sums that Huffman makes. */
static uint64_t least_sum(const uint32_t *counts, int symbols)
{
    uint64_t left[GF_HUFFMAN_SYMBOLS], sum = 0;
    int n = 0;
    for (int i = 0; i < symbols; i++) {
        if (counts[i] > 0) {
            left[n++] = counts[i];
        }
    }
    for (; n > 1; n--) {
        for (int k = 0; k < 2; k++) { /* the two least ones to the end */
            for (int i = 0; i < n - 1 - k; i++) {
                if (left[i] < left[n - 1 - k]) {
                    uint64_t other = left[i];
                    left[i] = left[n - 1 - k];
                    left[n - 1 - k] = other;
                }
            }
        }
        left[n - 2] += left[n - 1];
        sum += left[n - 2];
    }
    return sum;
}

/* Returns the sum of bits. */
static uint64_t check_codes(const uint32_t *counts, int symbols, int most)
{
    struct gf_code codes[GF_HUFFMAN_SYMBOLS];
    uint64_t sum = 0, taken = 0;
    gf_huffman_make(counts, symbols, most, codes);
    for (int i = 0; i < symbols; i++) {
        CHECK_MSG((codes[i].length > 0) == (counts[i] > 0) && codes[i].length <= most,
                  "symbol %d of %d: %d bits", i, symbols, codes[i].length);
        taken += codes[i].length ? UINT64_C(1) << (most - codes[i].length) : 0;
        sum += (uint64_t)counts[i] * codes[i].length;
    }
    CHECK_MSG(taken == UINT64_C(1) << most, "the codes do not fill %d bits", most);
    return sum;
}

static void least_sums(void)
{
    uint32_t counts[GF_HUFFMAN_SYMBOLS], state = 5;
    for (int turn = 0; turn < 3000; turn++) {
        int symbols = 2 + (int)(next_number(&state) % (GF_HUFFMAN_SYMBOLS - 1)), come = 0;
        uint32_t most = 1 + next_number(&state) % 60000;
        for (int i = 0; i < symbols; i++) {
            counts[i] = next_number(&state) % 3 ? next_number(&state) % most : 0;
            come += counts[i] > 0;
        }
        counts[0] += counts[0] == 0;
        counts[1] += counts[1] == 0;
        uint64_t sum = check_codes(counts, symbols, 15);
        CHECK_MSG(turn % 10 != 0 || sum == least_sum(counts, symbols) || most > 1000, "turn %d: %llu bits",
                  turn, (unsigned long long)sum);
    }
}

/* Counts like Fibonacci's numbers make the deepest trees. */
static void deep_trees(void)
{
    uint32_t counts[GF_HUFFMAN_SYMBOLS] = {1, 1};
    for (int n = 2; n < 23; n++) {
        counts[n] = counts[n - 1] + counts[n - 2];
        for (int most = 5; most <= 15; most++) {
            uint64_t sum = check_codes(counts, n + 1, most);
            if (most >= n) {
                CHECK_MSG(sum == least_sum(counts, n + 1), "%d counts in %d bits", n + 1, most);
            }
        }
    }
}

static const struct check_case cases[] = {
    {"zlib reads what is written", zlib_reads_it},
    {"runs of every length at every place", runs_of_every_length},
    {"too little room is told, and kept to", too_little_room},
    {"no larger than zlib's", no_larger_than_zlib},
    {"codes of the least sum", least_sums},
    {"deep trees are cut", deep_trees},
};

CHECK_MAIN(cases)
