/* EXIF in a TIFF is directories of the file itself; anywhere else it is a small TIFF of its own. These
 * functions take one out of the other. Byte order and, with BigTIFF, the width of entries may differ. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Where directories are read: memory, or by a function where that is NULL. */
struct gf_exif_source {
    const uint8_t *memory;
    uint64_t size;
    int (*read)(void *user, uint64_t at, void *to, size_t size); /* 1: all of it */
    void *user;
    int little, big; /* the lowest byte comes first; BigTIFF */
    uint64_t root;   /* where the first directory is */
};

/* Bytes that grow, which will lie at `base` of a file. */
struct gf_exif_bytes {
    uint8_t *bytes; /* to be freed */
    size_t size, room;
    uint64_t base;
    int little, big;
    uint64_t most; /* that there may be */
    int no_memory, too_many;
};

/* EXIF as JPEG and others have it, as a source; 0: it is none. */
int gf_exif_source_of(const void *exif, size_t size, struct gf_exif_source *source);

/* Copies the directories of EXIF and GPS, and one within, to the end of `to`; places are 0 where there are
 * none. 0: damaged, or too many bytes, or no memory. */
int gf_exif_copy(const struct gf_exif_source *source, struct gf_exif_bytes *to, uint64_t *exif,
                 uint64_t *gps);

/* Makes of a TIFF's directories an EXIF of its own, little-endian: EXIF, GPS, and the texts below. 0: as
 * above. Where there is neither EXIF nor GPS, it stays empty. */
int gf_exif_extract(const struct gf_exif_source *source, struct gf_exif_bytes *to);

/* Texts of the first directory, camera, date and author, by number from 0: their tag, and in `text` what they
 * say, at most `size` bytes with the end; "" where there is none. 0 past the last. */
uint16_t gf_exif_text(const struct gf_exif_source *source, int number, char *text, size_t size);
