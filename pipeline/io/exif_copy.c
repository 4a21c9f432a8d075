/* TIFF 6.0, section 2, BigTIFF, and EXIF 2.32, 4.5 and 4.6. */
#include "io/exif_copy.h"

#include <stdlib.h>
#include <string.h>

enum { EXIF = 0x8769, GPS = 0x8825, INTEROPERABILITY = 0xa005 };
enum { ASCII = 2, LONG = 4, LONG8 = 16, MOST_TEXT = 1024 };

/* What is said about the picture in its first directory; in ascending order, as a directory wants them. */
static const uint16_t texts[] = {0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x8298};

enum { TEXTS = sizeof texts / sizeof *texts };

/* Bytes that are swapped together, and how many such parts a value has. */
static const struct {
    uint8_t unit, parts;
} types[] = {{0, 0}, {1, 1}, {1, 1}, {2, 1}, {4, 1}, {4, 2}, {1, 1},
             {1, 1}, {2, 1}, {4, 1}, {4, 2}, {4, 1}, {8, 1}, {4, 1}};

struct entry {
    uint16_t tag, type;
    uint64_t count;
    uint64_t at; /* of its value, wherever that is */
};

/* ---- reading ---- */

static int read_at(const struct gf_exif_source *source, uint64_t at, void *to, uint64_t size)
{
    if (source->memory == NULL) {
        return source->read(source->user, at, to, (size_t)size);
    }
    if (at > source->size || size > source->size - at) {
        return 0;
    }
    memcpy(to, source->memory + at, (size_t)size);
    return 1;
}

static int get(const struct gf_exif_source *source, uint64_t at, int size, uint64_t *value)
{
    uint8_t bytes[8];
    *value = 0;
    if (!read_at(source, at, bytes, (uint64_t)size)) {
        return 0;
    }
    for (int i = 0; i < size; i++) {
        *value = *value << 8 | bytes[source->little ? size - 1 - i : i];
    }
    return 1;
}

static int count_entries(const struct gf_exif_source *source, uint64_t directory, uint64_t *count)
{
    return get(source, directory, source->big ? 8 : 2, count) && *count <= UINT16_MAX;
}

static uint64_t value_bytes(const struct entry *entry)
{
    return entry->count * types[entry->type].unit * types[entry->type].parts;
}

/* Entry `i`; its type is 0 where it is none that a TIFF without BigTIFF has. Places of directories may be of
 * others. */
static int get_entry(const struct gf_exif_source *source, uint64_t directory, uint64_t i, struct entry *entry)
{
    const int wide = source->big ? 8 : 4;
    const uint64_t at = directory + (source->big ? 8 + 20 * i : 2 + 12 * i);
    uint64_t tag, type;
    if (!get(source, at, 2, &tag) || !get(source, at + 2, 2, &type) ||
        !get(source, at + 4, wide, &entry->count)) {
        return 0;
    }
    const int is_place = tag == EXIF || tag == GPS || tag == INTEROPERABILITY;
    entry->tag = (uint16_t)tag;
    entry->type = is_place ? LONG : (uint16_t)(type < sizeof types / sizeof *types ? type : 0);
    entry->at = at + 4 + (uint64_t)wide;
    if (is_place) {
        return get(source, entry->at, wide, &entry->at);
    }
    if (entry->count > UINT32_MAX) {
        entry->type = 0;
    }
    return value_bytes(entry) <= (uint64_t)wide || get(source, entry->at, wide, &entry->at);
}

static int find(const struct gf_exif_source *source, uint16_t tag, struct entry *entry)
{
    uint64_t count = 0;
    if (!count_entries(source, source->root, &count)) {
        return 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!get_entry(source, source->root, i, entry)) {
            return 0;
        }
        if (entry->tag == tag) {
            return 1;
        }
    }
    return 0;
}

/* ---- writing ---- */

