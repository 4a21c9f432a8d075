/* npy: the parser of headers, over any text. */
#include "check.h"
#include "io/npy_header.h"

#include <stdlib.h>
#include <string.h>

/* A copy exactly as long as the text, so that a sanitizer sees every step beyond. */
static int accepts(const char *text, size_t length, struct gf_npy_header *header)
{
    char *copy = malloc(length > 0 ? length : 1);
    int accepted = copy != NULL && gf_npy_parse(memcpy(copy, text, length), length, header) == NULL;
    free(copy);
    return accepted;
}

/* The parser alone: every prefix of a good text is refused; shuffled words never lead it astray. */
static void parser_takes_anything(void)
{
    static const char *const words[] = {
        "{", "}", "'descr':", "'<u1'", ",",           "'shape':",        "(", ")", "12", " ", "True",
        "[", "'", "\"",       "L",     "99999999999", "'fortran_order':"};
    static const char good[] = "{'descr': '<u1', 'fortran_order': True, 'shape': (12, 3)}";
    struct gf_npy_header header;
    for (size_t length = 0; length < sizeof good; length++) {
        CHECK_EQ_INT(accepts(good, length, &header), length == sizeof good - 1);
    }
    uint32_t state = 1;
    for (int i = 0; i < 200000; i++) {
        char text[512];
        size_t length = 0;
        for (uint32_t n = 0; n < 24; n++) {
            state = state * 1664525u + 1013904223u;
            const char *word = words[(state >> 16) % (sizeof words / sizeof words[0])];
            memcpy(text + length, word, strlen(word));
            length += strlen(word);
        }
        if (accepts(text, length, &header)) {
            CHECK(header.dims >= 0 && header.dims <= GF_NPY_MAX_DIMS && header.size <= 9999);
        }
    }
}

static const struct check_case cases[] = {
    {"the parser takes any text", parser_takes_anything},
};
CHECK_MAIN(cases)
