/* nearest: which known word a user meant. Distance: insertions, deletions, changes and swaps of
 * neighbours (optimal string alignment); letters without case, '-' equal to '_'; a beginning of at
 * least three letters counts as near. At most a third of the shorter word may differ, or one letter:
 * `mean` is another word than `median`. */
#pragma once

#include <stddef.h>

struct gf_nearest {
    const char *typed; /* borrowed */
    size_t typed_length;
    const char *best; /* the nearest word offered, not terminated; NULL: none is near */
    size_t best_length, distance;
};

struct gf_nearest gf_nearest_to(const char *typed, size_t length);

/* Considers one word; among several equally near the first stays, but among beginnings the shorter. */
void gf_nearest_offer(struct gf_nearest *nearest, const char *word, size_t length);

/* Considers all words of a list separated by '|'; NULL: none. */
void gf_nearest_offer_list(struct gf_nearest *nearest, const char *words);

/* A few words, the nearest first, for one that nothing is near enough to be it. Alike is what holds the
 * other, as medianBlur holds median, begins with the same three letters, or differs by at most half of it. */
enum { GF_ALIKE_MOST = 6 };
struct gf_alike {
    const char *words[GF_ALIKE_MOST]; /* terminated; borrowed */
    size_t ranks[GF_ALIKE_MOST];
    int count;
};
void gf_alike_offer(struct gf_alike *alike, const char *typed, size_t length, const char *word);