/* Room for so many zeros at an even place, which is returned; or SIZE_MAX. */
static size_t add(struct gf_exif_bytes *to, uint64_t size)
{
    const size_t at = to->size + to->size % 2;
    if (size > to->most || at > to->most - size) {
        to->too_many = 1;
        return SIZE_MAX;
    }
    const size_t end = at + (size_t)size;
    if (end > to->room) {
        const size_t room = 2 * end + 256;
        uint8_t *more = realloc(to->bytes, room);
        if (more == NULL) {
            to->no_memory = 1;
            return SIZE_MAX;
        }
        memset(more + to->room, 0, room - to->room);
        to->bytes = more;
        to->room = room;
    }
    to->size = end;
    return at;
}

static void put(struct gf_exif_bytes *to, size_t at, int size, uint64_t value)
{
    for (int i = 0; i < size; i++) {
        to->bytes[at + (size_t)(to->little ? i : size - 1 - i)] = (uint8_t)(value >> 8 * i);
    }
}

/* A directory of so many entries, which are still to be put. */
static size_t add_directory(struct gf_exif_bytes *to, uint64_t count)
{
    const size_t at = add(to, to->big ? 16 + 20 * count : 6 + 12 * count);
    if (at != SIZE_MAX) {
        put(to, at, to->big ? 8 : 2, count);
    }
    return at;
}

/* Puts what entry `i` is, and returns where its value or the place of that belongs. */
static size_t put_entry(struct gf_exif_bytes *to, size_t directory, uint64_t i, uint16_t tag, uint16_t type,
                        uint64_t count)
{
    const size_t at = directory + (size_t)(to->big ? 8 + 20 * i : 2 + 12 * i);
    put(to, at, 2, tag);
    put(to, at + 2, 2, type);
    put(to, at + 4, to->big ? 8 : 4, count);
    return at + (to->big ? 12 : 8);
}

static int copy_value(const struct gf_exif_source *source, const struct entry *entry,
                      struct gf_exif_bytes *to, size_t place)
{
    const uint64_t size = value_bytes(entry);
    const int wide = to->big ? 8 : 4, unit = types[entry->type].unit;
    if (size > (uint64_t)wide) {
        const size_t value = add(to, size);
        if (value == SIZE_MAX) {
            return 0;
        }
        put(to, place, wide, to->base + value);
        place = value;
    }
    if (!read_at(source, entry->at, to->bytes + place, size)) {
        return 0;
    }
    for (uint64_t i = 0; i < size && unit > 1 && source->little != to->little; i += (uint64_t)unit) {
        uint8_t *at = to->bytes + place + i;
        for (int j = 0; j < unit / 2; j++) {
            const uint8_t byte = at[j];
            at[j] = at[unit - 1 - j];
            at[unit - 1 - j] = byte;
        }
    }
    return 1;
}

static int is_kept(const struct entry *entry, int may_have_inner)
{
    return entry->type != 0 && entry->count > 0 && entry->tag != EXIF && entry->tag != GPS &&
           (entry->tag != INTEROPERABILITY || may_have_inner);
}

/* A directory and what its entries hold, but for those of types that nobody knows; `may_have_inner`: and one
 * that it names. */
static int copy_directory(const struct gf_exif_source *source, uint64_t from, int may_have_inner,
                          struct gf_exif_bytes *to, uint64_t *place)
{
    uint64_t count = 0, kept = 0, inner = 0;
    struct entry entry;
    if (!count_entries(source, from, &count)) {
        return 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!get_entry(source, from, i, &entry)) {
            return 0;
        }
        kept += (uint64_t)is_kept(&entry, may_have_inner);
    }
    const size_t directory = add_directory(to, kept);
    kept = 0;
    for (uint64_t i = 0; i < count && directory != SIZE_MAX; i++) {
        if (!get_entry(source, from, i, &entry)) {
            return 0;
        }
        if (!is_kept(&entry, may_have_inner)) {
            continue;
        }
        const int is_inner = entry.tag == INTEROPERABILITY;
        const size_t at = is_inner ? put_entry(to, directory, kept++, entry.tag, to->big ? LONG8 : LONG, 1)
                                   : put_entry(to, directory, kept++, entry.tag, entry.type, entry.count);
        if (is_inner ? !copy_directory(source, entry.at, 0, to, &inner)
                     : !copy_value(source, &entry, to, at)) {
            return 0;
        }
        if (is_inner) {
            put(to, at, to->big ? 8 : 4, inner);
        }
    }
    *place = to->base + directory;
    return directory != SIZE_MAX;
}

