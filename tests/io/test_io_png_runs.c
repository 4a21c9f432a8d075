/* What level -1 compresses by: the same bytes from every stream, wherever its memory lies. */
#include "check.h"
#include "io/png/png_runs.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define KEPT    100
#define STREAMS 600 /* more than there are places for those of ISA-L */
#define SIZE    100000

static uint8_t next_byte(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (uint8_t)(state >> 24);
}

/* Pieces of a byte that comes again `run` times, then three others, then the last four once more: a match
 * that only a wrong entry of ISA-L's table leads to. */
static void fill(uint8_t *bytes, int piece, int run)
{
    for (int i = 0; i < SIZE; i++) {
        int at = i % piece;
        int back = at > 0 && at < run ? 1 : at >= run + 3 && at < run + 7 ? 4 : 0;
        bytes[i] = back != 0 ? bytes[i - back] : next_byte();
    }
}

static void same_bytes_everywhere(void)
{
    static const int shapes[][2] = {{14, 7}, {16, 9}, {17, 7}, {17, 10}, {20, 9}, {20, 11}};
    struct gf_budget budget = {UINT64_MAX, 0, 0, 0};
    struct gf_png_runs *streams[KEPT] = {NULL};
    for (int i = 0; i < KEPT; i++) {
        streams[i] = gf_png_runs_make(&budget);
        REQUIRE(streams[i] != NULL);
    }
    size_t room = gf_png_runs_bound(streams[0], SIZE);
    uint8_t *bytes = malloc(SIZE), *first = malloc(room), *other = malloc(room);
    REQUIRE(bytes != NULL && first != NULL && other != NULL);
    for (size_t n = 0; n < sizeof shapes / sizeof shapes[0]; n++) {
        fill(bytes, shapes[n][0], shapes[n][1]);
        size_t size = gf_png_runs_segment(streams[0], bytes, SIZE, true, first, room);
        int differ = 0;
        for (int i = 1; i < KEPT; i++) {
            size_t made = gf_png_runs_segment(streams[i], bytes, SIZE, true, other, room);
            differ += made != size || memcmp(first, other, size) != 0;
        }
        CHECK_MSG(size != 0 && differ == 0, "pieces of %d, runs of %d: %d of %d streams give other bytes",
                  shapes[n][0], shapes[n][1], differ, KEPT - 1);
    }
    for (int i = 0; i < KEPT; i++) {
        gf_png_runs_free(streams[i], &budget);
    }
    CHECK(budget.used == 0);
    free(bytes);
    free(first);
    free(other);
}

static int is_compressed(const uint8_t *compressed, size_t size, const uint8_t *bytes)
{
    static uint8_t back[SIZE];
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)compressed, .avail_in = (uInt)size};
    stream.next_out = back;
    stream.avail_out = SIZE;
    int status = inflateInit2(&stream, -15) == Z_OK ? inflate(&stream, Z_FINISH) : Z_MEM_ERROR;
    inflateEnd(&stream);
    return status == Z_STREAM_END && stream.avail_out == 0 && memcmp(back, bytes, SIZE) == 0;
}

/* The slot of ISA-L's table that is filled for a stream at this address. */
static uint32_t slot_of(unsigned long address)
{
    uint32_t crc = (uint32_t)(address >> 16);
    for (int i = 0; i < 32; i++) {
        crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
    return crc & 0x1fff;
}

/* How many streams have a place that was chosen for them; *other of them fill another slot than the first. */
static int places(int *other)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    int count = 0;
    uint32_t slot = 0;
    *other = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long address = strtoul(line, NULL, 16);
        if (address >= 0x550000000000ul && address < 0x554000000000ul) {
            slot = count++ == 0 ? slot_of(address) : slot;
            *other += slot_of(address) != slot;
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return count;
}

static void make_all(struct gf_png_runs **streams, struct gf_budget *budget)
{
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = gf_png_runs_make(budget);
        REQUIRE(streams[i] != NULL);
    }
}

static void free_all(struct gf_png_runs **streams, struct gf_budget *budget)
{
    for (int i = 0; i < STREAMS; i++) {
        gf_png_runs_free(streams[i], budget);
    }
}

static void more_streams_than_places(void)
{
    static struct gf_png_runs *streams[STREAMS];
    struct gf_budget budget = {UINT64_MAX, 0, 0, 0};
    int other;
    make_all(streams, &budget);
    int most = places(&other);
    size_t room = gf_png_runs_bound(streams[0], SIZE);
    uint8_t *bytes = malloc(SIZE), *out = malloc(room);
    REQUIRE(bytes != NULL && out != NULL);
    fill(bytes, 16, 9);
    for (int i = 0; i < STREAMS; i += i < STREAMS - 100 ? 25 : 1) {
        size_t size = gf_png_runs_segment(streams[i], bytes, SIZE, true, out, room);
        CHECK_MSG(size != 0 && is_compressed(out, size, bytes), "stream %d is wrong", i);
    }
    free_all(streams, &budget);
    make_all(streams, &budget);
    CHECK_EQ_INT(places(&other), most); /* the same ones */
    free_all(streams, &budget);
    free(bytes);
    free(out);
    CHECK(budget.used == 0);
    CHECK_EQ_INT(other, 0);
    if (most == 0) {
        SKIP("no place is chosen for streams: not ISA-L's for x86-64");
    }
    CHECK_MSG(most >= KEPT, "only %d streams have a place", most);
}

static const struct check_case cases[] = {
    {"the same bytes from streams at any address", same_bytes_everywhere},
    {"more streams than places, which share a slot", more_streams_than_places},
};

CHECK_MAIN(cases)
