/* How libFuzzer changes a PNG. A changed byte alone would end at a checksum, so most of the time checksums
 * are made good again, and now and then one chunk is changed as a whole: its data and length, or what IDAT
 * packs. */
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

/* The chunk at `at` gets other data. Returns the new size; 0: there is no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t at, const uint8_t *with,
                      size_t count)
{
    size_t part = chunk_size(data, size, at);
    if (size - part + AROUND + count > max_size) {
        return 0;
    }
    memmove(data + at + AROUND + count, data + at + part, size - at - part);
    put(data + at, (uint32_t)count);
    memcpy(data + at + 8, with, count);
    return size - part + AROUND + count;
}

/* Changes the data of one chunk, and its length with it; for IDAT, where it inflates, what it holds. Returns
 * the new size; 0: not possible. */
static size_t mutate_chunk(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static uint8_t bytes[MOST_ROWS], packed[2 * MOST_ROWS];
    size_t at = SIGNATURE, part, skip = seed / 256 % 8;
    while ((part = chunk_size(data, size, at)) > 0 && skip > 0) {
        at += part;
        skip--;
    }
    uLongf count = sizeof bytes, room = sizeof packed;
    if (part == 0) {
        return 0;
    }
    if (memcmp(data + at + 4, "IDAT", 4) != 0 ||
        uncompress(bytes, &count, data + at + 8, (uLong)(part - AROUND)) != Z_OK) {
        count = part - AROUND;
        memcpy(packed, data + at + 8, count < sizeof packed ? count : 0);
        return count < sizeof packed
                   ? replace(data, size, max_size, at, packed, LLVMFuzzerMutate(packed, count, count + 64))
                   : 0;
    }
    count = (uLongf)LLVMFuzzerMutate(bytes, count, seed / 32 % 2 || count == 0 ? sizeof bytes : count);
    int done = compress2(packed, &room, bytes, count, (int)(seed / 64 % 4 * 3)) == Z_OK;
    return done ? replace(data, size, max_size, at, packed, room) : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size_t mutated = seed % 4 == 0 ? mutate_chunk(data, size, max_size, seed) : 0;
    if (mutated == 0) {
        mutated = LLVMFuzzerMutate(data, size, max_size);
    }
    if (seed / 4 % 8 != 0) {
        mend_checksums(data, mutated);
    }
    return mutated;
}
