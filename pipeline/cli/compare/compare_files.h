/* Files that tell other programs and people what was found: JUnit's XML, reg.json, a page. */
#pragma once

#include "compare/compare_folders.h"

/* Writes those that were asked for. Says its own errors. */
gf_status compare_files_write(const struct criteria *criteria, struct pair_list *list);

/* The page of --html (compare_page.c). */
gf_status compare_page_add(struct buffer *text, const struct criteria *criteria, struct pair_list *list);

/* The name of a pair for people and reports. */
const char *pair_title(const struct pair *pair);

/* The letters of base64 for these bytes. */
void buffer_base64(struct buffer *text, const void *bytes, size_t size);
