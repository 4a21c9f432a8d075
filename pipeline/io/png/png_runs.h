/* Filtered bytes of a PNG to a deflate stream of Huffman codes and runs, which do not look back: what level
 * -1 is. By ISA-L where the build has it, else by zlib. */
#pragma once

#include "io/budget.h"

#include <stdbool.h>

struct gf_png_runs; /* of one thread */

/* NULL: no memory. */
struct gf_png_runs *gf_png_runs_make(struct gf_budget *budget);

/* NULL-safe. */
void gf_png_runs_free(struct gf_png_runs *runs, struct gf_budget *budget);

/* Bytes that `size` bytes become at most. */
size_t gf_png_runs_bound(struct gf_png_runs *runs, size_t size);

/* Compresses bytes (at least one) to out, whose room is their bound; the last ends the stream, others end on
 * a byte boundary. Returns how many it wrote; 0: it failed. */
size_t gf_png_runs_segment(struct gf_png_runs *runs, const uint8_t *bytes, size_t size, bool last,
                           uint8_t *out, size_t room);

/* The Adler-32 of bytes behind others, whose sum is `sum`; 1 is that of none. */
uint32_t gf_png_adler(uint32_t sum, const uint8_t *bytes, size_t size);

/* The same of CRC-32, which is 0 of none. */
uint32_t gf_png_crc(uint32_t sum, const uint8_t *bytes, size_t size);
