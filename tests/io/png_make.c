#include "png_make.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const int adam7[7][4] = {/* x, y, and their steps */
                                {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

/* ---- samples ---- */

static int stored_channels(const struct png_recipe *recipe)
{
    return recipe->type == 2 ? 3 : recipe->type == 4 ? 2 : recipe->type == 6 ? 4 : 1;
}

int png_make_channels(const struct png_recipe *recipe)
{
    return (recipe->type == 0 || recipe->type == 4 ? 1 : 3) + (recipe->type >= 4 || recipe->trns);
}

/* The stored sample: slopes with something irregular on them, the whole range, within any palette. */
static unsigned stored(const struct png_recipe *recipe, int x, int y, int channel)
{
    unsigned mix = (unsigned)(x * 7 + y * 13 + channel * 5) * 2654435761u;
    unsigned v = (unsigned)(x * 1023 + y * 517 + channel * 301) + (mix >> 29) * 97;
    v = recipe->flat ? 0 : recipe->depth == 16 ? v : v >> 3;
    return recipe->type == 3 && recipe->palette ? v % (unsigned)recipe->palette
                                                : v & ((1u << recipe->depth) - 1);
}

static unsigned entries_of(const struct png_recipe *recipe)
{
    return (recipe->palette ? (unsigned)recipe->palette : 1u << recipe->depth) - (unsigned)recipe->missing;
}

static unsigned palette_entry(const struct png_recipe *recipe, unsigned index, int channel)
{
    return index >= entries_of(recipe) ? 0 : (index * 37 + (unsigned)channel * 101 + 11) & 255;
}

/* The first three quarters of the palette's entries have one. */
static unsigned palette_alpha(const struct png_recipe *recipe, unsigned index)
{
    unsigned entries = entries_of(recipe);
    return index < entries - entries / 4 ? (index * 53 + 3) & 255 : 255;
}

/* The colour that is transparent: the one at 1, 0, or of a narrower picture at 0, 0. */
static unsigned key(const struct png_recipe *recipe, int channel)
{
    return stored(recipe, recipe->width > 1, 0, channel);
}

unsigned png_make_sample(const struct png_recipe *recipe, int x, int y, int channel)
{
    unsigned full = recipe->depth == 16 ? 65535 : 255, most = (1u << recipe->depth) - 1;
    int channels = stored_channels(recipe), last = channel == png_make_channels(recipe) - 1;
    if (recipe->type == 3) {
        unsigned index = stored(recipe, x, y, 0);
        return channel < 3 ? palette_entry(recipe, index, channel) : palette_alpha(recipe, index);
    }
    if (recipe->trns && last) {
        int same = 1;
        for (int c = 0; c < channels; c++) {
            same = same && stored(recipe, x, y, c) == key(recipe, c);
        }
        return same ? 0 : full;
    }
    return stored(recipe, x, y, channel) * (full / most);
}

/* ---- rows ---- */

static int paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Appends a row with its filter's number; `above` is the unfiltered row before, of zeros for the first. */
static void add_row(struct png_file *file, int filter, const uint8_t *row, const uint8_t *above, size_t size)
{
    int bits = stored_channels(&file->recipe) * file->recipe.depth;
    size_t pixel = bits < 8 ? 1 : (size_t)bits / 8;
    file->raw = realloc(file->raw, file->raw_size + size + 1);
    uint8_t *out = file->raw + file->raw_size;
    *out++ = (uint8_t)filter;
    for (size_t i = 0; i < size; i++) {
        int a = i < pixel ? 0 : row[i - pixel], c = i < pixel ? 0 : above[i - pixel], b = above[i];
        int predicted[] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
        out[i] = (uint8_t)(row[i] - predicted[filter]);
    }
    file->raw_size += size + 1;
}

static void pack_sample(uint8_t *row, int at, int depth, unsigned v)
{
    if (depth == 16) {
        row[2 * at] = (uint8_t)(v >> 8);
        row[2 * at + 1] = (uint8_t)v;
    } else {
        int bit = at * depth;
        row[bit / 8] |= (uint8_t)(v << (8 - depth - bit % 8));
    }
}

static void add_pass(struct png_file *file, const int pass[4])
{
    const struct png_recipe *r = &file->recipe;
    int channels = stored_channels(r), columns = (r->width - pass[0] + pass[2] - 1) / pass[2];
    if (r->width <= pass[0]) {
        return;
    }
    size_t size = ((size_t)columns * (size_t)(channels * r->depth) + 7) / 8;
    uint8_t *rows[2] = {calloc(1, size), calloc(1, size)};
    for (int y = pass[1], n = 0; y < r->height; y += pass[3], n++) {
        memset(rows[n % 2], 0, size);
        for (int i = 0; i < columns * channels; i++) {
            int x = pass[0] + i / channels * pass[2];
            pack_sample(rows[n % 2], i, r->depth, stored(r, x, y, i % channels));
        }
        int filter = r->filter == PNG_MAKE_MIXED ? (n * 3 + pass[0] + 1) % 5 : r->filter;
        add_row(file, filter, rows[n % 2], rows[(n + 1) % 2], size);
    }
    free(rows[0]);
    free(rows[1]);
}

/* ---- chunks ---- */

int png_make_find(const struct png_file *file, const char *name)
{
    for (int i = 0; i < file->count; i++) {
        if (strcmp(file->chunks[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void png_make_resize(struct png_chunk *chunk, size_t size)
{
    chunk->data = realloc(chunk->data, size + 1);
    if (size > chunk->size) {
        memset(chunk->data + chunk->size, 0, size - chunk->size);
    }
    chunk->size = size;
    chunk->claims = (uint32_t)size;
}

struct png_chunk *png_make_insert(struct png_file *file, int at, const char *name, const void *data,
                                  size_t size)
{
    struct png_chunk *chunk = &file->chunks[at];
    memmove(chunk + 1, chunk, (size_t)(file->count - at) * sizeof *chunk);
    file->count++;
    memset(chunk, 0, sizeof *chunk);
    memcpy(chunk->name, name, 4);
    png_make_resize(chunk, size);
    if (size > 0) {
        memcpy(chunk->data, data, size);
    }
    return chunk;
}

void png_make_remove(struct png_file *file, int at)
{
    free(file->chunks[at].data);
    file->count--;
    memmove(&file->chunks[at], &file->chunks[at + 1], (size_t)(file->count - at) * sizeof file->chunks[0]);
}

void png_make_pack(struct png_file *file)
{
    int at = png_make_find(file, "IDAT");
    while (png_make_find(file, "IDAT") >= 0) {
        png_make_remove(file, png_make_find(file, "IDAT"));
    }
    at = at < 0 ? file->count : at;
    uLongf size = compressBound((uLong)file->raw_size);
    uint8_t *packed = malloc(size);
    compress2(packed, &size, file->raw, (uLong)file->raw_size, file->recipe.level);
    size_t step = file->recipe.idat > 0 ? file->recipe.idat : size;
    step = step * 40 < size ? size / 40 + 1 : step; /* the list of chunks is short */
    for (size_t done = 0; done < size; done += step) {
        png_make_insert(file, at++, "IDAT", packed + done, size - done < step ? size - done : step);
    }
    free(packed);
}

static void put_uint(uint8_t *to, uint32_t v)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(v >> (24 - 8 * i));
    }
}

static void add_palette(struct png_file *file)
{
    const struct png_recipe *r = &file->recipe;
    unsigned entries = entries_of(r);
    uint8_t colours[3 * 256], alpha[256];
    for (unsigned i = 0; i < entries; i++) {
        for (int c = 0; c < 3; c++) {
            colours[3 * i + (unsigned)c] = (uint8_t)palette_entry(r, i, c);
        }
        alpha[i] = (uint8_t)palette_alpha(r, i);
    }
    png_make_insert(file, file->count, "PLTE", colours, (size_t)3 * entries);
    if (r->trns) {
        png_make_insert(file, file->count, "tRNS", alpha, entries - entries / 4);
    }
}

void png_make(struct png_file *file, const struct png_recipe *recipe)
{
    static const int all[4] = {0, 0, 1, 1};
    memset(file, 0, sizeof *file);
    file->recipe = *recipe;
    memcpy(file->signature, "\x89PNG\r\n\x1a\n", 8);
    uint8_t header[13] = {0}, trns[6];
    put_uint(header, (uint32_t)recipe->width);
    put_uint(header + 4, (uint32_t)recipe->height);
    header[8] = (uint8_t)recipe->depth;
    header[9] = (uint8_t)recipe->type;
    header[12] = (uint8_t)recipe->adam7;
    png_make_insert(file, 0, "IHDR", header, sizeof header);
    if (recipe->type == 3) {
        add_palette(file);
    } else if (recipe->trns) {
        for (int c = 0; c < stored_channels(recipe); c++) {
            trns[2 * c] = (uint8_t)(key(recipe, c) >> 8);
            trns[2 * c + 1] = (uint8_t)key(recipe, c);
        }
        png_make_insert(file, file->count, "tRNS", trns, (size_t)stored_channels(recipe) * 2);
    }
    for (int pass = 0; pass < (recipe->adam7 ? 7 : 1); pass++) {
        add_pass(file, recipe->adam7 ? adam7[pass] : all);
    }
    png_make_pack(file);
    png_make_insert(file, file->count, "IEND", "", 0);
}

uint8_t *png_make_bytes(const struct png_file *file, size_t *size)
{
    size_t total = 8;
    for (int i = 0; i < file->count; i++) {
        total += 12 + file->chunks[i].size;
    }
    uint8_t *bytes = malloc(total), *to = bytes + 8;
    memcpy(bytes, file->signature, 8);
    for (int i = 0; i < file->count; i++) {
        const struct png_chunk *chunk = &file->chunks[i];
        put_uint(to, chunk->claims);
        memcpy(to + 4, chunk->name, 4);
        memcpy(to + 8, chunk->data, chunk->size);
        uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), to + 4, (uInt)(4 + chunk->size));
        put_uint(to + 8 + chunk->size, crc ^ chunk->flips);
        to += 12 + chunk->size;
    }
    *size = file->keep > 0 ? (size_t)file->keep : total - (size_t)-file->keep;
    return bytes;
}

void png_make_free(struct png_file *file)
{
    while (file->count > 0) {
        png_make_remove(file, file->count - 1);
    }
    free(file->raw);
    file->raw = NULL;
}