/* ---- all ---- */

int gf_exif_source_of(const void *exif, size_t size, struct gf_exif_source *source)
{
    const uint8_t *bytes = exif;
    if (exif == NULL || size < 8 || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0)) {
        return 0;
    }
    *source = (struct gf_exif_source){.memory = bytes, .size = size, .little = bytes[0] == 'I'};
    return get(source, 4, 4, &source->root);
}

int gf_exif_copy(const struct gf_exif_source *source, struct gf_exif_bytes *to, uint64_t *exif, uint64_t *gps)
{
    struct entry entry;
    *exif = *gps = 0;
    return (!find(source, EXIF, &entry) || copy_directory(source, entry.at, 1, to, exif)) &&
           (!find(source, GPS, &entry) || copy_directory(source, entry.at, 0, to, gps));
}

uint16_t gf_exif_text(const struct gf_exif_source *source, int number, char *text, size_t size)
{
    struct entry entry;
    *text = '\0';
    if (number >= TEXTS) {
        return 0;
    }
    if (find(source, texts[number], &entry) && entry.type == ASCII && entry.count < size &&
        read_at(source, entry.at, text, entry.count)) {
        text[entry.count] = '\0';
    }
    return texts[number];
}

/* The first directory, at `directory`; SIZE_MAX: only counts what it has. */
static uint64_t put_texts(const struct gf_exif_source *source, struct gf_exif_bytes *to, size_t directory)
{
    char text[MOST_TEXT];
    uint64_t count = 0;
    for (int i = 0; i < TEXTS; i++) {
        const uint16_t tag = gf_exif_text(source, i, text, sizeof text);
        const size_t size = strlen(text) + 1;
        if (size > 1 && directory != SIZE_MAX) {
            const size_t at = put_entry(to, directory, count, tag, ASCII, size);
            const size_t value = size > 4 ? add(to, size) : at;
            if (value == SIZE_MAX) {
                return count;
            }
            if (size > 4) {
                put(to, at, 4, value);
            }
            memcpy(to->bytes + value, text, size);
        }
        count += size > 1;
    }
    return count;
}

int gf_exif_extract(const struct gf_exif_source *source, struct gf_exif_bytes *to)
{
    struct entry entry;
    uint64_t exif, gps, count = 0;
    const int has_exif = find(source, EXIF, &entry), has_gps = find(source, GPS, &entry);
    to->little = 1;
    if (!has_exif && !has_gps) {
        return 1;
    }
    if (add(to, 8) == SIZE_MAX) {
        return 0;
    }
    memcpy(to->bytes, "II*\0\x08\0\0", 8);
    count = put_texts(source, to, SIZE_MAX);
    const size_t directory = add_directory(to, count + (uint64_t)has_exif + (uint64_t)has_gps);
    if (directory == SIZE_MAX || put_texts(source, to, directory) != count ||
        !gf_exif_copy(source, to, &exif, &gps)) {
        return 0;
    }
    if (has_exif) {
        put(to, put_entry(to, directory, count++, EXIF, LONG, 1), 4, exif);
    }
    if (has_gps) {
        put(to, put_entry(to, directory, count, GPS, LONG, 1), 4, gps);
    }
    return !to->no_memory && !to->too_many;
}
