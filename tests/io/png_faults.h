/* PNG files of our own making and ways to spoil them: the table of test_png_spoiled. */
#ifndef TESTS_IO_PNG_FAULTS_H
#define TESTS_IO_PNG_FAULTS_H

#include "io_help.h"
#include "png_make.h"

#include <zlib.h>

enum base { RGB, PALETTE, BITS, GRAY16, LARGE, PIECES, STORED, BASES };

static const struct png_recipe bases[BASES] = {
    [RGB] = {.width = 20, .height = 12, .type = 2, .depth = 8, .filter = PNG_MAKE_MIXED, .level = 6},
    [PALETTE] = {.width = 21, .height = 9, .type = 3, .depth = 4, .trns = 1, .level = 6, .palette = 12},
    [BITS] = {.width = 30, .height = 9, .type = 3, .depth = 1, .level = 9},
    [GRAY16] =
        {.width = 19, .height = 10, .type = 0, .depth = 16, .adam7 = 1, .trns = 1, .filter = 2, .level = 0},
    /* Files whose samples are inflated ahead of libpng. */
    [LARGE] = {.width = 700, .height = 520, .type = 2, .depth = 8, .filter = PNG_MAKE_MIXED, .level = 6},
    [PIECES] = {.width = 400, .height = 901, .type = 6, .depth = 8, .filter = 4, .level = 9, .idat = 30000},
    [STORED] = {.width = 999, .height = 1052, .type = 0, .depth = 8, .level = 0, .idat = 40000},
};

/* One way to spoil a file: `spoil` does it with the rest of the row. */
struct fault {
    const char *name;
    enum base base;
    void (*spoil)(struct png_file *file, const struct fault *fault);
    const char *chunk;
    long at, value;
    gf_status verdict; /* GF_OK: right pixels, and the note says... */
    const char *says;
};

static struct png_chunk *chunk_of(struct png_file *file, const struct fault *fault)
{
    return &file->chunks[png_make_find(file, fault->chunk)];
}

/* ---- the ways ---- */

static void checksum(struct png_file *file, const struct fault *fault)
{
    chunk_of(file, fault)->flips = 1u << fault->value;
}

/* The length in its head is another by `value`. */
static void length(struct png_file *file, const struct fault *fault)
{
    chunk_of(file, fault)->claims += (uint32_t)fault->value;
}

static void claim(struct png_file *file, const struct fault *fault)
{
    chunk_of(file, fault)->claims = (uint32_t)fault->value;
}

static void drop(struct png_file *file, const struct fault *fault)
{
    png_make_remove(file, png_make_find(file, fault->chunk));
}

static void twice(struct png_file *file, const struct fault *fault)
{
    int at = png_make_find(file, fault->chunk);
    png_make_insert(file, at + 1, fault->chunk, file->chunks[at].data, file->chunks[at].size);
}

/* The byte at `at`, or from the end where negative, becomes `value`. */
static void set(struct png_file *file, const struct fault *fault)
{
    struct png_chunk *chunk = chunk_of(file, fault);
    chunk->data[fault->at < 0 ? chunk->size - (size_t)-fault->at : (size_t)fault->at] = (uint8_t)fault->value;
}

static void set32(struct png_file *file, const struct fault *fault)
{
    for (int i = 0; i < 4; i++) {
        chunk_of(file, fault)->data[fault->at + i] = (uint8_t)(fault->value >> (24 - 8 * i));
    }
}

/* Longer, by zeros, or shorter by `value` bytes; the checksum is right. */
static void resize(struct png_file *file, const struct fault *fault)
{
    struct png_chunk *chunk = chunk_of(file, fault);
    png_make_resize(chunk, (size_t)((long)chunk->size + fault->value));
}

