/* Finds where an output really goes: links followed. */
#pragma once

#define GF_PATH_SIZE 4096 /* of a path with its zero: what Linux takes */

/* N if the path names an open descriptor of this process: "-" and /dev/stdout 1, /dev/stderr
 * 2, /dev/fd/N and /proc/self/fd/N; else -1. */
int gf_target_descriptor(const char *path);

/* The path with symbolic links of its last part followed, existing or not, in `target`. Returns 0, or
 * errno: ELOOP after 40 links, ENAMETOOLONG, or what readlink said. */
int gf_target_resolve(const char *path, char target[GF_PATH_SIZE]);
