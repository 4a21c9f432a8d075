#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE */
#include "io/png/png_runs.h"

#include <string.h>

#if GF_HAVE_ISAL

#include <errno.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define LEVEL      1 /* the lowest with codes made for the bytes */
#define NEAR_BITS  2 /* matches at a distance of up to 4 bytes: further ones make photographs larger */
#define BLOCK_HEAD 5 /* of a stored block, which has at most 65535 bytes */

struct gf_png_runs {
    struct isal_zstream here; /* is counted, but touched only where no place was free */
    uint8_t memory[ISAL_DEF_LVL1_SMALL];
    struct isal_zstream *stream;
    atomic_char *place; /* the stream's; NULL: it is here */
};

enum { NEVER_MAPPED, FREE, TAKEN };

/* Gives the stream one of 512 places, if it can. ISA-L 2.30 for x86-64 hashes bits 16 to 47 of a stream's own
 * address where it should hash the bytes of a segment from the third on. That fills one more slot of its
 * table, and which one decides now and then what is found, and so which bytes are written. The slot is the
 * low 13 bits of a CRC-32C that begins with 0, which is linear, and those of the keys below are 0: all places
 * that they lead to, XORed in any way, share a slot, which no four bytes near 0, as filtered ones are, have.
 * Linux loads programs from 0x555555554000 on, and nothing grows down to the places; ThreadSanitizer leaves
 * them to programs, too. They stay mapped, as mapping one for each small picture takes a tenth of its time.
 * Without a place the stream lies anywhere: what it writes is right, but may be other bytes. */
static void find_place(struct gf_png_runs *runs)
{
    runs->stream = &runs->here;
    runs->place = NULL;
#if defined(__x86_64__) && defined(MAP_FIXED_NOREPLACE)
    static const uint32_t keys[] = {0x1816,  0x283a,  0xcedd,   0x10313, 0x20626,
                                    0x4442e, 0x80ee3, 0x1005d0, 0x200ba0};
    static atomic_char places[512];
    for (int i = 0; i < 512; i++) {
        char was = atomic_exchange(&places[i], TAKEN);
        uint32_t key = 0x55000000;
        for (int bit = 0; bit < 9; bit++) {
            key ^= i >> bit & 1 ? keys[bit] : 0;
        }
        void *at = (void *)((uintptr_t)key << 16), *got = at;
        if (was == NEVER_MAPPED) {
            got = mmap(at, sizeof runs->here, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        }
        if (was != TAKEN && got == at) {
            runs->stream = at;
            runs->place = &places[i];
            return;
        }
        if (got == MAP_FAILED && errno != EEXIST) {
            atomic_store(&places[i], NEVER_MAPPED);
            return;
        }
        if (got != MAP_FAILED && got != at) { /* elsewhere, by a kernel older than the flag */
            munmap(got, sizeof runs->here);
        }
    }
#endif
}

struct gf_png_runs *gf_png_runs_make(struct gf_budget *budget)
{
    struct gf_png_runs *runs = gf_budget_alloc(budget, sizeof(struct gf_png_runs));
    if (runs != NULL) {
        find_place(runs);
    }
    return runs;
}

void gf_png_runs_free(struct gf_png_runs *runs, struct gf_budget *budget)
{
    if (runs != NULL && runs->place != NULL) {
        atomic_store(runs->place, FREE);
    }
    gf_budget_free(budget, runs);
}

/* It stores where codes would take more room. */
size_t gf_png_runs_bound(struct gf_png_runs *runs, size_t size)
{
    (void)runs;
    return size + (size / 65535 + 1) * BLOCK_HEAD + 64;
}

size_t gf_png_runs_segment(struct gf_png_runs *runs, const uint8_t *bytes, size_t size, bool last,
                           uint8_t *out, size_t room)
{
    struct isal_zstream *stream = runs->stream;
    isal_deflate_stateless_init(stream);
    stream->level = LEVEL;
    stream->level_buf = runs->memory;
    stream->level_buf_size = sizeof runs->memory;
    stream->hist_bits = NEAR_BITS;
    stream->flush = last ? NO_FLUSH : FULL_FLUSH;
    stream->end_of_stream = last;
    stream->next_in = (uint8_t *)(uintptr_t)bytes; /* which is not written */
    stream->avail_in = (uint32_t)size;
    stream->next_out = out;
    stream->avail_out = (uint32_t)room;
    return isal_deflate_stateless(stream) == COMP_OK && stream->avail_in == 0 ? room - stream->avail_out : 0;
}

uint32_t gf_png_adler(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return isal_adler32(sum, bytes, size);
}

uint32_t gf_png_crc(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return crc32_gzip_refl(sum, bytes, size);
}

#else

#include "io/png/png_zlib.h"

#define RUNS_LEAST 64 /* one byte of so many in runs: worth looking for them */

struct gf_png_runs {
    z_stream search, plain; /* for runs, and not even for those */
    bool search_made, plain_made;
};

struct gf_png_runs *gf_png_runs_make(struct gf_budget *budget)
{
    struct gf_png_runs *runs = gf_budget_alloc(budget, sizeof *runs);
    if (runs == NULL) {
        return NULL;
    }
    memset(runs, 0, sizeof *runs);
    runs->search_made = gf_png_zlib_make(&runs->search, 1, Z_RLE, budget);
    runs->plain_made = gf_png_zlib_make(&runs->plain, 1, Z_HUFFMAN_ONLY, budget);
    if (!runs->search_made || !runs->plain_made) {
        gf_png_runs_free(runs, budget);
        return NULL;
    }
    return runs;
}

void gf_png_runs_free(struct gf_png_runs *runs, struct gf_budget *budget)
{
    if (runs == NULL) {
        return;
    }
    if (runs->search_made) {
        deflateEnd(&runs->search);
    }
    if (runs->plain_made) {
        deflateEnd(&runs->plain);
    }
    gf_budget_free(budget, runs);
}

size_t gf_png_runs_bound(struct gf_png_runs *runs, size_t size)
{
    uLong bound = deflateBound(&runs->search, (uLong)size), plain = deflateBound(&runs->plain, (uLong)size);
    return (bound > plain ? bound : plain) + 64; /* the end of a segment is no more than that */
}

/* Tells whether there are enough bytes like the three before them. */
static int has_runs(const uint8_t *bytes, size_t size)
{
    size_t runs = 0;
    for (size_t from = 3; from < size; from += 128) {
        size_t to = size - from < 128 ? size : from + 128;
        uint8_t some = 0;
        for (size_t i = from; i < to; i++) {
            some = (uint8_t)(some + ((bytes[i] == bytes[i - 1]) & (bytes[i] == bytes[i - 2]) &
                                     (bytes[i] == bytes[i - 3])));
        }
        runs += some;
    }
    return runs > size / RUNS_LEAST;
}

size_t gf_png_runs_segment(struct gf_png_runs *runs, const uint8_t *bytes, size_t size, bool last,
                           uint8_t *out, size_t room)
{
    z_stream *stream = has_runs(bytes, size) ? &runs->search : &runs->plain;
    return gf_png_zlib_run(stream, bytes, size, NULL, 0, last, out, room);
}

uint32_t gf_png_adler(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return (uint32_t)adler32(sum, bytes, (uInt)size);
}

uint32_t gf_png_crc(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return (uint32_t)crc32(sum, bytes, (uInt)size);
}

#endif