/* Comes in front of the chunk number `at`, or of the last ones where negative. */
static void move(struct png_file *file, const struct fault *fault)
{
    int from = png_make_find(file, fault->chunk);
    struct png_chunk chunk = file->chunks[from];
    png_make_insert(file, (int)(fault->at < 0 ? file->count + fault->at : fault->at), chunk.name, chunk.data,
                    chunk.size);
    png_make_remove(file, from + (png_make_find(file, chunk.name) < from));
}

/* Rows that hold `value` bytes more or fewer, compressed as they should be. */
static void rows(struct png_file *file, const struct fault *fault)
{
    size_t size = (size_t)((long)file->raw_size + fault->value);
    file->raw = realloc(file->raw, size);
    if (size > file->raw_size) {
        memset(file->raw + file->raw_size, 0, size - file->raw_size);
    }
    file->raw_size = size;
    png_make_pack(file);
}

static void raw_byte(struct png_file *file, const struct fault *fault)
{
    file->raw[fault->at] = (uint8_t)fault->value;
    png_make_pack(file);
}

/* Keeps `at` bytes of the whole file, or all but so many. */
static void cut(struct png_file *file, const struct fault *fault)
{
    file->keep = fault->at;
}

static void signature(struct png_file *file, const struct fault *fault)
{
    file->signature[fault->at] = (uint8_t)fault->value;
}

/* A chunk of `value` bytes of no meaning in front of chunk number `at`. */
static void add(struct png_file *file, const struct fault *fault)
{
    static const uint8_t bytes[300] = {1, 2, 3, 4};
    png_make_insert(file, (int)(fault->at < 0 ? file->count + fault->at : fault->at), fault->chunk, bytes,
                    (size_t)fault->value);
}

/* The same in the middle of the samples. */
static void split(struct png_file *file, const struct fault *fault)
{
    file->recipe.idat = 100;
    png_make_pack(file);
    add(file, fault);
}

/* iCCP: a name, its end, the method, a deflated profile. */
enum { NO_NAME, LONG_NAME, NO_END, METHOD, CUT, LESS, MORE, NO_PROFILE, HUGE_PROFILE };

static void profile(struct png_file *file, const struct fault *fault)
{
    uint8_t icc[400] = {0, 0, 1, 0x90}, chunk[1000] = "";
    const char *name = fault->value == NO_NAME ? ""
                       : fault->value == LONG_NAME
                           ? "more than 79 bytes, which is what the specification of the "
                             "format allows the name of a profile"
                           : "name";
    size_t length = strlen(name);
    uLongf packed = sizeof chunk - 100;
    memcpy(icc + 36, fault->value == NO_PROFILE ? "1234" : "acsp", 4);
    icc[2] = fault->value == MORE ? 2 : icc[2];
    icc[3] = fault->value == LESS ? 0x80 : icc[3];
    icc[0] = fault->value == HUGE_PROFILE ? 1 : 0;
    memcpy(chunk, name, length);
    chunk[length + 1] = fault->value == METHOD;
    compress2(chunk + length + 2, &packed, icc, sizeof icc, 9);
    size_t size = length + 2 + packed - (fault->value == CUT ? 20 : 0);
    png_make_insert(file, 1, "iCCP", chunk, fault->value == NO_END ? 4 : size);
}

/* ---- the table ---- */

