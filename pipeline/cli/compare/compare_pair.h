/* Two files compared: what was found, and the picture of it. */
#pragma once

#include "compare/compare_options.h"

enum verdict {
    VERDICT_EQUAL,
    VERDICT_WITHIN,  /* equal within what was allowed */
    VERDICT_CHANGED, /* different */
    VERDICT_MOVED,   /* equal so, but somewhere else */
    VERDICT_NEW,     /* of folders: there is no A */
    VERDICT_MISSING, /* or no B */
    VERDICT_FAILED   /* not compared, for `error` */
};

/* "equal", "within", "changed", ... */
const char *verdict_word(enum verdict verdict);
bool verdict_passes(enum verdict verdict);

/* ---- a file that is read by rows, or a picture that acts as one ---- */

struct pair_input {
    gf_reader *reader;
    gf_picture *picture;
    int64_t next; /* row of the picture */
    gf_source source;
};

/* Says its own errors; pair_input_close in any case. `whole`: the picture is held. */
gf_status pair_input_open(const char *path, const gf_io_limits *limits, bool whole, struct pair_input *input);
/* After the last row: what follows in the file is sound, too. */
gf_status pair_input_finish(struct pair_input *input);
void pair_input_close(struct pair_input *input);
/* From the first row again; what comes once was kept. */
gf_status pair_input_again(const char *path, const gf_io_limits *limits, struct pair_input *input);

struct pair {
    char *name;     /* of folders: what both paths end in, which the list owns; NULL: two files */
    char *paths[2]; /* the caller's, or the list's; NULL: there is no such file */
    enum verdict verdict;
    const char *form;   /* "size", "channels" or "depth", in which they differ; NULL: they were compared */
    bool same_bytes;    /* the files are the same, and were not decoded */
    gf_shape shapes[2]; /* of A and of B, as far as they could be read */
    gf_comparison c;
    gf_compare_shift_result shift; /* pixels 0: none was looked for */
    double diff_white;             /* the difference that is white in the picture of STYLE_DIFFERENCE */
    struct pair_input in[2];       /* open until pair_close, to draw */
    char hash[2][65];              /* of --expect: what was expected, and what is there; "": no such file */
    gf_error error;
};

/* Compares the files, by rows, on so many threads (0: one a processor), and sets the verdict. Where a file
 * cannot be read that is VERDICT_FAILED; an error is said, or caught. pair_close in any case. */
gf_status pair_compare(const struct criteria *criteria, struct pair *pair, int threads);

void pair_close(struct pair *pair);

/* Draws what pair_compare found, which were no forms, and writes it; `file` as in signals_watch_file. */
gf_status pair_draw(const struct criteria *criteria, struct pair *pair, const char *path, int file);

/* The same as a picture, RGB or gray of u8, at most `most` pixels a side: of larger ones every n-th pixel, or
 * a mark that is near it. The caller destroys it. */
gf_status pair_draw_picture(const struct criteria *criteria, struct pair *pair, enum diff_style style,
                            int64_t most, gf_picture **picture);

/* Compares once more, and hands each row to `row`. */
gf_status pair_again(const struct criteria *criteria, struct pair *pair,
                     gf_status (*row)(void *user, const gf_compare_row *row, gf_error *error), void *user);

/* Removes an older picture, which would pass for one of pictures that cannot be drawn, with a note. */
void remove_difference(const char *path);

/* The hash of a file's picture, 64 digits. */
gf_status pair_hash(const struct criteria *criteria, const char *path, char hash[65], gf_shape *shape);
