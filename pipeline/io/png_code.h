/* Deflate without looking back: bytes by how often they come, and runs of one byte. What zlib makes with
 * Z_HUFFMAN_ONLY and Z_RLE, in a quarter of the time. */
#ifndef GF_IO_PNG_CODE_H
#define GF_IO_PNG_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Which runs are looked for. Short ones pay where their byte is not one of those that come often. */
enum gf_png_runs { GF_PNG_NO_RUNS, GF_PNG_LONG_RUNS, GF_PNG_ALL_RUNS };

/* Bytes that `size` bytes become at most, and that the function below may write. */
size_t gf_png_code_bound(size_t size);

/* Codes bytes to whole blocks of raw deflate, which end on a byte boundary; the last ends the stream.
 * Returns how many bytes it wrote; 0: `room` is too small, which gf_png_code_bound is not, or there are none.
 * Takes no memory but 80 KiB of the stack. */
size_t gf_png_code(const uint8_t *bytes, size_t size, enum gf_png_runs runs, int last, uint8_t *out,
                   size_t room);

#endif
