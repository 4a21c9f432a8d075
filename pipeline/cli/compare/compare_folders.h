/* Many pairs: those of two folders, or of a file of hashes and a folder. */
#pragma once

#include "compare/compare_pair.h"

struct pair_list {
    struct pair *at; /* in the order of their names */
    int64_t count;
};

/* Compares what lies in both folders under the same path, on all processors. *list is the caller's to free in
 * any case. An error ends it only where nothing can be listed or written: what fails in one pair is that
 * pair's. With --update files of B are copied over those of A. */
gf_status compare_folders(const struct criteria *criteria, struct pair_list *list);

/* Compares a picture, or those of a folder, with --expect: a hash, or a file with lines "HASH  NAME". */
gf_status compare_hashes(const struct criteria *criteria, struct pair_list *list);

void pair_list_free(struct pair_list *list);

/* How many pairs have a verdict. */
int64_t pair_list_count(const struct pair_list *list, enum verdict verdict);

/* Adds what is said of all; returns the exit code: 0 where all passed, 2 where one could not be compared. */
int compare_list_report(struct buffer *text, const struct criteria *criteria, const struct pair_list *list);

/* ---- for both ---- */

/* Adds the files below a folder that are pictures, and that the patterns let in, as pairs with only path
 * `side`. A file that is named itself is one, too. Sorted. */
gf_status pair_list_walk(const struct criteria *criteria, const char *folder, int side,
                         struct pair_list *list);

/* Makes of pairs of equal names one; lists are sorted. */
gf_status pair_list_join(struct pair_list *list, struct pair_list *other);

/* Calls work for each pair, on all processors; *threads of them may be used for one. */
void pair_list_each(const struct criteria *criteria, struct pair_list *list,
                    void (*work)(const struct criteria *criteria, struct pair *pair, int threads, int file));
