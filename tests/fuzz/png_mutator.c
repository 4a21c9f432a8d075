/* How libFuzzer changes a PNG. A changed byte alone would end at a checksum, so most of the time checksums
 * are made good again, and now and then the bytes behind the deflate stream, filters and samples, are what is
 * changed. */
#include "fuzz.h"

#include <zlib.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { SIGNATURE = 8, AROUND = 12, MOST_ROWS = 1 << 14 };

static uint32_t get(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void put(uint8_t *b, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        b[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

/* Bytes of the chunk at `at`, with length, name and checksum; 0 where none is whole. */
static size_t chunk_size(const uint8_t *data, size_t size, size_t at)
{
    return at <= size && size - at >= AROUND && get(data + at) <= size - at - AROUND
               ? (size_t)get(data + at) + AROUND
               : 0;
}

static void mend_checksums(uint8_t *data, size_t size)
{
    size_t part;
    for (size_t at = SIGNATURE; (part = chunk_size(data, size, at)) > 0; at += part) {
        put(data + at + part - 4, (uint32_t)crc32(0, data + at + 4, (uInt)(part - 8)));
    }
}

/* Changes what the first IDAT holds, and puts it back as one chunk. Returns the new size; 0: not possible. */
static size_t mutate_rows(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static uint8_t rows[MOST_ROWS], packed[2 * MOST_ROWS];
    size_t at = SIGNATURE, part;
    while ((part = chunk_size(data, size, at)) > 0 && memcmp(data + at + 4, "IDAT", 4) != 0) {
        at += part;
    }
    uLongf count = sizeof rows, room = sizeof packed;
    if (part == 0 || uncompress(rows, &count, data + at + 8, (uLong)(part - AROUND)) != Z_OK || count == 0) {
        return 0;
    }
    count = (uLongf)LLVMFuzzerMutate(rows, count, seed / 64 % 2 ? count : sizeof rows);
    if (compress2(packed, &room, rows, count, (int)(seed / 128 % 10)) != Z_OK ||
        size - part + AROUND + room > max_size) {
        return 0;
    }
    memmove(data + at + AROUND + room, data + at + part, size - at - part);
    put(data + at, (uint32_t)room);
    memcpy(data + at + 8, packed, room);
    return size - part + AROUND + room;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size_t mutated = seed % 4 == 0 ? mutate_rows(data, size, max_size, seed) : 0;
    if (mutated == 0) {
        mutated = LLVMFuzzerMutate(data, size, max_size);
    }
    if (seed / 4 % 8 != 0) {
        mend_checksums(data, mutated);
    }
    return mutated;
}
