#include "io/segments.h"

#include <string.h>

enum { HEAD = 4 }; /* a marker of two bytes, and a length that counts itself */

size_t gf_segment_size(size_t mark_size, size_t size)
{
    return HEAD + mark_size + size;
}

uint8_t *gf_segment_put(uint8_t *to, uint8_t marker, const char *mark, size_t mark_size, const void *data,
                        size_t size)
{
    const size_t length = mark_size + size + 2;
    const uint8_t head[HEAD] = {0xff, marker, (uint8_t)(length >> 8), (uint8_t)length};
    memcpy(to, head, HEAD);
    memcpy(to + HEAD, mark, mark_size);
    memcpy(to + HEAD + mark_size, data, size);
    return to + HEAD + mark_size + size;
}

size_t gf_segments_join(const gf_metadata *metadata, uint8_t marker, const char *mark, size_t mark_size,
                        uint8_t *joined)
{
    const size_t head = HEAD + mark_size;
    const uint8_t *from = metadata->segments;
    size_t left = from != NULL ? metadata->segments_size : 0, size = 0;
    for (size_t length; left >= HEAD; from += length, left -= length) {
        length = 2 + ((size_t)from[2] << 8 | from[3]);
        if (length > left) {
            break;
        }
        if (from[1] == marker && length > head && memcmp(from + HEAD, mark, mark_size) == 0) {
            memcpy(joined + size, from + head, length - head);
            size += length - head;
        }
    }
    return size;
}