static const struct fault faults[] = {
    {"signature, first byte", RGB, signature, "", 0, 0, GF_ERROR_INPUT,
     "not a format that this build reads (png"},
    {"signature, changed line end", RGB, signature, "", 4, '\n', GF_ERROR_INPUT,
     "corrupted by ASCII conversion"},
    {"signature, last byte", RGB, signature, "", 7, 0, GF_ERROR_INPUT, "damaged PNG: "},
    {"cut behind the signature", RGB, cut, "", 8, 0, GF_ERROR_INPUT, "ends early (in the signature)"},
    {"cut in IHDR", RGB, cut, "", 20, 0, GF_ERROR_INPUT, "ends early (in chunk IHDR)"},
    {"cut in IHDR's checksum", RGB, cut, "", 31, 0, GF_ERROR_INPUT, "ends early (in chunk IHDR)"},
    {"cut in PLTE", PALETTE, cut, "", 50, 0, GF_ERROR_INPUT, "ends early (in chunk PLTE)"},
    {"cut in IDAT", RGB, cut, "", 200, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"cut before IEND", RGB, cut, "", -12, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"cut in IEND", RGB, cut, "", -1, 0, GF_ERROR_INPUT, "ends early (in chunk IEND)"},

    {"no IHDR", RGB, drop, "IHDR", 0, 0, GF_ERROR_INPUT, "IDAT: Missing IHDR"},
    {"no PLTE", BITS, drop, "PLTE", 0, 0, GF_ERROR_INPUT, "Missing PLTE"},
    {"no PLTE, but tRNS", PALETTE, drop, "PLTE", 0, 0, GF_ERROR_INPUT, "tRNS: out of place"},
    {"no IDAT", RGB, drop, "IDAT", 0, 0, GF_ERROR_INPUT, "IEND: out of place"},
    {"no IEND", RGB, drop, "IEND", 0, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"two IHDR", RGB, twice, "IHDR", 0, 0, GF_ERROR_INPUT, "IHDR: out of place"},
    {"two PLTE", PALETTE, twice, "PLTE", 0, 0, GF_ERROR_INPUT, "PLTE: duplicate"},
    {"two tRNS", PALETTE, twice, "tRNS", 0, 0, GF_ERROR_INPUT, "tRNS: duplicate"},
    {"IHDR not first", PALETTE, move, "IHDR", 2, 0, GF_ERROR_INPUT, "PLTE: missing IHDR"},
    {"PLTE behind IDAT", BITS, move, "PLTE", -1, 0, GF_ERROR_INPUT, "Missing PLTE"},
    {"tRNS before PLTE", PALETTE, move, "tRNS", 1, 0, GF_ERROR_INPUT, "tRNS: out of place"},
    {"tRNS behind IDAT", GRAY16, move, "tRNS", -1, 0, GF_ERROR_INPUT, "tRNS: out of place"},
    {"IEND before IDAT", RGB, move, "IEND", 1, 0, GF_ERROR_INPUT, "IEND: out of place"},
    {"a chunk between IDAT", RGB, split, "tEXt", 3, 20, GF_ERROR_INPUT,
     "Not enough image data (at chunk tEXt)"},

    {"IHDR's checksum", RGB, checksum, "IHDR", 0, 0, GF_ERROR_INPUT, "IHDR: CRC error"},
    {"PLTE's checksum", PALETTE, checksum, "PLTE", 0, 31, GF_ERROR_INPUT, "PLTE: CRC error"},
    {"tRNS's checksum", PALETTE, checksum, "tRNS", 0, 5, GF_ERROR_INPUT, "tRNS: CRC error"},
    {"IDAT's checksum", RGB, checksum, "IDAT", 0, 17, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"IEND's checksum", RGB, checksum, "IEND", 0, 8, GF_ERROR_INPUT, "IEND: CRC error"},
    {"IHDR too short", RGB, resize, "IHDR", 0, -1, GF_ERROR_INPUT, "IHDR: invalid"},
    {"IHDR too long", RGB, resize, "IHDR", 0, 1, GF_ERROR_INPUT, "IHDR: invalid"},
    {"IEND that is not empty", RGB, resize, "IEND", 0, 4, GF_ERROR_INPUT, "IEND: invalid"},
    {"PLTE's length too large", PALETTE, length, "PLTE", 0, 3, GF_ERROR_INPUT, "PLTE: CRC error"},
    {"IDAT's length too small", RGB, length, "IDAT", 0, -1, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"IDAT's length too large", RGB, length, "IDAT", 0, 1, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"IDAT's length 2^31 - 1", RGB, claim, "IDAT", 0, 0x7fffffff, GF_ERROR_INPUT,
     "ends early (in chunk IDAT)"},
    {"IDAT's length 2^32 - 1", RGB, claim, "IDAT", 0, 0xffffffff, GF_ERROR_INPUT,
     "out of range (at chunk IDAT)"},

    {"width 0", RGB, set32, "IHDR", 0, 0, GF_ERROR_INPUT, "width is zero in IHDR"},
    {"height 0", RGB, set32, "IHDR", 4, 0, GF_ERROR_INPUT, "height is zero in IHDR"},
    {"width 2^31", RGB, set32, "IHDR", 0, 0x80000000, GF_ERROR_INPUT, "out of range (at chunk IHDR)"},
    {"width 2^31 - 1", RGB, set32, "IHDR", 0, 0x7fffffff, GF_ERROR_LIMIT, "beyond max_width, 1000000"},
    {"height 2^31 - 1", RGB, set32, "IHDR", 4, 0x7fffffff, GF_ERROR_LIMIT, "beyond max_height, 1000000"},
    {"height 100000", RGB, set32, "IHDR", 4, 100000, GF_ERROR_INPUT, "cannot hold 20 x 100000 pixels"},
    {"height one more", RGB, set32, "IHDR", 4, 13, GF_ERROR_INPUT, "Not enough image data"},
    {"depth 0", RGB, set, "IHDR", 8, 0, GF_ERROR_INPUT, "bit depth in IHDR"},
    {"depth 3", RGB, set, "IHDR", 8, 3, GF_ERROR_INPUT, "bit depth in IHDR"},
    {"depth 32", RGB, set, "IHDR", 8, 32, GF_ERROR_INPUT, "bit depth in IHDR"},
    {"RGB of 4 bits", RGB, set, "IHDR", 8, 4, GF_ERROR_INPUT, "color type/bit depth combination in IHDR"},
    {"a palette of 16 bits", PALETTE, set, "IHDR", 8, 16, GF_ERROR_INPUT, "combination in IHDR"},
    {"colour type 1", RGB, set, "IHDR", 9, 1, GF_ERROR_INPUT, "color type in IHDR"},
    {"colour type 7", RGB, set, "IHDR", 9, 7, GF_ERROR_INPUT, "color type in IHDR"},
    {"compression 1", RGB, set, "IHDR", 10, 1, GF_ERROR_INPUT, "compression method in IHDR"},
    {"filter method 1", RGB, set, "IHDR", 11, 1, GF_ERROR_INPUT, "filter method in IHDR"},
    {"interlacing 2", RGB, set, "IHDR", 12, 2, GF_ERROR_INPUT, "interlace method in IHDR"},

    {"an empty PLTE", PALETTE, resize, "PLTE", 0, -36, GF_ERROR_INPUT, "Invalid palette (at chunk PLTE)"},
    {"a PLTE not of threes", PALETTE, resize, "PLTE", 0, -1, GF_ERROR_INPUT, "PLTE: invalid"},
    {"a PLTE of 257", PALETTE, resize, "PLTE", 0, 735, GF_ERROR_INPUT, "PLTE: invalid"},
    {"PLTE in a gray picture", GRAY16, add, "PLTE", 1, 3, GF_ERROR_INPUT, "PLTE: ignored in grayscale PNG"},
    {"tRNS longer than PLTE", PALETTE, resize, "tRNS", 0, 4, GF_ERROR_INPUT, "tRNS: invalid"},
    {"an empty tRNS", PALETTE, resize, "tRNS", 0, -9, GF_ERROR_INPUT, "tRNS: invalid"},
    {"tRNS of gray too long", GRAY16, resize, "tRNS", 0, 1, GF_ERROR_INPUT, "tRNS: invalid"},
    {"tRNS of RGB too short", RGB, add, "tRNS", 1, 5, GF_ERROR_INPUT, "tRNS: invalid"},

    {"zlib's method", RGB, set, "IDAT", 0, 0x79, GF_ERROR_INPUT, "IDAT: incorrect header check"},
    {"zlib's window", RGB, set, "IDAT", 0, 0x88, GF_ERROR_INPUT, "IDAT: invalid window size"},
    {"zlib's header check", RGB, set, "IDAT", 1, 0x9d, GF_ERROR_INPUT, "IDAT: incorrect header check"},
    {"zlib's dictionary", RGB, set, "IDAT", 1, 0xbb, GF_ERROR_INPUT, "IDAT: missing LZ dictionary"},
    {"zlib's block type", RGB, set, "IDAT", 2, 7, GF_ERROR_INPUT, "IDAT: invalid block type"},
    {"zlib's stored length", GRAY16, set, "IDAT", 3, 1, GF_ERROR_INPUT, "IDAT: invalid stored block lengths"},
    {"zlib's checksum", RGB, set, "IDAT", -1, 0, GF_ERROR_INPUT, "IDAT: incorrect data check"},
    {"zlib's checksum missing", RGB, resize, "IDAT", 0, -4, GF_ERROR_INPUT,
     "Not enough image data (at chunk IEND)"},
    {"zlib's stream cut", RGB, resize, "IDAT", 0, -40, GF_ERROR_INPUT,
     "Not enough image data (at chunk IEND)"},
    {"a row too few", RGB, rows, "", 0, -61, GF_ERROR_INPUT, "Not enough image data"},
    {"a byte too few", RGB, rows, "", 0, -1, GF_ERROR_INPUT, "Not enough image data"},
    {"filter 5", RGB, raw_byte, "", 61, 5, GF_ERROR_INPUT, "bad adaptive filter value (at chunk IDAT)"},
    {"filter 255 of a pass", GRAY16, raw_byte, "", 0, 255, GF_ERROR_INPUT, "bad adaptive filter value"},

    {"large, cut in IDAT", LARGE, cut, "", 20000, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"large, cut in pieces", PIECES, cut, "", 60030, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"large, cut in IDAT's checksum", LARGE, cut, "", -14, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"large, cut before IEND", LARGE, cut, "", -12, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"large, cut in IEND", LARGE, cut, "", -1, 0, GF_ERROR_INPUT, "ends early (in chunk IEND)"},
    {"large, no IEND", LARGE, drop, "IEND", 0, 0, GF_ERROR_INPUT, "ends early (in chunk IDAT)"},
    {"large, a chunk between IDAT", PIECES, add, "tEXt", 3, 20, GF_ERROR_INPUT,
     "Not enough image data (at chunk tEXt)"},
    {"large, IDAT's checksum", LARGE, checksum, "IDAT", 0, 17, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"large, a piece's checksum", PIECES, checksum, "IDAT", 0, 17, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"large, IEND's checksum", LARGE, checksum, "IEND", 0, 8, GF_ERROR_INPUT, "IEND: CRC error"},
    {"large, IDAT's length too small", LARGE, length, "IDAT", 0, -1, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"large, IDAT's length too large", LARGE, length, "IDAT", 0, 1, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"large, IDAT's length 1", LARGE, claim, "IDAT", 0, 1, GF_ERROR_INPUT, "IDAT: CRC error"},
    {"large, IDAT's length 2^31 - 1", LARGE, claim, "IDAT", 0, 0x7fffffff, GF_ERROR_INPUT,
     "ends early (in chunk IDAT)"},
    {"large, IDAT's length 2^32 - 1", LARGE, claim, "IDAT", 0, 0xffffffff, GF_ERROR_INPUT,
     "out of range (at chunk IDAT)"},
    {"large, height one more", LARGE, set32, "IHDR", 4, 521, GF_ERROR_INPUT, "Not enough image data"},
    {"large, zlib's method", LARGE, set, "IDAT", 0, 0x79, GF_ERROR_INPUT, "IDAT: incorrect header check"},
    {"large, zlib's window", LARGE, set, "IDAT", 0, 0x88, GF_ERROR_INPUT, "IDAT: invalid window size"},
    {"large, zlib's header check", LARGE, set, "IDAT", 1, 0x9d, GF_ERROR_INPUT,
     "IDAT: incorrect header check"},
    {"large, zlib's dictionary", LARGE, set, "IDAT", 1, 0xbb, GF_ERROR_INPUT, "IDAT: missing LZ dictionary"},
    {"large, zlib's block type", LARGE, set, "IDAT", 2, 7, GF_ERROR_INPUT, "IDAT: invalid block"},
    {"large, zlib's stored length", STORED, set, "IDAT", 3, 1, GF_ERROR_INPUT, "IDAT: invalid "},
    {"large, zlib's checksum", LARGE, set, "IDAT", -1, 0, GF_ERROR_INPUT, "IDAT: incorrect data check"},
    {"large, zlib's checksum missing", LARGE, resize, "IDAT", 0, -4, GF_ERROR_INPUT,
     "Not enough image data (at chunk IEND)"},
    {"large, zlib's checksum in part", LARGE, resize, "IDAT", 0, -1, GF_ERROR_INPUT,
     "Not enough image data (at chunk IEND)"},
    {"large, zlib's stream cut", LARGE, resize, "IDAT", 0, -40, GF_ERROR_INPUT,
     "Not enough image data (at chunk IEND)"},
    {"large, a piece cut", STORED, resize, "IDAT", 0, -4, GF_ERROR_INPUT,
     "bad adaptive filter value (at chunk IDAT)"},
    {"large, a row too few", LARGE, rows, "", 0, -2101, GF_ERROR_INPUT, "Not enough image data"},
    {"large, a byte too few", PIECES, rows, "", 0, -1, GF_ERROR_INPUT, "Not enough image data"},
    {"large, filter 5", LARGE, raw_byte, "", 2101, 5, GF_ERROR_INPUT,
     "bad adaptive filter value (at chunk IDAT)"},

    {"an unknown critical chunk", RGB, add, "ABCD", 1, 20, GF_ERROR_INPUT, "ABCD: unhandled critical chunk"},
    {"one behind IDAT", RGB, add, "ABCD", -1, 20, GF_ERROR_INPUT, "ABCD: unhandled critical chunk"},
    {"Apple's CgBI", RGB, add, "CgBI", 0, 4, GF_ERROR_INPUT, "CgBI: unhandled critical chunk"},
    {"a chunk called 1234", RGB, add, "1234", 1, 20, GF_ERROR_INPUT, "invalid chunk type"},
    {"an ICC profile of 16 MiB, it says", RGB, profile, "", 0, HUGE_PROFILE, GF_ERROR_LIMIT,
     "an ICC profile of 16777616 bytes, beyond max_metadata_bytes, 4194304"},

    {"height one less", RGB, set32, "IHDR", 4, 11, GF_OK, "IDAT: Too much image data, ignored"},
    {"bytes behind zlib's stream", RGB, resize, "IDAT", 0, 7, GF_OK, "IDAT: Extra compressed data, ignored"},
    {"a byte too many", RGB, rows, "", 0, 1, GF_OK, "IDAT: Too much image data, ignored"},
    {"a thousand rows too many", RGB, rows, "", 0, 61000, GF_OK, "IDAT: Too much image data, ignored"},
    {"large, height one less", LARGE, set32, "IHDR", 4, 519, GF_OK, "IDAT: Too much image data, ignored"},
    {"large, bytes behind zlib's stream", LARGE, resize, "IDAT", 0, 7, GF_OK,
     "IDAT: Extra compressed data, ignored"},
    {"large, many bytes behind it", LARGE, resize, "IDAT", 0, 100000, GF_OK,
     "IDAT: Extra compressed data, ignored"},
    {"large, a byte too many", LARGE, rows, "", 0, 1, GF_OK, "IDAT: Too much image data, ignored"},
    {"large, a row too many", STORED, rows, "", 0, 1000, GF_OK, "IDAT: Too much image data, ignored"},
    {"large, a thousand rows too many", LARGE, rows, "", 0, 2101000, GF_OK,
     "IDAT: Too much image data, ignored"},
    {"large, two IDAT streams", LARGE, twice, "IDAT", 0, 0, GF_OK, ""},
    {"large, frames of an animation", PIECES, add, "fdAT", -1, 80, GF_OK, ""},
    {"large, unspoiled", PIECES, signature, "", 0, 0x89, GF_OK, ""},
    {"large, unspoiled, stored", STORED, signature, "", 0, 0x89, GF_OK, ""},
    {"two IDAT streams", RGB, twice, "IDAT", 0, 0, GF_OK, ""},
    {"two IEND", RGB, twice, "IEND", 0, 0, GF_OK, ""},
    {"a PLTE longer than the depth", PALETTE, resize, "PLTE", 0, 15, GF_OK, ""},
    {"a PLTE in RGB", RGB, add, "PLTE", 1, 30, GF_OK, ""},
    {"an unknown ancillary chunk", RGB, add, "abCd", 1, 20, GF_OK, ""},
    {"one behind IDAT that may not be copied", RGB, add, "abCD", -1, 300, GF_OK, ""},
    {"text of nonsense", RGB, add, "tEXt", 1, 200, GF_OK, ""},
    {"compressed text of nonsense", RGB, add, "zTXt", 1, 200, GF_OK, ""},
    {"a background too long", RGB, add, "bKGD", 1, 200, GF_OK, ""},
    {"an animation", RGB, add, "acTL", 1, 8, GF_OK, "an animation: only its default picture is read"},
    {"frames of an animation", RGB, add, "fdAT", -1, 80, GF_OK, ""},
    {"gAMA too short", RGB, add, "gAMA", 1, 3, GF_OK, "gAMA: wrong size, dropped"},
    {"sRGB too long", RGB, add, "sRGB", 1, 2, GF_OK, "sRGB: wrong size, dropped"},
    {"cHRM too short", RGB, add, "cHRM", 1, 31, GF_OK, "cHRM: wrong size, dropped"},
    {"pHYs too short", RGB, add, "pHYs", 1, 8, GF_OK, "pHYs: wrong size, dropped"},
    {"cICP too long", RGB, add, "cICP", 1, 5, GF_OK, "cICP: wrong size, dropped"},
    {"eXIf of nonsense", RGB, add, "eXIf", 1, 200, GF_OK, "eXIf: not an EXIF structure, dropped"},
    {"an empty eXIf", RGB, add, "eXIf", -1, 0, GF_OK, "eXIf: not an EXIF structure, dropped"},
    {"iCCP of nonsense", RGB, add, "iCCP", 1, 200, GF_OK,
     "iCCP: its deflate stream is damaged or short, dropped"},
    {"iCCP without a name", RGB, profile, "", 0, NO_NAME, GF_OK, "iCCP: malformed, dropped"},
    {"iCCP with a name too long", RGB, profile, "", 0, LONG_NAME, GF_OK, "iCCP: malformed, dropped"},
    {"iCCP of a name alone", RGB, profile, "", 0, NO_END, GF_OK, "iCCP: malformed, dropped"},
    {"iCCP's method", RGB, profile, "", 0, METHOD, GF_OK, "iCCP: malformed, dropped"},
    {"iCCP cut", RGB, profile, "", 0, CUT, GF_OK, "iCCP: its deflate stream is damaged"},
    {"an ICC profile longer than it says", RGB, profile, "", 0, LESS, GF_OK,
     "iCCP: its deflate stream is damaged"},
    {"an ICC profile shorter than it says", RGB, profile, "", 0, MORE, GF_OK,
     "iCCP: its deflate stream is damaged"},
    {"a profile that is none", RGB, profile, "", 0, NO_PROFILE, GF_OK, "iCCP: not an ICC profile, dropped"},
};

#endif
