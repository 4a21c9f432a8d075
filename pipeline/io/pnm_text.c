#include "io/pnm_text.h"

int gf_pnm_is_space(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

int gf_pnm_byte(struct gf_bytes_in *in)
{
    int byte = gf_bytes_in_byte(in);
    if (byte == '#') {
        do {
            byte = gf_bytes_in_byte(in);
        } while (byte >= 0 && byte != '\n' && byte != '\r');
    }
    return byte;
}

static int skip_blanks(struct gf_bytes_in *in)
{
    int byte;
    do {
        byte = gf_pnm_byte(in);
    } while (gf_pnm_is_space(byte));
    return byte;
}

int gf_pnm_word(struct gf_bytes_in *in, char *word, size_t size)
{
    size_t length = 0;
    int byte = skip_blanks(in);
    while (byte >= 0 && !gf_pnm_is_space(byte)) {
        if (length + 1 == size) {
            return 0;
        }
        word[length++] = (char)byte;
        byte = gf_pnm_byte(in);
    }
    word[length] = '\0';
    return byte >= 0;
}

int gf_pnm_number(struct gf_bytes_in *in, int64_t most, int64_t *value)
{
    int byte = skip_blanks(in);
    int64_t number = 0;
    if (byte < 0) {
        return 0;
    }
    do {
        int digit = byte - '0';
        if (digit < 0 || digit > 9 || number > (INT64_MAX - digit) / 10) {
            return -1;
        }
        number = number * 10 + digit;
        if (number > most) {
            return -1;
        }
        byte = gf_pnm_byte(in);
    } while (byte >= 0 && !gf_pnm_is_space(byte));
    *value = number;
    return byte >= 0;
}
