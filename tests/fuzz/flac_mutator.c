/* How libFuzzer changes a FLAC. A changed byte alone would end at a checksum, so most of the time those of
 * frames are made good again, and that of all samples is taken for unknown. */
#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { MARKER = 4, HEAD = 4, MD5 = 26, SAMPLES = 42 };

/* The checksum of so many bits by `polynomial`. */
static unsigned checksum(const uint8_t *data, size_t size, int bits, unsigned polynomial)
{
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum ^= (unsigned)data[i] << (bits - 8);
        for (int bit = 0; bit < 8; bit++) {
            sum = sum << 1 ^ (sum >> (bits - 1) & 1 ? polynomial : 0);
        }
    }
    return sum & ((1u << bits) - 1);
}

/* Where the first frame can begin: behind all blocks of metadata. */
static size_t first_frame(const uint8_t *data, size_t size)
{
    size_t at = MARKER;
    int last = 0;
    while (!last && at + HEAD <= size) {
        last = data[at] >> 7;
        at += HEAD + ((size_t)data[at + 1] << 16 | (size_t)data[at + 2] << 8 | data[at + 3]);
    }
    return at;
}

/* Bytes of a frame's header before its checksum; 0 where none begins, or is not whole. */
static size_t header_size(const uint8_t *data, size_t size)
{
    if (size < 6 || data[0] != 0xff || data[1] >> 1 != 0x7c || data[3] & 1) {
        return 0;
    }
    size_t count = 5;
    for (unsigned ones = data[4]; ones & 0x40 && ones & 0x80; ones = ones << 1 | 0x80) {
        count++; /* bytes of the frame's number, as UTF-8 has it */
        if (count > 11) {
            return 0;
        }
    }
    const unsigned block = data[2] >> 4, rate = data[2] & 15;
    count += (block == 6 ? 1 : block == 7 ? 2 : 0) + (rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0);
    return count < size ? count : 0;
}

static void mend_checksums(uint8_t *data, size_t size)
{
    size_t at = first_frame(data, size);
    while (at < size) {
        const size_t header = header_size(data + at, size - at);
        size_t end = at + header + 1;
        while (end < size && header_size(data + end, size - end) == 0) {
            end++;
        }
        if (header > 0 && end - at > header + 2) {
            data[at + header] = (uint8_t)checksum(data + at, header, 8, 0x07);
            const unsigned sum = checksum(data + at, end - at - 2, 16, 0x8005);
            data[end - 2] = (uint8_t)(sum >> 8);
            data[end - 1] = (uint8_t)sum;
        }
        at = end;
    }
    if (size >= SAMPLES) {
        memset(data + MD5, 0, SAMPLES - MD5);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const size_t mutated = LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8 != 0) {
        mend_checksums(data, mutated);
    }
    return mutated;
}
