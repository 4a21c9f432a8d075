/* TIFF 6.0, section 2, as EXIF uses it: "II" or "MM", 42, the place of the first directory; there a count,
 * and entries of 12 bytes: tag, type, count, value. */
#include "io/exif.h"

#include <string.h>

#define ORIENTATION 0x0112

/* Types; the first is the right one, the others are met with. */
enum { SHORT = 3, LONG = 4, SSHORT = 8, SLONG = 9 };

/* A number of 2 or 4 bytes. */
static uint32_t number(const uint8_t *bytes, int size, int little)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++) {
        value = value << 8 | bytes[little ? size - 1 - i : i];
    }
    return value;
}

int gf_exif_orientation(const void *exif, size_t size, size_t *at)
{
    const uint8_t *bytes = exif;
    if (exif == NULL || size < 8 || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0)) {
        return 0;
    }
    int little = bytes[0] == 'I';
    size_t place = number(bytes + 4, 4, little);
    if (place > size - 2) {
        return 0;
    }
    size_t count = number(bytes + place, 2, little);
    place += 2;
    for (; count > 0 && size - place >= 12; count--, place += 12) {
        const uint8_t *entry = bytes + place;
        if (number(entry, 2, little) != ORIENTATION) {
            continue;
        }
        const uint32_t type = number(entry + 2, 2, little), values = number(entry + 4, 4, little);
        const int bytes_each = type == SHORT || type == SSHORT ? 2 : type == LONG || type == SLONG ? 4 : 0;
        const size_t where =
            (uint64_t)values * (uint32_t)bytes_each <= 4 ? place + 8 : number(entry + 8, 4, little);
        if (bytes_each == 0 || values == 0 || where > size - (size_t)bytes_each) {
            return -1;
        }
        const uint32_t value = number(bytes + where, bytes_each, little);
        *at = where + (bytes_each == 4 && !little ? 2 : 0);
        return value <= 8 ? (int)value : -1;
    }
    return 0;
}

void gf_exif_reset(void *exif, size_t at)
{
    uint8_t *bytes = exif;
    int little = bytes[0] == 'I';
    bytes[at] = (uint8_t)little;
    bytes[at + 1] = (uint8_t)!little;
}
