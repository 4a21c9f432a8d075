/* What `gpufilter compare` was asked: the options, and what passes by them. */
#pragma once

#include "base/text_buffer.h"
#include "gpufilter/compare.h"
#include "gpufilter/io.h"

/* Patterns of --include and --exclude; the words are the caller's. */
enum { MOST_PATTERNS = 64 };
struct patterns {
    const char *at[MOST_PATTERNS];
    int count;
};

enum diff_style { STYLE_MARKS, STYLE_DIFFERENCE, STYLE_MASK };

struct criteria {
    const char *paths[2];
    int n_paths;
    double max_diff, max_count, psnr, allow, ssim, ms_ssim;
    /* White in the unit that max_diff is in: 100 of %, 255 of u8, 65535 of u16; 0: sample units. */
    double diff_white;
    bool has_diff, has_count, count_is_percent, has_psnr, has_allow, allow_is_percent, has_ssim, has_ms_ssim;
    bool ignore_alpha, antialias, json, update, server, help;
    gf_compare_by by;
    uint32_t metrics;
    int64_t shift;   /* 0: none is looked for */
    gf_rect roi;     /* w = 0: the whole picture */
    gf_rect *ignore; /* owned */
    int64_t ignore_count;
    enum diff_style style;
    const char *mask, *diff, *expect, *html, *junit, *reg, *show;
    struct patterns include, exclude;
    gf_io_limits limits;
};

/* Reads the words; says its own errors. criteria_free in any case. */
gf_status criteria_read(int count, char **words, struct criteria *criteria);
void criteria_free(struct criteria *criteria);

/* Tells whether what was found is within what was allowed. */
bool criteria_allow(const struct criteria *criteria, const gf_comparison *c);
/* The same of the parts: samples and pixels; and what is measured of the whole. */
bool criteria_allow_count(const struct criteria *criteria, const gf_comparison *c);
bool criteria_allow_quality(const struct criteria *criteria, const gf_comparison *c);

/* Tells whether so many pixels out of those may differ. */
bool criteria_allow_pixels(const struct criteria *criteria, uint64_t pixels, uint64_t of);
